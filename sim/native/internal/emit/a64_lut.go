package emit

import (
	"etch/sim/native/arm64"
	"etch/sim/net"
)

// lut computes a look-up. Two inputs become a logic operation. More inputs are gathered bit by
// bit into an address by which the table is shifted.
func (e *a64) lut(nd *net.Node, dst arm64.Reg) {
	args := e.n.Pool[nd.A : nd.A+nd.B]

	if len(args) == 2 {
		e.lut2(nd.Imm, args, dst)
		return
	}

	for k, x := range args {
		r, bit := e.bitOf(x, a64B)
		e.gather(r, bit, k)
	}
	e.lookUp(nd.Imm)
	e.RRI(arm64.AND, arm64.X, dst, a64A, 1)
}

// gather inserts a bit of r as bit k of the first temporary. r may be the second temporary,
// which is overwritten. Call it with k = 0 first.
func (e *a64) gather(r arm64.Reg, bit uint8, k int) {
	if k == 0 {
		e.Ubfx(arm64.X, a64A, r, bit, 1)
		return
	}
	if bit > 0 {
		e.ShiftI(arm64.LSR, arm64.X, a64B, r, bit)
		r = a64B
	}
	e.Bfi(arm64.X, a64A, r, uint8(k), 1)
}

// lookUp replaces the address in the first temporary by the table shifted by it; bit 0 is the
// result.
func (e *a64) lookUp(table uint64) {
	e.MovRI(a64B, table)
	e.ShiftR(arm64.LSR, arm64.X, a64A, a64B, a64A)
}

// bitOf returns a register and the position in it of a one-bit value. For a bit folded out of a
// wider value, the other bits of the register are undefined.
func (e *a64) bitOf(x net.ID, tmp arm64.Reg) (arm64.Reg, uint8) {
	if nd := &e.n.N[x]; e.c.Fold[x] {
		return e.register(nd.A, tmp), uint8(nd.Imm)
	}
	return e.register(x, tmp), 0
}

// lut2 computes a look-up of two inputs, both of which matter.
func (e *a64) lut2(table uint64, args []net.ID, dst arm64.Reg) {
	p := pairOf(table, args)

	op, a, b := a64Logic[p.op], p.a, p.b
	if p.notA { // the processor inverts the second operand
		op, a, b = arm64.BIC, p.b, p.a
	}

	// Cut folded bits out of their registers.
	x, low := e.bitOf(a, a64A)
	if e.c.Fold[a] {
		e.Ubfx(arm64.X, a64A, x, low, 1)
		x = a64A
	}
	y, bit := e.bitOf(b, a64B)
	if e.c.Fold[b] {
		e.Ubfx(arm64.X, a64B, y, bit, 1)
		y = a64B
	}

	e.RRR(op, arm64.X, dst, x, y)
	if p.not {
		e.RRI(arm64.EOR, arm64.X, dst, dst, 1)
	}
}
