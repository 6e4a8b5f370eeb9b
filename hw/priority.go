package hw

import "etch/ir"

// BitLen is the number of bits that x needs: 1 + the index of its highest one, and 0 for 0.
// Its width is just enough for x's width.
func (x UInt) BitLen() UInt {
	if x.isSized() {
		return UInt{fold("BitLen", x.Width(), func(s []sig) sig { return UInt{s[0]}.BitLen().sig }, x.sig)}
	}
	y, ok := unary("BitLen", x.sig, ir.CountWidth(x.Width()))
	if !ok {
		return UInt{y}
	}

	w := ir.CountWidth(x.Width())
	return foldHalves(UInt{y}, w, func(bit Bit, at int) UInt { return bit.Rep(w).And(U(at + 1).Extend(w)) },
		func(low, high UInt, some Bit) UInt { return Mux(some, high, low) }, true)
}

// FirstOne is the index of the lowest one of x; x's width if there is none.
func (x UInt) FirstOne() UInt {
	if x.isSized() {
		return UInt{fold("FirstOne", x.Width(), func(s []sig) sig { return UInt{s[0]}.FirstOne().sig }, x.sig)}
	}
	y, ok := unary("FirstOne", x.sig, ir.CountWidth(x.Width()))
	if !ok {
		return UInt{y}
	}

	w, none := ir.CountWidth(x.Width()), U(x.Width()).Extend(ir.CountWidth(x.Width()))
	return foldHalves(UInt{y}, w, func(bit Bit, at int) UInt { return Mux(bit, U(at).Extend(w), none) },
		func(low, high UInt, some Bit) UInt { return Mux(some, low, high) }, false)
}

// foldHalves is a balanced tree over the bits of x, about log2 of the width deep. of gives
// the value of one bit; join gives that of two halves. some tells join whether the deciding
// half (the upper one with upper, else the lower) has a one.
func foldHalves(x UInt, w int, of func(bit Bit, at int) UInt, join func(low, high UInt, some Bit) UInt, upper bool) UInt {
	var fold func(lo, hi int) UInt
	fold = func(lo, hi int) UInt {
		if lo == hi {
			return of(x.Bit(lo), lo)
		}
		mid := (lo + hi + 1) / 2

		some := x.Range(mid-1, lo)
		if upper {
			some = x.Range(hi, mid)
		}

		return join(fold(lo, mid-1), fold(mid, hi), some.Any())
	}
	return fold(0, x.Width()-1)
}
