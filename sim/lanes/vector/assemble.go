package vector

import (
	"errors"
	"math"

	"etch/sim/native/amd64"
)

// Where machine code has what it works with. Macros change the other general
// registers.
const (
	regState   = amd64.RBX
	regScratch = amd64.RBP
	regMems    = amd64.R15
	regCycles  = amd64.R14
	regForce   = amd64.R13
)

// errMemory is the error of memories that addresses of 32 bits do not reach.
var errMemory = errors.New("vector: the memories of a group are larger than 2 GB")

// assembler writes the machine code of a program: AVX2 for vectors of four words,
// AVX-512 (F, BW, DQ) for those of eight.
type assembler struct {
	amd64.Asm
	p     *Program
	l     amd64.VLen
	bytes int // of a vector
	exit  amd64.Label
	top   amd64.Label // where a cycle begins
	skip  amd64.Label // the end of what is skipped
	t16   amd64.Label // subroutines that transpose
	t32   amd64.Label
	uses  [2]bool
}

// Assemble returns machine code for vectors of words words, 4 or 8, under the
// contract of package exec: ctx points to the addresses of state, scratch and
// memories, a is the cycles to make, b is not 0 to force one, and the result is
// the cycles left. Scratch holds the constants (Fill). Code for parts makes one
// cycle of a part after the other in place of cycles of one.
func (p *Program) Assemble(words int) ([]byte, error) {
	a := newAssembler(words)
	if err := a.reaches(p); err != nil {
		return nil, err
	}
	a.p = p
	if p.InParts() {
		a.MovRR(amd64.S64, regFrame, amd64.RDI)
	}
	a.enter()
	a.Bind(a.top)
	for i := range p.Instrs {
		a.instr(&p.Instrs[i])
	}
	if p.InParts() {
		a.nextPart()
	}
	a.RI(amd64.SUB, amd64.S64, regCycles, 1)
	a.Jcc(amd64.NE, a.top)
	a.leave()
	if err := a.Resolve(); err != nil {
		return nil, err
	}
	return a.Code, nil
}

func newAssembler(words int) *assembler {
	a := &assembler{l: amd64.V256, bytes: 8 * words}
	if words == 8 {
		a.l = amd64.V512
	}
	a.exit, a.top, a.t16, a.t32 = a.NewLabel(), a.NewLabel(), a.NewLabel(), a.NewLabel()
	return a
}

// reaches checks that addresses of 32 bits reach the memories.
func (a *assembler) reaches(p *Program) error {
	for i := range p.Macros {
		if m := &p.Macros[i]; m.Offset+a.bytes*8*m.Stride*m.Elem > math.MaxInt32 {
			return errMemory
		}
	}
	return nil
}

// enter takes what the code is called with; top comes next.
func (a *assembler) enter() {
	a.MovRM(amd64.S64, regState, amd64.At(amd64.RDI, 0))
	a.MovRM(amd64.S64, regScratch, amd64.At(amd64.RDI, 8))
	a.MovRM(amd64.S64, regMems, amd64.At(amd64.RDI, 16))
	a.MovRR(amd64.S64, regCycles, amd64.RSI)
	a.MovRR(amd64.S64, regForce, amd64.RDX)
	a.Align(64)
}

// leave returns the cycles that are left, and ends with subroutines.
func (a *assembler) leave() {
	a.Bind(a.exit)
	a.Vzeroupper()
	a.MovRR(amd64.S64, amd64.RAX, regCycles)
	a.Ret()
	a.transposers()
}

// slot is the address of a slot.
func (a *assembler) slot(s int32) amd64.Mem {
	if s < 0 {
		return amd64.At(regScratch, ^s*int32(a.bytes))
	}
	return amd64.At(regState, s*int32(a.bytes))
}

// three is the instruction of an op of two operands, of which the second may be
// in memory.
var three = [NumOps]amd64.VOp{
	And: amd64.VPAND, Or: amd64.VPOR, Xor: amd64.VPXOR, Andn: amd64.VPANDN,
	Add16: amd64.VPADDW, Add32: amd64.VPADDD, Add64: amd64.VPADDQ,
	Sub16: amd64.VPSUBW, Sub32: amd64.VPSUBD, Sub64: amd64.VPSUBQ,
	Mul16: amd64.VPMULLW, MulHi16: amd64.VPMULHUW, MulHiS16: amd64.VPMULHW, Mul32: amd64.VPMULLD, MulAdd16: amd64.VPMADDWD, MulEven32: amd64.VPMULUDQ,
	ShlBy32: amd64.VPSLLVD, ShlBy64: amd64.VPSLLVQ, ShrBy32: amd64.VPSRLVD, ShrBy64: amd64.VPSRLVQ, SarBy32: amd64.VPSRAVD,
	Low16: amd64.VPUNPCKLWD, High16: amd64.VPUNPCKHWD, Low32: amd64.VPUNPCKLDQ, High32: amd64.VPUNPCKHDQ,
	Pack32: amd64.VPACKUSDW, Shuffle8: amd64.VPSHUFB, Sum8: amd64.VPSADBW,
}

// compare is the instruction of a comparison, into a vector and into a mask, and
// the one that makes a vector of a mask.
var compare = map[Op][3]amd64.VOp{
	Eq16: {amd64.VPCMPEQW, amd64.VPCMPEQWK, amd64.VPMOVM2W},
	Eq32: {amd64.VPCMPEQD, amd64.VPCMPEQDK, amd64.VPMOVM2D},
	Eq64: {amd64.VPCMPEQQ, amd64.VPCMPEQQK, amd64.VPMOVM2Q},
	Gt16: {amd64.VPCMPGTW, amd64.VPCMPGTWK, amd64.VPMOVM2W},
	Gt32: {amd64.VPCMPGTD, amd64.VPCMPGTDK, amd64.VPMOVM2D},
	Gt64: {amd64.VPCMPGTQ, amd64.VPCMPGTQK, amd64.VPMOVM2Q},
}

// shift is the instruction of a shift by an immediate.
var shift = [NumOps]amd64.VOp{
	Shl16: amd64.VPSLLWI, Shl32: amd64.VPSLLDI, Shl64: amd64.VPSLLQI,
	Shr16: amd64.VPSRLWI, Shr32: amd64.VPSRLDI, Shr64: amd64.VPSRLQI,
	Sar16: amd64.VPSRAWI, Sar32: amd64.VPSRADI,
}

// instr writes one instruction.
func (a *assembler) instr(in *Instr) {
	d, x, y := amd64.Vec(in.D), amd64.Vec(in.A), amd64.Vec(in.B)
	switch in.Op {
	case Load:
		a.load(d, a.slot(in.Slot))
	case Store:
		a.store(a.slot(in.Slot), x)
	case Move:
		a.move(d, x)
	case Row:
		a.load(d, amd64.At(regMems, in.Slot*int32(a.bytes)))
	case StoreRow:
		a.store(amd64.At(regMems, in.Slot*int32(a.bytes)), x)
	case Bits:
		a.bits(d, in.Slot)
	case StoreBits:
		a.storeBits(in.Slot, x, d)
	case Stop:
		a.stop(x)
	case Skip:
		a.skip = a.NewLabel()
		a.test(x)
		a.Jcc(amd64.E, a.skip)
	case Branch:
		a.skip = a.NewLabel()
		a.RI(amd64.CMP, amd64.S64, regCycles, int32(in.Imm))
		a.Jcc(amd64.B, a.skip)
		a.test(x)
		a.Jcc(amd64.NE, a.skip)
	case Again:
		a.RI(amd64.SUB, amd64.S64, regCycles, int32(in.Imm))
		a.Jcc(amd64.NE, a.top)
		a.Jmp(a.exit)
	case EndSkip, Label:
		a.Bind(a.skip)
	case Macro:
		a.access(&a.p.Macros[in.Slot])
	case Ternary:
		if in.B == Mem {
			a.V3MI(amd64.VPTERNLOGQ, a.l, d, x, a.slot(in.Slot), in.Imm)
		} else {
			a.V3I(amd64.VPTERNLOGQ, a.l, d, x, y, in.Imm)
		}
	case Even32:
		a.even(in, d, x, y)
	case Choose8:
		a.choose(in, d, x, y)
	case Eq16, Eq32, Eq64, Gt16, Gt32, Gt64:
		a.compare(in, d, x, y)
	default:
		switch {
		case in.Op.shift():
			a.V2I(shift[in.Op], a.l, d, x, in.Imm)
		case in.B == Mem:
			a.V3M(three[in.Op], a.l, d, x, a.slot(in.Slot))
		default:
			a.V3(three[in.Op], a.l, d, x, y)
		}
	}
}

func (a *assembler) load(d amd64.Vec, m amd64.Mem) {
	if a.l == amd64.V512 {
		a.V2M(amd64.VMOVDQA64, a.l, d, m)
	} else {
		a.V2M(amd64.VMOVDQA, a.l, d, m)
	}
}

func (a *assembler) store(m amd64.Mem, x amd64.Vec) {
	if a.l == amd64.V512 {
		a.VStore(amd64.VMOVDQA64, a.l, m, x)
	} else {
		a.VStore(amd64.VMOVDQA, a.l, m, x)
	}
}

func (a *assembler) move(d, x amd64.Vec) {
	if a.l == amd64.V512 {
		a.V2(amd64.VMOVDQA64, a.l, d, x)
	} else {
		a.V2(amd64.VMOVDQA, a.l, d, x)
	}
}

// stop leaves when x has a one, unless it is forced not to.
func (a *assembler) stop(x amd64.Vec) {
	a.store(a.slot(Scratch(0)), x)
	none := a.NewLabel()
	a.test(x)
	a.Jcc(amd64.E, none)
	a.TestRR(amd64.S32, regForce, regForce)
	a.Jcc(amd64.E, a.exit)
	a.Bind(none)
}

// test sets ZF if x has no ones.
func (a *assembler) test(x amd64.Vec) {
	if a.l == amd64.V512 {
		a.VCmp(amd64.VPTESTMQ, a.l, amd64.K1, amd64.K0, x, x)
		a.KOrTest(amd64.S16, amd64.K1, amd64.K1)
	} else {
		a.V2(amd64.VPTEST, a.l, x, x)
	}
}

func (a *assembler) even(in *Instr, d, x, y amd64.Vec) {
	if in.B == Mem {
		a.VShufpsM(a.l, d, x, a.slot(in.Slot), 0x88)
	} else {
		a.VShufps(a.l, d, x, y, 0x88)
	}
}

func (a *assembler) choose(in *Instr, d, x, y amd64.Vec) {
	c := amd64.Vec(in.C)
	switch {
	case a.l == amd64.V512:
		a.VToK(amd64.VPMOVB2M, a.l, amd64.K1, c)
		if in.B == Mem {
			a.V3MX(amd64.VPBLENDMB, a.l, amd64.Evex{Mask: amd64.K1}, d, x, a.slot(in.Slot))
		} else {
			a.V3X(amd64.VPBLENDMB, a.l, amd64.Evex{Mask: amd64.K1}, d, x, y)
		}
	case in.B == Mem:
		a.VBlendVM(amd64.VPBLENDVB, a.l, d, x, a.slot(in.Slot), c)
	default:
		a.VBlendV(amd64.VPBLENDVB, a.l, d, x, y, c)
	}
}

func (a *assembler) compare(in *Instr, d, x, y amd64.Vec) {
	ops := compare[in.Op]
	switch {
	case a.l == amd64.V512 && in.B == Mem:
		a.VCmpM(ops[1], a.l, amd64.Evex{}, amd64.K1, x, a.slot(in.Slot))
	case a.l == amd64.V512:
		a.VCmp(ops[1], a.l, amd64.K1, amd64.K0, x, y)
	case in.B == Mem:
		a.V3M(ops[0], a.l, d, x, a.slot(in.Slot))
	default:
		a.V3(ops[0], a.l, d, x, y)
	}
	if a.l == amd64.V512 {
		a.VFromK(ops[2], a.l, d, amd64.K1)
	}
}
