package native

import (
	"math/rand/v2"

	"etch/sim/net"
)

// bitNet makes a net most of whose values are bits: comparisons, logic over them, and multiplexers
// whose arms are dear enough for branches. Code of parts keeps such bits with undefined bits above them
// where nothing reads these, so each kind of use occurs: logic, selects, tests, arithmetic, registers of
// all widths, writes and comparisons.
func bitNet(r *rand.Rand) *net.Net {
	n := net.New()
	for _, w := range []uint8{16, 1, 1, 1, 1, 1, 1, 5, 8, 12, 30, 33, 64} {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(len(n.Regs)), W: w, Q: net.None, Next: net.None})
	}
	regs := len(n.Regs)
	n.Mems = []net.Mem{{At: uint32(regs), Words: 16, Depth: 16, W: 32}}

	var bits, words []net.ID
	for i := range regs {
		if x := n.Leaf(i); n.Regs[i].W == 1 {
			bits = append(bits, x)
		} else {
			words = append(words, x)
		}
	}
	bit := func() net.ID { return bits[len(bits)-1-min(r.IntN(len(bits)), r.IntN(len(bits)))] }
	word := func() net.ID { return words[r.IntN(len(words))] }
	dear := func() net.ID {
		x := n.Make(net.Mul, 20, word(), word(), net.None, 0)
		return n.Make(net.Mul, 12, n.Make(net.Mul, 30, x, word(), net.None, 0), x, net.None, 0)
	}
	compared := func(x, y net.ID) net.ID {
		op := []net.Op{net.Eq, net.Ne, net.Lt, net.Le}[r.IntN(4)]
		return n.Make(op, 1, x, y, net.None, 0)
	}

	for range 40 + r.IntN(60) {
		var x net.ID
		switch r.IntN(14) {
		case 0, 1:
			x = compared(word(), n.Const(uint64(r.IntN(40))))
		case 2:
			x = compared(word(), word())
		case 3:
			x = compared(bit(), bit())
		case 4:
			x = n.And(bit(), bit())
		case 5:
			x = n.Or(bit(), bit())
		case 6:
			x = n.Xor(bit(), bit())
		case 7:
			x = n.Not(bit(), 1)
		case 8:
			x = n.Mux(bit(), bit(), bit())
		case 9: // arms that end in a comparison and are dear
			x = n.Mux(bit(), compared(dear(), word()), compared(dear(), n.Const(7)))
		case 10:
			x = n.And(bit(), n.Slice(word(), uint8(r.IntN(4)), 1))
		case 11: // logic in disguise
			x = n.Mux(bit(), n.Const(uint64(r.IntN(2))), bit())
		case 12:
			x = n.Mux(bit(), bit(), n.Const(uint64(r.IntN(2))))
		default:
			words = append(words, mixed(n, r, bit(), bit(), word(), dear()))
			continue
		}
		if _, constant := n.IsConst(x); !constant {
			bits = append(bits, x)
		}
	}

	for i := 1; i < regs; i++ {
		q := &n.Regs[i]
		switch x := word(); {
		case q.W == 1 || r.IntN(4) == 0:
			q.Next = bit()
		default:
			q.Next = n.Mux(bit(), n.Slice(x, 0, min(q.W, n.Width(x))), n.Leaf(i))
		}
	}
	n.Writes = []net.Write{{Mem: 0, En: bit(), Addr: n.Slice(n.Leaf(0), 0, 4), Data: n.Cat(bit(), bit(), 1), Mask: net.None}}
	n.Regs[0].Next = n.Add(n.Leaf(0), n.Const(1), 16)
	return n.Compact()
}

// mixed is a word that bits enter.
func mixed(n *net.Net, r *rand.Rand, a, b, word, dear net.ID) net.ID {
	switch r.IntN(5) {
	case 0:
		return n.Cat(a, b, 1)
	case 1:
		return n.Add(a, n.Slice(word, 0, min(5, n.Width(word))), 8)
	case 2:
		return n.Mux(a, b, n.Slice(word, 0, min(8, n.Width(word))))
	case 3:
		return n.Mux(a, n.Slice(dear, 0, 8), b)
	}
	return n.Cat(n.SExt(a, 1, 4), n.And(b, word), n.Width(word)%8+1)
}
