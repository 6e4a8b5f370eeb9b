package code_test

import (
	"math/rand/v2"
	"slices"

	"etch/sim/net"
)

// randomNet makes a net of every op over words of all widths, with memories of
// every layout and a table.
func randomNet(r *rand.Rand, nodes int, ops []net.Op, maxW int) (n *net.Net, tables [][]uint64) {
	n = net.New()
	width := func() uint8 {
		if r.IntN(3) == 0 {
			return 1
		}
		return uint8(1 + r.IntN(maxW))
	}
	regs := 6 + r.IntN(8)
	for i := range regs {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: width(), Q: net.None, Next: net.None})
	}
	memories := slices.Contains(ops, net.Read)
	for _, words := range []int{4, 32, 128} {
		if !memories {
			break
		}
		w := []uint8{uint8(1 + r.IntN(16)), uint8(17 + r.IntN(16)), uint8(33 + r.IntN(32))}[r.IntN(3)]
		n.Mems = append(n.Mems, net.Mem{Words: words, Depth: words - r.IntN(words/2), W: min(w, uint8(maxW))})
	}
	for _, words := range []int{8, 512} {
		if !memories {
			break
		}
		m := net.Mem{Words: words, Depth: words, W: uint8(1 + r.IntN(maxW))}
		n.Mems = append(n.Mems, m)
		table := make([]uint64, words)
		for k := range table {
			table[k] = r.Uint64() & net.Mask(m.W)
		}
		tables = append(tables, table)
	}
	var all []net.ID
	for i := range n.Regs {
		all = append(all, n.Leaf(i))
	}
	all = append(all, n.Const(0), n.Const(r.Uint64()&net.Mask(uint8(maxW))))
	pick := func() net.ID { return all[r.IntN(len(all))] }
	oneBit := func() net.ID { return n.Slice(pick(), 0, 1) }
	rare := func() net.ID { return n.Eq(n.Slice(pick(), 0, 8), n.Const(uint64(r.IntN(200)))) }
	for range nodes {
		a, b, c := pick(), pick(), pick()
		op := ops[r.IntN(len(ops))]
		w := width()
		sw := uint64(max(n.Width(a), n.Width(b)))
		var x net.ID
		switch op {
		case net.Read:
			mem := int32(r.IntN(len(n.Mems)))
			if r.IntN(4) == 0 { // one of two addresses
				a = n.Slice(n.Mux(oneBit(), n.Const(uint64(r.IntN(200))), n.Const(uint64(r.IntN(200)))), uint8(r.IntN(3)), 7)
			}
			if r.IntN(4) == 0 {
				a = n.Const(uint64(r.IntN(n.Mems[mem].Depth)))
			}
			if x = n.Read(mem, address(n, mem, a)); r.IntN(2) == 0 {
				x = n.Mux(rare(), x, b)
			}
		case net.Lut:
			var in []net.ID
			for range 1 + r.IntN(6) {
				in = append(in, oneBit())
			}
			x = n.Lut(r.Uint64(), in)
		case net.Mux:
			x = n.Mux(oneBit(), b, c)
		case net.Slice:
			lo := uint8(r.IntN(int(n.Width(a))))
			x = n.Slice(a, lo, w)
		case net.Cat:
			lo := n.Width(b)
			if int(lo)+int(n.Width(a)) > maxW {
				continue
			}
			x = n.Cat(a, b, lo)
		case net.SExt:
			from := n.Width(a)
			x = n.SExt(a, from, max(w, from))
		case net.MulHi:
			x = n.Make(op, 0, a, b, net.None, 0)
		case net.Not, net.Parity, net.Pop:
			x = n.Make(op, max(w, n.Width(a)), a, net.None, net.None, 0)
		case net.DivS, net.RemS, net.LtS, net.LeS, net.ShrS:
			x = n.Make(op, uint8(sw), a, b, net.None, sw)
		case net.Div, net.Rem:
			x = n.Make(op, n.Width(a), a, b, net.None, 0)
		default:
			x = n.Make(op, w, a, b, net.None, 0)
		}
		all = append(all, x)
	}
	held := oneBit()
	for i := range n.Regs {
		switch next := n.Slice(pick(), 0, n.Regs[i].W); r.IntN(5) {
		case 0:
		case 1, 2:
			n.Regs[i].Next = n.Mux(held, next, n.Regs[i].Q)
		default:
			n.Regs[i].Next = next
		}
	}
	for range r.IntN(6) {
		if !memories {
			break
		}
		mem := int32(r.IntN(3))
		w := net.Write{Mem: mem, En: net.None, Addr: address(n, mem, pick()), Data: n.Slice(pick(), 0, n.Mems[mem].W), Mask: net.None}
		if r.IntN(3) == 0 {
			w.Addr = n.Const(uint64(r.IntN(n.Mems[mem].Depth)))
		}
		inside := n.Make(net.Lt, 1, w.Addr, n.Const(uint64(n.Mems[mem].Depth)), net.None, 0)
		if w.En = n.And(inside, oneBit()); r.IntN(2) == 0 {
			w.En = n.And(inside, rare())
		}
		if r.IntN(2) == 0 {
			w.Mask = n.Slice(pick(), 0, n.Mems[mem].W)
		}
		n.Writes = append(n.Writes, w)
	}
	return n, tables
}

// address is a as an address of a memory.
func address(n *net.Net, mem int32, a net.ID) net.ID {
	w := uint8(0)
	for 1<<w < n.Mems[mem].Words {
		w++
	}
	return n.Slice(a, 0, w)
}

var allOps = []net.Op{net.Read, net.Not, net.And, net.Or, net.Xor, net.Add, net.Sub, net.Mul, net.MulHi, net.Div, net.Rem, net.DivS, net.RemS,
	net.Eq, net.Ne, net.Lt, net.Le, net.LtS, net.LeS, net.Shl, net.Shr, net.ShrS, net.Mux, net.Slice, net.Cat, net.SExt, net.Parity, net.Pop, net.Lut}

// wordOps are the operations that word form has.
var wordOps = []net.Op{net.Read, net.Lut, net.Parity, net.Pop, net.Not, net.And, net.Or, net.Xor, net.Add, net.Sub, net.Mul,
	net.Eq, net.Ne, net.Lt, net.Le, net.LtS, net.LeS, net.Shl, net.Shr, net.Mux, net.Slice, net.Cat, net.SExt}

// instance is one instance of a net, run by the reference semantics of package
// net.
type instance struct {
	n      *net.Net
	tables [][]uint64
	regs   []uint64
	mems   [][]uint64
	v      []uint64
}

func newInstance(n *net.Net, tables [][]uint64, r *rand.Rand) *instance {
	s := &instance{n: n, tables: tables, v: make([]uint64, len(n.N))}
	for i := range n.Regs {
		s.regs = append(s.regs, r.Uint64()&net.Mask(n.Regs[i].W))
	}
	for _, m := range n.Mems[:len(n.Mems)-len(tables)] {
		words := make([]uint64, m.Words)
		for k := range m.Depth {
			words[k] = r.Uint64() & net.Mask(m.W)
		}
		s.mems = append(s.mems, words)
	}
	s.mems = append(s.mems, tables...)
	return s
}

// settle computes all nodes, and returns whether the net stops.
func (s *instance) settle() bool {
	for i := range s.n.N {
		nd := &s.n.N[i]
		switch nd.Op {
		case net.Leaf:
			s.v[i] = s.regs[nd.Imm]
		case net.Read:
			s.v[i] = s.mems[nd.Imm][s.v[nd.A]]
		case net.Lut:
			at := 0
			for k, x := range s.n.Pool[nd.A : nd.A+nd.B] {
				at |= int(s.v[x]) << k
			}
			s.v[i] = nd.Imm >> at & 1
		default:
			var a [3]uint64
			for k, x := range [3]net.ID{nd.A, nd.B, nd.C} {
				if x >= 0 {
					a[k] = s.v[x]
				}
			}
			s.v[i] = net.Eval(nd.Op, nd.W, nd.Imm, a[0], a[1], a[2])
		}
	}
	return s.n.Stop >= 0 && s.v[s.n.Stop] != 0
}

// step makes the cycle that settle looked at.
func (s *instance) step() {
	for i := range s.n.Regs {
		if d := s.n.Regs[i].Next; d >= 0 {
			s.regs[i] = s.v[d]
		}
	}
	for _, w := range s.n.Writes {
		if w.En >= 0 && s.v[w.En] == 0 {
			continue
		}
		p, mask := &s.mems[w.Mem][s.v[w.Addr]], ^uint64(0)
		if w.Mask >= 0 {
			mask = s.v[w.Mask]
		}
		*p = *p&^mask | s.v[w.Data]&mask
	}
}

// macNet is an array of side×side multiply-accumulate elements of 16×16+32 bits:
// weights come down one step every 256 cycles, when word 0 is 77.
func macNet(side int) *net.Net {
	n := net.New()
	reg := func(w uint8) (r int, q net.ID) {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(len(n.Regs)), W: w, Q: net.None, Next: net.None})
		r = len(n.Regs) - 1
		return r, n.Leaf(r)
	}
	count, now := reg(8)
	n.Regs[count].Next = n.Add(now, n.Const(1), 8)
	load := n.Eq(now, n.Const(77))
	var noise []net.ID
	for range side {
		r, x := reg(64)
		y := n.Xor(x, n.Make(net.Shl, 64, x, n.Const(13), net.None, 0))
		y = n.Xor(y, n.Make(net.Shr, 64, y, n.Const(7), net.None, 0))
		n.Regs[r].Next = n.Xor(y, n.Make(net.Shl, 64, y, n.Const(17), net.None, 0))
		noise = append(noise, n.Slice(x, 11, 16))
	}
	sums, weights := make([]net.ID, side), make([]net.ID, side)
	for j := range side {
		sums[j], weights[j] = n.Const(0), noise[(5*j+1)%side]
	}
	for i := range side {
		x := noise[i]
		for j := range side {
			w, wq := reg(16)
			n.Regs[w].Next = n.Mux(load, weights[j], wq)
			s, sq := reg(32)
			product := n.Make(net.Mul, 32, n.SExt(x, 16, 32), n.SExt(wq, 16, 32), net.None, 0)
			n.Regs[s].Next = n.Add(sums[j], product, 32)
			xr, xq := reg(16)
			n.Regs[xr].Next = x
			x, weights[j], sums[j] = xq, wq, sq
		}
	}
	return n
}
