package bits

import "math/bits"

// Not returns the complement of every bit; the width is kept.
func (v Value) Not() Value {
	if v.w <= 64 {
		return Value{w: v.w, lo: ^v.lo & mask(v.w)}
	}
	ws := newWide(v.w)
	NotWords(*ws, *v.wide, int(v.w))
	return owned(v.w, ws)
}

// And returns the bitwise and; operands and result have equal widths.
func (v Value) And(u Value) Value {
	same("And", &v, &u)
	if v.w <= 64 {
		return Value{w: v.w, lo: v.lo & u.lo}
	}
	ws := newWide(v.w)
	AndWords(*ws, *v.wide, *u.wide, int(v.w))
	return owned(v.w, ws)
}

// Or returns the bitwise or; operands and result have equal widths.
func (v Value) Or(u Value) Value {
	same("Or", &v, &u)
	if v.w <= 64 {
		return Value{w: v.w, lo: v.lo | u.lo}
	}
	ws := newWide(v.w)
	OrWords(*ws, *v.wide, *u.wide, int(v.w))
	return owned(v.w, ws)
}

// Xor returns the bitwise exclusive or; operands and result have equal widths.
func (v Value) Xor(u Value) Value {
	same("Xor", &v, &u)
	if v.w <= 64 {
		return Value{w: v.w, lo: v.lo ^ u.lo}
	}
	ws := newWide(v.w)
	XorWords(*ws, *v.wide, *u.wide, int(v.w))
	return owned(v.w, ws)
}

// RedAnd returns the and of all bits; 1 for width 0.
func (v Value) RedAnd() uint64 { return b2u(v.IsOnes()) }

// RedOr returns the or of all bits; 0 for width 0.
func (v Value) RedOr() uint64 { return b2u(!v.IsZero()) }

// RedXor returns the exclusive or of all bits, their parity; 0 for width 0.
func (v Value) RedXor() uint64 { return uint64(v.PopCount()) & 1 }

// PopCount returns the number of bits that are set.
func (v Value) PopCount() int {
	if v.w <= 64 {
		return bits.OnesCount64(v.lo)
	}
	return PopCountWords(*v.wide, int(v.w))
}

// b2u returns 1 for true and 0 for false.
func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
