package code

import (
	"errors"
	"slices"

	"etch/sim/lanes/internal/gates"
	"etch/sim/net"
)

// ErrTooLarge is the error for a net that needs more than a few million gates, or has a path of
// more than 200,000 nodes.
var ErrTooLarge = errors.New("lanes: the design is too large")

// maxGates is the largest number of gates of a net.
const maxGates = 6 << 20

// blaster turns words into gates (bit blasting): a value is one literal per bit, lowest first.
type blaster struct {
	n     *net.Net
	l     *Layout
	g     *gates.Graph
	memo  [][]gates.Lit       // by node of n: its bits
	todo  []net.ID            // stack of nodes of n, see bits
	leaf  map[int32]gates.Lit // by slot of the state
	slot  []int32             // by gate: the slot of the state that it reads, or -1
	reads []read
	conds map[net.ID]net.ID // by read: its condition
	from  []int32           // by gate: the read that it is a bit of, or -1
	knots [][2]int32        // ranges of gates that are scheduled in order of creation
}

// read is a read of a memory whose words are not bits of the state.
type read struct {
	mem       int32
	cond      gates.Lit // its result is needed only under this condition
	addr, out []gates.Lit
}

func newBlaster(n *net.Net, l *Layout, fanin int) *blaster {
	return &blaster{n: n, l: l, conds: readConds(n), g: gates.New(fanin), memo: make([][]gates.Lit, len(n.N)), leaf: map[int32]gates.Lit{}}
}

// note sets the entry of x's node, extending the list if necessary.
func note(list []int32, x gates.Lit, v int32) []int32 {
	for len(list) <= int(x.Node()) {
		list = append(list, -1)
	}
	list[x.Node()] = v
	return list
}

// at is the bit of the state in a slot; its leaf is made at the first use.
func (b *blaster) at(slot int32) gates.Lit {
	x, ok := b.leaf[slot]
	if !ok {
		x = b.g.Leaf()
		b.leaf[slot] = x
		b.slot = note(b.slot, x, slot)
	}
	return x
}

// word is w bits of the state from slot on.
func (b *blaster) word(slot int32, w int) []gates.Lit {
	z := make([]gates.Lit, w)
	for k := range z {
		z[k] = b.at(slot + int32(k))
	}
	return z
}

// constant is v in w bits.
func constant(v uint64, w int) []gates.Lit {
	z := make([]gates.Lit, w)
	for k := range z {
		z[k] = gates.Lit(v >> k & 1)
	}
	return z
}

// resized is x cut to w bits, or extended by zeros.
func resized(x []gates.Lit, w int) []gates.Lit {
	if len(x) >= w {
		return x[:w:w]
	}
	z := make([]gates.Lit, w)
	copy(z, x)
	return z
}

// extended is x, a signed number of from bits, in w bits.
func extended(x []gates.Lit, from, w int) []gates.Lit {
	z := make([]gates.Lit, w)
	x = resized(x, from)
	for k := range z {
		z[k] = x[min(k, from-1)]
	}
	return z
}

// bits is the value of node i. Arguments come first, by a stack on which a node lies again, as its
// complement, below its arguments: paths may be millions of nodes long.
func (b *blaster) bits(i net.ID) []gates.Lit {
	bottom := len(b.todo)
	for b.push(i); len(b.todo) > bottom; {
		x := b.todo[len(b.todo)-1]
		b.todo = b.todo[:len(b.todo)-1]
		switch {
		case x < 0:
			b.make(^x)
		case b.memo[x] == nil:
			b.todo = append(b.todo, ^x)
			top := len(b.todo)

			// A read needs its condition too.
			if c, ok := b.conds[x]; ok {
				b.push(c)
			}
			b.n.Args(x, b.push)
			slices.Reverse(b.todo[top:])
		}
	}
	return b.memo[i]
}

// push puts a node on the stack unless it has a value.
func (b *blaster) push(x net.ID) {
	if b.memo[x] == nil {
		b.todo = append(b.todo, x)
	}
}

// make computes the value of node i, whose arguments have values.
func (b *blaster) make(i net.ID) {
	nd := &b.n.N[i]
	z := constant(0, int(nd.W))
	switch {
	// A net that is too large is abandoned: Compile reports it.
	case len(b.g.N) > maxGates:
	case nd.Op == net.Read:
		cond := gates.True
		if c, ok := b.conds[i]; ok {
			cond = b.memo[c][0]
		}
		z = b.read(int32(nd.Imm), b.memo[nd.A], cond)
	default:
		z = b.node(nd)
	}
	b.memo[i] = resized(z, int(nd.W))
}

// args is the values of a node's arguments.
func (b *blaster) args(nd *net.Node) (x, y, z []gates.Lit) {
	x = b.bits(nd.A)
	if nd.B >= 0 {
		y = b.bits(nd.B)
	}
	if nd.C >= 0 {
		z = b.bits(nd.C)
	}
	return x, y, z
}

// node makes the gates of a node; the result may be narrower or wider than the node.
func (b *blaster) node(nd *net.Node) []gates.Lit {
	w, imm := int(nd.W), int(nd.Imm)
	switch nd.Op {
	case net.Const:
		return constant(nd.Imm, w)
	case net.Leaf:
		return b.word(b.l.Reg[nd.Imm], w)
	case net.Lut:
		var in []gates.Lit
		for _, x := range b.n.Pool[nd.A : nd.A+nd.B] {
			in = append(in, b.bits(x)[0])
		}
		return []gates.Lit{b.g.Lut(nd.Imm, in)}
	}

	// Operations bit by bit; method number makes arithmetic and comparisons.
	x, y, z := b.args(nd)
	switch nd.Op {
	case net.Not:
		return b.each(w, func(k int) gates.Lit { return bit(x, k).Not() })
	case net.And:
		return b.each(w, func(k int) gates.Lit { return b.g.And(bit(x, k), bit(y, k)) })
	case net.Or:
		return b.each(w, func(k int) gates.Lit { return b.g.Or(bit(x, k), bit(y, k)) })
	case net.Xor:
		return b.each(w, func(k int) gates.Lit { return b.g.Xor(bit(x, k), bit(y, k)) })
	case net.Mux:
		s := b.any(x)
		return b.each(w, func(k int) gates.Lit { return b.g.Mux(s, bit(y, k), bit(z, k)) })
	// These cost no gates.
	case net.Slice:
		return b.each(w, func(k int) gates.Lit { return bit(x, k+imm) })
	case net.Cat:
		return append(resized(y, imm), x...)
	case net.SExt:
		return extended(x, imm, w)

	case net.Shl:
		return b.shl(x, y, w)
	case net.Shr:
		return b.shr(resized(x, max(w, len(x))), y, gates.False)
	case net.ShrS:
		x = extended(x, imm, max(w, imm))
		return b.shr(x, y, x[len(x)-1])
	}

	return b.number(nd, x, y)
}

// number makes the gates of arithmetic and comparisons.
func (b *blaster) number(nd *net.Node, x, y []gates.Lit) []gates.Lit {
	w, imm := int(nd.W), int(nd.Imm)
	one := func(l gates.Lit) []gates.Lit { return []gates.Lit{l} }

	switch nd.Op {
	case net.Add:
		return b.add(x, y, gates.False, w)
	case net.Sub:
		return b.sub(x, y, w)
	case net.Mul:
		return b.mul(x, y, w)
	case net.MulHi:
		return b.mul(x, y, 128)[64:]
	case net.Div, net.Rem, net.DivS, net.RemS:
		return b.division(nd.Op, x, y, imm, w)
	case net.Eq:
		return one(b.differ(x, y).Not())
	case net.Ne:
		return one(b.differ(x, y))
	case net.Lt:
		return one(b.less(x, y, gates.False))
	case net.Le:
		return one(b.less(x, y, gates.True))
	case net.LtS, net.LeS:
		x, y = append([]gates.Lit(nil), resized(x, imm)...), append([]gates.Lit(nil), resized(y, imm)...)
		x[imm-1], y[imm-1] = y[imm-1], x[imm-1] // the sign bit has negative weight
		return one(b.less(x, y, gates.Lit(truth(nd.Op == net.LeS))))
	case net.Parity:
		sum := gates.False
		for _, l := range x {
			sum = b.g.Xor(sum, l)
		}
		return one(sum)
	case net.Pop:
		return b.count(x, w)
	}
	panic("lanes: no gates of op " + nd.Op.String())
}

func truth(v bool) int {
	if v {
		return 1
	}
	return 0
}

// bit is bit k of x, 0 beyond its end.
func bit(x []gates.Lit, k int) gates.Lit {
	if k >= len(x) {
		return gates.False
	}
	return x[k]
}

func (b *blaster) each(w int, f func(k int) gates.Lit) []gates.Lit {
	z := make([]gates.Lit, w)
	for k := range z {
		z[k] = f(k)
	}
	return z
}

// any is the OR of all bits.
func (b *blaster) any(x []gates.Lit) gates.Lit {
	z := gates.False
	for _, l := range x {
		z = b.g.Or(z, l)
	}
	return z
}
