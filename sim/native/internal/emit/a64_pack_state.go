package emit

import (
	"etch/sim/native/arm64"
	"etch/sim/native/internal/pack"
)

func (e *a64Packs) enterPacks(bits int32) {
	for i := range e.packs.Runs {
		e.used[e.packs.Runs[i].Size] = true
	}

	e.Mov(arm64.X, a64A, arm64.R2)
	e.Enter()
	e.access(arm64.STR, a64A, e.scratch(flagWord))
	e.TstI(arm64.X, a64A, uint64(bits))
}

func (e *a64Packs) idle(l Label) { e.Cbz(arm64.X, a64Left, e.leads(l)) }

func (e *a64Packs) testPacks(bits int32) {
	e.fetch(scratchWord(flagWord), 8)
	e.TstI(arm64.X, a64A, uint64(bits))
}

func (e *a64Packs) leavePacks(constants []uint32) {
	e.Leave()
	e.Define(e.pool)
	for _, v := range constants {
		for range 4 {
			e.Word(v)
		}
	}
}

func (e *a64Packs) pull(r *pack.LaneRun, slot uint32) {
	const from, to = a64Cell, a64Const
	e.eachVector(r, slot, from, to, func() {
		// 64-bit words of the state to lanes: drop the upper halves, then narrow.
		e.VLdpPost(0, 1, from, 32)
		e.VLdpPost(2, 3, from, 32)
		e.VRRR(arm64.VUZP1, arm64.E32, 0, 0, 1)
		e.VRRR(arm64.VUZP1, arm64.E32, 1, 2, 3)
		e.store(packAt{fromPool, r.Size, 0}, 0)
		e.add(to, to, int64(r.Size*pack.LaneCount))
	}, func() {
		e.MemPost(arm64.LDR, a64A, from, 8)
		e.MemPost(laneStores[r.Size], a64A, to, int64(r.Size))
	})
}

func (e *a64Packs) push(r *pack.LaneRun, slot uint32) {
	const to, from = a64Cell, a64Const
	e.eachVector(r, slot, to, from, func() {
		// Lanes to 64-bit words of the state: widen twice.
		e.load(0, packAt{fromPool, r.Size, 0})
		e.add(from, from, int64(r.Size*pack.LaneCount))
		for i := range arm64.Vec(2) {
			e.VShiftI(arm64.VUSHLL, arm64.E32, 2, i, 0)
			e.VShiftI(arm64.VUSHLL2, arm64.E32, 3, i, 0)
			e.VStp(2, 3, to, int64(32*i))
		}
		e.add(to, to, 8*pack.LaneCount)
	}, func() {
		e.MemPost(laneLoads[r.Size], a64A, from, int64(r.Size))
		e.MemPost(arm64.STR, a64A, to, 8)
	})
}

// eachVector writes code over the registers of a run, eight at a time and the rest singly. The
// base registers of cells and constants hold the two addresses meanwhile.
func (e *a64Packs) eachVector(r *pack.LaneRun, slot uint32, slots, lanes arm64.Reg, vector, one func()) {
	e.add(slots, a64State, 8*int64(int32(slot)))
	e.add(lanes, a64State, int64(e.packs.LaneAt(r, r.Lane)))
	if k := r.N / pack.LaneCount; k > 0 {
		top := e.repeat(int(k), true)
		vector()
		e.again(top)
	}
	for range r.N % pack.LaneCount {
		one()
	}
}

func (e *a64Packs) startSegments() { e.Adr(a64Const, arm64.Label(e.pool)) }

func (e *a64Packs) unlessCell(at int32, l Label) {
	e.access(arm64.LDRW, a64A, a64At{a64State, int64(at)})
	e.Cbz(arm64.W, a64A, e.leads(l))
}

// eachBase calls f for the lane base of every size in use.
func (e *a64Packs) eachBase(f func(r arm64.Reg, size int64)) {
	for _, size := range [...]int64{1, 2, 4} {
		if e.used[size] {
			f(laneBases[size], size)
		}
	}
}

func (e *a64Packs) setLane(lane int32) {
	e.eachBase(func(r arm64.Reg, size int64) { e.add(r, a64State, int64(e.packs.Base)+size*int64(lane)) })
}

func (e *a64Packs) setCells(at int32) { e.add(a64Cell, a64State, int64(at)) }

func (e *a64Packs) moveBlock(lanes, cells int32) {
	e.eachBase(func(r arm64.Reg, size int64) { e.add(r, r, size*int64(lanes)) })
	if cells != 0 {
		e.add(a64Cell, a64Cell, int64(cells))
	}
}

func (e *a64Packs) repeat(n int, _ bool) Label {
	e.MovRI(a64Count, uint64(n))
	top := e.Declare()
	e.Entry(top)
	return top
}

func (e *a64Packs) again(l Label) {
	e.RRI(arm64.SUBS, arm64.X, a64Count, a64Count, 1)
	e.BCond(arm64.NE, e.leads(l))
}
