package emit

import (
	"etch/sim/native/arm64"
	"etch/sim/net"
)

var a64Cond = [numConds]arm64.Cond{equal: arm64.EQ, notEqual: arm64.NE, below: arm64.CC, atMost: arm64.LS, above: arm64.HI, atLeast: arm64.CS, belowSigned: arm64.LT, atMostSigned: arm64.LE}

func (e *a64) branch(x net.ID, want bool, l Label) {
	nd := &e.n.N[x]

	// Bit tests and comparisons with 0 have branches of their own and need no flags.
	switch {
	case !e.c.Fold[x]:
		e.branchZero(e.register(x, a64A), !want, l)
		return
	case nd.Op == net.Slice:
		if r := e.register(nd.A, a64A); want {
			e.Tbnz(r, uint8(nd.Imm), e.leads(l))
		} else {
			e.Tbz(r, uint8(nd.Imm), e.leads(l))
		}
		return
	case nd.Op == net.Eq || nd.Op == net.Ne:
		if v, ok := e.n.IsConst(nd.B); ok && v == 0 {
			e.branchZero(e.register(nd.A, a64A), want == (nd.Op == net.Eq), l)
			return
		}
	}

	cc := e.compareNodes(nd)
	if !want {
		cc = cc.Not()
	}
	e.BCond(cc, e.leads(l))
}

// branchZero jumps to l if r is 0 (want), or if r is not 0 (!want).
func (e *a64) branchZero(r arm64.Reg, want bool, l Label) {
	if want {
		e.Cbz(arm64.X, r, e.leads(l))
	} else {
		e.Cbnz(arm64.X, r, e.leads(l))
	}
}

// test sets the flags by x and returns the condition under which x is not 0.
func (e *a64) test(x net.ID) arm64.Cond {
	nd := &e.n.N[x]
	switch {
	case !e.c.Fold[x]:
		e.testZero(e.register(x, a64A))
		return arm64.NE
	case nd.Op == net.Slice:
		e.TstI(arm64.X, e.register(nd.A, a64A), 1<<nd.Imm)
		return arm64.NE
	}
	return e.compareNodes(nd)
}

// testZero sets the flags by r; EQ holds if r is 0.
func (e *a64) testZero(r arm64.Reg) { e.Tst(arm64.X, r, r) }

// compareNodes sets the flags by a comparison and returns the condition under which it holds.
func (e *a64) compareNodes(nd *net.Node) arm64.Cond {
	if nd.Op == net.LtS || nd.Op == net.LeS {
		e.compareSigned(nd)
		return a64Cond[condOf[nd.Op]]
	}

	cc, a, b := e.comparison(nd)
	r := e.register(a, a64A)

	// An immediate exists for 12 bits, and not with the zero register, whose number means SP there.
	if v, ok := e.n.IsConst(b); ok && arm64.FitsArith(v) && r != arm64.ZR {
		e.CmpI(arm64.X, r, v)
	} else {
		e.Cmp(arm64.X, r, e.register(b, a64B))
	}
	return a64Cond[cc]
}

// compareSigned compares signed numbers of Imm bits. Both are shifted up so that their signs
// become the register's sign.
func (e *a64) compareSigned(nd *net.Node) {
	a, b, up := e.register(nd.A, a64A), e.register(nd.B, a64B), uint8(64-nd.Imm)

	// In full width the signs are where they belong.
	switch {
	case up == 0:
		e.Cmp(arm64.X, a, b)
	case up == 32:
		e.Cmp(arm64.W, a, b)
	default:
		e.ShiftI(arm64.LSL, arm64.X, a64A, a, up)
		e.RRS(arm64.SUBS, arm64.X, arm64.ZR, a64A, b, arm64.LSL, up)
	}
}

// mux selects without a branch.
func (e *a64) mux(nd *net.Node, dst arm64.Reg) {
	if e.logicMux(nd, dst) {
		return
	}

	// The test sets the flags; loads leave them.
	cc := e.test(nd.A)
	b := e.register(nd.B, a64C)

	// CSINC adds 1 to the second source: ZR makes that the constant 1.
	if v, ok := e.n.IsConst(nd.C); ok && v == 1 {
		e.Csinc(cc, arm64.X, dst, b, arm64.ZR)
		return
	}
	c := e.register(nd.C, a64D)
	e.Csel(cc, arm64.X, dst, b, c)
}

// logicMux writes a one-bit mux with a constant arm as one logic operation, and reports whether
// it could.
func (e *a64) logicMux(nd *net.Node, dst arm64.Reg) bool {
	g, ok := e.bitMuxOf(nd)
	if !ok {
		return false
	}

	// The processor inverts the second operand, so an inverted select goes there.
	op, x, y := a64Logic[g.op], nd.A, g.other
	if g.not {
		op, x, y = a64LogicNot[g.op], y, x
	}
	r := e.register(x, a64A)
	e.RRR(op, arm64.X, dst, r, e.register(y, a64B))

	// ORN sets the upper bits, so the result is cut to its bit.
	if op == arm64.ORN {
		e.reduce(dst, 1)
	}
	return true
}

var a64LogicNot = [net.NumOps]arm64.ALU{net.And: arm64.BIC, net.Or: arm64.ORN}
