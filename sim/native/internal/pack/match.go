package pack

import (
	"math/bits"

	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// vectorOp reports whether lanes can compute node x.
func (p *packer) vectorOp(x net.ID) bool {
	nd := &p.n.N[x]
	return nd.Op.Packs() && nd.W <= 32 && !(nd.Op.Immediate() == net.SignWidth && nd.Imm > 32) &&
		p.fitsLane(nd.A) && p.fitsLane(nd.B) && p.fitsLane(nd.C)
}

func (p *packer) fitsLane(x net.ID) bool { return x < 0 || p.n.N[x].W <= 32 }

// build returns the vector for lanes, described by the majority of them. The other lanes are
// patched.
func (p *packer) build(l *lanes, level int) int32 {
	// Equal lanes are one vector: the graph is a DAG, not a tree.
	for i := range p.of {
		if p.of[i] == *l {
			return int32(i)
		}
	}

	v := Vnode{K: VCells, A: -1, B: -1, C: -1, node: net.None}

	// The lanes that exist, and the width that covers them all.
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

// only sets the lanes outside of a mask to None.
func (l *lanes) only(mask uint8) lanes {
	var some lanes
	for i, x := range l {
		if some[i] = net.None; mask>>i&1 != 0 {
			some[i] = x
		}
	}
	return some
}

// describe makes v the kind that more than half of the lanes in care agree on, and returns these
// lanes; 0 if there is no majority. It prefers equal nodes, then loads, then operations.
func (p *packer) describe(v *Vnode, l *lanes, care uint8, level int) uint8 {
	most := bits.OnesCount8(care)

	// One node for all lanes: a constant, or a value that is spread. A single lane is no spread
	// if it lives in the lanes already.
	if same := majority((*[LaneCount]net.ID)(l), care, most); same != 0 {
		x := l[schedule.Trailing(uint64(same))]
		if nd := &p.n.N[x]; nd.Op == net.Const {
			v.K, v.Imm = VConst, nd.Imm
			return same
		}
		if most > 1 || p.lane(x) < 0 {
			v.K, v.node = VSpread, x
			return same
		}
	}

	// Neighbouring lanes of a run: one load.
	if base, side := p.loads(l, care); side != 0 {
		v.K, v.Base = VLoad, base
		v.Run = p.runOf[(p.from+base+int32(schedule.Trailing(uint64(side))))/LaneCount]
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

// majority is the lanes of set with the value that more than half of lanes lanes have, or 0
// (Boyer and Moore's majority vote, then a count).
func majority[T comparable](of *[LaneCount]T, set uint8, lanes int) uint8 {
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

	if 2*bits.OnesCount8(mask) <= lanes {
		return 0
	}
	return mask
}

// lane is the lane of packed register x, or -1.
func (p *packer) lane(x net.ID) int32 {
	if nd := &p.n.N[x]; nd.Op == net.Leaf {
		return p.home[nd.Imm]
	}
	return -1
}

// loads finds packed registers side by side that more than half of the lanes in care are. base
// is the first lane, relative to the block's; side is the lanes that match.
func (p *packer) loads(l *lanes, care uint8) (base int32, side uint8) {
	var at [LaneCount]int32
	var set uint8
	for i, x := range l {
		if x < 0 {
			continue
		}
		if h := p.lane(x); h >= 0 {
			// Neighbours have the same distance from their lane's own place.
			at[i] = h - int32(i) - p.from
			set |= 1 << i
		}
	}

	if side = majority(&at, set, bits.OnesCount8(care)); side == 0 {
		return 0, 0
	}
	return at[schedule.Trailing(uint64(side))], side
}

// operations returns the lanes that share the operation of more than half of the lanes in care.
func (p *packer) operations(l *lanes, care uint8) uint8 {
	type operation struct {
		op  net.Op
		w   uint8
		imm uint64
	}

	var of [LaneCount]operation
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

// operation makes v the operation of the lanes in mask, and builds its operands.
func (p *packer) operation(v *Vnode, l *lanes, mask uint8, level int) {
	nd := p.n.N[l[schedule.Trailing(uint64(mask))]]
	in := p.operands(l, mask)
	if nd.Op.Commutes() {
		p.align(&in[0], &in[1], mask)
	}

	// The node of the first lane stands for all: operations agree but for their operands.
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

// operands is the operands of the lanes in mask, one slice per position.
func (p *packer) operands(l *lanes, mask uint8) (in [3]lanes) {
	for i, x := range l {
		in[0][i], in[1][i], in[2][i] = net.None, net.None, net.None
		if mask>>i&1 != 0 {
			nd := &p.n.N[x]
			in[0][i], in[1][i], in[2][i] = nd.A, nd.B, nd.C
		}
	}
	return in
}
