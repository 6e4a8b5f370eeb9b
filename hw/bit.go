package hw

import "etch/ir"

// Set drives b, which must be an output, wire, register or instance input.
func (b Bit) Set(v Bit) { assign("Set", b.sig, v.sig) }

// Named gives the value its name in netlists and waves and returns it.
func (b Bit) Named(name string) Bit { return Bit{named(b.sig, ir.Bool, name)} }

// And is high when b and all of ys are.
func (b Bit) And(ys ...Bit) Bit {
	if high, n := countHigh(b, ys); n > 0 {
		return B(high == n)
	}
	return Bit{manyBits("And", ir.And, b, ys)}
}

// Or is high when b or any of ys is.
func (b Bit) Or(ys ...Bit) Bit {
	if high, n := countHigh(b, ys); n > 0 {
		return B(high > 0)
	}
	return Bit{manyBits("Or", ir.Or, b, ys)}
}

// Xor is high when an odd number of b and ys are.
func (b Bit) Xor(ys ...Bit) Bit {
	if high, n := countHigh(b, ys); n > 0 {
		return B(high%2 == 1)
	}
	return Bit{manyBits("Xor", ir.Xor, b, ys)}
}

// countHigh counts the high literals of b and ys; n is their number. If any is a signal, n
// is 0. Thus a generator may pass a literal for a condition that it leaves out.
func countHigh(b Bit, ys []Bit) (high, n int) {
	one := func(s sig) bool { return s.is(literal) && s.x.lit.num.Bit(0) == 1 }
	if !b.is(literal) {
		// A single signal makes the count unknown while the design is built.
		return 0, 0
	}

	if one(b.sig) {
		high++
	}
	for _, y := range ys {
		if !y.is(literal) {
			return 0, 0
		}
		if one(y.sig) {
			high++
		}
	}
	return high, 1 + len(ys)
}

// Not is high when b is low.
func (b Bit) Not() Bit {
	if high, n := countHigh(b, nil); n == 1 {
		return B(high == 0)
	}
	return Bit{op1("Not", ir.Not, ir.Bool, b.sig, 1)}
}

// AndNot is high when b is high and y is low.
func (b Bit) AndNot(y Bit) Bit {
	if y.is(literal) {
		return b.And(y.Not())
	}
	return Bit{same2("AndNot", ir.And, ir.Bool, b.sig, op1("AndNot", ir.Not, ir.Bool, y.sig, 1))}
}

// Eq is high when both are the same.
func (b Bit) Eq(y Bit) Bit { return Bit{compare2("Eq", ir.Eq, ir.Bool, b.sig, y.sig)} }

// Ne is high when they differ.
func (b Bit) Ne(y Bit) Bit { return Bit{same2("Ne", ir.Xor, ir.Bool, b.sig, y.sig)} }

// UInt is b as a number of one bit.
func (b Bit) UInt() UInt { return UInt{b.sig} }

// Rep is n copies of b side by side, at least 1.
func (b Bit) Rep(n int) UInt { return UInt{rep(b.sig, n)} }

// AsReset uses b as a synchronous reset.
func (b Bit) AsReset() Reset { return Reset{op1("AsReset", ir.Wire, ir.Reset, b.sig, 1)} }

// AsAsyncReset uses b as an asynchronous reset; it must be free of glitches.
func (b Bit) AsAsyncReset() Reset {
	return Reset{op1("AsAsyncReset", ir.Wire, ir.AsyncReset, b.sig, 1)}
}

// Bit is the reset as an ordinary signal, high in reset.
func (r Reset) Bit() Bit { return Bit{op1("Bit", ir.Wire, ir.Bool, r.sig, 1)} }

// Set drives r.
func (r Reset) Set(v Reset) { assign("Set", r.sig, v.sig) }

// Set drives c with another clock.
func (c Clock) Set(v Clock) { assign("Set", c.sig, v.sig) }

func manyBits(name string, op ir.Op, b Bit, ys []Bit) sig {
	if len(ys) == 1 {
		return same2(name, op, ir.Bool, b.sig, ys[0].sig)
	}
	xs := make([]sig, 1, 1+len(ys))
	xs[0] = b.sig
	for _, y := range ys {
		xs = append(xs, y.sig)
	}
	return many(name, op, ir.Bool, xs)
}

// AllOf is high when every bit is; without any it is high.
func AllOf(xs ...Bit) Bit {
	if len(xs) == 0 {
		return B(true)
	}
	return xs[0].And(xs[1:]...)
}

// AnyOf is high when some bit is; without any it is low.
func AnyOf(xs ...Bit) Bit {
	if len(xs) == 0 {
		return B(false)
	}
	return xs[0].Or(xs[1:]...)
}
