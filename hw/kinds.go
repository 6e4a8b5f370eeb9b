package hw

import (
	"math/big"
	mathbits "math/bits"

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

// UpTo is the shape that holds 0..max; max 0 still has one bit.
func UpTo(max int) UInt { return Unsigned(ir.CountWidth(max)) }

// AddressOf is the shape of an address into depth elements.
func AddressOf(depth int) UInt { return UpTo(depth - 1) }

// AsyncReset is the shape of an asynchronous, active-high reset.
func AsyncReset() Reset { return Reset{shapeOf(1, ir.Type{Kind: ir.AsyncReset})} }

// EnumOf is the shape that holds one of values, encoded 0, 1, … in the order
// given. Their names are what fmt.Sprint makes of them.
func EnumOf[E comparable](values ...E) Enum[E] {
	info := enumOf(values)
	width := max(1, mathbits.Len(uint(len(values)-1)))
	s := shapeOf(width, ir.Type{Kind: ir.EnumKind, Enum: info.ir})
	s.x.enum = info
	if len(values) == 0 {
		s.x.width = 0
	}
	return Enum[E]{s}
}

// VecOf is the shape of n elements; n below 1 is an empty vector.
func VecOf[T any](n int, elem T) Vec[T] {
	v := make(Vec[T], max(n, 0))
	for i := range v {
		v[i] = Like(elem)
	}
	return v
}

// B is a literal bit.
func B(v bool) Bit {
	x := &proto{is: literal, width: 1, typ: ir.Type{Kind: ir.Bool}, num: bits.New(1, 0)}
	if v {
		x.num = bits.New(1, 1)
	}
	return Bit{sig{x: x}}
}

// U is a literal that takes its width from the operand or target it meets.
func U[I Integer](v I) UInt { return UInt{intLiteral(v, ir.UInt)} }

// S is a signed literal that takes its width from the operand or target it meets.
func S[I Integer](v I) SInt { return SInt{intLiteral(v, ir.SInt)} }

// UBig is [U] for numbers past 64 bits.
func UBig(v *big.Int) UInt {
	return UInt{sig{x: &proto{is: literal, typ: ir.Type{Kind: ir.UInt}, num: bits.FromBig(v.BitLen()+1, v), neg: v.Sign() < 0}}}
}

// SBig is [S] for numbers past 64 bits.
func SBig(v *big.Int) SInt {
	return SInt{sig{x: &proto{is: literal, typ: ir.Type{Kind: ir.SInt}, num: bits.FromBig(v.BitLen()+1, v), neg: v.Sign() < 0}}}
}

// UVal is a literal of exactly v's width.
func UVal(v bits.Value) UInt {
	return UInt{sig{x: &proto{is: literal, width: v.Width(), typ: ir.Type{Kind: ir.UInt}, num: v}}}
}

func intLiteral[I Integer](v I, k ir.Kind) sig {
	x := &proto{is: literal, typ: ir.Type{Kind: k}}
	if v < 0 {
		x.num, x.neg = bits.FromInt(64, int64(v)), true
	} else {
		x.num = bits.New(65, uint64(v))
	}
	return sig{x: x}
}

// Val is an enumeration literal.
func Val[E comparable](v E) Enum[E] {
	return Enum[E]{sig{x: &proto{is: literal, typ: ir.Type{Kind: ir.EnumKind}, enumVal: v}}}
}

// Lit is a literal of x's width.
func (x UInt) Lit(v int) UInt { return UInt{litLike("Lit", x.sig, U(v).sig)} }

// Lit is a literal of x's width.
func (x SInt) Lit(v int) SInt { return SInt{litLike("Lit", x.sig, S(v).sig)} }

func litLike(op string, x, lit sig) sig {
	w := x.Width()
	if w == 0 {
		return mistake(x.b, 0, "unset", nil, "%s: the receiver has no width", op)
	}
	v, err := fit(lit.x, w, nil)
	if err != nil {
		return mistake(x.b, w, "literal", nil, "%s: %v", op, err)
	}
	return sig{x: &proto{is: literal, width: w, typ: lit.x.typ, num: v}}
}
