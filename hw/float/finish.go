package float

import "etch/hw"

// Exact is the exact result of an operation in hardware before it is rounded, normalised as far as
// the format's exponents go. If neither Zero nor Special is high, its value is
// ±Sig · 2^(Base + 1 - Bias - Frac - tail), and more, by less than one unit of Sig, if Rest is high.
type Exact struct {
	Neg        hw.Bit  // the sign, of zero, infinity and NaN too
	Base       hw.UInt // the exponent field less one, 0 if the hidden bit is low; Exp + 1 bits, or Exp where no more are needed
	Sig        hw.UInt // Frac + 1 bits over those below the last place, which Tail counts
	Rest       hw.Bit  // something is left below
	Carry      hw.Bit  // the lowest bit of Sig is to be counted once more; then Rest is low
	Zero       hw.Bit  // zero, where Base is not 0 then: Sig and Rest are 0, and Base is not past the greatest number's
	Special    hw.Bit  // an infinity, or a NaN if NaN is high too
	NaN        hw.Bit
	Invalid    hw.Bit
	DivideZero hw.Bit // an infinity from numbers
}

// Tail is the number of bits below the last place that rounding looks at one by one:
// one to round and, as a number may be tiny, one more.
func (r Rounding) Tail() int { return max(1, r.Random()) + 1 }

// ModeWidth is the number of bits that a circuit's rounding takes from a port: the
// mode where it is dynamic, the random bits where it is stochastic, else none.
func (r Rounding) ModeWidth() int {
	if r == Dynamic {
		return 3
	}
	return r.Random()
}

// Rounder is the last step of every operation in hardware.
type Rounder struct {
	Format   Format
	Rounding Rounding
	Flags    bool
	Mode     hw.UInt // of ModeWidth bits, unset for 0

	// ExactBelow says that a result below the least normal number is never rounded, as
	// that of a sum is not: then nothing underflows.
	ExactBelow bool
}

// Finish rounds: the number and its flags, of 5 bits, NV DZ OF UF NX from the top; all
// of them low where Flags is false.
//
// Exponent, fraction and the increment of rounding are one addition: the hidden bit is
// added to the exponent field, and a carry out of the fraction goes there too.
func (c Rounder) Finish(x Exact) (Num, hw.UInt) {
	f, tail := c.Format, c.Rounding.Tail()

	// A negative difference is complemented bit by bit and still owes the one of two's complement,
	// as a row of ones without end below its bits. Where the one goes past the last place, the tail was
	// all ones, and nothing is left to round.
	m := f.Frac
	low := x.Sig.Trunc(tail).AddGrow(x.Carry.UInt().Extend(tail))
	last := low.Bit(tail) // all that was below a last place: then nothing is left to round
	low = low.Trunc(tail)

	// Base is the field less one, and the hidden bit makes up for it: a subnormal number, without
	// one, has field 0 with no case of its own.
	hidden, frac := x.Sig.Bit(m+tail), x.Sig.Range(m+tail-1, tail)
	up := last.Or(c.Increment(x.Neg, frac.Bit(0), low, x.Rest))
	carry := hw.Cat(hidden, up)
	if m > 1 {
		carry = hw.Cat(hidden, hw.Zeros(m-1), up)
	}
	sum := hw.Cat(x.Base, frac).Add(carry.Extend(x.Base.Width() + m))

	// A tiny number stays below the least normal one when it is rounded a place lower.
	again := c.Increment(x.Neg, hw.High, low.Trunc(tail-1), x.Rest)
	tiny := hidden.Or(frac.All().And(last.Or(low.Bit(tail - 1).And(again)))).Not()

	number := x.Special.Not()
	some := low.Any().Or(x.Rest)
	over := c.over(sum).And(number)

	// Flushing is decided after rounding, as tininess is: a number that rounds up to the least
	// normal one stays.
	flushed := hw.Low
	if f.Flush {
		flushed = tiny.And(number, x.Sig.Any().Or(x.Rest, x.Carry))
	}

	raw := c.pack(x, sum, over, flushed)
	if !c.Flags {
		return FromBits(f, raw), hw.Zeros(5)
	}

	// A result that cannot be inexact below the least normal number underflows by flushing alone.
	inexact := some.And(number).Or(over, flushed)
	underflow := inexact.And(tiny)
	if c.ExactBelow {
		underflow = flushed
	}
	return FromBits(f, raw), hw.Cat(x.Invalid, x.DivideZero, over, underflow, inexact)
}

// over tells whether a sum of exponent and fraction is past the greatest number.
func (c Rounder) over(sum hw.UInt) hw.Bit {
	e, m := c.Format.Exp, c.Format.Frac
	above := hw.Low
	if sum.Width() > e+m {
		above = sum.Bit(e + m)
	}

	// Past the range is the code of the first substitute, or a carry beyond the field.
	switch c.Format.Codes {
	case IEEE:
		return above.Or(sum.Range(e+m-1, m).All())
	case OnlyNaN:
		return above.Or(sum.Trunc(e + m).All())
	}
	return above
}

// pack makes the code. An exact zero clears the exponent, which is that of the
// operands: without it x - x would be a power of two.
func (c Rounder) pack(x Exact, sum hw.UInt, over, flushed hw.Bit) hw.UInt {
	f := c.Format
	e, m := f.Exp, f.Frac
	greatest := over.And(c.stays(x.Neg)) // instead of infinity
	ones := x.Special.Or(over)
	keep := x.Zero.Or(flushed).Not()
	exp := sum.Range(e+m-1, m).And(keep.Rep(e)).Or(ones.Rep(e))
	frac := sum.Trunc(m)

	// Masks instead of multiplexers: a bit is the sum's, AND a mask that clears, OR one that sets.
	// The masks are common to a field but for the lowest exponent bit, which tells the greatest
	// number from infinity, and the top fraction bit, which is NaN's.
	switch f.Codes {
	case IEEE:
		exp = exp.And(hw.Cat(hw.Zeros(e-1), greatest).Not())
		set := x.NaN.Or(greatest).UInt()
		if m > 1 {
			set = hw.Cat(set, greatest.Rep(m-1))
		}
		frac = frac.And(ones.Or(flushed).Not().Rep(m)).Or(set)
		return hw.Cat(x.Neg.AndNot(x.NaN), exp, frac)
	case OnlyNaN:
		// An infinity among the operands saturates too; the greatest number is all ones but the last
		// bit, and NaN all ones.
		if f.Saturate {
			greatest = ones
		}
		greatest = greatest.AndNot(x.NaN)
		frac = frac.And(flushed.Not().Rep(m)).Or(ones.Rep(m)).And(hw.Cat(hw.Zeros(m), greatest).Trunc(m).Not())
		return hw.Cat(x.Neg.And(ones.Not().Or(greatest)), exp, frac)
	}
	frac = frac.And(flushed.Not().Rep(m)).Or(ones.Rep(m))
	return hw.Cat(x.Neg.AndNot(x.NaN), exp, frac)
}

// Increment tells whether the magnitude of a result grows: odd is its lowest bit, low is
// the bits that go, the tail without its last bit at least, rest says that more is below.
func (c Rounder) Increment(neg, odd hw.Bit, low hw.UInt, rest hw.Bit) hw.Bit {
	w := low.Width()

	// The bit below the result, and whether anything lies below that.
	half, some := low.Bit(w-1), rest
	if w > 1 {
		some = low.Trunc(w - 1).Any().Or(rest)
	}

	// Ties to even: above half, or half and the last bit odd.
	even := half.And(some.Or(odd))
	switch c.Rounding {
	case NearestEven:
		return even
	case NearestAway:
		return half
	case TowardZero:
		return hw.Low
	case Down:
		return neg.And(half.Or(some))
	case Up:
		return half.Or(some).AndNot(neg)
	case Dynamic:
		outward := c.is(Down).And(neg).Or(c.is(Up).AndNot(neg))
		return c.is(NearestEven).And(even).Or(c.is(NearestAway).And(half), outward.And(half.Or(some)))
	}

	// Stochastic: the carry of the dropped bits plus as many random ones. Its chance is the dropped
	// part, cut to k bits.
	k := c.Rounding.Random()
	return low.Range(w-1, w-k).AddGrow(c.Mode).Bit(k)
}

// stays tells whether a number past the range becomes the greatest.
func (c Rounder) stays(neg hw.Bit) hw.Bit {
	// A rounding that cannot go outward stops at the greatest number.
	switch {
	case c.Format.Saturate, c.Rounding == TowardZero:
		return hw.High
	case c.Rounding == Down:
		return neg.Not()
	case c.Rounding == Up:
		return neg
	case c.Rounding == Dynamic:
		return c.is(TowardZero).Or(c.is(Down).AndNot(neg), c.is(Up).And(neg))
	}
	return hw.Low
}

// Downward is high where the rounding is towards minus infinity: there two numbers
// that cancel make -0.
func (c Rounder) Downward() hw.Bit {
	if c.Rounding == Dynamic {
		return c.is(Down)
	}
	return hw.B(c.Rounding == Down)
}

func (c Rounder) is(r Rounding) hw.Bit { return c.Mode.Is(int(r)) }
