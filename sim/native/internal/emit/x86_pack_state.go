package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/native/internal/pack"
	"etch/sim/native/internal/schedule"
)

func (e *x86Packs) enterPacks(bits int32) {
	e.Enter()
	e.MovMR(amd64.S64, e.scratch(stores, flagWord), amd64.RDX)
	e.TestRI(amd64.S32, amd64.RDX, bits)
}

func (e *x86Packs) idle(l Label) {
	e.compare(scratchWord(cyclesWord), 64, 0)
	e.jumpIf(equal, l)
}

func (e *x86Packs) testPacks(bits int32) {
	e.TestMI(amd64.S32, e.scratch(loads, flagWord), bits)
}

func (e *x86Packs) leavePacks(constants []uint32) {
	e.Vzeroupper()
	e.Leave()
	e.writePool(constants)
}

func (e *x86Packs) pull(r *pack.LaneRun, slot uint32) {
	const from, to = amd64.RDX, amd64.RSI
	e.eachVector(r, slot, from, to, func() {
		e.V2M(amd64.VMOVDQU, ymm, 0, amd64.At(from, 0))
		e.VShufpsM(ymm, 0, 0, amd64.At(from, 32), 0x88)
		e.V2I(amd64.VPERMQI, ymm, 0, 0, 0xd8)
		e.put(amd64.At(to, 0), r.Size, 0, 2)
	}, func(i int32) {
		e.MovRM(amd64.S32, tmpA, amd64.At(from, 8*i))
		e.MovMR(intSize(r.Size), amd64.At(to, r.Size*i), tmpA)
	})
}

func (e *x86Packs) push(r *pack.LaneRun, slot uint32) {
	const to, from = amd64.RDX, amd64.RSI
	widen := [5]amd64.VOp{1: amd64.VPMOVZXBQ, 2: amd64.VPMOVZXWQ, 4: amd64.VPMOVZXDQ}
	e.eachVector(r, slot, to, from, func() {
		e.V2M(widen[r.Size], ymm, 0, amd64.At(from, 0))
		e.V2M(widen[r.Size], ymm, 1, amd64.At(from, 4*r.Size))
		e.VStore(amd64.VMOVDQU, ymm, amd64.At(to, 0), 0)
		e.VStore(amd64.VMOVDQU, ymm, amd64.At(to, 32), 1)
	}, func(i int32) {
		e.loadLane(tmpA, amd64.At(from, r.Size*i), r.Size)
		e.MovMR(amd64.S64, amd64.At(to, 8*i), tmpA)
	})
}

// intSize is the operand size for a number of bytes.
func intSize(bytes int32) amd64.Size { return amd64.Size(schedule.Trailing(uint64(bytes))) }

// loadLane loads a lane stored in size bytes.
func (e *x86) loadLane(dst amd64.Reg, m amd64.Mem, size int32) {
	e.MovRM(intSize(size), dst, m)
}

// eachVector writes code over the registers of a run, eight at a time and the rest singly.
func (e *x86Packs) eachVector(r *pack.LaneRun, slot uint32, slots, lanes amd64.Reg, vector func(), one func(i int32)) {
	e.free = &vecPool{[]vec{3}}
	e.Lea(amd64.S64, slots, amd64.At(stateW, 8*int32(slot)))
	e.Lea(amd64.S64, lanes, amd64.At(stateW, e.packs.LaneAt(r, r.Lane)))

	if k := r.N / pack.LaneCount; k > 0 {
		e.MovRI(packCount, uint64(k))
		top := e.NewLabel()
		e.Bind(top)
		vector()
		e.RI(amd64.ADD, amd64.S64, slots, 8*pack.LaneCount)
		e.RI(amd64.ADD, amd64.S64, lanes, r.Size*pack.LaneCount)
		e.Dec(amd64.S32, packCount)
		e.Jcc(amd64.NE, top)
	}

	for i := range r.N % pack.LaneCount {
		one(i)
	}
}
