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

// A value with another use, a value from outside of the arm, and a register are copied.
func TestArmsThatAreCopied(t *testing.T) {
	n := net.New()
	for i := range 3 {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: 32, Q: net.None, Next: net.None})
	}
	n.Regs[1].W = 1
	x, s := n.Leaf(0), n.Leaf(1)
	outside := dear(n, x, 1)
	n.Outs = append(n.Outs,
		net.Out{Slot: 8, Node: n.Add(n.Mux(s, outside, dear(n, x, 100)), x, 32)},
		net.Out{Slot: 9, Node: n.Add(n.Mux(s, dear(n, x, 1000), n.Leaf(2)), x, 32)},
		net.Out{Slot: 7, Node: outside})

	// Each mux has one value that nothing else reads.
	inPlace, copied := phis(scheduled(n, 1, 2, 3, 4, 5, 6))
	require.Equal(t, 2, inPlace)
	require.Equal(t, 2, copied)
}
