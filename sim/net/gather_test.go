package net

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// values is the values of all nodes by the reference semantics.
func values(n *Net, state []uint64) []uint64 {
	v := make([]uint64, len(n.N))
	for i := range n.N {
		nd := &n.N[i]
		arg := func(x ID) uint64 {
			if x < 0 {
				return 0
			}
			return v[x]
		}
		switch nd.Op {
		case Leaf:
			at := int32(n.Regs[nd.Imm].Slot)
			v[i] = state[max(at, ^at)]
		case Lut:
			at := uint64(0)
			for k, x := range n.Operands(ID(i)) {
				at |= v[x] << k
			}
			v[i] = nd.Imm >> at & 1
		case Tables:
		case TableWord:
			t := &n.N[nd.A]
			in := n.Operands(nd.A)
			v[i] = n.Banks[t.Imm].Eval(int(nd.Imm), func(k int) uint64 { return v[in[k]] })
		default:
			v[i] = Eval(nd.Op, nd.W, nd.Imm, arg(nd.A), arg(nd.B), arg(nd.C))
		}
	}
	return v
}

// layered makes a net of layers of look-ups on each other, on comparisons and on
// state, packed into words and used singly.
func layered(r *rand.Rand) *Net {
	n := New()
	regs := 2 + r.IntN(10)
	for i := range regs {
		w := uint8(1 + r.IntN(64))
		if r.IntN(2) == 0 {
			w = 64
		}
		slot := int32(i)
		if r.IntN(4) == 0 {
			slot = ^slot // a scratch word, as inputs of a team's machines are
		}
		n.Regs = append(n.Regs, Reg{Slot: int32(slot), W: w, Q: None, Next: None})
	}
	var words, bits []ID
	for i := range regs {
		words = append(words, n.Leaf(i))
	}
	pick := func() ID { return words[r.IntN(len(words))] }
	slice := func(w int) ID {
		x := pick()
		w = min(w, int(n.Width(x)))
		return n.Slice(x, uint8(r.IntN(int(n.Width(x))-w+1)), uint8(w))
	}
	for range 20 {
		bits = append(bits, slice(1))
	}
	for range r.IntN(3) {
		for range 40 {
			op := []Op{Lt, Le, Eq, Ne, LtS, LeS}[r.IntN(6)]
			x := slice(1 + r.IntN(6))
			if r.IntN(3) == 0 && n.Width(x) < 6 {
				x = n.Cat(x, slice(1), 1)
			}
			a, b := x, n.Const(r.Uint64()&Mask(n.Width(x)))
			if r.IntN(2) == 0 {
				a, b = b, a
			}
			imm := uint64(0)
			if op.Immediate() == SignWidth {
				imm = uint64(n.Width(x))
			}
			bits = append(bits, n.Make(op, 1, a, b, None, imm))
		}
		var layer []ID
		for range 30 + r.IntN(200) {
			in := make([]ID, 1+r.IntN(6))
			for k := range in {
				in[k] = bits[r.IntN(len(bits))]
			}
			layer = append(layer, n.Lut(r.Uint64(), in))
		}
		for range 6 {
			x := n.Const(0)
			w := 1 + r.IntN(64)
			for i := range w {
				y := layer[r.IntN(len(layer))]
				if r.IntN(10) == 0 {
					y = bits[r.IntN(len(bits))]
				}
				x = n.Cat(y, x, uint8(i))
			}
			words = append(words, x)
		}
		bits = append(bits, layer...)
	}
	for i := range regs {
		if r.IntN(4) > 0 {
			n.Regs[i].Next = n.Slice(n.Xor(pick(), n.Cat(bits[r.IntN(len(bits))], n.Const(0), uint8(r.IntN(64)))), 0, n.Regs[i].W)
		}
	}
	return n.Compact()
}

// again gathers a net that has banks already, after look-ups were added to it.
func again(n *Net) *Net {
	x := n.Const(0)
	for i := range 40 {
		bit := func(k int) ID { return n.Slice(n.Leaf(0), uint8((i+k)%int(n.Regs[0].W)), 1) }
		x = n.Xor(x, n.Lut(0x96, []ID{bit(0), bit(1), bit(2)}))
	}
	n.Outs = append(n.Outs, Out{Slot: 0, Node: x})
	return n.Gather(&standard.Banks)
}

func TestGatherKeepsValues(t *testing.T) {
	gathered := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 11))
		n := layered(r)
		m := n.Gather(&standard.Banks)
		if m != n {
			gathered++
		}
		for i := range m.N {
			m.Args(ID(i), func(x ID) {
				if x < 0 || x >= ID(i) {
					t.Fatalf("seed %d: node %d has argument %d", seed, i, x)
				}
			})
		}
		for _, m := range []*Net{m, m.Compact(), again(m)} {
			for range 5 {
				state := make([]uint64, len(n.Regs))
				for i := range state {
					state[i] = r.Uint64() & Mask(n.Regs[i].W)
				}
				v, w := values(n, state), values(m, state)
				for i := range n.Regs {
					a, b := n.Regs[i].Next, m.Regs[i].Next
					if a < 0 && b < 0 {
						continue
					}
					if v[a] != w[b] {
						t.Fatalf("seed %d: register %d takes %#x, want %#x\n%s\n%s", seed, i, w[b], v[a], n, m)
					}
				}
			}
		}
	}
	if gathered < 100 {
		t.Errorf("%d of 400 nets were gathered", gathered)
	}
}

// TestGatherTakesAWholeLayer checks that a layer of packed look-ups leaves no
// look-up and no Cat behind.
func TestGatherTakesAWholeLayer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := New()
	for i := range 32 {
		n.Regs = append(n.Regs, Reg{Slot: int32(i), W: 64, Q: None, Next: None})
	}
	for w := range 16 {
		x := n.Const(0)
		for b := range 64 {
			var in [6]ID
			for k := range in {
				in[k] = n.Slice(n.Leaf(r.IntN(16)), uint8(r.IntN(64)), 1)
			}
			x = n.Cat(n.Lut(r.Uint64(), in[:]), x, uint8(b))
		}
		n.Regs[16+w].Next = x
	}
	m := n.Gather(&standard.Banks)
	var ops [NumOps]int
	for i := range m.N {
		ops[m.N[i].Op]++
	}
	if got, want := fmt.Sprint(ops[Lut], ops[Cat], ops[Slice], ops[Tables], ops[TableWord]), "0 0 0 1 16"; got != want {
		t.Errorf("look-ups, cats, slices, banks and their words: %s, want %s", got, want)
	}
}
