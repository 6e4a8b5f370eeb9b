package vector

import "etch/sim/native/arm64"

// A vector of 256 bits is two registers of 128: register r of an Instr is V2r and V2r+1; pair 15
// holds temporaries. No operation crosses blocks of 128 bits, so each is done by halves.
const (
	a64Pairs = 15
	a64T     = arm64.Vec(30) // temporaries
	a64U     = arm64.Vec(31)
)

// General registers of arm64 code. The arguments stay in their registers.
const (
	a64Frame   = arm64.R0
	a64Cycles  = arm64.R1
	a64Force   = arm64.R2
	a64State   = arm64.R3 // the address of the state plus a64Bias; the same for the next
	a64Scratch = arm64.R4
	a64Mems    = arm64.R5
	a64Slices  = arm64.R6 // of subgroups
	a64Count   = arm64.R13
	a64X       = arm64.R14 // temporaries
	a64Y       = arm64.R15
	a64Z       = arm64.R16
	a64Const   = arm64.R17
	a64Link    = arm64.R19
	a64Far     = arm64.R20
)

// a64Bias makes the negative offsets of pair loads usable.
const a64Bias = 1024

var a64Bases = [bases]arm64.Reg{
	ofState: a64State, ofScratch: a64Scratch, ofMems: a64Mems,
	ofRows: arm64.R7, ofAddr: arm64.R8, ofData: arm64.R10, ofMask: arm64.R11, ofWord: arm64.R12,
}

// a64 writes code for arm64.
type a64 struct {
	*arm64.Asm
	window a64Window
	bases  []arm64.Reg // by base
	bias   int64       // of the first two
}

// a64Window is the address in a64Far: off bytes from a base, a multiple of a64Reach. The zero
// value is none.
type a64Window struct {
	base arm64.Reg
	off  int64
}

func newA64() *a64 { return &a64{Asm: &arm64.Asm{}, bases: a64Bases[:], bias: a64Bias} }

// a64Reach is the range of a 128-bit load, in bytes.
const a64Reach = 4096 * 16

func (e *a64) newLabel() label { return label(e.NewLabel()) }
func (e *a64) align(int)       {}
func (e *a64) jump(l label)    { e.B(arm64.Label(l)) }
func (e *a64) ret()            { e.Ret() }

// bind forgets the window, since jumps may come from anywhere.
func (e *a64) bind(l label) {
	e.Bind(arm64.Label(l))
	e.window = a64Window{}
}

// call forgets the window: the callee may move it.
func (e *a64) call(l label) {
	e.BL(arm64.Label(l))
	e.window = a64Window{}
}

func (e *a64) text() ([]byte, error) {
	if err := e.Resolve(); err != nil {
		return nil, err
	}
	return e.Bytes(), nil
}

// add computes d = n + off.
func (e *a64) add(d, n arm64.Reg, off int64) {
	// An immediate has 12 bits, which may be shifted by 12.
	low := uint64(off) & 0xfff
	switch {
	case off < 0 && -off < 4096:
		e.RRI(arm64.SUB, arm64.X, d, n, uint64(-off))
	case off < 0 || off >= 1<<24:
		e.MovRI(a64Const, uint64(off))
		e.RRR(arm64.ADD, arm64.X, d, n, a64Const)
	case off >= 4096 && low != 0:
		e.RRI(arm64.ADD, arm64.X, d, n, uint64(off)-low)
		e.RRI(arm64.ADD, arm64.X, d, d, low)
	default:
		e.RRI(arm64.ADD, arm64.X, d, n, uint64(off))
	}
}

// from is the base register of a place, and the offset from it.
func (e *a64) from(p place) (arm64.Reg, int64) {
	if p.base == ofState || p.base == ofScratch {
		return e.bases[p.base], int64(p.at) - e.bias
	}
	return e.bases[p.base], int64(p.at)
}

// access loads or stores a general register at any offset.
func (e *a64) access(o arm64.Access, r, n arm64.Reg, off int64) {
	if !o.Fits(off) {
		e.add(a64Const, n, off)
		n, off = a64Const, 0
	}
	e.Mem(o, r, n, off)
}

// enterPiece forgets the window: others move the bases.
func (e *a64) enterPiece() { e.window = a64Window{} }

// enter loads the bases from the frame.
func (e *a64) enter(frame bool) {
	e.Mem(arm64.LDR, a64State, a64Frame, 0)
	e.Mem(arm64.LDR, a64Scratch, a64Frame, 8)
	e.Mem(arm64.LDR, a64Mems, a64Frame, 16)
	e.add(a64State, a64State, a64Bias)
	e.add(a64Scratch, a64Scratch, a64Bias)
	if frame {
		e.Mem(arm64.LDR, a64Slices, a64Frame, slicesAt)
	}

	// Subroutines overwrite the link register.
	e.Mov(arm64.X, a64Link, arm64.R30)
}

func (e *a64) leave() {
	e.Mov(arm64.X, arm64.R0, a64Cycles)
	e.Mov(arm64.X, arm64.R30, a64Link)
	e.Ret()
}

// test ORs all bits of vector x, and jumps to l if there are ones, or if there are none.
func (e *a64) test(x uint8, ones bool, l label) {
	e.VBits(arm64.VORR, a64T, arm64.Vec(2*x), arm64.Vec(2*x+1))

	// Maxima of pairs of elements fit in 64 bits, and are 0 only if all elements are.
	e.VRRR(arm64.VUMAXP, arm64.E32, a64T, a64T, a64T)
	e.FmovFrom(arm64.X, a64X, a64T)
	if ones {
		e.Cbnz(arm64.X, a64X, arm64.Label(l))
	} else {
		e.Cbz(arm64.X, a64X, arm64.Label(l))
	}
}

// count counts n cycles, and jumps to l if cycles are left, or if none are.
func (e *a64) count(n int, left bool, l label) {
	e.RRI(arm64.SUBS, arm64.X, a64Cycles, a64Cycles, uint64(n))
	if left {
		e.BCond(arm64.NE, arm64.Label(l))
	} else {
		e.BCond(arm64.EQ, arm64.Label(l))
	}
}

func (e *a64) fewer(n int, l label) {
	e.CmpI(arm64.X, a64Cycles, uint64(n))
	e.BCond(arm64.CC, arm64.Label(l))
}

func (e *a64) unforced(l label) { e.Cbz(arm64.X, a64Force, arm64.Label(l)) }

// unless jumps to l unless the element at p is v, or below v.
func (e *a64) unless(p place, bits int, below bool, v uint64, l label) {
	n, off := e.from(p)
	e.access(a64SizeOf(bits).load, a64X, n, off)

	if arm64.FitsArith(v) {
		e.CmpI(arm64.X, a64X, v)
	} else {
		e.MovRI(a64Y, v)
		e.Cmp(arm64.X, a64X, a64Y)
	}

	// Carry set means not below, for unsigned numbers.
	if below {
		e.BCond(arm64.CS, arm64.Label(l))
	} else {
		e.BCond(arm64.NE, arm64.Label(l))
	}
}

// ifZero jumps to l if a word of the frame is 0.
func (e *a64) ifZero(at int, l label) {
	e.Mem(arm64.LDR, a64X, a64Frame, int64(at))
	e.Cbz(arm64.X, a64X, arm64.Label(l))
}

func (e *a64) setOne(at int) {
	e.MovRI(a64X, 1)
	e.Mem(arm64.STR, a64X, a64Frame, int64(at))
}

func (e *a64) increment(at int) {
	e.Mem(arm64.LDR, a64X, a64Frame, int64(at))
	e.add(a64X, a64X, 1)
	e.Mem(arm64.STR, a64X, a64Frame, int64(at))
}

// nextSubgroup advances the bases to the next subgroup.
func (e *a64) nextSubgroup() {
	e.Mem(arm64.LDR, a64X, a64Frame, stateStepAt)
	e.RRR(arm64.ADD, arm64.X, a64State, a64State, a64X)
	e.Mem(arm64.LDR, a64X, a64Frame, memsStepAt)
	e.RRR(arm64.ADD, arm64.X, a64Mems, a64Mems, a64X)

	// In a slice, the bits of the subgroups follow each other.
	e.add(a64Slices, a64Slices, a64Bytes/Subgroups)
}
