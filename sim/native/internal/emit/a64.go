package emit

import (
	"slices"

	"etch/sim/native/arm64"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// Registers of arm64 code. A call passes the state and the number of cycles in registers that
// keep them; values get the rest, except R18, R28, R29 and R30, which belong to the platform,
// the Go runtime and the call.
const (
	a64State   = arm64.R0
	a64Left    = arm64.R1  // cycles still to run
	a64Scratch = arm64.R2  // scratchReach bytes below the base of the whole state
	a64Far     = arm64.R3  // and the next register: bases for addresses out of reach of both
	a64A       = arm64.R14 // temporaries
	a64B       = arm64.R15
	a64C       = arm64.R16
	a64D       = arm64.R17
)

// Registers that code with special bodies takes from the values' pool.
const (
	a64Flag   = arm64.R27 // not 0 once a guard was written with another value
	a64Whole  = arm64.R26 // in a class: the base of the whole state
	a64Mem    = arm64.R25 // in a class: the base of the instance's memories
	a64Behind = arm64.R24 // in a class: the base behind the last instance
)

var a64Pool = []uint8{5, 6, 7, 8, 9, 10, 11, 12, 13, 19, 20, 21, 22, 23, 24, 25, 26, 27}

// a64 writes the code of nets for arm64.
type a64 struct {
	arm64.Asm
	source
	pool  constants
	bases a64Bases
	known a64Known           // contents of the base registers at this point
	dead  bool               // this point is reached by jumps only
	there map[Label]a64Known // contents of the base registers common to all jumps to a label not yet bound
}

// Arm64Target is the target of 64-bit Arm processors.
type Arm64Target struct{}

// Runs refuses features of an amd64 processor (AVX2). On arm64 the base instruction set suffices.
func (Arm64Target) Runs(f cpu.Features) bool { return !f.AVX2 }

func (Arm64Target) Writer(cpu.Features) Writer {
	return &a64{bases: a64Bases{a64State, a64State, a64State}, there: map[Label]a64Known{}}
}

func (Arm64Target) Registers(p Purpose) []uint8 {
	switch p {
	case InBodies:
		return a64Pool[:len(a64Pool)-1]
	case InClass:
		return a64Pool[:len(a64Pool)-4]
	}
	return a64Pool
}

func (Arm64Target) Vectors(cpu.Features) bool { return true }

func (t Arm64Target) packs(f cpu.Features) PackWriter {
	e := &a64Packs{a64: t.Writer(f).(*a64)}
	e.pool = e.Declare()
	return e
}

func (e *a64) Declare() Label       { return Label(e.NewLabel()) }
func (e *a64) OffsetOf(l Label) int { return e.Offset(arm64.Label(l)) }
func (e *a64) AlignEntry()          {}

func (e *a64) Define(l Label) {
	e.Bind(arm64.Label(l))

	// Where paths join, only facts that hold on both remain.
	if there, ok := e.there[l]; e.dead || !ok {
		e.known = there
	} else {
		e.known = e.known.meet(there)
	}
	e.dead = false
	delete(e.there, l)
}

func (e *a64) Entry(l Label) {
	e.Bind(arm64.Label(l))
	e.known, e.dead = a64Known{}, false
	delete(e.there, l)
}

// leads records the known register contents for the later bind of l. A label bound already is
// the target of a backward jump, and its bind forgot everything.
func (e *a64) leads(l Label) arm64.Label {
	// Several jumps may lead to the label: keep the facts that they share.
	if !e.Bound(arm64.Label(l)) {
		known := e.known
		if there, ok := e.there[l]; ok {
			known = known.meet(there)
		}
		e.there[l] = known
	}
	return arm64.Label(l)
}

func (e *a64) Jump(l Label) {
	// Code behind a jump is reached by labels only.
	e.B(e.leads(l))
	e.dead = true
}

func (e *a64) Text() ([]byte, error) {
	// Constants lie behind the code, within reach of its loads.
	e.writeConstants()
	if err := e.Resolve(); err != nil {
		return nil, err
	}
	return e.Bytes(), nil
}

func (e *a64) Enter() { e.scratchBase(a64State) }

// scratchBase sets the base for scratch words of the state at r.
func (e *a64) scratchBase(r arm64.Reg) { e.RRI(arm64.SUB, arm64.X, a64Scratch, r, scratchReach) }

func (e *a64) Leave() {
	e.Mov(arm64.X, arm64.R0, a64Left)
	e.Ret()
}

func (e *a64) count() { e.RRI(arm64.SUBS, arm64.X, a64Left, a64Left, 1) }

func (e *a64) begin(instructions int) {
	// At the start of a cycle no base register is known.
	e.known = a64Known{}
	e.Code = slices.Grow(e.Code, 3*instructions/2) // three words for two instructions is usual
}

// register returns a register that holds x: the value's own register, the zero register, or tmp
// after a load.
func (e *a64) register(x net.ID, tmp arm64.Reg) arm64.Reg {
	switch nd := &e.n.N[x]; {
	case nd.Op == net.Const && nd.Imm == 0:
		return arm64.ZR
	case !nd.Op.IsLeaf() && e.c.Loc[x].K == schedule.InReg:
		return arm64.Reg(e.c.Loc[x].Reg)
	}
	e.load(x, tmp)
	return tmp
}

// load puts node x into a register.
func (e *a64) load(x net.ID, r arm64.Reg) {
	nd := &e.n.N[x]

	// Constants and state have no place of their own. State that packs keep is an element of a run,
	// whose words may be narrower than a slot.
	switch nd.Op {
	case net.Const:
		e.MovRI(r, nd.Imm)
		return
	case net.Leaf:
		if run := e.packs.RunOf(int(nd.Imm)); run != nil {
			e.access(wordLoads[run.Size], r, e.address(e.slot(int(nd.Imm))))
			return
		}
		e.access(arm64.LDR, r, e.address(e.leaf(int(nd.Imm))))
		return
	}

	switch l := e.c.Loc[x]; l.K {
	case schedule.InReg:
		if from := arm64.Reg(l.Reg); from != r {
			e.Mov(arm64.X, r, from)
		}
	case schedule.InScratch:
		e.access(arm64.LDR, r, e.scratch(l.At))
	default:
		panic("native: a value without a place")
	}
}

// phi copies the value of an arm into the place of the mux.
func (e *a64) phi(m, x net.ID) {
	if e.c.InPlace(m, x) {
		return
	}
	switch l := e.c.Loc[m]; l.K {
	case schedule.InReg:
		e.load(x, arm64.Reg(l.Reg))
	case schedule.InScratch:
		e.access(arm64.STR, e.register(x, a64A), e.scratch(l.At))
	}
}

// memoryStore writes a word of a memory, or the bits of it that the mask selects.
func (e *a64) memoryStore(w *net.Write) {
	data, m := e.register(w.Data, a64A), &e.n.Mems[w.Mem]
	if w.Mask < 0 && m.Far > 0 {
		index := e.farIndex(m, w.Addr)
		e.MemX(wordStores[m.Far], data, a64D, index, true)
		return
	}

	if w.Mask < 0 {
		e.accessWord(arm64.STR, data, e.word(m, w.Addr, a64C))
		return
	}

	// A masked store is a read-modify-write: word ^= (word ^ data) & mask. The mask is an
	// immediate where its pattern can be encoded.
	mask := arm64.ZR
	v, ok := e.n.IsConst(w.Mask)
	if ok = ok && arm64.FitsLogic(arm64.X, v); !ok {
		mask = e.register(w.Mask, a64B)
	}

	// A far memory's full address goes into the third temporary; others use base and index.
	load, store := arm64.LDR, arm64.STR
	var at a64Word
	if m.Far > 0 { // its whole address is in the third temporary
		load, store = wordLoads[m.Far], wordStores[m.Far]
		index := e.farIndex(m, w.Addr)
		e.RRS(arm64.ADD, arm64.X, a64C, a64D, index, arm64.LSL, uint8(schedule.Trailing(uint64(m.Far))))
		at.at.base = a64C
	} else {
		at = e.word(m, w.Addr, a64C)
	}

	e.accessWord(load, a64D, at)
	e.RRR(arm64.EOR, arm64.X, a64A, data, a64D)
	if ok {
		e.RRI(arm64.AND, arm64.X, a64A, a64A, v)
	} else {
		e.RRR(arm64.AND, arm64.X, a64A, a64A, mask)
	}
	e.RRR(arm64.EOR, arm64.X, a64D, a64D, a64A)
	e.accessWord(store, a64D, at)
}
