package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// behind returns the label of constant data behind the code, at a multiple of 64 bytes.
func (e *x86) behind(data []byte) amd64.Label { return amd64.Label(e.pool.label(e, data)) }

// writeConstants appends the constant pool to the code.
func (e *x86) writeConstants() {
	for _, p := range e.pool {
		for len(e.Code)%64 != 0 {
			e.Int3()
		}
		e.Define(p.label)
		e.Code = append(e.Code, p.data...)
	}
	e.pool = nil
}

// bankCode writes the look-ups of one bank by a loop over staged operands.
type bankCode struct {
	*x86
	schedule.BankShape
	out amd64.Mem // the first result word
}

// bank computes all result words of Tables node x, with the widest vectors that hold its
// operands.
func (e *x86) bank(x net.ID) {
	b := &bankCode{x86: e, BankShape: schedule.ShapeOf(e.n, x), out: e.scratch(stores, e.c.Loc[x].At)}
	b.stage(e.n.Operands(x))
	switch windows := (b.Staged + windowBytes - 1) / windowBytes; {
	case e.f.VBMI && b.Staged <= maxPermuted || e.f.AVX512 && b.Staged <= maxShuffled:
		b.avx512()
	case e.f.AVX2 && windows <= maxWindows:
		b.avx2()
	default:
		b.scalar()
	}
}

// workAt addresses word i of the work area, which the instances of a class share.
func (b *bankCode) workAt(w way, i int32) amd64.Mem {
	return b.scratch(w, b.c.Work+b.c.WorkSize-1).Plus(8 * i)
}

// stagedAt addresses the first staged byte.
func (b *bankCode) stagedAt(w way) amd64.Mem { return b.workAt(w, schedule.SavedWords) }

// stage copies the operands side by side. It stores whole words at ascending addresses: each
// store overwrites the zero bytes that the previous one left behind its operand.
func (b *bankCode) stage(operands []net.ID) {
	for i, x := range operands {
		b.store(amd64.S64, b.stagedAt(stores).Plus(b.Begins[i]), b.storable(amd64.S64, x))
	}
}

// loopRegs is the registers that a bank borrows from values.
var loopRegs = [schedule.SavedWords]amd64.Reg{amd64.RDX, amd64.RSI, amd64.RDI}

func (b *bankCode) save() {
	for i, r := range loopRegs {
		b.MovMR(amd64.S64, b.workAt(stores, int32(i)), r)
	}
}

func (b *bankCode) restore() {
	for i, r := range loopRegs {
		b.MovRM(amd64.S64, r, b.workAt(loads, int32(i)))
	}
}
