package emit

import (
	"etch/sim/native/arm64"
	"etch/sim/net"
)

var a64Shift = [net.NumOps]arm64.Shift{net.Shl: arm64.LSL, net.Shr: arm64.LSR, net.ShrS: arm64.ASR}

// shift shifts by an amount that is only known in the cycle. The processor takes the amount
// modulo 64; a shift of the netlist by 64 or more gives 0, or the sign.
func (e *a64) shift(nd *net.Node, dst arm64.Reg) {
	a, b := e.register(nd.A, a64A), e.register(nd.B, a64B)
	far := e.n.Width(nd.B) > 6

	// Test the upper bits of the amount first: the flags choose the result below.
	if far {
		e.TstI(arm64.X, b, ^uint64(63))
	}

	// A signed shift needs the sign in bit 63, and saturates the amount at 63.
	if nd.Op == net.ShrS {
		if nd.Imm < 64 {
			e.Sbfx(arm64.X, a64A, a, 0, uint8(nd.Imm))
			a = a64A
		}
		if far {
			e.Csinv(arm64.EQ, arm64.X, a64B, b, arm64.ZR) // 63 modulo 64
			b = a64B
		}
	}

	e.ShiftR(a64Shift[nd.Op], arm64.X, dst, a, b)
	if far && nd.Op != net.ShrS {
		e.Csel(arm64.EQ, arm64.X, dst, dst, arm64.ZR)
	}

	if nd.Op != net.Shr {
		e.reduce(dst, nd.W)
	}
}

// divide follows the netlist's totality: division by 0 gives all ones, and the remainder is the
// dividend. The processor's quotient by 0 is 0, so the remainder is right without a test.
func (e *a64) divide(nd *net.Node, dst arm64.Reg) {
	s := sizeOf(max(e.n.Width(nd.A), e.n.Width(nd.B)))
	a, b := e.register(nd.A, a64A), e.register(nd.B, a64B)
	e.Udiv(s, a64C, a, b)
	if nd.Op == net.Rem {
		e.Msub(s, dst, a64C, b, a)
		return
	}
	e.quotient(nd, b, dst)
}

// quotient finishes a division by b whose processor result is in a64C: all ones if b is 0.
func (e *a64) quotient(nd *net.Node, b, dst arm64.Reg) {
	e.testZero(b)
	e.Csinv(arm64.NE, arm64.X, dst, a64C, arm64.ZR)
	e.reduce(dst, nd.W)
}

func (e *a64) divideSigned(nd *net.Node, dst arm64.Reg) {
	a, b := e.signed(nd.A, a64A, nd.Imm), e.signed(nd.B, a64B, nd.Imm)
	e.Sdiv(arm64.X, a64C, a, b)
	if nd.Op == net.RemS {
		e.Msub(arm64.X, dst, a64C, b, a)
		e.reduce(dst, nd.W)
		return
	}
	e.quotient(nd, b, dst)
}

// signed returns a register with x, a signed number of w bits, extended to 64.
func (e *a64) signed(x net.ID, tmp arm64.Reg, w uint64) arm64.Reg {
	r := e.register(x, tmp)
	if w == 64 {
		return r
	}
	e.Sbfx(arm64.X, tmp, r, 0, uint8(w))
	return tmp
}
