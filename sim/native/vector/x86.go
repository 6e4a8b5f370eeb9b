package vector

import "etch/sim/native/amd64"

// Registers of amd64 code. Macros use the other general registers.
const (
	x86State   = amd64.RBX
	x86Scratch = amd64.RBP
	x86Mems    = amd64.R15
	x86Cycles  = amd64.R14
	x86Force   = amd64.R13
	x86Frame   = amd64.R12 // of chains and subgroups: the frame
)

// x86Bases are the registers of the bases.
var x86Bases = [bases]amd64.Reg{
	ofState: x86State, ofScratch: x86Scratch, ofMems: x86Mems,
	ofRows: amd64.RAX, ofAddr: amd64.RSI, ofData: amd64.RDX, ofMask: amd64.R8, ofWord: amd64.RDI,
}

// x86 writes code for amd64.
type x86 struct {
	*amd64.Asm
	l      amd64.VLen
	bytes  int         // of a vector
	bases  []amd64.Reg // by base
	copies amd64.VOp   // the instruction that copies vectors
}

func newX86(arch Arch) *x86 {
	e := &x86{Asm: &amd64.Asm{}, l: amd64.V256, bytes: 8 * arch.Words(), bases: x86Bases[:], copies: amd64.VMOVDQA}
	if arch == AVX512 {
		e.l, e.copies = amd64.V512, amd64.VMOVDQA64
	}
	return e
}

// mem is the address of a place.
func (e *x86) mem(p place) amd64.Mem { return amd64.At(e.bases[p.base], int32(p.at)) }

func (e *x86) newLabel() label { return label(e.NewLabel()) }
func (e *x86) bind(l label)    { e.Bind(amd64.Label(l)) }
func (e *x86) align(n int)     { e.Align(n) }
func (e *x86) jump(l label)    { e.Jmp(amd64.Label(l)) }
func (e *x86) call(l label)    { e.Call(amd64.Label(l)) }
func (e *x86) ret()            { e.Ret() }

func (e *x86) jumpIf(c amd64.Cond, l label) { e.Jcc(c, amd64.Label(l)) }

func (e *x86) text() ([]byte, error) {
	if err := e.Resolve(); err != nil {
		return nil, err
	}
	return e.Code, nil
}

// test jumps by whether vector x has ones.
func (e *x86) test(x uint8, ones bool, l label) {
	// AVX-512 tests into a mask register, AVX2 sets the flags directly.
	if e.l == amd64.V512 {
		e.VCmp(amd64.VPTESTMQ, e.l, amd64.K1, amd64.K0, amd64.Vec(x), amd64.Vec(x))
		e.KOrTest(amd64.S16, amd64.K1, amd64.K1)
	} else {
		e.V2(amd64.VPTEST, e.l, amd64.Vec(x), amd64.Vec(x))
	}

	if ones {
		e.jumpIf(amd64.NE, l)
	} else {
		e.jumpIf(amd64.E, l)
	}
}

func (e *x86) enterPiece() {}

// enter loads the bases from the frame.
func (e *x86) enter(frame bool) {
	if frame {
		e.MovRR(amd64.S64, x86Frame, amd64.RDI)
	}

	e.MovRM(amd64.S64, x86State, amd64.At(amd64.RDI, 0))
	e.MovRM(amd64.S64, x86Scratch, amd64.At(amd64.RDI, 8))
	e.MovRM(amd64.S64, x86Mems, amd64.At(amd64.RDI, 16))
	e.MovRR(amd64.S64, x86Cycles, amd64.RSI)
	e.MovRR(amd64.S64, x86Force, amd64.RDX)

	// The loop of cycles begins here.
	e.Align(64)
}

func (e *x86) leave() {
	e.Vzeroupper()
	e.MovRR(amd64.S64, amd64.RAX, x86Cycles)
	e.Ret()
}

func (e *x86) count(n int, left bool, l label) {
	e.RI(amd64.SUB, amd64.S64, x86Cycles, int32(n))
	if left {
		e.jumpIf(amd64.NE, l)
	} else {
		e.jumpIf(amd64.E, l)
	}
}

func (e *x86) fewer(n int, l label) {
	e.RI(amd64.CMP, amd64.S64, x86Cycles, int32(n))
	e.jumpIf(amd64.B, l)
}

func (e *x86) unforced(l label) {
	e.TestRR(amd64.S32, x86Force, x86Force)
	e.jumpIf(amd64.E, l)
}

// unless compares an element with v; immediates have 32 bits, and 16-bit comparisons go through
// a register.
func (e *x86) unless(p place, bits int, below bool, v uint64, l label) {
	m, not := e.mem(p), amd64.NE
	if below {
		not = amd64.AE
	}

	switch {
	case bits == 64 && v != uint64(int64(int32(v))):
		e.MovRI(amd64.RAX, v)
		e.MR(amd64.CMP, amd64.S64, m, amd64.RAX)
	case bits == 64:
		e.MI(amd64.CMP, amd64.S64, m, int32(v))
	case bits == 32:
		e.MI(amd64.CMP, amd64.S32, m, int32(uint32(v)))
	default:
		e.MovRM(amd64.S16, amd64.RAX, m)
		e.RI(amd64.CMP, amd64.S32, amd64.RAX, int32(v))
	}
	e.jumpIf(not, l)
}

// frame is a word of the frame.
func (e *x86) frame(at int) amd64.Mem { return amd64.At(x86Frame, int32(at)) }

func (e *x86) ifZero(at int, l label) {
	e.MI(amd64.CMP, amd64.S64, e.frame(at), 0)
	e.jumpIf(amd64.E, l)
}

func (e *x86) setOne(at int)    { e.MovMI(amd64.S64, e.frame(at), 1) }
func (e *x86) increment(at int) { e.IncM(amd64.S64, e.frame(at)) }

func (e *x86) nextSubgroup() {
	e.RM(amd64.ADD, amd64.S64, x86State, e.frame(stateStepAt))
	e.RM(amd64.ADD, amd64.S64, x86Mems, e.frame(memsStepAt))
	e.MI(amd64.ADD, amd64.S64, e.frame(slicesAt), int32(e.bytes/Subgroups))
}
