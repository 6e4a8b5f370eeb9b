package pipe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/pipe"
	"etch/testbench"
)

type timesPorts struct {
	En   hw.Bit
	A, B hw.UInt
	Y    hw.UInt
}

// times multiplies in Says cycles; it has three registers.
type times struct{ Says int }

func (c times) Latency() int { return c.Says }

func (times) Ports() timesPorts {
	w := hw.Unsigned(8)
	return timesPorts{En: hw.In(hw.Bit{}), A: hw.In(w), B: hw.In(w), Y: hw.Out(hw.Unsigned(16))}
}

func (times) Build(m *hw.Module, p timesPorts) {
	run := m.Enabled(p.En)
	a, b := hw.Delay(run, "a_q", p.A, 1), hw.Delay(run, "b_q", p.B, 1)
	p.Y.Set(hw.Delay(run, "y_q", a.Mul(b), 2))
}

type addedPorts struct {
	En      hw.Bit
	A, B, C hw.UInt
	Y       hw.UInt
}

// added is A·B + C by an instance of times; nobody counts its cycles.
type added struct{ Says int }

func (added) Ports() addedPorts {
	w := hw.Unsigned(8)
	return addedPorts{En: hw.In(hw.Bit{}), A: hw.In(w), B: hw.In(w), C: hw.In(w), Y: hw.Out(hw.Unsigned(16))}
}

func (c added) Build(m *hw.Module, p addedPorts) {
	run := m.Enabled(p.En)
	a, b, addend := pipe.Of(run, "a", 0, p.A), pipe.Of(run, "b", 0, p.B), pipe.Of(run, "c", 0, p.C)
	product := pipe.Through(run, "times", times{c.Says}, 1, timesPorts{En: p.En, A: a.At(1), B: b.At(1)},
		func(t timesPorts) hw.UInt { return t.Y })
	at := product.Stage()
	p.Y.Set(pipe.Of(run, "y", at, product.At(at).Add(addend.At(at).Extend(16))).At(at + 1))
}

func TestThrough(t *testing.T) {
	s, p := testbench.New(t, added{3})
	var want []int
	for n := range 100 {
		a, b, c := n*37%256, n*91%256, n*13%256
		s.Set(p.En, 1)
		s.Set(p.A, a)
		s.Set(p.B, b)
		s.Set(p.C, c)
		s.Step(1)
		want = append(want, a*b+c)
		if n%7 == 3 { // the pipeline stands still
			s.Set(p.En, 0)
			s.Step(2)
		}
		if n >= 4 {
			s.Expect(p.Y, want[n-4])
		}
	}
}

// A latency that lies is found where it is said, and the pipeline counts by it.
func TestThroughALie(t *testing.T) {
	_, _, err := hw.Build(added{2})
	require.ErrorContains(t, err, "Latency of times is 2, and from a to y there are 3 registers [latency]")
	require.ErrorContains(t, err, "register y_q_2")
}
