package native

import (
	"etch/sim/native/amd64"
	"etch/sim/net"
)

// Registers of the code of packs: plain code keeps nothing in registers when
// segments run.
const (
	packAt    = amd64.RDX // of the blocks: their first lane, from the segment's
	packCell  = amd64.RSI // their first cell
	packCount = amd64.RDI
	packPool  = amd64.R8 // constants
)

// x86Packs writes segments for amd64. Vectors of a graph take registers in order
// and give them back after their last use.
type x86Packs struct {
	*x86
	k     *packs
	pool  []uint64 // constants of the code, each 8 lanes of 32 bits: two of them in a word
	known map[uint32]int32
	at    amd64.Label // of the pool

	s     *segment
	last  []int32 // of the graph's vectors: see lastUses
	reg   []amd64.Vec
	uses  []int32
	bit   []bool // a comparison that only selects use: it stays a mask
	keep  []bool // the vector is in its register for the whole loop
	free  []amd64.Vec
	disp  int32   // lanes of the block from packAt
	cell  int32   // bytes of the block from packCell
	patch []patch // of the block
	lanes int32
}

const noVec = amd64.Vec(0xff)

// segments writes the packed part of a cycle.
func (e *x86Packs) segments() {
	e.LeaLabel(packPool, e.at)
	for i := range e.k.segs {
		e.s = &e.k.segs[i]
		e.choice(0, e.loops)
	}
	for i := range e.k.segs {
		if e.s = &e.k.segs[i]; e.s.shadow {
			e.choice(0, e.unshadow)
		}
	}
}

// choice writes the branches at the root of a segment, and f's code where they
// end.
func (e *x86Packs) choice(i int32, f func(root int32)) {
	ch := &e.s.choices[i]
	if ch.cond < 0 {
		if ch.root >= 0 {
			f(ch.root)
		}
		return
	}
	e.MI(amd64.CMP, amd64.S32, amd64.At(stateR, e.k.cellAt(e.s.conds[i])), 0)
	els := e.JccRel32(amd64.E)
	e.choice(ch.then, f)
	if c := &e.s.choices[ch.els]; c.cond < 0 && c.root < 0 {
		e.Patch(els, len(e.Code))
		return
	}
	end := e.JmpRel32()
	e.Patch(els, len(e.Code))
	e.choice(ch.els, f)
	e.Patch(end, len(e.Code))
}

// maxPeriod bounds the blocks of a loop's body.
const maxPeriod = 128

// loops writes the blocks of a segment: those that repeat, as loops.
func (e *x86Packs) loops(root int32) {
	s := e.s
	e.prepare(root)
	kinds := s.kinds()
	step := int32(laneCount)
	if !s.up {
		step = -step
	}
	e.MovRI(packAt, uint64(s.index(0)*laneCount))
	e.Lea(amd64.S64, packCell, amd64.At(stateR, e.k.cellAt(s.firstC)))
	for at := 0; at < len(kinds); {
		size, times := 1, 1
		if s.full(s.index(at)) == laneCount {
			whole := kinds[at:]
			if s.up && s.size%laneCount != 0 {
				whole = whole[:len(whole)-1]
			}
			size, times = period(whole)
		}
		var top amd64.Label
		if times > 1 {
			e.MovRI(packCount, uint64(times))
			e.Align(16)
			top = e.NewLabel()
			e.Bind(top)
		}
		for q := range size {
			e.block(root, at+q, step*int32(q), 4*(s.cells[at+q]-s.cells[at]))
		}
		if at+size*times < len(kinds) || times > 1 {
			e.RI(amd64.ADD, amd64.S64, packAt, step*int32(size))
			if d := s.cells[at+size] - s.cells[at]; d != 0 {
				e.RI(amd64.ADD, amd64.S64, packCell, 4*d)
			}
		}
		if times > 1 {
			e.Dec(amd64.S32, packCount)
			e.Jcc(amd64.NE, top)
		}
		at += size * times
	}
}

// period finds the repetition at the start of kinds that covers most, and bodies
// of at least four blocks where there are many.
func period(kinds []int32) (size, times int) {
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

// prepare finds what vectors of a graph are for, and loads what stays the same
// from block to block.
func (e *x86Packs) prepare(root int32) {
	s := e.s
	k := len(s.nodes)
	e.last = s.lastUses(root)
	e.reg, e.uses = sized(e.reg, k), sized(e.uses, k)
	e.bit, e.keep = sized(e.bit, k), sized(e.keep, k)
	e.free = e.free[:0]
	for r := amd64.V15; ; r-- {
		e.free = append(e.free, r)
		if r == 0 {
			break
		}
	}
	choices := make([]int32, k)
	e.uses[root]++
	for i := range s.nodes {
		e.reg[i] = noVec
		v := &s.nodes[i]
		if e.last[i] < 0 || v.k != vOp {
			continue
		}
		for _, x := range [3]int32{v.a, v.b, v.c} {
			if x >= 0 {
				e.uses[x]++
			}
		}
		if v.op == net.Mux {
			choices[v.a]++
		}
	}
	patched := make([]bool, k)
	for _, b := range s.all {
		for _, t := range b {
			patched[t.v] = true
		}
	}
	kept := 0
	for i := range s.nodes {
		v := &s.nodes[i]
		if e.last[i] < 0 {
			continue
		}
		e.bit[i] = v.k == vOp && v.op.IsCompare() && !patched[i] && choices[i] == e.uses[i]
		if v.k == vSpread && kept < 3 && !patched[i] {
			kept++
			e.keep[i] = true
			e.reg[i] = e.take()
			e.V2M(amd64.VPBROADCASTD, amd64.V256, e.reg[i], amd64.At(stateR, e.k.cellAt(s.spreads[i])))
		}
	}
}

func (e *x86Packs) take() amd64.Vec {
	r := e.free[len(e.free)-1]
	e.free = e.free[:len(e.free)-1]
	return r
}

func (e *x86Packs) give(r amd64.Vec) { e.free = append(e.free, r) }

// block writes the code of one block.
func (e *x86Packs) block(root int32, at int, disp, cell int32) {
	s := e.s
	b := s.index(at)
	e.disp, e.cell, e.patch, e.lanes = disp, cell, s.all[b], s.full(b)
	base := s.firstC + s.cells[at]
	left := append([]int32(nil), e.uses...)
	for i := range s.nodes {
		if e.last[i] < 0 {
			continue
		}
		e.vector(int32(i), left, base)
	}
	own := e.k.run(s.at)
	to := e.lane(stateW, own, s.at)
	if s.shadow {
		to = to.Plus(e.k.shadow())
	}
	if v := &s.nodes[root]; v.k == vLoad && e.reg[root] == noVec && e.k.runs[v.run].size == own.size && e.lanes == laneCount {
		e.copyLanes(to, e.laneMem(v), own.size)
	} else {
		e.storeLanes(to, e.ready(root), own.size)
	}
	e.done(root, left)
	for i := range s.nodes { // what was loaded as an operand only
		if !e.keep[i] {
			e.reg[i] = noVec
		}
	}
}

// lane is the memory of lanes of a run from the one on that a block's first
// would be if it were the segment's.
func (e *x86Packs) lane(base amd64.Reg, r *laneRun, lane int32) amd64.Mem {
	return amd64.AtIndex(base, packAt, uint8(r.size), e.k.laneAt(r, lane+e.disp))
}

// vectors of lanes as they are stored, by their size in bytes.
var (
	lanesFrom = [5]amd64.VOp{1: amd64.VPMOVZXBD, 2: amd64.VPMOVZXWD, 4: amd64.VMOVDQU}
	lanesMove = [5]amd64.VOp{1: amd64.VMOVQ, 2: amd64.VMOVDQU, 4: amd64.VMOVDQU}
	lanesKeep = [5]amd64.VOp{1: amd64.VMOVQS, 2: amd64.VMOVDQU, 4: amd64.VMOVDQU}
	lanesLen  = [5]amd64.VLen{1: amd64.V128, 2: amd64.V128, 4: amd64.V256}
)

// storeLanes stores the lanes of the block, each in size bytes.
func (e *x86Packs) storeLanes(to amd64.Mem, r amd64.Vec, size int32) {
	t := e.take()
	if e.lanes < laneCount { // others stay
		if size == 4 {
			e.V3MI(amd64.VPBLENDD, ymm, t, r, to, ^uint8(0)<<e.lanes)
		} else {
			e.V2M(lanesFrom[size], ymm, t, to)
			e.V3I(amd64.VPBLENDD, ymm, t, r, t, ^uint8(0)<<e.lanes)
		}
		r = t
	}
	if size < 4 {
		u := e.take()
		e.V2I(amd64.VEXTRACTI128, ymm, u, r, 1)
		e.V3(amd64.VPACKUSDW, amd64.V128, t, r, u)
		if size == 1 {
			e.V3(amd64.VPACKUSWB, amd64.V128, t, t, t)
		}
		e.give(u)
		r = t
	}
	e.VStore(lanesKeep[size], lanesLen[size], to, r)
	e.give(t)
}

// copyLanes moves a vector of lanes as they are.
func (e *x86Packs) copyLanes(to, from amd64.Mem, size int32) {
	t := e.take()
	e.V2M(lanesMove[size], lanesLen[size], t, from)
	e.VStore(lanesKeep[size], lanesLen[size], to, t)
	e.give(t)
}

// unshadow copies results from shadows.
func (e *x86Packs) unshadow(root int32) {
	s := e.s
	e.prepare(root)
	own := e.k.run(s.at)
	e.disp = 0
	e.MovRI(packAt, 0)
	to := e.lane(stateW, own, s.at)
	e.repeat(s.size/laneCount, laneCount, func() { e.copyLanes(to, to.Plus(e.k.shadow()), own.size) })
	if e.lanes = s.size % laneCount; e.lanes != 0 {
		t := e.take()
		e.V2M(lanesFrom[own.size], ymm, t, to.Plus(e.k.shadow()))
		e.storeLanes(to, t, own.size)
		e.give(t)
	}
}

// repeat writes code that does f n times, packAt by step more each time.
func (e *x86Packs) repeat(n, step int32, f func()) {
	if n == 0 {
		return
	}
	e.MovRI(packCount, uint64(n))
	top := e.NewLabel()
	e.Bind(top)
	f()
	e.RI(amd64.ADD, amd64.S64, packAt, step)
	e.Dec(amd64.S32, packCount)
	e.Jcc(amd64.NE, top)
}

// storeCell puts a value of plain code into a cell.
func (e *x86) storeCell(at int32, x net.ID) {
	m := amd64.At(stateW, at)
	if v, ok := e.n.IsConst(x); ok {
		e.MovMI(amd64.S32, m, int32(uint32(v)))
		return
	}
	e.MovMR(amd64.S32, m, e.register(x, tmpA))
}

// constant is the pool's memory with v in all lanes.
func (e *x86Packs) constant(v uint32) amd64.Mem {
	at, ok := e.known[v]
	if !ok {
		at = int32(len(e.pool) * 8)
		w := uint64(v) | uint64(v)<<32
		e.pool = append(e.pool, w, w, w, w)
		e.known[v] = at
	}
	return amd64.At(packPool, at)
}
