package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

var x86ALU = [net.NumOps]amd64.ALU{net.And: amd64.AND, net.Or: amd64.OR, net.Xor: amd64.XOR, net.Add: amd64.ADD, net.Sub: amd64.SUB}

// eval computes node x into its place. The destination register may be that of an operand read
// here for the last time.
func (e *x86) eval(x net.ID) {
	nd, l := &e.n.N[x], e.c.Loc[x]

	// A bank computes all its words at once.
	if nd.Op == net.Tables {
		e.bank(x)
		return
	}
	if nd.Op == net.TableWord { // its bank has written its place
		return
	}

	// Values without a register are computed in a temporary and then stored.
	dst := tmpA
	if l.K == schedule.InReg {
		dst = amd64.Reg(l.Reg)
	}
	switch nd.Op {
	case net.And, net.Or, net.Xor, net.Add, net.Sub:
		e.arith(nd, dst)
	case net.Mul:
		e.multiply(nd, dst)
	case net.Not:
		e.invert(nd, dst)
	case net.Eq, net.Ne, net.Lt, net.Le, net.LtS, net.LeS:
		if cc := e.compareNodes(nd); e.isLoose(x) {
			e.Setcc(cc, dst)
		} else {
			e.Setcc(cc, tmpA)
			e.MovZX(amd64.S8, dst, tmpA)
		}
	case net.Mux:
		e.mux(nd, dst)
	case net.Slice:
		e.slice(nd, dst)
	case net.Cat:
		e.cat(nd, dst)
	case net.SExt:
		e.signExtend(nd, dst)
	case net.Shl, net.Shr, net.ShrS:
		e.shift(nd, dst)
	case net.Parity, net.Pop:
		e.population(nd, dst)
	case net.Read:
		if m := &e.n.Mems[nd.Imm]; m.Far > 0 {
			e.MovRM(farSize(m), dst, e.farWord(m, nd.A))
		} else {
			e.MovRM(size(nd.W), dst, e.word(loads, m, nd.A, tmpC))
		}
	case net.Lut:
		e.lut(nd, dst)
	case net.MulHi:
		e.highProduct(nd, dst)
	case net.Div, net.Rem:
		e.divide(nd, dst)
	case net.DivS, net.RemS:
		e.divideSigned(nd, dst)
	default:
		panic("native: no code for op " + nd.Op.String())
	}

	if l.K == schedule.InScratch {
		e.MovMR(amd64.S64, e.spilled(l.At), tmpA)
	}
}

// fits reports whether the result cannot exceed its width.
func (e *x86) fits(nd *net.Node) bool {
	a, b := e.n.Width(nd.A), e.n.Width(nd.B)
	switch nd.Op {
	case net.Add:
		return max(a, b) < nd.W || nd.W == 64 || nd.W == 32
	case net.Sub:
		return nd.W == 64 || nd.W == 32
	case net.Mul:
		return int(a)+int(b) <= int(nd.W) || nd.W == 64 || nd.W == 32
	}
	return true
}

// arith computes the two-operand operations.
func (e *x86) arith(nd *net.Node, dst amd64.Reg) {
	a, b, t, s := nd.A, nd.B, dst, size(nd.W)
	if nd.Op == net.Sub {
		t = e.spare(dst, b)
	} else {
		a, b, _ = e.ordered(a, b, dst)
	}

	// A sum with a constant becomes LEA if the operand is in another register.
	op := x86ALU[nd.Op]
	merged := e.merges(op, s, a, b)
	o := e.operand(b, merged, tmpC)
	if nd.Op == net.Add && o.k == isImm && e.fits(nd) {
		if r := e.register(a, t); r != t {
			e.Lea(s, t, amd64.At(r, o.imm))
			e.move(s, dst, t)
			return
		}
	} else {
		e.load(a, t)
	}

	e.alu(op, merged, t, o)
	if !e.fits(nd) {
		e.reduce(t, nd.W)
	}
	e.move(s, dst, t)
}

// multiply multiplies; the destination may hold either factor.
func (e *x86) multiply(nd *net.Node, dst amd64.Reg) {
	s := size(nd.W)
	a, b, _ := e.ordered(nd.A, nd.B, dst)
	o := e.operand(b, s, tmpC)

	// By an immediate the first factor may stay where it is.
	if o.k == isImm {
		e.ImulRRI(s, dst, e.register(a, tmpA), o.imm)
	} else {
		e.load(a, dst)
		if o.k == isMem {
			e.ImulRM(s, dst, o.mem)
		} else {
			e.Imul(s, dst, o.reg)
		}
	}

	if !e.fits(nd) {
		e.reduce(dst, nd.W)
	}
}

func (e *x86) invert(nd *net.Node, dst amd64.Reg) {
	e.load(nd.A, dst)

	// A NOT sets the bits above the width, so narrow values use XOR with a mask.
	switch {
	case nd.W == 32 || nd.W == 64:
		e.Not(size(nd.W), dst)
	case nd.W < 32 && e.n.Width(nd.A) <= nd.W:
		e.RI(amd64.XOR, amd64.S32, dst, int32(net.Mask(nd.W)))
	default:
		e.Not(amd64.S64, dst)
		e.reduce(dst, nd.W)
	}
}

// mux selects without a branch.
func (e *x86) mux(nd *net.Node, dst amd64.Reg) {
	s := size(nd.W)
	if e.logicMux(nd, dst) {
		return
	}

	// With a folded select, compare first; moves leave the flags. The condition is inverted where the
	// arm in dst comes first.
	c, b, swapped := e.ordered(nd.C, nd.B, dst)
	if e.c.Fold[nd.A] {
		cc := e.tested(nd.A, !swapped)
		o := e.arm(b, s)
		e.load(c, dst)
		e.cmov(cc, s, dst, o)
		return
	}

	// Else the select is tested last, after the arms are loaded.
	if _, ok := e.n.IsConst(nd.A); ok {
		panic("native: a mux of a constant")
	}
	t := e.spare(dst, nd.A, b)
	e.load(c, t)
	o := e.arm(b, s)
	e.cmov(e.tested(nd.A, !swapped), s, t, o)
	e.move(s, dst, t)
}

// arm is x as an operand of a conditional move, which takes no immediate.
func (e *x86) arm(x net.ID, s amd64.Size) operand {
	if _, ok := e.n.IsConst(x); ok {
		e.load(x, tmpC)
		return operand{reg: tmpC}
	}
	return e.operand(x, s, tmpC)
}

func (e *x86) cmov(cc amd64.Cond, s amd64.Size, dst amd64.Reg, o operand) {
	if o.k == isMem {
		e.CmovM(cc, s, dst, o.mem)
	} else {
		e.Cmov(cc, s, dst, o.reg)
	}
}

// logicMux computes a one-bit mux with a constant arm by AND or OR, and reports whether it
// could.
func (e *x86) logicMux(nd *net.Node, dst amd64.Reg) bool {
	g, ok := e.bitMuxOf(nd)
	switch {
	case !ok:
		return false
	case g.not && g.op == net.And && e.bmi:
		e.andNot(g.other, nd.A, dst)
		return true
	case g.not:
		t := e.spare(dst, g.other)
		e.load(nd.A, t)
		e.RI(amd64.XOR, amd64.S32, t, 1)
		s := e.merges(x86ALU[g.op], amd64.S32, nd.A, g.other)
		e.alu(x86ALU[g.op], s, t, e.operand(g.other, s, tmpC))
		e.move(amd64.S32, dst, t)
		return true
	}

	// Both operations commute.
	x, y, _ := e.ordered(nd.A, g.other, dst)
	s := e.merges(x86ALU[g.op], amd64.S32, x, y)
	o := e.operand(y, s, tmpC)
	e.load(x, dst)
	e.alu(x86ALU[g.op], s, dst, o)
	return true
}

// andNot is dst = x &^ y.
func (e *x86) andNot(x, y net.ID, dst amd64.Reg) {
	o := e.operand(x, amd64.S32, tmpC)
	r := e.register(y, tmpA)
	switch o.k {
	case isReg:
		e.Andn(amd64.S32, dst, r, o.reg)
	case isMem:
		e.AndnM(amd64.S32, dst, r, o.mem)
	default:
		e.MovRI(tmpC, uint64(uint32(o.imm)))
		e.Andn(amd64.S32, dst, r, tmpC)
	}
}

// slice extracts bits. Whole bytes are loaded directly; other slices are shifted and cut, in 32
// bits where possible.
func (e *x86) slice(nd *net.Node, dst amd64.Reg) {
	// A slice of a value in memory may load a part of it.
	wa, lo := e.n.Width(nd.A), uint8(nd.Imm)
	o := e.operand(nd.A, size(wa), dst)
	whole := nd.W == 8 || nd.W == 16 || nd.W == 32
	s := amd64.S64

	switch {
	case o.k == isMem && whole && lo%8 == 0:
		e.MovRM(amd64.Size(schedule.Trailing(uint64(nd.W/8))), dst, o.mem.Plus(int32(lo/8)))
		return
	case o.k == isReg && whole && lo == 0:
		e.MovZX(amd64.Size(schedule.Trailing(uint64(nd.W/8))), dst, o.reg)
		return
	case lo+nd.W <= 32:
		s, wa = amd64.S32, min(wa, 32)
	case o.k == isMem && lo >= 32:
		o.mem, lo, wa, s = o.mem.Plus(4), lo-32, wa-32, amd64.S32
	}

	// Bring the operand to dst. A rotation does that and the shift in one instruction.
	switch {
	case o.k == isMem:
		e.MovRM(s, dst, o.mem)
	case lo > 0 && e.bmi && s == amd64.S64 && dst != o.reg:
		e.Rorx(s, dst, o.reg, lo) // one rotation copies and shifts
		e.reduce(dst, nd.W)
		return
	default:
		e.move(s, dst, o.reg)
	}

	if lo > 0 {
		e.ShiftI(amd64.SHR, s, dst, lo)
	}
	if lo+nd.W < wa {
		e.reduce(dst, nd.W)
	}
}

// cat concatenates: the upper operand is shifted and merged by OR.
func (e *x86) cat(nd *net.Node, dst amd64.Reg) {
	if e.shiftedCat(nd, dst) {
		return
	}

	s, at := size(nd.W), uint8(nd.Imm)

	// A constant upper part is merged as an immediate if it fits.
	if v, ok := e.n.IsConst(nd.A); ok {
		v <<= at
		if s == amd64.S64 && v != uint64(int64(int32(v))) {
			e.MovRI(tmpC, v)
			e.load(nd.B, dst)
			e.RR(amd64.OR, s, dst, tmpC)
		} else {
			e.load(nd.B, dst)
			e.RI(amd64.OR, s, dst, int32(uint32(v)))
		}
		return
	}

	// A constant lower part is merged after the shift, or not at all if it is 0.
	if v, ok := e.n.IsConst(nd.B); ok {
		e.load(nd.A, dst)
		e.ShiftI(amd64.SHL, s, dst, at)
		if v != 0 {
			e.alu(amd64.OR, s, dst, e.operand(nd.B, s, tmpC))
		}
		return
	}

	// The lower operand is fetched before dst is overwritten. If it lives in dst, the upper one is
	// shifted in the first temporary and merged into it.
	merged := e.merges(amd64.OR, s, nd.A, nd.B)
	o, t := e.operand(nd.B, merged, tmpC), e.spare(dst, nd.B)
	e.load(nd.A, t)
	e.ShiftI(amd64.SHL, s, t, at)
	if t != dst {
		o.reg = t
	}
	e.alu(amd64.OR, merged, dst, o)
}

// signExtend extends by MOVSX, by negation for one bit, else by two shifts.
func (e *x86) signExtend(nd *net.Node, dst amd64.Reg) {
	s, from := size(nd.W), uint8(nd.Imm)
	switch from {
	case 1:
		// Negation makes 0 or all ones of 0 or 1.
		e.load(nd.A, dst)
		e.Neg(s, dst)
	case 8, 16, 32:
		if o := e.operand(nd.A, size(from), dst); o.k == isMem {
			e.MovSXM(amd64.Size(schedule.Trailing(uint64(from/8))), s, dst, o.mem)
		} else {
			e.MovSX(amd64.Size(schedule.Trailing(uint64(from/8))), s, dst, e.register(nd.A, dst))
		}
	default:
		full := uint8(32)
		if s == amd64.S64 {
			full = 64
		}
		e.load(nd.A, dst)
		e.ShiftI(amd64.SHL, s, dst, full-from)
		e.ShiftI(amd64.SAR, s, dst, full-from)
	}

	// The extension fills the whole operation size, so other widths are cut.
	if nd.W != 32 && nd.W != 64 {
		e.reduce(dst, nd.W)
	}
}

func (e *x86) population(nd *net.Node, dst amd64.Reg) {
	// POPCNT exists in 32 and 64 bits; zero-extended operands count right in either.
	s := size(e.n.Width(nd.A))
	o := e.operand(nd.A, s, tmpA)
	if o.k == isMem {
		e.PopcntM(s, dst, o.mem)
	} else {
		e.Popcnt(s, dst, e.register(nd.A, tmpA))
	}
	if nd.Op == net.Parity {
		e.RI(amd64.AND, amd64.S32, dst, 1)
	}
}
