package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/backends/firrtl"
	"etch/ir"
	"etch/ir/bits"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// latchCase has a latch q of input d, opened by what a function makes of inputs a
// and b and of the register r, which follows a.
func latchCase(open func(m *ir.Module, a, b, r ir.ID) ir.ID, steps ...[3]uint64) *Case {
	d := &ir.Design{Src: ir.NewSources()}
	m := ir.NewModule("top", d.Src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	a, b, in := m.AddInput("a", 1, 0, 0), m.AddInput("b", 1, 0, 0), m.AddInput("d", 1, 0, 0)
	never := m.Add(ir.Node{Op: ir.Wire, Width: 1, Type: ir.TypeID(ir.Clock)}, m.Const(bits.Zero(1), 0))
	r := m.AddReg("r", 1, 0, clk, 0)
	m.Regs[0].Next = a
	q := m.AddReg("q", 1, 0, never, 0)
	m.Regs[1].MakeLatch(never, open(m, a, b, r), in)
	m.AddOutput("o", 1, 0, q, 0)
	d.Modules, d.Top = []*ir.Module{m}, m
	st := &Stimulus{Clocks: []string{"clk"}, Inputs: []string{"a", "b", "d"}}
	for _, s := range steps {
		st.Steps = append(st.Steps, Step{Rise: 1, In: []bits.Value{bits.New(1, s[0]), bits.New(1, s[1]), bits.New(1, s[2])}})
	}
	return &Case{Name: "latch", Design: d, Stim: st}
}

// equal opens a latch by way of a net.
func equal(m *ir.Module, a, b, _ ir.ID) ir.ID {
	id := m.Add(ir.Node{Op: ir.Eq, Width: 1}, a, b)
	m.SetName(id, "same")
	return id
}

// TestHasty: what opens a latch must not have glitches, and must not close it as
// what it takes changes.
func TestHasty(t *testing.T) {
	require.False(t, hasty(latchCase(func(_ *ir.Module, _, _, r ir.ID) ir.ID { return r }).Design))
	require.True(t, hasty(latchCase(func(_ *ir.Module, a, _, _ ir.ID) ir.ID { return a }).Design), "a and d are inputs both")
	require.True(t, hasty(latchCase(func(m *ir.Module, _, _, r ir.ID) ir.ID { return m.Add(ir.Node{Op: ir.Not, Width: 1}, r) }).Design))
	require.True(t, hasty(latchCase(equal).Design))

	calm, free := 0, 0
	for seed := range uint64(320) {
		if c := NewCase(seed, 0); hasLatch(c.Design) {
			if free++; !hasty(c.Design) {
				calm++
			}
		}
	}
	require.Greater(t, calm, 25, "of %d circuits with latches", free)
	require.Greater(t, free-calm, 3)
}

// TestHastyUnderIcarus: Icarus Verilog is kept from a latch that opens for a moment
// under it, and needs to be; a calm one it gets right.
func TestHastyUnderIcarus(t *testing.T) {
	tools.Need(t, find("iverilog").Tools...)
	look := func(c *Case) Verdict {
		verdicts, err := runIcarus(t.Context(), &workshop{dir: t.TempDir()}, []*Case{c})
		require.NoError(t, err)
		return verdicts[0]
	}
	c := latchCase(equal, [3]uint64{1, 0, 1}, [3]uint64{0, 0, 1}, [3]uint64{1, 0, 0})
	require.Equal(t, hastyLatch, takesIcarus(c))
	require.Equal(t, Differs, look(c).Kind, "Icarus Verilog need not be kept from it any more")
	c = latchCase(func(_ *ir.Module, _, _, r ir.ID) ir.ID { return r }, [3]uint64{1, 0, 1}, [3]uint64{0, 0, 1}, [3]uint64{1, 0, 0})
	require.Empty(t, takesIcarus(c))
	require.Equal(t, Verdict{}, look(c))
}

// TestLatchesInFirrtl: the judges of FIRRTL are kept from latches, which are refused
// in so many words.
func TestLatchesInFirrtl(t *testing.T) {
	c := latchCase(equal)
	require.Equal(t, "FIRRTL has no latches", portableFirrtl(c))
	_, err := firrtl.Text(c.Design, firrtl.Options{})
	require.ErrorIs(t, err, firrtl.ErrLatch)
}

// TestDifferenceOfLatches: a latch or register that holds its difference from what
// it starts as shows the same.
func TestDifferenceOfLatches(t *testing.T) {
	latches := 0
	for seed := range uint64(40) {
		d := randcircuit.Design(seed, randcircuit.Config{State: true, Latches: true, Widths: randcircuit.Narrow})
		c := CaseOf(d, seed)
		held := d.Clone()
		for _, m := range held.Modules {
			for i := range m.Regs {
				if r := &m.Regs[i]; r.Init != ir.None {
					if r.Kind == ir.Latch {
						latches++
					}
					start := m.ConstOf(r.Init)
					r.Init = ir.None
					holdDifference(m, i, start)
				}
			}
		}
		require.NoError(t, ir.Verify(held))
		require.Empty(t, c.again(held, c.Stim).Reference(fromZero).Diff(c.Reference(fromZero), d.Top, false), "seed %d", seed)
	}
	require.Greater(t, latches, 40)
}
