package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/choose"
	"etch/sim/net"
)

// dear is a value that is worth a branch: sums and slices of x.
func dear(n *net.Net, x net.ID, k uint64) net.ID {
	for i := range uint64(12) {
		x = n.Xor(n.Add(x, n.Const(k+i), 32), n.Slice(x, uint8(i%5+1), 20))
	}
	return x
}

// scheduled is n with places for its values, in some registers.
func scheduled(n *net.Net, pool ...uint8) *Code {
	s := &Scheduler{Costs: &choose.Standard().Branches}
	c := Prepare(s, n, net.Assume{}, 0)
	c.Allocate(&Allocator{}, pool)
	return c
}

// phis counts the values of arms that are computed in the place of their mux, and the others.
func phis(c *Code) (inPlace, copied int) {
	for _, in := range c.Out {
		switch {
		case in.K != KPhi:
		case c.InPlace(net.ID(in.A), net.ID(in.B)):
			inPlace++
		default:
			copied++
		}
	}
	return inPlace, copied
}

// A mux of muxes whose arms are computed needs no copies, in registers or in memory.
func TestArmsInPlace(t *testing.T) {
	for _, pool := range [][]uint8{{1, 2, 3, 4, 5, 6}, {1}} {
		n := net.New()
		for i := range 3 {
			n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: 32, Q: net.None, Next: net.None})
		}
		n.Regs[1].W, n.Regs[2].W = 1, 1
		x, s, u := n.Leaf(0), n.Leaf(1), n.Leaf(2)
		m := n.Mux(s, n.Mux(u, dear(n, x, 1), dear(n, x, 100)), dear(n, x, 1000))
		n.Outs = append(n.Outs, net.Out{Slot: 9, Node: n.Add(m, x, 32)})

		// Two values of the inner mux, the inner mux itself, and the value beside it.
		inPlace, copied := phis(scheduled(n, pool...))
		require.Equal(t, 4, inPlace, "with %d registers", len(pool))
		require.Zero(t, copied)
	}
}

// A value from outside of the arm, and one with another use, do not get the place of their mux: the values
// of both arms cannot be in one place at once, and a mux may be in memory.
func TestArmsThatAreCopied(t *testing.T) {
	n := net.New()
	for i := range 2 {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: 32 - 31*uint8(i), Q: net.None, Next: net.None})
	}
	x, s := n.Leaf(0), n.Leaf(1)
	outside, other, twice := n.Add(x, x, 32), n.Xor(x, n.Const(5)), n.And(x, n.Const(0x77))
	more := n.Or(twice, n.Const(0x100))
	m, k := n.Mux(s, outside, other), n.Mux(s, twice, more)
	n.Outs = append(n.Outs, net.Out{Slot: 8, Node: m}, net.Out{Slot: 9, Node: k})

	// if s { m = outside; twice; more; k = twice } else { m = other; k = x }, as no scheduler
	// would write it: outside and other come before.
	c := &Code{N: n, Fold: make([]bool, len(n.N)), Out: []Ins{
		{KEval, int32(outside), -1}, {KEval, int32(other), -1}, {KIf, int32(s), -1},
		{KPhi, int32(m), int32(outside)}, {KEval, int32(twice), -1}, {KEval, int32(more), -1}, {KPhi, int32(k), int32(twice)},
		{KElse, -1, -1}, {KPhi, int32(m), int32(other)}, {KPhi, int32(k), int32(x)}, {KEnd, -1, -1},
		{KOut, 0, -1}, {KOut, 1, -1}, {KOut, 0, -1},
	}}
	a := &Allocator{}
	c.Allocate(a, []uint8{1, 2, 3, 4, 5, 6})
	for _, v := range []net.ID{outside, other, twice} {
		require.Equal(t, v, a.owner(v))
	}
	require.NotEqual(t, c.Loc[outside], c.Loc[other])
}
