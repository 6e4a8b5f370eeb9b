package pipe_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/pipe"
	"etch/testbench"
)

type macPorts struct {
	En      hw.Bit
	Valid   hw.Bit
	A, B, C hw.UInt
	Y       hw.UInt // A·B + C + the B before it, four cycles later
	There   hw.Bit
}

// mac is a pipeline with something of everything.
type mac struct{}

func (mac) Ports() macPorts {
	w := hw.Unsigned(8)
	return macPorts{
		En: hw.In(hw.Bit{}), Valid: hw.In(hw.Bit{}),
		A: hw.In(w), B: hw.In(w), C: hw.In(w),
		Y: hw.Out(hw.Unsigned(17)), There: hw.Out(hw.Bit{}),
	}
}

func (mac) Build(m *hw.Module, p macPorts) {
	run := m.Enabled(p.En)
	a := pipe.Of(run, "a", 0, p.A)
	b := pipe.Of(run, "b", 0, p.B)
	c := pipe.Of(run, "c", 0, p.C)
	product := pipe.Of(run, "product", 1, a.At(1).Mul(b.At(1)))
	sum := pipe.Of(run, "sum", 3, product.At(3).AddGrow(c.At(3).Extend(16)))
	m.Assert(hw.B(sum.Stage() == 3), "the stage of a value")
	p.Y.Set(sum.At(4).Add(b.Back(4, 1).Extend(17)))
	p.There.Set(pipe.Of(run, "valid", 0, p.Valid, hw.B(false)).At(4))
}

func TestPipe(t *testing.T) {
	s, p := testbench.New(t, mac{}, testbench.CoSim())
	r := rand.New(rand.NewPCG(1, 2))
	type element struct{ valid, a, b, c int }
	line := make([]element, 6) // element i is at stage i
	for n := range 500 {
		e := element{r.IntN(2), r.IntN(256), r.IntN(256), r.IntN(256)}
		en := r.IntN(3)
		s.Set(p.En, min(en, 1))
		s.Set(p.Valid, e.valid)
		s.Set(p.A, e.a)
		s.Set(p.B, e.b)
		s.Set(p.C, e.c)
		s.Step(1)
		if en != 0 {
			line = append([]element{{}, e}, line[1:5]...)
		}
		s.Expect(p.There, line[4].valid)
		if n > 40 { // what is not reset has gone
			s.Expect(p.Y, line[4].a*line[4].b+line[4].c+line[5].b)
		}
	}
}

// Two who ask for one stage share its register.
func TestShared(t *testing.T) {
	d, _, err := hw.Build(mac{})
	require.NoError(t, err)
	require.Len(t, d.Top.Regs, 1+5+3+2+1+4) // a, b with the one before, c, product, sum, valid
}

func TestTooEarly(t *testing.T) {
	_, _, err := hw.Build(hw.Func("early", struct{ X, Y hw.Bit }{hw.In(hw.Bit{}), hw.Out(hw.Bit{})},
		func(m *hw.Module, p struct{ X, Y hw.Bit }) {
			x := pipe.Of(m, "x", 2, p.X)
			p.Y.Set(x.At(1))
		}))
	require.ErrorContains(t, err, "pipe: x at stage 1, 0 back; it is there from stage 2 on")
	require.ErrorContains(t, err, "pipe_test.go")
}
