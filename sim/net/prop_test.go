package net

import (
	"math/rand/v2"
	"testing"
)

// values of a net's nodes.
func evalNet(n *Net, leaves []uint64, v []uint64) []uint64 {
	v = v[:0]
	for i := range n.N {
		nd := &n.N[i]
		var x uint64
		switch nd.Op {
		case Leaf:
			x = leaves[nd.Imm]
		case Lut:
			at := uint64(0)
			for k, y := range n.Pool[nd.A : nd.A+nd.B] {
				at |= v[y] << k
			}
			x = nd.Imm >> at & 1
		default:
			var a, b, c uint64
			if nd.A >= 0 {
				a = v[nd.A]
			}
			if nd.B >= 0 {
				b = v[nd.B]
			}
			if nd.C >= 0 {
				c = v[nd.C]
			}
			x = Eval(nd.Op, nd.W, nd.Imm, a, b, c)
		}
		v = append(v, x)
	}
	return v
}

var ws = []uint8{1, 1, 1, 2, 3, 4, 7, 8, 31, 32, 33, 63, 64, 64}

// TestPropKeepsValues makes random nets, assumes values of registers and of nodes,
// and compares what is left with the whole net, where the assumptions hold.
func TestPropKeepsValues(t *testing.T) {
	seeds := uint64(20_000)
	if testing.Short() {
		seeds = 2000
	}
	bad := 0
	for seed := uint64(1); seed <= seeds && bad < 6; seed++ {
		r := rand.New(rand.NewPCG(seed, 1))
		n := New()
		small := r.IntN(2) == 0
		width := func() uint8 {
			if small {
				return uint8(1 + r.IntN(5))
			}
			return ws[r.IntN(len(ws))]
		}
		L := 4
		var ids []ID
		for i := range L {
			n.Regs = append(n.Regs, Reg{W: width(), Q: None, Next: None})
			ids = append(ids, n.Leaf(i))
		}
		const T = 24
		var lv [T][]uint64
		var want [T][]uint64 // by ids
		for k := range T {
			for i := range L {
				x := r.Uint64()
				switch r.IntN(4) {
				case 0:
					x = ^uint64(0)
				case 1:
					x = 0
				case 2:
					x &= 3
				}
				lv[k] = append(lv[k], x&Mask(n.Regs[i].W))
			}
			want[k] = append(want[k], lv[k]...)
		}
		type rec struct {
			op      Op
			w       uint8
			imm     uint64
			a, b, c int
		}
		var recs []rec
		pick := func() int {
			if r.IntN(4) == 0 {
				v := r.Uint64() & Mask(width())
				if r.IntN(2) == 0 {
					v = uint64(r.IntN(4))
				}
				if r.IntN(5) == 0 {
					v = Mask(width())
				}
				ids = append(ids, n.Const(v))
				for k := range T {
					want[k] = append(want[k], v)
				}
				recs = append(recs, rec{op: Const, imm: v})
				return len(ids) - 1
			}
			return r.IntN(len(ids))
		}
		for range 14 {
			op := Not + Op(r.IntN(int(Lut-Not)))
			w := width()
			a := pick()
			b, c := -1, -1
			imm := uint64(0)
			wa := n.Width(ids[a])
			switch op {
			case Not:
				w = max(w, wa) // as callers do
			case Parity, Pop:
			case Slice:
				imm = uint64(r.IntN(int(wa)))
			case SExt:
				imm = uint64(wa) + uint64(r.IntN(int(64-wa)+1))
				if r.IntN(2) == 0 {
					imm = uint64(wa)
				}
				w = max(w, uint8(imm))
			case Cat:
				b = pick()
				wb := n.Width(ids[b])
				if wa+wb > 64 {
					continue
				}
				imm = uint64(wb) + uint64(r.IntN(int(64-wa-wb)+1))
				if r.IntN(2) == 0 {
					imm = uint64(wb)
				}
			case Mux:
				b, c = pick(), pick()
			case DivS, RemS, LtS, LeS:
				b = pick()
				m := max(wa, n.Width(ids[b]))
				imm = uint64(m) + uint64(r.IntN(int(64-m)+1))*uint64(r.IntN(2))
				w = uint8(imm)
				if r.IntN(2) == 0 && op <= RemS {
					w = max(w, uint8(imm))
				}
			case ShrS:
				b = pick()
				imm = uint64(wa) + uint64(r.IntN(int(64-wa)+1))*uint64(r.IntN(2))
				w = uint8(imm)
			case Div:
				b = pick()
				w = max(wa, n.Width(ids[b]))
			default:
				b = pick()
				if op == Shl {
					w = max(w, wa)
				}
			}
			id := func(i int) ID {
				if i < 0 {
					return None
				}
				return ids[i]
			}
			full := w
			switch op { // ops that ignore w
			case And, Or, Xor, Mux, MulHi, Rem, Eq, Ne, Lt, Le, LtS, LeS, Shr, Cat, Parity, Pop:
				full = 64
			}
			z := n.Make(op, w, id(a), id(b), id(c), imm)
			ids = append(ids, z)
			recs = append(recs, rec{op, w, imm, a, b, c})
			for k := range T {
				get := func(i int) uint64 {
					if i < 0 {
						return 0
					}
					return want[k][i]
				}
				want[k] = append(want[k], Eval(op, full, imm, get(a), get(b), get(c)))
			}
		}
		var v []uint64
		done := false
		for k := 0; k < T && !done; k++ {
			v = evalNet(n, lv[k], v)
			for i, id := range ids {
				if v[id] != want[k][i] {
					t.Errorf("seed %d leaves %x: entry %d got %x want %x; recs (from %d) %+v\nids %v\n%s", seed, lv[k], i, v[id], want[k][i], L, recs, ids, n)
					done = true
					bad++
					break
				}
			}
			for i := range n.N {
				if v[i]&^Mask(n.N[i].W) != 0 {
					t.Errorf("seed %d: node %d over width\n%s", seed, i, n)
					done = true
					bad++
					break
				}
			}
		}
		if done {
			continue
		}
		// Prop
		as := NewAssume(L)
		k0 := r.IntN(T)
		for i := range L {
			if r.IntN(2) == 0 {
				as.Known[i], as.Value[i] = true, lv[k0][i]
			}
		}
		for i, id := range ids {
			_ = i
			if r.IntN(3) == 0 {
				n.Outs = append(n.Outs, Out{int32(i), id})
			}
		}
		for i := range L {
			if r.IntN(2) == 0 {
				for _, id := range ids {
					if n.Width(id) <= n.Regs[i].W && r.IntN(4) == 0 {
						n.Regs[i].Next = id
					}
				}
			}
		}
		var p Prop
		p.Bind(n)
		// force something true in k0
		v = append([]uint64(nil), evalNet(n, lv[k0], nil)...)
		var fs []ID
		for range r.IntN(3) {
			x := ID(r.IntN(len(n.N)))
			p.Force(x, v[x])
			fs = append(fs, x)
		}
		p.Run(as)
		m := p.Extract(as)
		m = m.Compact()
		for k := range T {
			ok := true
			vn := evalNet(n, lv[k], nil)
			for i := range L {
				ok = ok && (!as.Known[i] || lv[k][i] == as.Value[i])
			}
			for _, x := range fs {
				ok = ok && vn[x] == v[x]
			}
			if !ok {
				continue
			}
			vm := evalNet(m, lv[k], nil)
			for i, o := range n.Outs {
				if vm[m.Outs[i].Node] != vn[o.Node] {
					t.Errorf("PROP seed %d known %v fs %v out %d\n%s\n%s", seed, as, fs, i, n, m)
					bad++
				}
			}
			for i := range L {
				val := func(n *Net, v []uint64) uint64 {
					if n.Regs[i].Next >= 0 {
						return v[n.Regs[i].Next]
					}
					return lv[k][i]
				}
				if val(n, vn) != val(m, vm) {
					t.Errorf("PROP seed %d known %v fs %v reg %d\n%s\n%s", seed, as, fs, i, n, m)
					bad++
				}
			}
		}
	}
}
