package emit

import (
	"etch/sim/native/amd64"
	"etch/sim/net"
)

// amd64 overwrites its first operand, while the destination may be the register of an operand that
// is read for the last time. So an operation is written in three steps: choose the register to
// compute in, by one of the two functions below; load the first operand there; operate, and move
// the result to the destination (nothing to do if it is there).

// ordered returns the operands of an operation that commutes so that the one in dst comes first,
// and reports whether it swapped them.
func (e *x86) ordered(a, b net.ID, dst amd64.Reg) (first, second net.ID, swapped bool) {
	if e.in(b, dst) && !e.in(a, dst) {
		return b, a, true
	}
	return a, b, false
}

// spare returns a register that may be overwritten before the nodes are read: dst, or the first
// temporary if one of them lives in dst.
func (e *x86) spare(dst amd64.Reg, later ...net.ID) amd64.Reg {
	for _, x := range later {
		if e.in(x, dst) {
			return tmpA
		}
	}
	return dst
}
