package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/net"
)

var x86Cond = [net.NumOps]amd64.Cond{net.Eq: amd64.E, net.Ne: amd64.NE, net.Lt: amd64.B, net.Le: amd64.BE, net.LtS: amd64.L, net.LeS: amd64.LE}

// test sets the flags by x and returns the condition under which x is not 0.
func (e *x86) test(x net.ID) amd64.Cond {
	nd := &e.n.N[x]
	if e.c.Fold[x] {
		if nd.Op == net.Slice {
			e.bitTest(nd)
			return amd64.B // BT copies the bit to the carry
		}
		return e.compare(nd)
	}
	if e.inLane(x) { // a compare with memory needs no register
		e.MI(amd64.CMP, intSize(e.packs.RunOf(int(nd.Imm)).Size), e.slot(stateR, int(nd.Imm)), 0)
		return amd64.NE
	}

	switch o := e.operand(x, size(nd.W), tmpA); o.k {
	case isReg:
		e.TestRR(size(nd.W), o.reg, o.reg)
	case isMem:
		e.MI(amd64.CMP, size(nd.W), o.mem, 0)
	default:
		e.MovRI(tmpA, nd.Imm)
		e.TestRR(amd64.S64, tmpA, tmpA)
	}
	return amd64.NE
}

// bitTest copies a bit of the state to the carry.
func (e *x86) bitTest(nd *net.Node) {
	r, bit := int(e.n.N[nd.A].Imm), uint8(nd.Imm)
	m := e.leaf(r)
	if bit >= 32 {
		m, bit = m.Plus(4), bit-32
	}
	e.BtMI(amd64.S32, m, bit)
}

// compare sets the flags by a comparison and returns the condition under which it holds.
func (e *x86) compare(nd *net.Node) amd64.Cond {
	cc := x86Cond[nd.Op]
	if nd.Op == net.LtS || nd.Op == net.LeS {
		return e.compareSigned(nd, cc)
	}

	// A constant goes to the right, as an immediate; the condition is mirrored.
	a, b := nd.A, nd.B
	s := size(max(e.n.Width(a), e.n.Width(b)))
	if _, ok := e.n.IsConst(a); ok {
		a, b = b, a
		switch cc {
		case amd64.B:
			cc = amd64.A
		case amd64.BE:
			cc = amd64.AE
		}
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
func (e *x86) compareSigned(nd *net.Node, cc amd64.Cond) amd64.Cond {
	w := uint8(nd.Imm)
	s := size(w)
	e.loadSigned(nd.A, tmpA, w)
	e.loadSigned(nd.B, tmpC, w)
	e.RR(amd64.CMP, s, tmpA, tmpC)
	return cc
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
