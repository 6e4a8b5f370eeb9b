package net

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Concatenations of bits of some words are joined, compared with constants, or both.
func TestConcats(t *testing.T) {
	compared := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 43))
		n := New()
		for i := range 4 {
			n.Regs = append(n.Regs, Reg{Slot: int32(i), W: uint8(1 + r.IntN(12)), Q: None, Next: None})
		}
		last := n.Leaf(0)
		for i := range 6 {
			x, w := ID(None), uint8(0)
			if i > 0 && r.IntN(3) == 0 { // joined to an earlier one
				x = last
				w = n.Width(x)
			}
			for w < 40 && r.IntN(6) > 0 {
				reg := r.IntN(4)
				y, lo := n.Leaf(reg), uint8(r.IntN(int(n.Regs[reg].W)))
				if r.IntN(4) == 0 {
					y = n.Not(y, n.Regs[reg].W)
				}
				if r.IntN(3) > 0 {
					y = n.Slice(y, lo, 1+uint8(r.IntN(int(n.Regs[reg].W-lo))))
				}
				if r.IntN(4) == 0 {
					y = n.Not(y, n.Width(y))
				}
				if x < 0 {
					x, w = y, n.Width(y)
					continue
				}
				gap := uint8(r.IntN(2))
				x, w = n.Cat(y, x, w+gap), w+gap+n.Width(y)
			}
			if x < 0 {
				continue
			}
			last = x
			out := x

			// The constant is the value in one of the states below, or next to it.
			v := n.Const(valueOf(n, stateOf(n, seed, uint64(r.IntN(20))), x) ^ uint64(r.IntN(8)/7))
			switch r.IntN(4) {
			case 0:
				out = n.Eq(x, v)
			case 1:
				out = n.Ne(x, v)
			case 2:
				out = n.Add(n.Eq(x, v), x, 40)
			}
			n.Regs = append(n.Regs, Reg{Slot: int32(4 + i), W: n.Width(out), Q: None, Next: out})
		}
		m := n.Concats()
		if len(m.N) < len(n.N) {
			compared++
		}

		for k := range uint64(20) {
			s := stateOf(n, seed, k)
			for i := 4; i < len(n.Regs); i++ {
				require.Equal(t, valueOf(n, s, n.Regs[i].Next), valueOf(m, s, m.Regs[i].Next), "seed %d, register %d\n%v\n%v", seed, i, n, m)
			}
		}
	}
	require.Greater(t, compared, 100)
}

// stateOf is one of the states of the first four registers of n.
func stateOf(n *Net, seed, k uint64) givenState {
	r := rand.New(rand.NewPCG(seed, k))
	s := givenState{regs: make([]uint64, len(n.Regs))}
	for i := range 4 {
		s.regs[i] = r.Uint64() & Mask(n.Regs[i].W)
	}
	return s
}

// valueOf is the value of node x of n.
func valueOf(n *Net, s State, x ID) uint64 {
	v := make([]uint64, len(n.N))
	for i := range n.N {
		v[i] = n.compute(ID(i), v, s)
	}
	return v[x]
}

// A decoder compares bits of one word with constants. Its terms share concatenations, and none is left.
func TestConcatsOfDecoder(t *testing.T) {
	n := New()
	n.Regs = append(n.Regs, Reg{Slot: 0, W: 32, Q: None, Next: None})
	word := n.Leaf(0)

	// The terms have a bit of their own, inverted, above four common ones.
	low := n.Cat(n.Slice(word, 5, 1), n.Cat(n.Slice(word, 4, 1), n.Slice(word, 2, 2), 2), 3)
	for i := range 8 {
		high := n.Slice(n.Not(word, 32), uint8(12+i), 1)
		term := n.Eq(n.Cat(high, low, 4), n.Const(0x19))
		n.Regs = append(n.Regs, Reg{Slot: int32(1 + i), W: 1, Q: None, Next: term})
	}

	// Some words match a term in all bits, the others differ in some.
	m := n.Concats()
	for i := range m.N {
		require.NotEqual(t, Cat, m.N[i].Op)
	}
	for k := range uint64(1 << 8) {
		s := givenState{regs: make([]uint64, len(n.Regs))}
		s.regs[0] = k<<12 ^ k&0x3f ^ 0x24
		for i := 1; i < len(n.Regs); i++ {
			require.Equal(t, valueOf(n, s, n.Regs[i].Next), valueOf(m, s, m.Regs[i].Next))
		}
	}
}
