package emit

import (
	"etch/sim/native/arm64"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// eval computes node x into its place. The destination register may be that of an operand read
// here for the last time, so it is written after all operands have been read.
func (e *a64) eval(x net.ID) {
	nd, l, dst := &e.n.N[x], e.c.Loc[x], a64A

	// A bank writes the places of all its words at once.
	switch nd.Op {
	case net.Tables:
		e.bank(x)
		return
	case net.TableWord: // its bank has written its place
		return
	}

	if l.K == schedule.InReg {
		dst = arm64.Reg(l.Reg)
	}

	switch nd.Op {
	case net.And, net.Or, net.Xor:
		e.logic(nd, dst)
	case net.Add, net.Sub:
		e.sum(nd, dst)
	case net.Mul:
		e.multiply(nd, dst)
	case net.MulHi:
		a := e.register(nd.A, a64A)
		e.Umulh(dst, a, e.register(nd.B, a64B))
	case net.Not:
		e.invert(nd, dst)
	case net.Eq, net.Ne, net.Lt, net.Le, net.LtS, net.LeS:
		e.Cset(e.compareNodes(nd), arm64.X, dst)
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
	case net.Parity:
		e.parity(nd, dst)
	case net.Pop:
		e.population(e.register(nd.A, a64A), dst)
	case net.Read:
		if m := &e.n.Mems[nd.Imm]; m.Far > 0 {
			index := e.farIndex(m, nd.A)
			e.MemX(wordLoads[m.Far], dst, a64D, index, true)
		} else {
			e.accessWord(arm64.LDR, dst, e.word(m, nd.A, a64C))
		}
	case net.Lut:
		e.lut(nd, dst)
	case net.Div, net.Rem:
		e.divide(nd, dst)
	case net.DivS, net.RemS:
		e.divideSigned(nd, dst)
	default:
		panic("native: no arm64 code for op " + nd.Op.String())
	}

	if l.K == schedule.InScratch {
		e.access(arm64.STR, a64A, e.scratch(l.At))
	}
}

// sizeOf is the operation size that covers w bits.
func sizeOf(w uint8) arm64.Size {
	if w > 32 {
		return arm64.X
	}
	return arm64.W
}

// whole reports whether w is an operation size: no bits are left to cut.
func whole(w uint8) bool { return w == 32 || w == 64 }

// reduce zeroes the bits of r from w upwards.
func (e *a64) reduce(r arm64.Reg, w uint8) {
	if w < 64 {
		e.Ubfx(arm64.X, r, r, 0, w)
	}
}

var a64Logic = [net.NumOps]arm64.ALU{net.And: arm64.AND, net.Or: arm64.ORR, net.Xor: arm64.EOR}

func (e *a64) logic(nd *net.Node, dst arm64.Reg) {
	// A constant goes to the right, as an immediate where its pattern can be encoded.
	a, b := nd.A, nd.B
	if _, ok := e.n.IsConst(a); ok {
		a, b = b, a
	}

	// An immediate if its pattern of bits can be encoded, else a register.
	r := e.register(a, a64A)
	if v, ok := e.n.IsConst(b); ok && arm64.FitsLogic(arm64.X, v) {
		e.RRI(a64Logic[nd.Op], arm64.X, dst, r, v)
		return
	}
	e.RRR(a64Logic[nd.Op], arm64.X, dst, r, e.register(b, a64B))
}

// sum adds or subtracts. Bits beyond W are cut off if there may be any.
func (e *a64) sum(nd *net.Node, dst arm64.Reg) {
	s, op, a, b := sizeOf(nd.W), arm64.ADD, nd.A, nd.B
	cut := !whole(nd.W)

	// A sum of operands narrower than the result cannot overflow; a difference always can.
	if nd.Op == net.Sub {
		op = arm64.SUB
	} else {
		cut = cut && max(e.n.Width(a), e.n.Width(b)) >= nd.W
		if _, ok := e.n.IsConst(a); ok {
			a, b = b, a
		}
	}

	// A constant that is no immediate may have a negative that is: x + v = x - (-v) modulo 2^W.
	r := e.register(a, a64A)
	v, ok := e.n.IsConst(b)
	less := -v & net.Mask(nd.W)
	switch {
	case ok && r != arm64.ZR && arm64.FitsArith(v):
		e.RRI(op, s, dst, r, v)
	case ok && r != arm64.ZR && arm64.FitsArith(less) && (cut || whole(nd.W)):
		e.RRI(op^arm64.SUB, s, dst, r, less)
	default:
		e.RRR(op, s, dst, r, e.register(b, a64B))
	}

	if cut {
		e.reduce(dst, nd.W)
	}
}

func (e *a64) multiply(nd *net.Node, dst arm64.Reg) {
	a := e.register(nd.A, a64A)
	e.Mul(sizeOf(nd.W), dst, a, e.register(nd.B, a64B))
	if !whole(nd.W) && int(e.n.Width(nd.A))+int(e.n.Width(nd.B)) > int(nd.W) {
		e.reduce(dst, nd.W)
	}
}

func (e *a64) invert(nd *net.Node, dst arm64.Reg) {
	r := e.register(nd.A, a64A)

	// If no bit above the width can be set, XOR with a mask leaves nothing to cut.
	if !whole(nd.W) && e.n.Width(nd.A) <= nd.W {
		e.RRI(arm64.EOR, arm64.X, dst, r, net.Mask(nd.W))
		return
	}
	e.Not(sizeOf(nd.W), dst, r)
	if !whole(nd.W) {
		e.reduce(dst, nd.W)
	}
}

func (e *a64) slice(nd *net.Node, dst arm64.Reg) {
	if !e.loadPart(nd, dst) {
		e.Ubfx(arm64.X, dst, e.register(nd.A, a64A), uint8(nd.Imm), nd.W)
	}
}

// loadPart loads a slice directly from the state if it is 8, 16 or 32 bits at a byte boundary,
// and reports whether it did.
func (e *a64) loadPart(nd *net.Node, dst arm64.Reg) bool {
	src := &e.n.N[nd.A]
	if src.Op != net.Leaf || nd.Imm%8 != 0 || e.packs.RunOf(int(src.Imm)) != nil {
		return false
	}
	var o arm64.Access
	switch nd.W {
	case 8:
		o = arm64.LDRB
	case 16:
		o = arm64.LDRH
	case 32:
		o = arm64.LDRW
	default:
		return false
	}

	// Far words have no scaled address.
	p := e.address(e.leaf(int(src.Imm)))
	if p.off += int64(nd.Imm / 8); !o.FitsScaled(p.off) {
		return false
	}
	e.Mem(o, dst, p.base, p.off)
	return true
}

func (e *a64) cat(nd *net.Node, dst arm64.Reg) {
	at := uint8(nd.Imm)

	// A folded shift is part of this node: rotate or shift the operand itself.
	lo, constB := e.n.IsConst(nd.B)
	if e.c.Fold[nd.A] { // see foldShifts
		s, r := sizeOf(nd.W), e.register(e.n.N[nd.A].A, a64A)
		if !constB {
			e.ShiftI(arm64.ROR, s, dst, r, nd.W-at)
			return
		}
		e.ShiftI(arm64.LSL, s, dst, r, at)
		e.orConst(dst, lo)
		return
	}

	if constB {
		e.ShiftI(arm64.LSL, arm64.X, dst, e.register(nd.A, a64A), at)
		e.orConst(dst, lo)
		return
	}

	b := e.register(nd.B, a64B)
	if v, ok := e.n.IsConst(nd.A); ok && arm64.FitsLogic(arm64.X, v<<at) {
		e.RRI(arm64.ORR, arm64.X, dst, b, v<<at)
		return
	}
	e.RRS(arm64.ORR, arm64.X, dst, b, e.register(nd.A, a64A), arm64.LSL, at)
}

// orConst computes r |= v. It may use the second temporary.
func (e *a64) orConst(r arm64.Reg, v uint64) {
	switch {
	case v == 0:
	case arm64.FitsLogic(arm64.X, v):
		e.RRI(arm64.ORR, arm64.X, r, r, v)
	default:
		e.MovRI(a64B, v)
		e.RRR(arm64.ORR, arm64.X, r, r, a64B)
	}
}

func (e *a64) signExtend(nd *net.Node, dst arm64.Reg) {
	e.Sbfx(sizeOf(nd.W), dst, e.register(nd.A, a64A), 0, uint8(nd.Imm))
	if !whole(nd.W) {
		e.reduce(dst, nd.W)
	}
}

// parity folds up to 16 bits by XOR, and counts the ones of wider values.
func (e *a64) parity(nd *net.Node, dst arm64.Reg) {
	const few = 16
	r, w := e.register(nd.A, a64A), e.n.Width(nd.A)

	if w > few {
		e.population(r, a64A)
		r, w = a64A, 1
	}

	for k := uint8(few / 2); k > 0; k /= 2 {
		if k < w {
			e.RRS(arm64.EOR, arm64.X, a64A, r, r, arm64.LSR, k)
			r = a64A
		}
	}
	e.RRI(arm64.AND, arm64.X, dst, r, 1)
}

// population counts the ones of r. Only vector registers have a count instruction.
func (e *a64) population(r, dst arm64.Reg) {
	e.FmovTo(arm64.X, 0, r)
	e.Cnt(0, 0)
	e.AddV(0, 0)
	e.FmovFrom(arm64.W, dst, 0)
}
