package hw

import "etch/ir"

// Set drives x, which must be an output, wire, register or instance input.
func (x UInt) Set(v UInt) { assign("Set", x.sig, v.sig) }

// Named gives the value its name in netlists and waves and returns it.
func (x UInt) Named(name string) UInt { return UInt{named(x.sig, ir.UInt, name)} }

// Add is x + y modulo 2^width.
func (x UInt) Add(y UInt) UInt { return UInt{same2("Add", ir.Add, ir.UInt, x.sig, y.sig)} }

// Sub is x - y modulo 2^width.
func (x UInt) Sub(y UInt) UInt { return UInt{same2("Sub", ir.Sub, ir.UInt, x.sig, y.sig)} }

// AddGrow is x + y with one bit more, which makes it exact.
func (x UInt) AddGrow(y UInt) UInt {
	return UInt{grow("AddGrow", ir.Add, ir.ZExt, ir.UInt, x.sig, y.sig)}
}

// SubGrow is x - y as a signed number with one bit more, which makes it exact.
func (x UInt) SubGrow(y UInt) SInt {
	return SInt{grow("SubGrow", ir.Sub, ir.ZExt, ir.SInt, x.sig, y.sig)}
}

// Mul is x · y in full; its width is the sum of theirs.
func (x UInt) Mul(y UInt) UInt { return UInt{product("Mul", ir.Mul, ir.UInt, x.sig, y.sig)} }

// Div is x / y; all ones where y is 0.
func (x UInt) Div(y UInt) UInt { return UInt{same2("Div", ir.Div, ir.UInt, x.sig, y.sig)} }

// Rem is the remainder of x / y; x where y is 0.
func (x UInt) Rem(y UInt) UInt { return UInt{same2("Rem", ir.Rem, ir.UInt, x.sig, y.sig)} }

// Inc is x + 1 modulo 2^width.
func (x UInt) Inc() UInt { return UInt{same2("Inc", ir.Add, ir.UInt, x.sig, with(x.sig, ir.UInt, 1))} }

// Dec is x - 1 modulo 2^width.
func (x UInt) Dec() UInt { return UInt{same2("Dec", ir.Sub, ir.UInt, x.sig, with(x.sig, ir.UInt, 1))} }

// And is the bitwise and.
func (x UInt) And(y UInt) UInt { return UInt{same2("And", ir.And, ir.UInt, x.sig, y.sig)} }

// Or is the bitwise or.
func (x UInt) Or(y UInt) UInt { return UInt{same2("Or", ir.Or, ir.UInt, x.sig, y.sig)} }

// Xor is the bitwise exclusive or.
func (x UInt) Xor(y UInt) UInt { return UInt{same2("Xor", ir.Xor, ir.UInt, x.sig, y.sig)} }

// Not inverts every bit.
func (x UInt) Not() UInt { return UInt{keep("Not", ir.Not, ir.UInt, x.sig)} }

// Eq reports x == y.
func (x UInt) Eq(y UInt) Bit { return Bit{compare2("Eq", ir.Eq, ir.UInt, x.sig, y.sig)} }

// Ne reports x != y.
func (x UInt) Ne(y UInt) Bit { return Bit{compare2("Ne", ir.Eq, ir.UInt, x.sig, y.sig)}.Not() }

// Lt reports x < y.
func (x UInt) Lt(y UInt) Bit { return Bit{compare2("Lt", ir.Lt, ir.UInt, x.sig, y.sig)} }

// Le reports x <= y.
func (x UInt) Le(y UInt) Bit { return Bit{compare2("Le", ir.Lt, ir.UInt, y.sig, x.sig)}.Not() }

// Gt reports x > y.
func (x UInt) Gt(y UInt) Bit { return Bit{compare2("Gt", ir.Lt, ir.UInt, y.sig, x.sig)} }

// Ge reports x >= y.
func (x UInt) Ge(y UInt) Bit { return Bit{compare2("Ge", ir.Lt, ir.UInt, x.sig, y.sig)}.Not() }

// Shl shifts left by a constant, keeping the width.
func (x UInt) Shl(by int) UInt { return UInt{shift("Shl", ir.Shl, ir.UInt, x.sig, by)} }

// Shr shifts right by a constant, keeping the width.
func (x UInt) Shr(by int) UInt { return UInt{shift("Shr", ir.Shr, ir.UInt, x.sig, by)} }

// ShlBy shifts left by a signal, keeping the width; past the width it is 0.
func (x UInt) ShlBy(by UInt) UInt { return UInt{shiftBy("ShlBy", ir.Shl, ir.UInt, x.sig, by.sig)} }

// ShrBy shifts right by a signal, keeping the width; past the width it is 0.
func (x UInt) ShrBy(by UInt) UInt { return UInt{shiftBy("ShrBy", ir.Shr, ir.UInt, x.sig, by.sig)} }

// RotL rotates left by a constant, modulo the width; right by a negative one.
func (x UInt) RotL(by int) UInt {
	if x.isSized() {
		return UInt{fold("RotL", x.Width(), func(s []sig) sig { return UInt{s[0]}.RotL(by).sig }, x.sig)}
	}
	y, ok := unary("RotL", x.sig, x.Width())
	if !ok {
		return UInt{y}
	}

	// The amount counts modulo the width, also if it is negative.
	w := y.Width()
	if by = ((by % w) + w) % w; by == 0 {
		return x
	}
	return UInt{cat("RotL", []sig{slice("RotL", ir.UInt, y, 0, w-by), slice("RotL", ir.UInt, y, w-by, by)})}
}

// Bit is bit i, 0 being the least significant.
func (x UInt) Bit(i int) Bit { return Bit{slice("Bit", ir.Bool, x.sig, i, 1)} }

// BitAt is the bit that index selects; past the width it is low. If x can be Set, so can
// the bit; an index past the width then sets nothing.
func (x UInt) BitAt(index UInt) Bit {
	bit := slice("BitAt", ir.Bool, shiftBy("BitAt", ir.Shr, ir.UInt, x.sig, index.sig), 0, 1)
	if bit.isPlain() && index.isPlain() && x.b.isTarget(x.sig) {
		bit.x = &proto{is: dynamic, width: 1, typ: ir.Type{Kind: ir.Bool}, dyn: &selection{index: index.sig, number: x.sig}}
		bit.lv = 0
	}
	return Bit{bit}
}

// Range is bits hi..lo, both included.
func (x UInt) Range(hi, lo int) UInt { return UInt{slice("Range", ir.UInt, x.sig, lo, hi-lo+1)} }

// Trunc keeps the low width bits.
func (x UInt) Trunc(width int) UInt { return UInt{slice("Trunc", ir.UInt, x.sig, 0, width)} }

// Extend adds zeros at the top.
func (x UInt) Extend(width int) UInt { return UInt{extend("Extend", ir.ZExt, ir.UInt, x.sig, width)} }

// SignExtend repeats the top bit at the top, as Extend of [SInt] does.
func (x UInt) SignExtend(width int) UInt {
	return UInt{extend("SignExtend", ir.SExt, ir.UInt, x.sig, width)}
}

// PadLow adds n zeros at the bottom, n ≥ 0: x · 2^n in full.
func (x UInt) PadLow(n int) UInt { return UInt{padLow(ir.UInt, x.sig, n)} }

// Rep is n copies of x side by side, at least 1.
func (x UInt) Rep(n int) UInt { return UInt{rep(x.sig, n)} }

// Reverse is the bits in the opposite order, the least significant at the top.
func (x UInt) Reverse() UInt {
	return UInt{catOf("Reverse", x.BitVec())} // of which the lowest is the first
}

// BitVec is the bits as a vector, least significant first.
func (x UInt) BitVec() Vec[Bit] {
	y, ok := x.sig, x.isSized()
	if !ok {
		y, ok = unary("BitVec", x.sig, x.Width())
	}
	v := make(Vec[Bit], y.Width())
	for i := range v {
		if v[i] = (Bit{y}); ok {
			v[i] = Bit{slice("BitVec", ir.Bool, y, i, 1)}
		}
	}
	return v
}

// Any is high when x is not zero.
func (x UInt) Any() Bit { return Bit{op1("Any", ir.RedOr, ir.Bool, x.sig, 1)} }

// All is high when every bit of x is.
func (x UInt) All() Bit { return Bit{op1("All", ir.RedAnd, ir.Bool, x.sig, 1)} }

// Parity is high when an odd number of bits of x are.
func (x UInt) Parity() Bit { return Bit{op1("Parity", ir.RedXor, ir.Bool, x.sig, 1)} }

// PopCount is the number of ones in x, just wide enough.
func (x UInt) PopCount() UInt {
	return UInt{op1("PopCount", ir.PopCount, ir.UInt, x.sig, ir.CountWidth(x.Width()))}
}

// AsSigned reads the same bits as two's complement.
func (x UInt) AsSigned() SInt { return SInt{x.sig} }
