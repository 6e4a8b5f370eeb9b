package native

import (
	"etch/sim/native/amd64"
	"etch/sim/net"
)

// foldShifts marks slices that are only part of a rotation, or of a left shift that drops bits,
// of a whole machine word: one instruction does both. uses counts the uses of every node.
func (c *code) foldShifts(uses []usage) {
	n := c.n
	for i := range n.N {
		nd := &n.N[i]
		if nd.Op != net.Cat || nd.W != 32 && nd.W != 64 || uses[i].all == 0 {
			continue
		}

		at := uint8(nd.Imm)
		hi, lo := &n.N[nd.A], &n.N[nd.B]
		if hi.Op != net.Slice || hi.Imm != 0 || hi.W != nd.W-at || uses[nd.A].all != 1 {
			continue
		}

		switch {
		case lo.Op == net.Const:
			c.fold[nd.A] = true
		case lo.Op == net.Slice && lo.A == hi.A && lo.Imm == uint64(hi.W) && lo.W == at && n.N[lo.A].W == nd.W && uses[nd.B].all == 1:
			c.fold[nd.A], c.fold[nd.B] = true, true
		}
	}
}

// shiftedCat writes a Cat folded by foldShifts, and reports whether it was one.
func (e *x86) shiftedCat(nd *net.Node, dst amd64.Reg) bool {
	if !e.c.fold[nd.A] {
		return false
	}
	s, at, x := size(nd.W), uint8(nd.Imm), e.n.N[nd.A].A

	if lo, ok := e.n.IsConst(nd.B); ok {
		e.load(x, dst)
		e.ShiftI(amd64.SHL, s, dst, at)
		if lo != 0 {
			e.alu(amd64.OR, s, dst, e.operand(nd.B, s, tmpC))
		}
		return true
	}

	if e.bmi {
		e.Rorx(s, dst, e.register(x, dst), nd.W-at)
		return true
	}
	e.load(x, dst)
	e.ShiftI(amd64.ROL, s, dst, at)
	return true
}
