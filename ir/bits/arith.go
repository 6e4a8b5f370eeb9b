package bits

import "math/big"

// Add returns v + u mod 2^w; operands and result have w bits.
// Wide operands go word by word, as in all operations of this file.
func (v Value) Add(u Value) Value {
	same("Add", &v, &u)
	if v.w <= 64 {
		return Value{w: v.w, lo: (v.lo + u.lo) & mask(v.w)}
	}
	ws := newWide(v.w)
	AddWords(*ws, *v.wide, *u.wide, int(v.w))
	return owned(v.w, ws)
}

// Sub returns v - u mod 2^w; operands and result have w bits.
func (v Value) Sub(u Value) Value {
	same("Sub", &v, &u)
	if v.w <= 64 {
		return Value{w: v.w, lo: (v.lo - u.lo) & mask(v.w)}
	}
	ws := newWide(v.w)
	SubWords(*ws, *v.wide, *u.wide, int(v.w))
	return owned(v.w, ws)
}

// Neg returns -v mod 2^w; operand and result have w bits.
func (v Value) Neg() Value {
	if v.w <= 64 {
		return Value{w: v.w, lo: -v.lo & mask(v.w)}
	}
	ws := newWide(v.w)
	NegWords(*ws, *v.wide, int(v.w))
	return owned(v.w, ws)
}

// Mul returns the product of v and u as unsigned numbers, mod 2^width. The
// operands may have any widths; the result has width bits.
// The low bits of a product depend on the low bits of the operands only.
func (v Value) Mul(u Value, width int) Value {
	w := checkWidth(width)
	if w <= 64 {
		return Value{w: w, lo: v.lo * u.lo & mask(w)}
	}

	// Long operands: math/big multiplies faster than schoolbook.
	var a, b [1]uint64
	x, y := v.words(&a), u.words(&b)
	if min(len(x), len(y)) >= bigMulWords {
		return FromBig(width, new(big.Int).Mul(newBig(x), newBig(y)))
	}

	ws := newWide(w)
	MulWords(*ws, x, y, width)
	return owned(w, ws)
}

// MulS returns the product of v and u as two's complement numbers, mod
// 2^width. The operands may have any widths; the result has width bits.
// Sign extension to 64 bits makes the low product right.
func (v Value) MulS(u Value, width int) Value {
	w := checkWidth(width)
	if w <= 64 {
		return Value{w: w, lo: uint64(v.Int64()*u.Int64()) & mask(w)}
	}

	var a, b [1]uint64
	x, y := v.words(&a), u.words(&b)
	if min(len(x), len(y)) >= bigMulWords {
		return FromBig(width, new(big.Int).Mul(v.SignedBig(), u.SignedBig()))
	}
	ws := newWide(w)
	MulSWords(*ws, x, y, int(v.w), int(u.w), width)
	return owned(w, ws)
}

// Div returns the unsigned quotient of two values of w bits, in w bits.
// x/0 is all ones.
func (v Value) Div(u Value) Value {
	same("Div", &v, &u)
	if v.w <= 64 {
		// Division by zero is defined, as in RISC-V.
		if u.lo == 0 {
			return Value{w: v.w, lo: mask(v.w)}
		}
		return Value{w: v.w, lo: v.lo / u.lo}
	}
	ws := newWide(v.w)
	DivWords(*ws, *v.wide, *u.wide, int(v.w))
	return owned(v.w, ws)
}

// Rem returns the unsigned remainder of two values of w bits, in w bits.
// x%0 is x.
func (v Value) Rem(u Value) Value {
	same("Rem", &v, &u)
	if v.w <= 64 {
		if u.lo == 0 {
			return v
		}
		return Value{w: v.w, lo: v.lo % u.lo}
	}
	ws := newWide(v.w)
	RemWords(*ws, *v.wide, *u.wide, int(v.w))
	return owned(v.w, ws)
}

// DivS returns the two's complement quotient, truncated towards zero, of two
// values of w bits, in w bits. x/0 is all ones; the least number over -1 is
// the least number.
func (v Value) DivS(u Value) Value {
	same("DivS", &v, &u)
	if v.w <= 64 {
		if u.lo == 0 {
			return Value{w: v.w, lo: mask(v.w)}
		}
		// Go wraps the least number over -1 to itself, as specified.
		return Value{w: v.w, lo: uint64(v.Int64()/u.Int64()) & mask(v.w)}
	}
	ws := newWide(v.w)
	DivSWords(*ws, *v.wide, *u.wide, int(v.w))
	return owned(v.w, ws)
}

// RemS returns the remainder that belongs to DivS, in w bits; it has the sign
// of the dividend v. x%0 is x; the least number over -1 leaves 0.
func (v Value) RemS(u Value) Value {
	same("RemS", &v, &u)
	if v.w <= 64 {
		if u.lo == 0 {
			return v
		}
		return Value{w: v.w, lo: uint64(v.Int64()%u.Int64()) & mask(v.w)}
	}
	ws := newWide(v.w)
	RemSWords(*ws, *v.wide, *u.wide, int(v.w))
	return owned(v.w, ws)
}
