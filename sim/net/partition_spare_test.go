package net

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A kept value that changes in most runs of its part is not compared, since its readers run anyway; one
// that seldom changes is.
func TestSpare(t *testing.T) {
	n := New()
	n.Regs = []Reg{{Slot: 0, W: 8, Q: None, Next: None}, {Slot: 1, W: 8, Q: None, Next: None}, {Slot: 2, W: 8, Q: None, Next: None}}
	clock := n.Leaf(0)
	busy := n.Add(clock, n.Const(3), 8)
	rare := n.IsZero(n.Slice(clock, 0, 4))
	chain := func(x ID) ID { // more than a part has
		for range 12 {
			x = n.Add(n.Make(Mul, 8, x, n.Xor(x, n.Const(5)), None, 0), n.Const(77), 8)
		}
		return x
	}
	n.Regs[0].Next = n.Add(clock, n.Const(1), 8)
	n.Regs[1].Next, n.Regs[2].Next = chain(busy), chain(rare)
	n = n.Prepared()

	a, k := n.NewActivity(64), uint64(0)
	for !a.Full() {
		a.Take(counting{&k})
	}
	p := a.Partition(20, &standard.Parts)
	kept, always, compared := p.Kept(), 0, 0
	for x := range n.N {
		if !kept[x] {
			continue
		}
		changes := a.share(a.changedRow(ID(x))) / p.Parts[p.Of[x]].Share
		if p.always[x] {
			require.Greater(t, changes, 0.8, "node %d", x)
			always++
		} else if changes < 0.5 {
			compared++
		}
	}
	require.Greater(t, always, 2)
	require.Positive(t, compared)
}
