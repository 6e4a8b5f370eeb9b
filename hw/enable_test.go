package hw_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/ir"
	"etch/sim"
)

type enabledPorts struct {
	En, Too, Wr        hw.Bit
	X                  hw.UInt
	Late, Count, Both  hw.UInt
	Word, Stored, Free hw.UInt
}

// enabled has something of every sort behind a clock enable.
type enabled struct{}

func (enabled) Ports() enabledPorts {
	w := hw.Unsigned(8)
	bit := hw.In(hw.Bit{})
	return enabledPorts{bit, bit, bit, hw.In(w), hw.Out(w), hw.Out(w), hw.Out(w), hw.Out(w), hw.Out(w), hw.Out(w)}
}

func (enabled) Build(m *hw.Module, p enabledPorts) {
	run := m.Enabled(p.En)
	p.Late.Set(hw.Delay(run, "late", p.X, 3))
	count := hw.Reg(run, "count", hw.Unsigned(8), hw.U(5))
	count.Set(count.Inc())
	p.Count.Set(count)
	both := hw.Reg(run.Enabled(p.Too), "both", hw.Unsigned(8), hw.U(0))
	m.When(p.X.Any(), func() { both.Set(p.X) })
	p.Both.Set(both)
	words := hw.Mem(run, "words", 4, hw.Unsigned(8))
	m.When(p.Wr, func() { words.Write(p.X.Trunc(2), p.X) })
	p.Stored.Set(words.Read(p.X.Trunc(2)))
	p.Word.Set(words.SyncRead("word", p.X.Trunc(2), hw.Old))
	p.Free.Set(hw.Delay(run.On(m.Domain()), "free", p.X, 1))
	run.Assert(p.X.Is(255).Not(), "x is 255")
	run.Cover(p.X.Is(254), "x_is_254")
}

// Everything behind the enable is held against Go variables that change at
// enabled edges only.
func TestEnabled(t *testing.T) {
	s, p := run(t, enabled{})
	s.Reset()
	r := rand.New(rand.NewPCG(3, 1))
	var late [3]uint64
	var words [4]uint64
	var both, word, free, cover uint64
	count, failed := uint64(5), 0
	for range 2000 {
		en, too, wr, x := r.Uint64N(2), r.Uint64N(2), r.Uint64N(2), r.Uint64N(256)
		s.put(p.En, en)
		s.put(p.Too, too)
		s.put(p.Wr, wr)
		s.put(p.X, x)
		s.expect(p.Stored, words[x%4], "what is stored")
		s.Step(1)
		free = x
		if en == 1 {
			late = [3]uint64{x, late[0], late[1]}
			count = (count + 1) % 256
			word = words[x%4]
			if wr == 1 {
				words[x%4] = x
			}
			if too == 1 && x != 0 {
				both = x
			}
			if x == 254 {
				cover++
			}
			if x == 255 {
				failed++
			}
		}
		s.expect(p.Late, late[2], "a delay")
		s.expect(p.Count, count, "a register")
		s.expect(p.Both, both, "two enables")
		s.expect(p.Word, word, "a synchronous read")
		s.expect(p.Free, free, "a view on another domain")
	}
	require.NotZero(t, cover)
	require.Equal(t, cover, s.Coverage()[0].Count)
	require.Len(t, s.Failures(), failed)
	s.put(p.En, 0)
	s.Reset()
	s.expect(p.Count, 5, "reset needs no enable")
}

// Enables that are literals cost nothing, and a mistaken one is a mistake.
func TestEnabledLiterals(t *testing.T) {
	c := hw.Func("always", struct {
		X hw.Bit
		Y hw.Bit
	}{hw.In(hw.Bit{}), hw.Out(hw.Bit{})}, func(m *hw.Module, p struct{ X, Y hw.Bit }) {
		p.Y.Set(hw.Delay(m.Enabled(hw.B(true)), "y", p.X, 1))
	})
	d, _, err := hw.Build(c)
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	s, err := sim.New(d)
	require.NoError(t, err)
	x, _ := s.Signal("x")
	y, _ := s.Signal("y")
	require.NoError(t, s.Set(x, 1))
	s.Step(1)
	require.Equal(t, uint64(1), s.Get(y))
}
