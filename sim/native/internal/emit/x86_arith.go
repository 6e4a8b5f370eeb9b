package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/net"
)

// shift shifts by an amount that is only known in the cycle. The processor takes the amount
// modulo 32 or 64; larger amounts give 0, or the sign.
func (e *x86) shift(nd *net.Node, dst amd64.Reg) {
	wa, wb := e.n.Width(nd.A), e.n.Width(nd.B)
	w := max(wa, nd.W)
	if nd.Op == net.ShrS {
		w = max(w, uint8(nd.Imm))
	}
	s, full := size(w), uint64(32)
	if s == amd64.S64 {
		full = 64
	}

	e.load(nd.A, tmpA)
	if nd.Op == net.ShrS && uint64(nd.Imm) != full {
		e.ShiftI(amd64.SHL, s, tmpA, uint8(full-nd.Imm))
		e.ShiftI(amd64.SAR, s, tmpA, uint8(full-nd.Imm))
	}

	e.load(nd.B, tmpC)
	far := wb >= 8 || 1<<wb > full // the amount may exceed the processor's range

	// A signed shift saturates the amount instead.
	if far && nd.Op == net.ShrS {
		e.RI(amd64.CMP, amd64.S64, tmpC, int32(full-1))
		skip := e.JccRel32(amd64.BE)
		e.MovRI(tmpC, full-1)
		e.Patch(skip, len(e.Code))
		far = false
	}

	e.ShiftCL(shiftOp[nd.Op], s, tmpA)
	if far {
		e.RI(amd64.CMP, amd64.S64, tmpC, int32(full))
		skip := e.JccRel32(amd64.B)
		e.MovRI(tmpA, 0)
		e.Patch(skip, len(e.Code))
	}

	if nd.Op != net.Shr && uint64(nd.W) != full {
		e.reduce(tmpA, nd.W)
	}
	e.move(amd64.S64, dst, tmpA)
}

var shiftOp = [net.NumOps]amd64.Sh{net.Shl: amd64.SHL, net.Shr: amd64.SHR, net.ShrS: amd64.SAR}

// highProduct is the upper word of a product, which the processor puts into RDX.
func (e *x86) highProduct(nd *net.Node, dst amd64.Reg) {
	e.load(nd.B, tmpC)
	e.load(nd.A, tmpA)
	e.Push(amd64.RDX)
	e.Mul(amd64.S64, tmpC)
	e.MovRR(amd64.S64, tmpA, amd64.RDX)
	e.Pop(amd64.RDX)
	e.move(amd64.S64, dst, tmpA)
}

// divide divides unsigned numbers. RDX is borrowed for the upper half of the dividend.
func (e *x86) divide(nd *net.Node, dst amd64.Reg) {
	s := size(max(e.n.Width(nd.A), e.n.Width(nd.B)))
	e.load(nd.B, tmpC)
	e.load(nd.A, tmpA)

	e.TestRR(s, tmpC, tmpC)
	zero := e.JccRel32(amd64.E)
	e.Push(amd64.RDX)
	e.RR(amd64.XOR, amd64.S32, amd64.RDX, amd64.RDX)
	e.Div(s, tmpC)
	if nd.Op == net.Rem {
		e.MovRR(s, tmpA, amd64.RDX)
	}

	e.Pop(amd64.RDX)
	e.byZero(nd, zero)
	e.move(amd64.S64, dst, tmpA)
}

// byZero ends a division: x/0 is all ones; the remainder is x, which is in tmpA already.
func (e *x86) byZero(nd *net.Node, zero int) {
	if nd.Op == net.Rem || nd.Op == net.RemS {
		e.Patch(zero, len(e.Code))
		return
	}
	end := e.JmpRel32()
	e.Patch(zero, len(e.Code))
	e.MovRI(tmpA, net.Mask(nd.W))
	e.Patch(end, len(e.Code))
}

// divideSigned divides signed numbers of Imm bits.
func (e *x86) divideSigned(nd *net.Node, dst amd64.Reg) {
	w := uint8(nd.Imm)
	s := size(w)
	e.loadSigned(nd.B, tmpC, w)
	e.loadSigned(nd.A, tmpA, w)

	e.TestRR(s, tmpC, tmpC)
	zero := e.JccRel32(amd64.E)

	// The least number divided by -1 would trap: negate instead.
	e.RI(amd64.CMP, s, tmpC, -1)
	plain := e.JccRel32(amd64.NE)
	if nd.Op == net.DivS {
		e.Neg(s, tmpA)
	} else {
		e.RR(amd64.XOR, amd64.S32, tmpA, tmpA)
	}

	done := e.JmpRel32()
	e.Patch(plain, len(e.Code))
	e.Push(amd64.RDX)
	if s == amd64.S64 {
		e.Cqo()
	} else {
		e.Cdq()
	}
	e.Idiv(s, tmpC)

	if nd.Op == net.RemS {
		e.MovRR(s, tmpA, amd64.RDX)
	}
	e.Pop(amd64.RDX)

	e.Patch(done, len(e.Code))
	e.byZero(nd, zero)
	e.reduce(tmpA, nd.W)
	e.move(amd64.S64, dst, tmpA)
}
