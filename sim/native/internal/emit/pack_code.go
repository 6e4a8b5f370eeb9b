package emit

import (
	"etch/sim/native/internal/pack"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// packCode writes segments. The vectors of a graph take registers in order and release them
// after their last use.
type packCode struct {
	*Cycles
	*vecPool
	m     PackWriter
	k     *pack.Packs
	known map[uint32]int32 // index of each pooled constant

	s     *pack.Segment
	last  []int32 // by vector: see lastUses
	reg   []vec
	uses  []int32
	bit   []bool       // by vector: a comparison that only selects use stays a mask
	keep  []bool       // by vector: it stays in its register for the whole loop
	disp  int32        // lanes from the current lane to the block's
	cell  int32        // bytes from the current cell to the block's
	patch []pack.Patch // of the block
	lanes int32
}

func newPackCode(m PackWriter, k *pack.Packs) *packCode {
	return &packCode{Cycles: NewCycles(m), vecPool: &vecPool{}, m: m, k: k, known: map[uint32]int32{}}
}

// segments writes the packed part of a cycle.
func (e *packCode) segments() {
	// Results first. Where others still read the old lanes, results go to shadows and are copied at
	// the end.
	e.m.startSegments()
	for i := range e.k.Segs {
		e.s = &e.k.Segs[i]
		e.choice(0, e.loops)
	}
	for i := range e.k.Segs {
		if e.s = &e.k.Segs[i]; e.s.Shadow {
			e.choice(0, e.unshadow)
		}
	}
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

	// Blocks run in one direction; the current lane and cell start at the first block to run.
	kinds := s.Kinds()
	step := int32(pack.LaneCount)
	if !s.Up {
		step = -step
	}
	e.m.setLane(int32(s.Index(0) * pack.LaneCount))
	e.m.setCells(e.k.CellAt(s.FirstC))

	for at := 0; at < len(kinds); {
		// The longest repetition becomes a loop; blocks without one are written out.
		size, times := 1, 1
		if s.Full(s.Index(at)) == pack.LaneCount { // a last block with fewer lanes stays outside of the loop
			whole := kinds[at:]
			if s.Up && s.Size%pack.LaneCount != 0 {
				whole = whole[:len(whole)-1]
			}
			size, times = period(whole)
		}

		var top Label
		if times > 1 {
			top = e.m.repeat(times, true)
		}

		// A body of several blocks: displacements count from its first one.
		for q := range size {
			e.block(root, at+q, step*int32(q), 4*(s.Cells[at+q]-s.Cells[at]))
		}

		// Advance to the next body. Behind the last block nothing reads the position.
		if at+size*times < len(kinds) || times > 1 {
			e.m.moveBlock(step*int32(size), 4*(s.Cells[at+size]-s.Cells[at]))
		}
		if times > 1 {
			e.m.again(top)
		}
		at += size * times
	}
}

// period finds the repetition at the start of kinds that covers most blocks. Bodies get at least
// four blocks where there are enough.
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

	if k := 4 / size; times >= 2*k && k > 1 {
		size, times = size*k, times/k
	}
	return size, times
}

// prepare computes how often and for what each vector of a graph is used, and loads the vectors
// that stay the same from block to block.
func (e *packCode) prepare(root int32) {
	s := e.s
	k := len(s.Nodes)

	e.last = s.LastUses(root)
	e.reg, e.uses = schedule.Sized(e.reg, k), schedule.Sized(e.uses, k)
	e.bit, e.keep = schedule.Sized(e.bit, k), schedule.Sized(e.keep, k)
	e.free = e.free[:0]
	for r := e.m.Vectors(e.vecPool) - 1; r >= 0; r-- {
		e.free = append(e.free, vec(r))
	}

	// A vector whose only uses are selects may stay a mask.
	choices := make([]int32, k)
	e.uses[root]++
	for i := range s.Nodes {
		e.reg[i] = noVec
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
	kept := 0
	for i := range s.Nodes {
		v := &s.Nodes[i]
		if e.last[i] < 0 {
			continue
		}
		e.bit[i] = v.K == pack.VOp && v.Op.IsCompare() && !patched[i] && choices[i] == e.uses[i]
		if v.K == pack.VSpread && kept < 3 && !patched[i] {
			kept++
			e.keep[i] = true
			e.reg[i] = e.take()
			e.m.spread(e.reg[i], e.cellOf(s.Spreads[i]))
		}
	}
}

// block writes the code of one block, number at in execution order. disp and cell are its
// distances from the current lane and cell.
func (e *packCode) block(root int32, at int, disp, cell int32) {
	s := e.s

	b := s.Index(at)
	e.disp, e.cell, e.patch, e.lanes = disp, cell, s.Patched(b), s.Full(b)
	base := s.FirstC + s.Cells[at]
	left := append([]int32(nil), e.uses...)
	for i := range s.Nodes {
		if e.last[i] < 0 {
			continue
		}
		e.vector(int32(i), left, base)
	}

	// Results go to the block's own lanes, or to their shadows while others still read them.
	own := e.k.Run(s.At)
	to := e.lane(own, s.At)
	if s.Shadow {
		to = to.plus(e.k.Shadow())
	}
	if v := &s.Nodes[root]; v.K == pack.VLoad && e.reg[root] == noVec && e.k.Runs[v.Run].Size == own.Size && e.lanes == pack.LaneCount {
		e.m.copyLanes(to, e.laneMem(v))
	} else {
		e.storeLanes(to, e.ready(root))
	}
	e.done(root, left)
	for i := range s.Nodes { // vectors that were loaded as operands only
		if !e.keep[i] {
			e.reg[i] = noVec
		}
	}
}

// lane addresses a lane of a run for the current block; lane is given for the segment's first
// block.
func (e *packCode) lane(r *pack.LaneRun, lane int32) packAt {
	return packAt{fromLane, r.Size, e.k.LaneAt(r, lane+e.disp)}
}

// cellOf addresses a cell from the state, independent of the current cell.
func (e *packCode) cellOf(cell int32) packAt { return packAt{fromState, 4, e.k.CellAt(cell)} }

// storeLanes stores the lanes of the block: only as many as it has registers.
func (e *packCode) storeLanes(to packAt, r vec) {
	if e.lanes < pack.LaneCount { // the lanes behind them keep their contents
		e.m.storeFirst(to, r, e.lanes)
	} else {
		e.m.store(to, r)
	}
}

// unshadow copies results from the shadows to the lanes.
func (e *packCode) unshadow(root int32) {
	s := e.s

	// The loop copies whole blocks, then the rest of the lanes.
	e.prepare(root)

	own := e.k.Run(s.At)
	e.disp = 0
	e.m.setLane(0)
	to := e.lane(own, s.At)
	if k := s.Size / pack.LaneCount; k > 0 {
		top := e.m.repeat(int(k), false)
		e.m.copyLanes(to, to.plus(e.k.Shadow()))
		e.m.moveBlock(pack.LaneCount, 0)
		e.m.again(top)
	}

	if e.lanes = s.Size % pack.LaneCount; e.lanes != 0 {
		t := e.take()
		e.m.load(t, to.plus(e.k.Shadow()))
		e.storeLanes(to, t)
		e.give(t)
	}
}

// constant is the place in the pool that has v in all lanes.
func (e *packCode) constant(v uint32) packAt {
	at, ok := e.known[v]
	if !ok {
		at = int32(len(e.known))
		e.known[v] = at
	}
	return packAt{fromPool, 4, at}
}
