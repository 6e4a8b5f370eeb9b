package emit

import (
	"etch/sim/native/internal/pack"
	"etch/sim/native/internal/schedule"
	"etch/sim/native/vector"
	"etch/sim/net"
)

// packCode writes segments. The body of a loop over blocks is a piece of package vector.
type packCode struct {
	*Cycles
	m       PackWriter
	k       *pack.Packs
	w       *vector.Writer
	pool    *vector.Pool
	c       *vector.Code // the piece being made
	spilled int          // scratch slots of all pieces

	// Of the segment being written:
	s        *pack.Segment
	last     []int32 // by vector: see pack.Segment.LastUses
	uses     []int32
	bit      []bool  // by vector: a comparison that only selects use stays a mask
	keep     []uint8 // by vector: its register for the whole loop, or 0
	kept     uint8   // registers that pieces do not allocate
	elements [packBases]elementBase

	// Of the block being written:
	value []vector.Value // by vector; None before its first use
	disp  int32          // elements from the current element to the block's
	cell  int32          // bytes from the current cell to the block's
	patch []pack.Patch
	count int32 // of its elements
}

// elementBase is a base that moves with the current element.
type elementBase struct {
	at    int32 // offset from the state at the segment's first element
	bytes int32 // of an element; 0: the segment does not use the base
}

func newPackCode(m PackWriter, k *pack.Packs) *packCode {
	w := m.pieces(vector.Place{Base: packState, At: k.SpillAt()})
	return &packCode{Cycles: NewCycles(m), m: m, k: k, w: w, pool: vector.NewPool()}
}

// startPiece begins a piece, endPiece writes it.
func (e *packCode) startPiece() *vector.Code {
	e.c = vector.NewPiece(e.pool)
	return e.c
}

func (e *packCode) endPiece() {
	p := e.w.Allocate(e.c, e.w.Registers()-int(e.kept))
	e.spilled = max(e.spilled, p.Scratch)
	e.w.Write(p)
}

// segments writes the packed part of a cycle.
func (e *packCode) segments() {
	// Results first. Where others still read the old elements, results go to shadows and are copied at
	// the end.
	e.m.aimPool()
	for i := range e.k.Segs {
		e.s = &e.k.Segs[i]
		e.choice(0, e.loops)
	}
	for i := range e.k.Segs {
		if e.s = &e.k.Segs[i]; e.s.Shadow {
			e.choice(0, e.unshadow)
		}
	}
	e.kept = 0
}

// choice writes the branches at the root of a segment, and calls f where they end.
func (e *packCode) choice(i int32, f func(root int32)) {
	ch := &e.s.Choices[i]

	// A leaf of the tree of choices; a negative root changes nothing.
	if ch.Cond < 0 {
		if ch.Root >= 0 {
			f(ch.Root)
		}
		return
	}

	els := e.Declare()
	e.m.unlessCell(e.k.CellAt(e.s.Conds[i]), els)
	e.choice(ch.Then, f)

	// An else without effect needs no jump over it.
	if c := &e.s.Choices[ch.Els]; c.Cond < 0 && c.Root < 0 {
		e.Define(els)
		return
	}

	end := e.Declare()
	e.Jump(end)
	e.Define(els)
	e.choice(ch.Els, f)
	e.Define(end)
}

// maxPeriod is the largest number of blocks in a loop body.
const maxPeriod = 128

// loops writes the blocks of a segment, as loops where they repeat.
func (e *packCode) loops(root int32) {
	s := e.s
	e.prepare(root)

	// Blocks run in one direction; the bases start at the first block to run.
	kinds := s.Kinds()
	step := int32(pack.ElementCount)
	if !s.Up {
		step = -step
	}
	e.aimElements(int32(s.Index(0) * pack.ElementCount))
	e.m.aim(packCell, e.k.CellAt(s.FirstC))

	for at := 0; at < len(kinds); {
		// The longest repetition becomes a loop; blocks without one are written out.
		size, times := 1, 1
		if s.Full(s.Index(at)) == pack.ElementCount { // a last block with fewer elements stays outside of the loop
			whole := kinds[at:]
			if s.Up && s.Size%pack.ElementCount != 0 {
				whole = whole[:len(whole)-1]
			}
			size, times = period(whole)
		}

		var top Label
		if times > 1 {
			top = e.m.repeat(times, true)
		}

		// A body of several blocks: displacements count from its first one.
		e.startPiece()
		for q := range size {
			e.block(root, at+q, step*int32(q), 4*(s.Cells[at+q]-s.Cells[at]))
		}
		e.endPiece()

		// Advance to the next body. Behind the last block nothing reads the position.
		if at+size*times < len(kinds) || times > 1 {
			e.advance(step*int32(size), 4*(s.Cells[at+size]-s.Cells[at]))
		}
		if times > 1 {
			e.m.again(top)
		}
		at += size * times
	}
}

// period finds the repetition at the start of kinds that covers most blocks. A period of one or two
// blocks becomes a loop over bodies of four blocks, or no loop if there are not two such bodies.
func period(kinds []int32) (size, times int) {
	// Try all periods. The cover must be larger, so the shortest of equal ones wins.
	size, times = 1, 1
	for p := 1; p <= min(maxPeriod, len(kinds)); p++ {
		k := p
		for k < len(kinds) && kinds[k] == kinds[k-p] {
			k++
		}
		if t := k / p; t > 1 && t*p > size*times {
			size, times = p, t
		}
		if size*times == len(kinds) {
			break
		}
	}

	// Short periods: bodies of four blocks, or no loop.
	if k := 4 / size; times >= 2*k && k > 1 {
		size, times = size*k, times/k
	} else if k > 1 {
		size, times = size*times, 1
	}
	return size, times
}

// aimElements points the bases of elements to an element of the segment.
func (e *packCode) aimElements(element int32) {
	for base, b := range e.elements {
		if b.bytes > 0 {
			e.m.aim(uint8(base), b.at+b.bytes*element)
		}
	}
}

// advance moves the bases of elements, and that of cells by bytes.
func (e *packCode) advance(elements, cells int32) {
	for base, b := range e.elements {
		if b.bytes > 0 {
			e.m.advance(uint8(base), b.bytes*elements)
		}
	}
	if cells != 0 {
		e.m.advance(packCell, cells)
	}
}

// prepare computes how often and for what each vector of a graph is used, chooses the bases of
// elements, and loads the vectors that stay the same from block to block.
func (e *packCode) prepare(root int32) {
	s := e.s
	k := len(s.Nodes)

	e.last = s.LastUses(root)
	e.uses, e.bit, e.keep = schedule.Sized(e.uses, k), schedule.Sized(e.bit, k), schedule.Sized(e.keep, k)
	e.value = schedule.Sized(e.value, k)

	// A vector whose only uses are selects may stay a mask.
	choices := make([]int32, k)
	e.uses[root]++
	for i := range s.Nodes {
		v := &s.Nodes[i]
		if e.last[i] < 0 || v.K != pack.VOp {
			continue
		}
		for _, x := range [3]int32{v.A, v.B, v.C} {
			if x >= 0 {
				e.uses[x]++
			}
		}
		if v.Op == net.Mux {
			choices[v.A]++
		}
	}

	// Patched vectors differ from block to block, so they can neither stay masks nor stay in
	// registers.
	patched := make([]bool, k)
	for b := range s.Blocks {
		for _, t := range s.Patched(b) {
			patched[t.V] = true
		}
	}

	// Up to three spread values stay in registers for the whole loop.
	e.kept = 0
	for i := range s.Nodes {
		v := &s.Nodes[i]
		if e.last[i] < 0 {
			continue
		}
		e.bit[i] = v.K == pack.VOp && v.Op < net.NumOps && v.Op.IsCompare() && !patched[i] && choices[i] == e.uses[i]
		if v.K == pack.VSpread && e.kept < 3 && !patched[i] {
			e.kept++
			e.keep[i] = uint8(e.w.Registers()) - e.kept
			e.w.Fetch(vector.Spread32, e.keep[i], e.cellOf(s.Spreads[i]))
		}
	}
	e.bases()
}

// bases chooses the bases of the segment: that of results, and one for each size of elements that it
// reads, near the lowest vector of this size: loads of arm64 reach farther upwards. Runs begin at
// multiples of 64 bytes, and so do bases, since these loads reach only multiples of 16.
func (e *packCode) bases() {
	// Results go to shadows while others still read the elements.
	s := e.s
	own := e.k.Run(s.At)
	to := e.k.ElementAt(own, s.At)
	if s.Shadow {
		to += e.k.Shadow()
	}

	e.elements = [packBases]elementBase{packTo: {to, own.Size}}

	// Elements of one size share a base, also those of different runs.
	for i := range s.Nodes {
		v := &s.Nodes[i]
		if e.last[i] < 0 || v.K != pack.VLoad {
			continue
		}

		r := &e.k.Runs[v.Run]
		from := e.k.ElementAt(r, s.At+v.Base)
		if b := &e.elements[elementBases[r.Size]]; b.bytes == 0 || from < b.at {
			*b = elementBase{from - (from-e.k.Base)%64, r.Size}
		}
	}
}

// block makes the code of one block, number at in execution order. disp and cell are its
// distances from the current element and cell.
func (e *packCode) block(root int32, at int, disp, cell int32) {
	s := e.s
	b := s.Index(at)
	e.disp, e.cell, e.patch, e.count = disp, cell, s.Patched(b), s.Full(b)
	for i := range e.value {
		e.value[i] = vector.None
	}

	// Operations in the graph's order. Vectors of memory are made when they are used.
	base := s.FirstC + s.Cells[at]
	for i := range s.Nodes {
		if e.last[i] >= 0 && (s.Nodes[i].K == pack.VOp || e.patchOf(int32(i)) != nil) {
			e.vector(int32(i), base)
		}
	}

	// A vector of the state that nothing changes is copied as it is stored.
	own := e.k.Run(s.At)
	to := elementsTo(own.Size * disp)
	if v := &s.Nodes[root]; v.K == pack.VLoad && e.value[root] == vector.None && e.k.Runs[v.Run].Size == own.Size && e.count == pack.ElementCount {
		e.copyElements(to, e.elementAt(v), own.Size)
	} else {
		e.result(to, e.use(root), own.Size)
	}
}

// unshadow copies results from the shadows to the elements.
func (e *packCode) unshadow(int32) {
	s := e.s
	own := e.k.Run(s.At)

	// The loop copies whole blocks, then the rest of the elements.
	from, to := vector.Place{Base: elementBases[own.Size]}, elementsTo(0)
	at := e.k.ElementAt(own, s.At)
	e.elements = [packBases]elementBase{packTo: {at, own.Size}}
	e.elements[from.Base] = elementBase{at + e.k.Shadow(), own.Size}
	e.kept = 0
	e.aimElements(0)
	if k := s.Size / pack.ElementCount; k > 0 {
		top := e.m.repeat(int(k), false)
		e.startPiece()
		e.copyElements(to, from, own.Size)
		e.endPiece()
		e.advance(pack.ElementCount, 0)
		e.m.again(top)
	}

	if e.count = s.Size % pack.ElementCount; e.count != 0 {
		e.startPiece()
		e.result(to, e.loadElements(from, own.Size), own.Size)
		e.endPiece()
	}
}
