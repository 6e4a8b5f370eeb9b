package arith

import (
	"fmt"

	"etch/hw"
)

// MaxWidth bounds every width of the package, in bits.
const MaxWidth = 1024

// Division is the form of a division: the widths of its numbers. The circuits and the models are made of
// it:
//
//	Numerator · 2^Fraction = Quotient · Divisor + Remainder
//
// with the quotient towards zero, so that the remainder has the numerator's sign
// and is nearer to zero than the divisor.
//
// A quotient that does not fit, as that of 0, has Overflow set and is the greatest
// or, where numerator and divisor differ in sign, the least that there is; its
// remainder is 0. The least quotient is minus the greatest. T is hw.UInt or
// hw.SInt, the kind of all four.
type Division[T Integer] struct {
	Numerator int `help:"bits of the numerator, the sign included" range:"1..1024"`
	Divisor   int `help:"bits of the divisor and the remainder, the sign included" range:"1..1024"`
	Fraction  int `help:"fraction bits of the quotient of two integers" range:"0..1024"`
	Quotient  int `help:"bits of the quotient, the sign included; 0 for as many as any needs" range:"0..2049"`
}

// Reciprocal is 2^fraction divided by a number: the numerator is to be 1.
func Reciprocal[T Integer](divisor, fraction int) Division[T] {
	d := Division[T]{Numerator: 1, Divisor: divisor, Fraction: fraction}
	if signed[T]() {
		d.Numerator++
	}
	return d
}

// Iterative is the circuit that makes bitsPerCycle bits of the quotient in each cycle.
func (d Division[T]) Iterative(bitsPerCycle int) Divider[T] {
	return Divider[T]{Division: d, BitsPerCycle: bitsPerCycle}
}

// Pipelined is the circuit with registers after every bitsPerStage bits of the quotient.
func (d Division[T]) Pipelined(bitsPerStage int) PipelinedDivider[T] {
	return PipelinedDivider[T]{Division: d, BitsPerStage: bitsPerStage}
}

func (d Division[T]) Validate() error {
	// A number with sign needs two bits at least.
	least := 1
	if signed[T]() {
		least = 2
	}
	switch {
	case d.Numerator < least || d.Numerator > MaxWidth:
		return fmt.Errorf("Numerator = %d, want %d to %d bits", d.Numerator, least, MaxWidth)
	case d.Divisor < least || d.Divisor > MaxWidth:
		return fmt.Errorf("Divisor = %d, want %d to %d bits", d.Divisor, least, MaxWidth)
	case d.Fraction < 0 || d.Fraction > MaxWidth:
		return fmt.Errorf("Fraction = %d, want 0 to %d bits", d.Fraction, MaxWidth)
	case d.Quotient != 0 && (d.Quotient < least || d.Quotient > d.widest()):
		return fmt.Errorf("Quotient = %d, want %d to %d bits, or 0 for all of them", d.Quotient, least, d.widest())
	}
	return nil
}

// shifted is the width of the numerator's magnitude with its fraction.
func (d Division[T]) shifted() int { return d.Numerator + d.Fraction }

// widest is the width that holds every quotient: the least number by -1 needs a
// bit more than the numerator has.
func (d Division[T]) widest() int {
	if signed[T]() {
		return d.shifted() + 1
	}
	return d.shifted()
}

// QuotientWidth is the width of the quotient, the sign included.
func (d Division[T]) QuotientWidth() int {
	if d.Quotient == 0 {
		return d.widest()
	}
	return d.Quotient
}

// digits is the width of the quotient's magnitude.
func (d Division[T]) digits() int {
	if signed[T]() {
		return d.QuotientWidth() - 1
	}
	return d.QuotientWidth()
}

// Operands are the inputs of a division.
type Operands[T Integer] struct{ Numerator, Divisor T }

// OperandsOf is the shape of the operands.
func (d Division[T]) OperandsOf() Operands[T] {
	return Operands[T]{Numerator: shape[T](d.Numerator), Divisor: shape[T](d.Divisor)}
}

// Result is the output of a division.
type Result[T Integer] struct {
	Quotient  T
	Remainder T
	Negative  hw.Bit // one of the operands is below 0 and the other is not
	Overflow  hw.Bit // the quotient does not fit
	ByZero    hw.Bit // the divisor is 0; so is Overflow
}

// ResultOf is the shape of the result.
func (d Division[T]) ResultOf() Result[T] {
	return Result[T]{Quotient: shape[T](d.QuotientWidth()), Remainder: shape[T](d.Divisor)}
}

// Inexact is high where something is left: the sticky bit of floating point.
func (r Result[T]) Inexact() hw.Bit { return bitsOf(r.Remainder).Any() }
