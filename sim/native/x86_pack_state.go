package native

import (
	"encoding/binary"
	"runtime"
	"unsafe"

	"etch/sim/native/amd64"
	"etch/sim/native/cpu"
	"etch/sim/native/exec"
	"etch/sim/net"
)

// pull copies packed registers from the state to their lanes, and sets the cells
// of constants.
func (e *x86Packs) pull() {
	const from, to = amd64.RDX, amd64.RSI
	for i := range e.k.runs {
		r := &e.k.runs[i]
		e.eachVector(r, from, to, func() {
			e.V2M(amd64.VMOVDQU, ymm, 0, amd64.At(from, 0))
			e.VShufpsM(ymm, 0, 0, amd64.At(from, 32), 0x88)
			e.V2I(amd64.VPERMQI, ymm, 0, 0, 0xd8)
			e.storeLanes(amd64.At(to, 0), 0, r.size)
		}, func(i int32) {
			e.MovRM(amd64.S32, tmpA, amd64.At(from, 8*i))
			e.MovMR(intSize(r.size), amd64.At(to, r.size*i), tmpA)
		})
	}
	for i, x := range e.k.cells {
		if x >= 0 && e.k.fixed[i] {
			e.MovMI(amd64.S32, amd64.At(stateW, e.k.cellAt(int32(i))), int32(uint32(e.k.consts[i])))
		}
	}
}

// push copies packed registers back to the state.
func (e *x86Packs) push() {
	const to, from = amd64.RDX, amd64.RSI
	widen := [5]amd64.VOp{1: amd64.VPMOVZXBQ, 2: amd64.VPMOVZXWQ, 4: amd64.VPMOVZXDQ}
	for i := range e.k.runs {
		r := &e.k.runs[i]
		e.eachVector(r, to, from, func() {
			e.V2M(widen[r.size], ymm, 0, amd64.At(from, 0))
			e.V2M(widen[r.size], ymm, 1, amd64.At(from, 4*r.size))
			e.VStore(amd64.VMOVDQU, ymm, amd64.At(to, 0), 0)
			e.VStore(amd64.VMOVDQU, ymm, amd64.At(to, 32), 1)
		}, func(i int32) {
			e.loadLane(tmpA, amd64.At(from, r.size*i), r.size)
			e.MovMR(amd64.S64, amd64.At(to, 8*i), tmpA)
		})
	}
}

// intSize is the size of operands of so many bytes.
func intSize(bytes int32) amd64.Size { return amd64.Size(trailing(uint64(bytes))) }

// loadLane puts a lane, stored in size bytes, into a register.
func (e *x86) loadLane(dst amd64.Reg, m amd64.Mem, size int32) {
	e.MovRM(intSize(size), dst, m)
}

// inLane reports whether node x is a packed register.
func (e *x86) inLane(x net.ID) bool {
	nd := &e.n.N[x]
	return nd.Op == net.Leaf && e.packs.runOf(int(nd.Imm)) != nil
}

// eachVector writes code that goes through the registers of a run, eight at a time
// and the rest one by one.
func (e *x86Packs) eachVector(r *laneRun, slots, lanes amd64.Reg, vector func(), one func(i int32)) {
	e.lanes = laneCount
	e.free = append(e.free[:0], 3, 2)
	e.Lea(amd64.S64, slots, amd64.At(stateW, 8*int32(e.n.Regs[r.reg].Slot)))
	e.Lea(amd64.S64, lanes, amd64.At(stateW, e.k.laneAt(r, r.lane)))
	if k := r.n / laneCount; k > 0 {
		e.MovRI(packCount, uint64(k))
		top := e.NewLabel()
		e.Bind(top)
		vector()
		e.RI(amd64.ADD, amd64.S64, slots, 8*laneCount)
		e.RI(amd64.ADD, amd64.S64, lanes, r.size*laneCount)
		e.Dec(amd64.S32, packCount)
		e.Jcc(amd64.NE, top)
	}
	for i := range r.n % laneCount {
		one(i)
	}
}

// leavePacks ends the code: stops come here too.
func (e *x86Packs) leavePacks() {
	for _, at := range e.stops {
		e.Patch(at, len(e.Code))
	}
	e.stops = e.stops[:0]
	e.TestMI(amd64.S32, scratchAt(stateR, flagWord), keepOn)
	kept := e.JccRel32(amd64.NE)
	e.push()
	e.Patch(kept, len(e.Code))
	e.Vzeroupper()
	e.leave()
	e.Align(32)
	e.Bind(e.at)
	for _, w := range e.pool {
		e.Code = binary.LittleEndian.AppendUint64(e.Code, w)
	}
}

// Bits of the second argument of a call.
const (
	isKept = 1 << iota // the lanes hold packed registers from the last call
	keepOn             // leave them there
)

// Keeper is a Runner that can keep part of the state to itself from call to call,
// which saves work when calls are short. Run never does.
type Keeper interface {
	Runner
	// RunOn is Run, but the state is not whole until GiveBack; again tells that
	// the last call was RunOn on the same state.
	RunOn(base unsafe.Pointer, cycles uint64, again bool) (left uint64)
	// GiveBack makes the state whole after RunOn.
	GiveBack(base unsafe.Pointer)
}

// RunOn is Keeper's.
func (c *Code) RunOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	how := uint64(keepOn)
	if again {
		how |= isKept
	}
	left := exec.Call(c.mem.Addr(), base, cycles, how)
	runtime.KeepAlive(c)
	return left
}

// GiveBack is Keeper's.
func (c *Code) GiveBack(base unsafe.Pointer) {
	if c.keeps {
		exec.Call(c.mem.Addr(), base, 0, isKept)
		runtime.KeepAlive(c)
	}
}

// compilePacked makes the code of a net that is partly packed.
func compilePacked(k *packs, n *net.Net, f cpu.Features) (*Code, error) {
	var s scheduler
	c := prepare(&s, n, net.Assume{}, firstScratch)
	c.allocate(&allocator{}, x86Pool)
	c.scratch = k.place(c.scratch)
	e := &x86Packs{x86: newX86(f), k: k, known: map[uint32]int32{}}
	e.c, e.n, e.packs = c, n, k
	e.at = e.NewLabel()
	e.enter()
	e.MovMR(amd64.S64, scratchAt(stateW, flagWord), amd64.RDX)
	e.TestRI(amd64.S32, amd64.RDX, isKept)
	kept := e.JccRel32(amd64.NE)
	e.pull()
	e.Patch(kept, len(e.Code))
	e.MI(amd64.CMP, amd64.S64, scratchAt(stateR, cyclesWord), 0)
	e.stops = append(e.stops, e.JccRel32(amd64.E))
	top := e.NewLabel()
	e.Bind(top)
	e.body(c)
	e.segments()
	e.DecM(amd64.S64, scratchAt(stateW, cyclesWord))
	e.Jcc(amd64.NE, top)
	e.leavePacks()
	code, err := e.finish(int(c.scratch), len(n.N))
	if err == nil {
		code.keeps = true
	}
	return code, err
}
