package hw

import "etch/ir"

// Set drives x, which must be an output, wire, register or instance input.
func (x SInt) Set(v SInt) { assign("Set", x.sig, v.sig) }

// Named gives the value its name in netlists and waves and returns it.
func (x SInt) Named(name string) SInt { return SInt{named(x.sig, ir.SInt, name)} }

// Add is x + y modulo 2^width.
func (x SInt) Add(y SInt) SInt { return SInt{same2("Add", ir.Add, ir.SInt, x.sig, y.sig)} }

// Sub is x - y modulo 2^width.
func (x SInt) Sub(y SInt) SInt { return SInt{same2("Sub", ir.Sub, ir.SInt, x.sig, y.sig)} }

// AddGrow is x + y with one bit more, which makes it exact.
func (x SInt) AddGrow(y SInt) SInt {
	return SInt{grow("AddGrow", ir.Add, ir.SExt, ir.SInt, x.sig, y.sig)}
}

// SubGrow is x - y with one bit more, which makes it exact.
func (x SInt) SubGrow(y SInt) SInt {
	return SInt{grow("SubGrow", ir.Sub, ir.SExt, ir.SInt, x.sig, y.sig)}
}

// Mul is x · y in full; its width is the sum of theirs.
func (x SInt) Mul(y SInt) SInt { return SInt{product("Mul", ir.MulS, ir.SInt, x.sig, y.sig)} }

// Div is x / y towards zero; -1 where y is 0, x where x is the least number and
// y is -1.
func (x SInt) Div(y SInt) SInt { return SInt{same2("Div", ir.DivS, ir.SInt, x.sig, y.sig)} }

// Rem is the remainder of Div, with the sign of x; x where y is 0.
func (x SInt) Rem(y SInt) SInt { return SInt{same2("Rem", ir.RemS, ir.SInt, x.sig, y.sig)} }

// Minus is -x modulo 2^width.
func (x SInt) Minus() SInt {
	return SInt{same2("Minus", ir.Sub, ir.SInt, with(x.sig, ir.SInt, 0), x.sig)}
}

// Abs is the magnitude of x, unsigned in the same width: that of the least number uses the
// top bit.
func (x SInt) Abs() UInt {
	if x.isSized() {
		return UInt{fold("Abs", x.Width(), func(s []sig) sig { return SInt{s[0]}.Abs().sig }, x.sig)}
	}
	y, ok := unary("Abs", x.sig, x.Width())
	if !ok {
		return UInt{y}
	}

	x = SInt{y}
	return Mux(x.IsNeg(), x.Minus(), x).AsUnsigned()
}

// Not inverts every bit.
func (x SInt) Not() SInt { return SInt{keep("Not", ir.Not, ir.SInt, x.sig)} }

// And is the bitwise and.
func (x SInt) And(y SInt) SInt { return SInt{same2("And", ir.And, ir.SInt, x.sig, y.sig)} }

// Or is the bitwise or.
func (x SInt) Or(y SInt) SInt { return SInt{same2("Or", ir.Or, ir.SInt, x.sig, y.sig)} }

// Xor is the bitwise exclusive or.
func (x SInt) Xor(y SInt) SInt { return SInt{same2("Xor", ir.Xor, ir.SInt, x.sig, y.sig)} }

// Eq reports x == y.
func (x SInt) Eq(y SInt) Bit { return Bit{compare2("Eq", ir.Eq, ir.SInt, x.sig, y.sig)} }

// Ne reports x != y.
func (x SInt) Ne(y SInt) Bit { return Bit{compare2("Ne", ir.Eq, ir.SInt, x.sig, y.sig)}.Not() }

// Lt reports x < y.
func (x SInt) Lt(y SInt) Bit { return Bit{compare2("Lt", ir.LtS, ir.SInt, x.sig, y.sig)} }

// Le reports x <= y.
func (x SInt) Le(y SInt) Bit { return Bit{compare2("Le", ir.LtS, ir.SInt, y.sig, x.sig)}.Not() }

// Gt reports x > y.
func (x SInt) Gt(y SInt) Bit { return Bit{compare2("Gt", ir.LtS, ir.SInt, y.sig, x.sig)} }

// Ge reports x >= y.
func (x SInt) Ge(y SInt) Bit { return Bit{compare2("Ge", ir.LtS, ir.SInt, x.sig, y.sig)}.Not() }

// IsNeg reports x < 0.
func (x SInt) IsNeg() Bit { return Bit{slice("IsNeg", ir.Bool, x.sig, x.Width()-1, 1)} }

// Shl shifts left by a constant, keeping the width.
func (x SInt) Shl(by int) SInt { return SInt{shift("Shl", ir.Shl, ir.SInt, x.sig, by)} }

// Shr shifts right by a constant, keeping sign and width.
func (x SInt) Shr(by int) SInt { return SInt{shift("Shr", ir.ShrS, ir.SInt, x.sig, by)} }

// ShlBy shifts left by a signal, keeping the width; past the width it is 0.
func (x SInt) ShlBy(by UInt) SInt { return SInt{shiftBy("ShlBy", ir.Shl, ir.SInt, x.sig, by.sig)} }

// ShrBy shifts right by a signal, keeping sign and width.
func (x SInt) ShrBy(by UInt) SInt { return SInt{shiftBy("ShrBy", ir.ShrS, ir.SInt, x.sig, by.sig)} }

// Bit is bit i, 0 being the least significant.
func (x SInt) Bit(i int) Bit { return UInt(x).Bit(i) }

// BitAt is the bit that index chooses; past the width it is low.
func (x SInt) BitAt(index UInt) Bit { return UInt(x).BitAt(index) }

// Range is bits hi..lo, both included, without a sign.
func (x SInt) Range(hi, lo int) UInt { return UInt(x).Range(hi, lo) }

// Any is high when x is not zero.
func (x SInt) Any() Bit { return UInt(x).Any() }

// All is high when every bit of x is: x == -1.
func (x SInt) All() Bit { return UInt(x).All() }

// PadLow adds n zeros at the bottom, n ≥ 0: x · 2^n in full.
func (x SInt) PadLow(n int) SInt { return SInt{padLow(ir.SInt, x.sig, n)} }

// Trunc keeps the low width bits.
func (x SInt) Trunc(width int) SInt { return SInt{slice("Trunc", ir.SInt, x.sig, 0, width)} }

// Extend repeats the sign at the top.
func (x SInt) Extend(width int) SInt { return SInt{extend("Extend", ir.SExt, ir.SInt, x.sig, width)} }

// AsUnsigned reads the same bits as an unsigned number.
func (x SInt) AsUnsigned() UInt { return UInt{x.sig} }
