package ir

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir/bits"
)

// latched is a module with a latch of its input; the rest changes what the latch is.
func latched(change func(m *Module, r *Register)) *Design {
	d := &Design{Src: NewSources()}
	m := NewModule("top", d.Src)
	open := m.AddInput("open", 1, 0, 0)
	a := m.AddInput("a", 4, 0, 0)
	m.AddInput("clk", 1, TypeID(Clock), 0)
	never := m.Add(Node{Op: Wire, Width: 1, Type: TypeID(Clock)}, m.Const(bits.New(1, 1), 0))
	q := m.AddReg("q", 4, 0, never, 0)
	m.Regs[0].MakeLatch(never, open, a)
	m.AddOutput("y", 4, 0, q, 0)
	change(m, &m.Regs[0])
	d.Modules, d.Top = []*Module{m}, m
	return d
}

func TestLatch(t *testing.T) {
	d := latched(func(*Module, *Register) {})
	require.NoError(t, Verify(d))
	require.True(t, d.Top.Regs[0].Kind == Latch)
	require.Equal(t, [][]int{nil, nil, nil, {1, 0}}, Paths{}.Of(d.Top), "a latch lets its input through")
	for _, c := range []struct {
		want   string
		change func(m *Module, r *Register)
	}{
		{"register q: a latch has no clock, but this one has %3", func(m *Module, r *Register) { r.Clk = m.Ports[2].Node }},
		{"register q: a latch holds its own value, but this one has the next value %2", func(m *Module, r *Register) { r.Next = m.Ports[1].Node }},
		{"register q: a latch has an enable and data, and follows them without an edge", func(m *Module, r *Register) { r.Async = false }},
		{"register q: a latch has an enable and data, and follows them without an edge", func(m *Module, r *Register) { r.Rst, r.Reset, r.Async = None, None, false }},
		{"register q: there is no kind 2 of registers", func(m *Module, r *Register) { r.Kind = Latch + 1 }},
		{"register q: reset or initial value %2 is not a constant", func(m *Module, r *Register) { r.Kind = FlipFlop }},
		{"register q: reset or initial value %2 is not a constant", func(m *Module, r *Register) { r.Init = m.Ports[1].Node }},
	} {
		require.ErrorContains(t, Verify(latched(c.change)), c.want)
	}
	var loop *LoopError
	err := Verify(latched(func(m *Module, r *Register) {
		q := r.Node
		x := m.Add(Node{Op: Not, Width: 4}, q)
		m.Regs[0].Reset = x
	}))
	require.True(t, errors.As(err, &loop), "%v", err)
	require.Len(t, loop.Nodes, 2)
}

// TestLatchOfConstant: the kind does not follow from the data. A latch of a constant is one as any
// other, also in a copy.
func TestLatchOfConstant(t *testing.T) {
	d := latched(func(m *Module, r *Register) { r.Reset = m.Const(bits.New(4, 9), 0) })
	require.NoError(t, Verify(d))
	require.Equal(t, Latch, d.Clone().Top.Regs[0].Kind)
	require.Equal(t, [][]int{nil, nil, nil, {0}}, Paths{}.Of(d.Top), "it depends on its enable")
}
