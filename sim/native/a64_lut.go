package native

import (
	"etch/sim/native/arm64"
	"etch/sim/net"
)

// lut computes a look-up: two inputs by logic, more by an address, into which the
// inputs are put bit by bit, and which a table is shifted by.
func (e *a64) lut(nd *net.Node, dst arm64.Reg) {
	args := e.n.Pool[nd.A : nd.A+nd.B]
	if len(args) == 2 {
		e.lut2(nd.Imm, args, dst)
		return
	}
	for k, x := range args {
		r, bit := e.bitOf(x, a64B)
		if k == 0 {
			e.Ubfx(arm64.X, a64A, r, bit, 1)
			continue
		}
		if bit > 0 {
			e.ShiftI(arm64.LSR, arm64.X, a64B, r, bit)
			r = a64B
		}
		e.Bfi(arm64.X, a64A, r, uint8(k), 1)
	}
	e.MovRI(a64B, nd.Imm)
	e.ShiftR(arm64.LSR, arm64.X, a64A, a64B, a64A)
	e.RRI(arm64.AND, arm64.X, dst, a64A, 1)
}

// bitOf returns a register and the place in it of a value of one bit, which may
// be a folded bit of the state; the bits above are anything in that case.
func (e *a64) bitOf(x net.ID, tmp arm64.Reg) (arm64.Reg, uint8) {
	if nd := &e.n.N[x]; e.c.fold[x] {
		return e.register(nd.A, tmp), uint8(nd.Imm)
	}
	return e.register(x, tmp), 0
}

// lut2 computes a look-up of two inputs, both of which count.
func (e *a64) lut2(table uint64, args []net.ID, dst arm64.Reg) {
	a, b := args[0], args[1]
	op, flip := arm64.AND, false
	switch table {
	case 0x8: // a & b
	case 0x7:
		flip = true
	case 0xe: // a | b
		op = arm64.ORR
	case 0x1:
		op, flip = arm64.ORR, true
	case 0x6: // a ^ b
		op = arm64.EOR
	case 0x9:
		op, flip = arm64.EOR, true
	case 0x2: // a & ^b
		op = arm64.BIC
	case 0xd:
		op, flip = arm64.BIC, true
	case 0x4: // b & ^a
		a, b, op = b, a, arm64.BIC
	case 0xb:
		a, b, op, flip = b, a, arm64.BIC, true
	default:
		panic("native: a table with an input that does not count")
	}
	x, low := e.bitOf(a, a64A)
	if e.c.fold[a] {
		e.Ubfx(arm64.X, a64A, x, low, 1)
		x = a64A
	}
	y, bit := e.bitOf(b, a64B)
	if e.c.fold[b] {
		e.Ubfx(arm64.X, a64B, y, bit, 1)
		y = a64B
	}
	e.RRR(op, arm64.X, dst, x, y)
	if flip {
		e.RRI(arm64.EOR, arm64.X, dst, dst, 1)
	}
}
