package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/net"
)

// shiftedCat writes a Cat folded by foldShifts, and reports whether it was one.
func (e *x86) shiftedCat(nd *net.Node, dst amd64.Reg) bool {
	if !e.c.Fold[nd.A] {
		return false
	}
	s, at, x := size(nd.W), uint8(nd.Imm), e.n.N[nd.A].A

	// The shift drops the high bits by itself, which saves the slice, and leaves 0 below, so an OR
	// adds the constant.
	if lo, ok := e.n.IsConst(nd.B); ok {
		e.load(x, dst)
		e.ShiftI(amd64.SHL, s, dst, at)
		if lo != 0 {
			e.alu(amd64.OR, s, dst, e.operand(nd.B, s, tmpC))
		}
		return true
	}

	// A rotation; RORX leaves the flags and takes a source of its own, which saves a move.
	if e.bmi {
		e.Rorx(s, dst, e.register(x, dst), nd.W-at)
		return true
	}
	e.load(x, dst)
	e.ShiftI(amd64.ROL, s, dst, at)
	return true
}
