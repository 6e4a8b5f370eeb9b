package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/net"
)

var x86Cond = [numConds]amd64.Cond{equal: amd64.E, notEqual: amd64.NE, below: amd64.B, atMost: amd64.BE, above: amd64.A, atLeast: amd64.AE, belowSigned: amd64.L, atMostSigned: amd64.LE}

// tested sets the flags by x and returns the condition under which x is not 0 (want), or is 0.
func (e *x86) tested(x net.ID, want bool) amd64.Cond {
	cc := e.test(x)
	if !want {
		cc = cc.Not()
	}
	return cc
}

// test sets the flags by x and returns the condition under which x is not 0.
func (e *x86) test(x net.ID) amd64.Cond {
	nd := &e.n.N[x]
	if e.c.Fold[x] {
		if nd.Op == net.Slice {
			if e.isByte(nd.A) {
				e.TestMI(amd64.S8, e.address(loads, e.leaf(int(e.n.N[nd.A].Imm))), 1<<nd.Imm)
				return amd64.NE
			}
			e.bitTest(nd)
			return amd64.B // BT copies the bit to the carry
		}
		return e.compareNodes(nd)
	}
	if e.inElement(x) { // a compare with memory needs no register
		e.MI(amd64.CMP, intSize(e.packs.RunOf(int(nd.Imm)).Size), e.address(loads, e.slot(int(nd.Imm))), 0)
		return amd64.NE
	}

	s := size(nd.W)
	if e.isByte(x) || e.isLoose(x) {
		s = amd64.S8
	}
	switch o := e.operand(x, s, tmpA); o.k {
	case isReg:
		e.TestRR(s, o.reg, o.reg)
	case isMem:
		e.MI(amd64.CMP, s, o.mem, 0)
	default:
		e.MovRI(tmpA, nd.Imm)
		e.TestRR(amd64.S64, tmpA, tmpA)
	}
	return amd64.NE
}

// bitTest copies a bit of the state to the carry.
func (e *x86) bitTest(nd *net.Node) {
	r, bit := int(e.n.N[nd.A].Imm), uint8(nd.Imm)
	m := e.address(loads, e.leaf(r))
	if bit >= 32 {
		m, bit = m.Plus(4), bit-32
	}
	e.BtMI(amd64.S32, m, bit)
}

// compareNodes sets the flags by a comparison and returns the condition under which it holds.
func (e *x86) compareNodes(nd *net.Node) amd64.Cond {
	if nd.Op == net.LtS || nd.Op == net.LeS {
		e.compareSigned(nd)
		return x86Cond[condOf[nd.Op]]
	}

	// At most one operand of a comparison is in memory.
	is, a, b := e.comparison(nd)
	w := max(e.n.Width(a), e.n.Width(b))
	cc, s := x86Cond[is], size(w)
	if w <= 8 && (e.isByte(a) || e.isByte(b)) {
		s = amd64.S8
	}
	bo := e.operand(b, s, tmpC)
	ao := e.operand(a, s, tmpA)
	if ao.k == isMem && bo.k == isMem {
		e.MovRM(s, tmpA, ao.mem)
		ao = operand{reg: tmpA}
	}
	switch {
	case ao.k == isReg && bo.k == isImm && bo.imm == 0:
		e.TestRR(s, ao.reg, ao.reg)
		switch cc { // TEST clears the carry
		case amd64.A:
			cc = amd64.NE
		case amd64.BE:
			cc = amd64.E
		}
	case ao.k == isReg:
		e.alu(amd64.CMP, s, ao.reg, bo)
	case bo.k == isImm:
		e.MI(amd64.CMP, s, ao.mem, bo.imm)
	default:
		e.MR(amd64.CMP, s, ao.mem, bo.reg)
	}
	return cc
}

// compareSigned compares signed numbers of Imm bits.
func (e *x86) compareSigned(nd *net.Node) {
	w := uint8(nd.Imm)
	s := size(w)
	e.loadSigned(nd.A, tmpA, w)
	e.loadSigned(nd.B, tmpC, w)
	e.RR(amd64.CMP, s, tmpA, tmpC)
}

// loadSigned loads x, a signed number of w bits, sign-extended to 32 bits, or to 64 if w exceeds
// 32.
func (e *x86) loadSigned(x net.ID, r amd64.Reg, w uint8) {
	e.load(x, r)
	s, full := size(w), uint8(32)
	if w > 32 {
		full = 64
	}
	if w != full {
		e.ShiftI(amd64.SHL, s, r, full-w)
		e.ShiftI(amd64.SAR, s, r, full-w)
	}
}
