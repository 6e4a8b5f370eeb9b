package net

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMakeKeepsValues builds random expressions through Make, which folds, shares
// and simplifies, and computes the same expressions step by step with Eval: every
// node has the value that was asked for, and its width holds it.
func TestMakeKeepsValues(t *testing.T) {
	seeds := uint64(30_000)
	if testing.Short() {
		seeds = 3000
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 0x3a4e))
		n := New()
		const regs, samples = 4, 6
		var state [samples][regs]uint64
		for i := range regs {
			w := uint8(1 + r.IntN([]int{3, 8, 64}[r.IntN(3)]))
			n.Regs = append(n.Regs, Reg{Slot: int32(i), W: w, Q: None, Next: None})
			for s := range samples {
				state[s][i] = r.Uint64() & Mask(w)
			}
		}
		type known struct {
			id   ID
			want [samples]uint64
		}
		var all []known
		for i := range regs {
			k := known{id: n.Leaf(i)}
			for s := range samples {
				k.want[s] = state[s][i]
			}
			all = append(all, k)
		}
		pick := func() known { return all[len(all)-1-r.IntN(min(len(all), 9))] }
		for range 25 {
			a, b, c := pick(), pick(), pick()
			wa, wb := n.Width(a.id), n.Width(b.id)
			w, imm := uint8(1+r.IntN(64)), uint64(0)
			op := Op(r.IntN(int(Lut)))
			ids := [3]ID{a.id, b.id, c.id}
			switch op {
			case Const:
				v := r.Uint64() >> r.IntN(64) & Mask(w)
				if r.IntN(2) == 0 {
					v = [...]uint64{0, 1, 2, Mask(wa), Mask(w)}[r.IntN(5)]
				}
				k := known{id: n.Const(v)}
				for s := range samples {
					k.want[s] = v
				}
				all = append(all, k)
				continue
			case Leaf, Read:
				continue
			case Not, SExt, Slice, Parity, Pop:
				ids[1], ids[2] = None, None
			default:
				if op != Mux {
					ids[2] = None
				}
			}
			switch op {
			case Not:
				w = max(w, wa)
			case Slice:
				imm = uint64(r.IntN(64))
				w = min(w, uint8(64-imm))
			case Cat:
				imm = uint64(wb) + uint64(r.IntN(3))
				if imm+uint64(wa) > 64 {
					continue
				}
			case SExt:
				imm = uint64(max(wa, uint8(1+r.IntN(64))))
				w = max(w, uint8(imm))
			case DivS, RemS, LtS, LeS, ShrS:
				imm = uint64(max(wa, wb))
				w = max(w, uint8(imm))
			case Div, Rem, Shl, Add, Sub, Mul:
				w = max(wa, wb)
			}
			if op >= Eq && op <= LeS || op == Parity {
				w = 1
			}
			if op == And || op == Or || op == Xor || op == Mux || op == Cat || op == Shr || op == MulHi || op == Pop {
				w = 64 // these do not reduce their result
			}
			k := known{id: n.Make(op, w, ids[0], ids[1], ids[2], imm)}
			for s := range samples {
				k.want[s] = Eval(op, w, imm, a.want[s], b.want[s], c.want[s])
			}
			all = append(all, k)
		}
		for s := range samples {
			got := valuesOf(n, state[s][:])
			for _, k := range all {
				require.Equal(t, k.want[s], got[k.id], "seed %d: %%%d of\n%s", seed, k.id, n)
				if w := n.Width(k.id); w < 64 {
					require.Zero(t, got[k.id]>>w, "seed %d: %%%d exceeds its width in\n%s", seed, k.id, n)
				}
			}
		}
	}
}

func valuesOf(n *Net, state []uint64) []uint64 {
	v := make([]uint64, len(n.N))
	at := func(x ID) uint64 {
		if x < 0 {
			return 0
		}
		return v[x]
	}
	for i := range n.N {
		nd := &n.N[i]
		if nd.Op == Leaf {
			v[i] = state[nd.Imm]
			continue
		}
		v[i] = Eval(nd.Op, nd.W, nd.Imm, at(nd.A), at(nd.B), at(nd.C))
	}
	return v
}

// TestCatOfLooseBound joins a word whose bound is the width of the machine, though its value is
// one bit, to a low part: the width stays within a word.
func TestCatOfLooseBound(t *testing.T) {
	n := New()
	n.Regs = append(n.Regs, Reg{Slot: 0, W: 29, Q: None, Next: None})
	n.Mems = append(n.Mems, Mem{Words: 2, Depth: 2, W: 64})

	z := n.Cat(n.Read(0, n.Const(1)), n.Leaf(0), 29)
	require.EqualValues(t, 64, n.Width(z))
	n.Outs = append(n.Outs, Out{Node: z})
	require.NoError(t, n.Verify())
}
