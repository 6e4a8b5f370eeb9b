package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/net"
)

// lut computes a look-up outside of banks. Two inputs become a logic operation. More inputs are
// gathered into an address by which the table is shifted; bits of the state come in through the
// carry.
func (e *x86) lut(nd *net.Node, dst amd64.Reg) {
	args := e.n.Pool[nd.A : nd.A+nd.B]
	if len(args) == 2 {
		e.lut2(nd.Imm, args, dst)
		return
	}

	// The last input becomes the highest address bit.
	for k := len(args) - 1; k >= 0; k-- {
		x, first := args[k], k == len(args)-1
		if e.c.Fold[x] {
			if first {
				e.RR(amd64.XOR, amd64.S32, tmpA, tmpA)
			}
			e.bitTest(&e.n.N[x])
			e.RR(amd64.ADC, amd64.S32, tmpA, tmpA)
			continue
		}

		if first {
			e.load(x, tmpA)
			continue
		}

		s := e.merges(amd64.OR, amd64.S32, net.None, x)
		o := e.operand(x, s, tmpC)
		if o.k == isReg {
			e.Lea(amd64.S32, tmpA, amd64.AtIndex(o.reg, tmpA, 2, 0))
			continue
		}
		e.RR(amd64.ADD, amd64.S32, tmpA, tmpA)
		e.alu(amd64.OR, s, tmpA, o)
	}

	// Look the bit up: shift the table, or test its bit.
	e.MovRI(tmpC, nd.Imm)
	if e.bmi {
		e.Shrx(amd64.S64, dst, tmpC, tmpA)
		e.RI(amd64.AND, amd64.S32, dst, 1)
		return
	}
	e.BtRR(amd64.S64, tmpC, tmpA)
	e.Setcc(amd64.B, tmpA)
	e.MovZX(amd64.S8, dst, tmpA)
}

// lut2 computes a look-up of two inputs, both of which matter.
func (e *x86) lut2(table uint64, args []net.ID, dst amd64.Reg) {
	p := pairOf(table, args)
	op, b := x86ALU[p.op], p.b
	e.loadBit(p.a, tmpA)
	if p.notA {
		e.RI(amd64.XOR, amd64.S32, tmpA, 1)
	}

	if e.c.Fold[b] {
		e.loadBit(b, tmpC)
		e.RR(op, amd64.S32, tmpA, tmpC)
	} else {
		s := e.merges(op, amd64.S32, p.a, b)
		e.alu(op, s, tmpA, e.operand(b, s, tmpC))
	}

	if p.not {
		e.RI(amd64.XOR, amd64.S32, tmpA, 1)
	}
	e.move(amd64.S32, dst, tmpA)
}

// loadBit loads a one-bit value, which may be a folded bit of the state.
func (e *x86) loadBit(x net.ID, r amd64.Reg) {
	if e.c.Fold[x] {
		e.slice(&e.n.N[x], r)
	} else {
		e.load(x, r)
	}
}
