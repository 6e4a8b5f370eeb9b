package net

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// quiet is a state of zeros.
type quiet struct{}

func (quiet) Reg(int) uint64           { return 0 }
func (quiet) Mem(int32, uint64) uint64 { return 0 }

// counting is a state whose only register counts.
type counting struct{ k *uint64 }

func (c counting) Reg(int) uint64         { *c.k++; return *c.k }
func (counting) Mem(int32, uint64) uint64 { return 0 }

// The odds of a bit are its share of the given samples, and certain of nothing.
func TestOdds(t *testing.T) {
	n := New()
	n.Regs = []Reg{{Slot: 0, W: 8, Q: None, Next: None}}
	q := n.Leaf(0)
	rare := n.IsZero(n.And(q, n.Const(3)))
	n.Regs[0].Next = n.Mux(rare, n.Const(1), n.Not(q, 8))
	n = n.Prepared()
	a, k := n.NewActivity(64), uint64(0)
	for range 65 {
		a.Take(counting{&k})
	}

	// Every fourth sample, from the third on: the state counts from 1, and a sample is the second of
	// a pair.
	require.InDelta(t, 16.5/65, a.odds(rare, []uint64{^uint64(0)}), 1e-9)
	require.InDelta(t, 16.5/17, a.odds(rare, []uint64{0x4444444444444444}), 1e-9)
	require.InDelta(t, 0.5/17, a.odds(rare, []uint64{0x2222222222222222}), 1e-9)
}

// A cycle with little work has no crowd of branches, and tests of parts are dear only in a crowd.
func TestCrowd(t *testing.T) {
	chain := func(ops int) float64 {
		n := New()
		n.Regs = []Reg{{Slot: 0, W: 8, Q: None, Next: None}}
		x := n.Leaf(0)
		for i := range ops {
			x = n.Xor(n.Add(x, n.Leaf(0), 8), n.Const(uint64(i%250+1)))
		}
		n.Regs[0].Next = x
		n = n.Prepared()
		a, k := n.NewActivity(64), uint64(0)
		for range 65 {
			a.Take(counting{&k})
		}
		return a.crowd(&standard.Parts)
	}
	small, middle, large := chain(100), chain(4000), chain(12000)
	require.Zero(t, small)
	require.InDelta(t, 0.37, middle, 0.1)
	require.Equal(t, 1.0, large)
	few, many := standard.Parts.at(small), standard.Parts.at(large)
	require.Less(t, 2*few.test(0.5), many.test(0.5))
	require.Equal(t, few.test(0), many.test(1))
}

// Memories that take each other's words: both are read before either is written.
func TestPartitionOfExchange(t *testing.T) {
	n := New()
	n.Regs = []Reg{{Slot: 0, W: 2, Q: None, Next: None}, {Slot: 1, W: 8, Q: None, Next: None}}
	n.Mems = []Mem{{At: 2, Words: 4, Depth: 4, W: 8}, {At: 6, Words: 4, Depth: 4, W: 8}, {At: 10, Words: 4, Depth: 4, W: 8}}
	at := n.Leaf(0)
	for m := range int32(3) {
		n.Writes = append(n.Writes, Write{Mem: m, En: None, Addr: at, Data: n.Xor(n.Read((m+1)%3, at), n.Leaf(1)), Mask: None})
	}
	n = n.Prepared()
	for _, largest := range []float64{1, 400} {
		a := n.NewActivity(64)
		for range 5 {
			a.Take(quiet{})
		}
		p := a.Partition(largest, &standard.Parts)
		for i := range n.N {
			for w := range n.Writes {
				if n.N[i].Op == Read && int(n.Writes[w].Mem) == int(n.N[i].Imm) {
					require.LessOrEqual(t, p.Of[i], p.Unit[w], "read %d and write %d", i, w)
				}
			}
		}
		for w := range n.Writes {
			require.LessOrEqual(t, p.Of[n.Writes[w].Data], p.Unit[w])
			require.Contains(t, p.Parts[p.Unit[w]].Writes, w)
		}
	}
}
