package hw

import (
	"math/big"
	mathbits "math/bits"
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// Bit is a single wire. The zero Bit is the shape of a bit.
type Bit struct{ sig }

// UInt is an unsigned number of fixed width; see [Unsigned] and [U].
type UInt struct{ sig }

// SInt is a two's-complement number of fixed width; see [Signed] and [S].
type SInt struct{ sig }

// Clock is a clock, used at its rising edge. The zero Clock is its shape.
type Clock struct{ sig }

// Reset is an active-high reset. The zero Reset is the shape of a synchronous
// one, [AsyncReset] that of an asynchronous one.
type Reset struct{ sig }

// Enum holds one of the Go values of type E; see [EnumOf] and [Val].
type Enum[E comparable] struct{ sig }

// Vec is a vector. Index it with Go integers as a slice, or with At by hardware.
type Vec[T any] []T

// Integer is any Go integer type.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Unsigned is the shape of an unsigned number of width bits.
func Unsigned(width int) UInt { return UInt{shapeOf(width, ir.Type{Kind: ir.UInt})} }

// Signed is the shape of a two's-complement number of width bits.
func Signed(width int) SInt { return SInt{shapeOf(width, ir.Type{Kind: ir.SInt})} }

// FixedPoint is the shape of a two's-complement number of width bits of which
// frac are fraction bits: printers and waves show it so. Package hw/fixed has
// the arithmetic.
func FixedPoint(width, frac int) SInt {
	return SInt{shapeOf(width, ir.Type{Kind: ir.Fixed, Frac: frac})}
}

// FloatingPoint is the shape of a floating-point number: a sign, exp exponent and frac
// fraction bits, from the top. Printers and waves show it so; top says what its
// greatest exponent means. Package hw/float has the kind and its arithmetic.
func FloatingPoint(exp, frac int, top ir.TopCodes) UInt {
	return UInt{shapeOf(1+exp+frac, ir.Type{Kind: ir.Float, Exp: exp, Frac: frac, Top: top})}
}

// UpTo is the shape that holds 0..max; max 0 still has one bit.
func UpTo(max int) UInt {
	if max < 0 {
		return UInt{mistake(nil, 1, "range", nil, "UpTo: %d is negative", max)}
	}
	return UInt{shapeOf(ir.CountWidth(max), ir.Type{Kind: ir.UInt})}
}

// AddressOf is the shape of an address into depth elements; depth 1 still has
// one bit.
func AddressOf(depth int) UInt {
	if depth < 1 {
		return UInt{mistake(nil, 1, "range", nil, "AddressOf: %s", plural(depth, "element"))}
	}
	return UInt{shapeOf(ir.CountWidth(depth-1), ir.Type{Kind: ir.UInt})}
}

// AsyncReset is the shape of an asynchronous, active-high reset.
func AsyncReset() Reset { return Reset{shapeOf(1, ir.Type{Kind: ir.AsyncReset})} }

// EnumOf is the shape that holds one of values, encoded 0, 1, … in the order
// given. Their names are what fmt.Sprint makes of them; two values must not have
// the same one.
func EnumOf[E comparable](values ...E) Enum[E] {
	info, err := enumOf(values)
	if err != nil {
		return Enum[E]{mistake(nil, 1, "enum", nil, "EnumOf: %v", err)}
	}

	width := max(1, mathbits.Len(uint(len(values)-1)))
	s := shapeOf(width, ir.Type{Kind: ir.EnumKind, Enum: info.ir})
	s.x.enum = info
	return Enum[E]{s}
}

// VecOf is the shape of n elements of the shape elem, at most 2^20; n below 1 is an
// empty vector. A signal or literal as the element is a mistake: see [Like], [Fill].
func VecOf[T any](n int, elem T) Vec[T] {
	if n > maxVec {
		return Vec[T]{poisoned(mistake(nil, 1, "range", nil, "VecOf: %d elements; want at most %d", n, maxVec), elem)}
	}

	v, like := make(Vec[T], max(n, 0)), Like(onlyShape("VecOf", elem))
	for i := range v {
		v[i] = like
		planOf[T]().own(ptr(&v[i]))
	}
	return v
}

// Fill is a vector that holds x n times, a signal or a literal: a reset value of a
// vector register, for one.
//
//	taps := hw.Reg(m, "taps", hw.VecOf(8, hw.Signed(16)), hw.Fill(8, hw.S(0)))
func Fill[T any](n int, x T) Vec[T] {
	if n > maxVec {
		return Vec[T]{poisoned(mistake(nil, 1, "range", nil, "Fill: %d elements; want at most %d", n, maxVec), x)}
	}
	return slices.Repeat(Vec[T]{x}, max(n, 0))
}

// onlyShape is x; a signal or literal in it is reported and x poisoned, before it fails where
// the vector is used.
func onlyShape[T any](what string, x T) T {
	for _, s := range scalars(&x) {
		if s.isLive() {
			return poisoned(mistake(s.b, 1, "shape", origin(s),
				"%s: %s is a value, not a shape; hw.Like(x) is its shape, hw.Fill(n, x) holds it n times", what, describe(s)), x)
		}
		if s.is(literal) {
			return poisoned(mistake(nil, 1, "shape", nil, "%s: %s is a value, not a shape; hw.Fill(n, x) holds it n times", what, describe(s)), x)
		}
	}
	return x
}

// maxVec bounds the elements of a vector.
const maxVec = 1 << 20

// B is a literal bit.
func B(v bool) Bit {
	num := bits.New(1, 0)
	if v {
		num = bits.New(1, 1)
	}
	return Bit{literalOf(1, ir.Bool, litValue{num: num})}
}

// High and Low are the literal bits. They are not to be assigned to.
var (
	High = B(true)
	Low  = B(false)
)

// Zeros is a literal of width bits, all low.
func Zeros(width int) UInt { return allSame("Zeros", width, bits.Zero) }

// Ones is a literal of width bits, all high.
func Ones(width int) UInt { return allSame("Ones", width, bits.Ones) }

func allSame(what string, width int, value func(width int) bits.Value) UInt {
	if width < 1 || width > maxWidth {
		return UInt{mistake(nil, 1, "range", nil, "%s: %s; want 1 to %d", what, plural(width, "bit"), maxWidth)}
	}
	return UInt{literalOf(width, ir.UInt, litValue{num: value(width)})}
}

// U is a literal that takes its width from the operand or target it meets.
func U[I Integer](v I) UInt { return UInt{literalOf(0, ir.UInt, intValue(v))} }

// S is a signed literal that takes its width from the operand or target it meets.
func S[I Integer](v I) SInt { return SInt{literalOf(0, ir.SInt, intValue(v))} }

// UBig is [U] for numbers past 64 bits.
func UBig(v *big.Int) UInt { return UInt{bigLiteral("UBig", ir.UInt, v)} }

// SBig is [S] for numbers past 64 bits.
func SBig(v *big.Int) SInt { return SInt{bigLiteral("SBig", ir.SInt, v)} }

// UVal is a literal of exactly v's width.
func UVal(v bits.Value) UInt { return UInt{valueLiteral("UVal", ir.UInt, v)} }

// SVal is a literal of exactly v's width.
func SVal(v bits.Value) SInt { return SInt{valueLiteral("SVal", ir.SInt, v)} }

// Val is an enumeration literal.
func Val[E comparable](v E) Enum[E] {
	return Enum[E]{literalOf(0, ir.EnumKind, litValue{enum: v})}
}

// Lit is a literal of x's width.
func (x UInt) Lit(v int) UInt { return UInt{litLike("Lit", x.sig, U(v).sig)} }

// Lit is a literal of x's width.
func (x SInt) Lit(v int) SInt { return SInt{litLike("Lit", x.sig, S(v).sig)} }
