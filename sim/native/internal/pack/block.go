package pack

import (
	"slices"

	"etch/sim/net"
)

// elements is a node for each element; None matches anything.
type elements [ElementCount]net.ID

// vkind is the kind of a vector in a graph.
type vkind uint8

const (
	VOp     vkind = iota // an operation on vectors
	VLoad                // packed registers side by side
	VSpread              // one value of plain code in all elements
	VConst               // one constant in all elements
	VCells               // cells of plain code, one for each element
)

// Vector operations without a counterpart in the net.
const (
	OpMulPairs = net.NumOps     // a · b, each signed of 16 bits in the low half of an element
	OpSigned16 = net.NumOps + 1 // a, signed of imm bits, as 16 bits in the low half
)

// Vnode is a vector. It stands behind its arguments in the nodes of its block or segment.
type Vnode struct {
	K       vkind
	Op      net.Op
	W, Ow   uint8 // the widest element; the op's own width
	A, B, C int32
	Imm     uint64   // of the op; the value of a constant
	Base    int32    // VLoad: the first element, relative to the block's
	Run     int32    // VLoad: its run
	node    net.ID   // VSpread
	factors [2]int32 // OpMulPairs: the two vectors multiplied
}

// Commutes reports whether the first two operands of an operation may be exchanged.
func (v *Vnode) Commutes() bool {
	return v.Op == OpMulPairs || v.Op < net.NumOps && v.Op.Commutes()
}

// Patch is elements of a vector that differ from the graph: plain code computes them.
type Patch struct {
	V    int32
	Mask uint8
	of   elements
	Cell int32 // of the first element in the mask
}

// choice is a next value at the root of a graph: a branch on a condition common to all elements, a
// vector, or nothing if all elements keep their values.
type choice struct {
	Cond      net.ID // None: no branch
	Then, Els int32  // of a branch: the choices of its arms
	Root      int32  // without a branch: the vector, or -1 if all elements keep their values
}

// shape is the graph of a block's next values, common to the blocks of a segment.
type shape struct {
	Nodes   []Vnode
	Choices []choice
}

func (s *shape) equal(t *shape) bool {
	return slices.Equal(s.Nodes, t.Nodes) && slices.Equal(s.Choices, t.Choices)
}

// block is up to eight registers that are computed together.
type block struct {
	reg, n       int32 // registers from reg on
	at           int32 // element of the first register
	shape        int32
	patch, count int32 // its patches: the first, and their number
	gain         float32
}

// matchAll builds the blocks of all runs, and reports whether all of them stay.
func (p *packer) matchAll() bool {
	p.blocks, p.shapes, p.patches, p.saves = slices.Grow(p.blocks[:0], int(p.elements)/ElementCount), p.shapes[:0], p.patches[:0], 0
	poor := false
	for _, run := range p.runs {
		// A block is compared only with those of its own run.
		p.whole = -1
		for at := int32(0); at < run.N; {
			b := p.block(run.reg+at, run.N-at)
			p.blocks = append(p.blocks, b)
			p.saves += b.gain
			poor = poor || b.gain <= 0
			at += b.n
		}
	}
	return !poor || p.dropPoor()
}

// dropPoor removes the registers of blocks that do not pay from the candidates, unless another
// block loads them. It reports whether it removed none.
func (p *packer) dropPoor() bool {
	loaded := p.loaded()
	ok := true
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.gain > 0 {
			continue
		}

		used := slices.Contains(loaded[b.at+ElementCount:][:b.n], true)
		for r := range b.n {
			p.bad[b.reg+r] = p.bad[b.reg+r] || !used
		}
		ok = ok && used
	}
	return ok
}

// loaded marks the elements that worthwhile blocks load. Index 0 is one vector before the first
// element.
func (p *packer) loaded() []bool {
	loaded := make([]bool, p.elements+2*ElementCount)
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.gain <= 0 {
			continue
		}
		for _, v := range p.shapes[b.shape].Nodes {
			if v.K == VLoad {
				for j := range b.n {
					loaded[b.at+v.Base+j+ElementCount] = true
				}
			}
		}
	}
	return loaded
}

// block matches the next values of registers from reg on, where left registers remain in the
// run.
func (p *packer) block(reg, left int32) block {
	// Try the shape of the last full block first.
	if p.whole >= 0 && left >= ElementCount {
		if b := p.blocks[p.whole]; p.again(&p.shapes[b.shape], reg) {
			b.reg, b.at = reg, p.from
			return b
		}
	}

	b := p.match(reg, p.cut(reg, min(left, ElementCount)))
	if b.n == ElementCount && b.count == 0 {
		p.whole = int32(len(p.blocks))
	}
	return b
}

// match finds the shape of the next values of k registers, and its saving.
func (p *packer) match(reg, k int32) block {
	p.Nodes, p.Choices, p.of = p.Nodes[:0], p.Choices[:0], p.of[:0]
	p.from, p.first = p.home[reg], len(p.patches)
	l := p.next(reg, k)
	gain := p.choose(&l, reg, 0)
	return block{reg: reg, n: k, at: p.from, shape: p.known(), patch: int32(p.first), count: int32(len(p.patches) - p.first), gain: gain}
}

// next is the next values of k registers.
func (p *packer) next(reg, k int32) elements {
	var l elements
	for i := range l {
		l[i] = net.None
		if int32(i) < k {
			l[i] = p.n.Regs[reg+int32(i)].Next
		}
	}
	return l
}

// known is the index of the shape just built, reusing the last block's shape if they are equal.
func (p *packer) known() int32 {
	if k := len(p.blocks); k > 0 {
		if last := p.blocks[k-1].shape; p.shapes[last].equal(&p.shape) {
			return last
		}
	}
	p.shapes = append(p.shapes, shape{slices.Clone(p.Nodes), slices.Clone(p.Choices)})
	return int32(len(p.shapes) - 1)
}

// cut is the number of registers from reg on that form a block: if the rest of the k has another
// operation, it starts a block of its own.
func (p *packer) cut(reg, k int32) int32 {
	op := func(i int32) net.Op { return p.n.N[p.n.Regs[reg+i].Next].Op }
	count := int32(0)
	for i := range k {
		if op(i) == op(0) {
			count++
		}
	}

	// One operation throughout, hardly any of it, or plain copies: there is nothing to cut.
	if count == k || count < 3 || op(0) == net.Leaf {
		return k
	}

	// A clean cut has one operation before it and one after it.
	for i := int32(1); i < k; i++ {
		if op(i) != op(0) {
			for j := i; j < k; j++ {
				if op(j) != op(i) || op(j) == net.Leaf {
					return k
				}
			}
			return i
		}
	}
	return k
}
