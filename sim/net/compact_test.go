package net

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// wasteful makes a net of which little is needed, with look-ups, writes, some of
// which never happen, and values to store.
func wasteful(r *rand.Rand) *Net {
	n := New()
	n.Mems = []Mem{{Words: 16, Depth: 16, W: 64}}
	var all []ID
	for i := range 6 {
		n.Regs = append(n.Regs, Reg{Slot: int32(i), W: uint8(1 + r.IntN(64)), Q: None, Next: None})
		all = append(all, n.Leaf(i))
	}
	pick := func() ID { return all[r.IntN(len(all))] }
	bit := func() ID { x := pick(); return n.Slice(x, uint8(r.IntN(int(n.Width(x)))), 1) }
	for range 30 + r.IntN(30) {
		switch r.IntN(4) {
		case 0:
			all = append(all, n.Lut(r.Uint64(), []ID{bit(), bit(), bit(), bit()}))
		case 1:
			all = append(all, n.Mux(bit(), pick(), n.Const(uint64(r.IntN(9)))))
		default:
			all = append(all, n.Make([]Op{And, Or, Xor, Add, Sub}[r.IntN(5)], 64, pick(), pick(), None, 0))
		}
	}
	for i := range n.Regs {
		if r.IntN(2) == 0 {
			n.Regs[i].Next = n.Slice(pick(), 0, n.Regs[i].W)
		}
	}
	for range 3 {
		w := Write{En: []ID{None, bit(), n.Const(0)}[r.IntN(3)], Addr: n.Slice(pick(), 0, 4), Data: pick(), Mask: None}
		n.Writes = append(n.Writes, w)
	}
	n.Outs = []Out{{7, pick()}}
	n.Stop = []ID{None, bit(), n.Const(0)}[r.IntN(3)]
	return n
}

// In a net of its own or in place, what is left has the values that it had.
func TestCompact(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := wasteful(r)
		before := *n
		before.N, before.Pool, before.Regs = slices.Clone(n.N), slices.Clone(n.Pool), slices.Clone(n.Regs)
		before.Writes, before.Outs = slices.Clone(n.Writes), slices.Clone(n.Outs)

		m := n.Compact()
		require.True(t, n.Equal(&before), "seed %d: the net itself has changed", seed)
		require.Less(t, len(m.N), len(n.N))
		n.CompactInPlace()
		require.True(t, m.Equal(n), "seed %d:\n%s\nin place:\n%s", seed, m, n)

		var state []uint64
		for i := range m.Regs {
			state = append(state, r.Uint64()&Mask(m.Regs[i].W))
		}
		was, is := evalNet(&before, state, nil), evalNet(m, state, nil)
		same := func(x, y ID) { require.Equal(t, was[x], is[y], "seed %d:\n%s\n%s", seed, &before, m) }
		for i, g := range before.Regs {
			if g.Next != g.Q && g.Next >= 0 {
				same(g.Next, m.Regs[i].Next)
			}
		}
		k := 0
		for _, w := range before.Writes {
			if v, ok := before.constant(w.En); ok && v == 0 {
				continue
			}
			same(w.Addr, m.Writes[k].Addr)
			same(w.Data, m.Writes[k].Data)
			require.Equal(t, w.En < 0, m.Writes[k].En < 0)
			k++
		}
		require.Len(t, m.Writes, k)
		same(before.Outs[0].Node, m.Outs[0].Node)
		stops := before.Stop >= 0 && before.N[before.Stop].Op != Const
		require.Equal(t, stops, m.Stop >= 0)
		for i := range m.Regs { // a word knows its leaf, also for those who go on building
			q := m.Regs[i].Q
			if q >= 0 {
				require.Equal(t, Node{Op: Leaf, W: m.Regs[i].W, A: None, B: None, C: None, Imm: uint64(i)}, m.N[q])
				require.Equal(t, q, m.Leaf(i))
			}
		}
		require.Equal(t, len(n.N), int(m.Const(1<<40+seed)), "a new node")
		require.Equal(t, len(n.N), int(m.Const(1<<40+seed)), "the same once more")
	}
}
