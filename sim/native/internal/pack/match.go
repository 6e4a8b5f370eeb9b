package pack

import (
	"math/bits"

	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// vectorOp reports whether elements can compute node x.
func (p *packer) vectorOp(x net.ID) bool {
	nd := &p.n.N[x]
	return nd.Op.Packs() && nd.W <= 32 && !(nd.Op.Immediate() == net.SignWidth && nd.Imm > 32) &&
		p.fitsElement(nd.A) && p.fitsElement(nd.B) && p.fitsElement(nd.C)
}

func (p *packer) fitsElement(x net.ID) bool { return x < 0 || p.n.N[x].W <= 32 }

// build returns the vector for elements, described by the majority of them. The other elements are
// patched.
func (p *packer) build(l *elements, level int) int32 {
	// Equal elements are one vector: the graph is a DAG, not a tree.
	for i := range p.of {
		if p.of[i] == *l {
			return int32(i)
		}
	}

	v := Vnode{K: VCells, A: -1, B: -1, C: -1, node: net.None}

	// The elements that exist, and the width that covers them all.
	care := uint8(0)
	for i, x := range l {
		if x >= 0 {
			care |= 1 << i
			v.W = max(v.W, p.n.N[x].W)
		}
	}

	// Operands are built inside of describe, so they precede their vector in Nodes.
	right := p.describe(&v, l, care, level)
	at := int32(len(p.Nodes))
	p.Nodes = append(p.Nodes, v)
	p.of = append(p.of, *l)
	if wrong := care &^ right; wrong != 0 {
		p.patches = append(p.patches, Patch{V: at, Mask: wrong, of: l.only(wrong)})
	}
	return at
}

// only sets the elements outside of a mask to None.
func (l *elements) only(mask uint8) elements {
	var some elements
	for i, x := range l {
		if some[i] = net.None; mask>>i&1 != 0 {
			some[i] = x
		}
	}
	return some
}

// describe makes v the kind that more than half of the elements in care agree on, and returns these
// elements; 0 if there is no majority. It prefers equal nodes, then loads, then operations.
func (p *packer) describe(v *Vnode, l *elements, care uint8, level int) uint8 {
	most := bits.OnesCount8(care)

	// One node for all elements: a constant, or a value that is spread. A single element is no spread
	// if it lives in the elements already.
	if same := majority((*[ElementCount]net.ID)(l), care, most); same != 0 {
		x := l[schedule.Trailing(uint64(same))]
		if nd := &p.n.N[x]; nd.Op == net.Const {
			v.K, v.Imm = VConst, nd.Imm
			return same
		}
		if most > 1 || p.element(x) < 0 {
			v.K, v.node = VSpread, x
			return same
		}
	}

	// Neighbouring elements of a run: one load.
	if base, side := p.loads(l, care); side != 0 {
		v.K, v.Base = VLoad, base
		v.Run = p.runOf[(p.from+base+int32(schedule.Trailing(uint64(side))))/ElementCount]
		return side
	}

	// The bounds keep the search short: beyond them the values come from cells.
	if level < p.pol.Levels && len(p.Nodes) < p.pol.Vectors {
		if same := p.operations(l, care); same != 0 {
			p.operation(v, l, same, level)
			return same
		}
	}
	return 0
}

// majority is the elements of set with the value that more than half of among elements have, or 0
// (Boyer and Moore's majority vote, then a count).
func majority[T comparable](of *[ElementCount]T, set uint8, among int) uint8 {
	var most T
	lead := 0 // votes for most, less all other votes
	for i, x := range of {
		switch {
		case set>>i&1 == 0:
		case lead == 0:
			most, lead = x, 1
		case x == most:
			lead++
		default:
			lead--
		}
	}

	// The vote only names a candidate.
	var mask uint8
	for i, x := range of {
		if set>>i&1 != 0 && x == most {
			mask |= 1 << i
		}
	}

	if 2*bits.OnesCount8(mask) <= among {
		return 0
	}
	return mask
}

// element is the element of packed register x, or -1.
func (p *packer) element(x net.ID) int32 {
	if nd := &p.n.N[x]; nd.Op == net.Leaf {
		return p.home[nd.Imm]
	}
	return -1
}

// loads finds packed registers side by side that more than half of the elements in care are. base
// is the first element, relative to the block's; side is the elements that match.
func (p *packer) loads(l *elements, care uint8) (base int32, side uint8) {
	var at [ElementCount]int32
	var set uint8
	for i, x := range l {
		if x < 0 {
			continue
		}
		if h := p.element(x); h >= 0 {
			// Neighbours have the same distance from their element's own place.
			at[i] = h - int32(i) - p.from
			set |= 1 << i
		}
	}

	if side = majority(&at, set, bits.OnesCount8(care)); side == 0 {
		return 0, 0
	}
	return at[schedule.Trailing(uint64(side))], side
}

// operations returns the elements that share the operation of more than half of the elements in care.
func (p *packer) operations(l *elements, care uint8) uint8 {
	type operation struct {
		op  net.Op
		w   uint8
		imm uint64
	}

	var of [ElementCount]operation
	var set uint8
	for i, x := range l {
		if x >= 0 && p.vectorOp(x) {
			nd := &p.n.N[x]
			of[i] = operation{nd.Op, nd.W, nd.Imm}
			set |= 1 << i
		}
	}
	return majority(&of, set, bits.OnesCount8(care))
}

// operation makes v the operation of the elements in mask, and builds its operands.
func (p *packer) operation(v *Vnode, l *elements, mask uint8, level int) {
	nd := p.n.N[l[schedule.Trailing(uint64(mask))]]
	in := p.operands(l, mask)
	if nd.Op.Commutes() {
		p.align(&in[0], &in[1], mask)
	}

	// The node of the first element stands for all: operations agree but for their operands.
	v.K, v.Op, v.Ow = VOp, nd.Op, nd.W
	v.A = p.build(&in[0], level+1)
	if nd.B >= 0 {
		v.B = p.build(&in[1], level+1)
	}
	if nd.C >= 0 {
		v.C = p.build(&in[2], level+1)
	}

	// Products of 16 bits have an instruction of their own.
	if nd.Op == net.Mul {
		p.mulPairs(v)
	}
	if nd.Op.Immediate() != net.NoImmediate {
		v.Imm = nd.Imm
	}
}

// operands is the operands of the elements in mask, one slice per position.
func (p *packer) operands(l *elements, mask uint8) (in [3]elements) {
	for i, x := range l {
		in[0][i], in[1][i], in[2][i] = net.None, net.None, net.None
		if mask>>i&1 != 0 {
			nd := &p.n.N[x]
			in[0][i], in[1][i], in[2][i] = nd.A, nd.B, nd.C
		}
	}
	return in
}
