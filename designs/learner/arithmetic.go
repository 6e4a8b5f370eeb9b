package learner

import (
	"math/bits"

	"etch/designs/learner/model"
	"etch/hw"
	"etch/hw/fixed"
)

// Kind is a kind of stored value.
type Kind int

// The kinds.
const (
	Weight     Kind = iota // weights and biases
	Activation             // observations, activations, values, rewards
	Gradient               // of −loss (an actor: of Q) with respect to a layer's outputs
	Target                 // weights of soft targets, with more fraction bits
)

// Arithmetic is the number system of the units. A stored value is a code; between codes
// everything is exact: products and sums are fixed-point numbers wide enough for the
// worst case, for floating-point codes too (Kulisch's accumulator). A value is rounded
// once, when it becomes a code again. So results do not depend on the order of sums.
//
// All methods make combinational logic; the units put a register behind each. That of
// Round may be an instance of that name in a module.
type Arithmetic interface {
	// Code is the shape of a code.
	Code(k Kind) hw.UInt
	// Exact is the number that a code stands for.
	Exact(k Kind, x hw.UInt) fixed.Num
	// Multiply is the product of two codes.
	Multiply(j Kind, x hw.UInt, k Kind, y hw.UInt) fixed.Num
	// Sum is the format that holds any sum of terms products of a code of kind j and a code of kind
	// k; a code of either kind alone counts as a product.
	Sum(j, k Kind, terms int) fixed.Format
	// Round is the code nearest to a number. Past the range it is the end of the range, and over is
	// high.
	Round(m *hw.Module, name string, k Kind, x fixed.Num) (code hw.UInt, over hw.Bit)
	// Less compares two codes of a kind, Positive one with 0.
	Less(k Kind, x, y hw.UInt) hw.Bit
	Positive(k Kind, x hw.UInt) hw.Bit
}

// fixedPoint is the arithmetic of two's-complement codes: that of the model.
type fixedPoint struct{ model.Formats }

func (f fixedPoint) format(k Kind) fixed.Format { return f.number(k).Format }

// number is the format of a kind as the model has it.
func (f fixedPoint) number(k Kind) model.Number {
	switch k {
	case Activation:
		return f.Activations()
	case Gradient:
		return f.Gradients()
	case Target:
		return f.Targets()
	}
	return f.Weights()
}

func (f fixedPoint) Code(k Kind) hw.UInt { return hw.Unsigned(f.format(k).Width) }

func (f fixedPoint) Exact(k Kind, x hw.UInt) fixed.Num { return fixed.FromBits(x, f.format(k).Frac) }

func (f fixedPoint) Multiply(j Kind, x hw.UInt, k Kind, y hw.UInt) fixed.Num {
	return f.Exact(j, x).Mul(f.Exact(k, y))
}

// Sum is wider than a product by one bit, for the product of two least codes, and by the
// bits of the number of terms.
func (f fixedPoint) Sum(j, k Kind, terms int) fixed.Format {
	a, b := f.format(j), f.format(k)
	return fixed.Format{Width: a.Width + b.Width + bits.Len(uint(terms-1)), Frac: a.Frac + b.Frac}
}

func (f fixedPoint) Round(_ *hw.Module, _ string, k Kind, x fixed.Num) (code hw.UInt, over hw.Bit) {
	y, over := x.FitOver(fixed.Of(f.format(k)), fixed.HalfUp, fixed.Saturate)
	return y.Raw.AsUnsigned(), over
}

func (f fixedPoint) Less(_ Kind, x, y hw.UInt) hw.Bit { return x.AsSigned().Lt(y.AsSigned()) }

func (f fixedPoint) Positive(_ Kind, x hw.UInt) hw.Bit {
	return x.Any().AndNot(x.AsSigned().IsNeg())
}

// unit reads a discount, importance weight or rate, U1.16.
func unit(x hw.UInt) fixed.Num { return fixed.FromBits(x.Extend(unitBits+1), model.Unit) }

// unitBits is the width of such a number.
const unitBits = model.Unit + 1

// into brings an exact number into a format that holds it.
func into(f fixed.Format, x fixed.Num) fixed.Num {
	return x.Fit(fixed.Of(f), fixed.Floor, fixed.Wrap)
}

// total is an exact sum.
func total(xs []fixed.Num) fixed.Num { return hw.Reduce(xs, fixed.Num.Add) }
