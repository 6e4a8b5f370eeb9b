package float

import "math/big"

// Add is x + y.
func (f Format) Add(x, y uint64, r Rounding) (uint64, Flags) {
	// Infinities of unlike sign are the only invalid operands; else an infinity is the result.
	switch {
	case f.IsNaN(x) || f.IsNaN(y):
		return f.nan(x, y)
	case f.IsInf(x) && f.IsInf(y) && x != y:
		return f.invalid()
	case f.IsInf(x):
		return x, 0
	case f.IsInf(y):
		return y, 0
	}
	return f.path().sum(f.number(x), f.number(y), r)
}

// Sub is x - y.
func (f Format) Sub(x, y uint64, r Rounding) (uint64, Flags) {
	if f.IsNaN(y) {
		return f.nan(x, y)
	}
	return f.Add(x, f.Neg(y), r)
}

// Mul is x · y.
func (f Format) Mul(x, y uint64, r Rounding) (uint64, Flags) {
	neg := f.IsNeg(x) != f.IsNeg(y)
	switch {
	case f.IsNaN(x) || f.IsNaN(y):
		return f.nan(x, y)
	case f.IsInf(x) && f.IsZero(y) || f.IsZero(x) && f.IsInf(y):
		return f.invalid()
	case f.IsInf(x) || f.IsInf(y):
		return f.Inf(neg), 0
	}
	return f.path().product(f.number(x), f.number(y), r)
}

// FMA is x · y + z, rounded once.
func (f Format) FMA(x, y, z uint64, r Rounding) (uint64, Flags) {
	neg := f.IsNeg(x) != f.IsNeg(y)
	bad := f.IsInf(x) && f.IsZero(y) || f.IsZero(x) && f.IsInf(y)
	inf := f.IsInf(x) || f.IsInf(y)

	// ∞·0 + NaN: the product is invalid whatever is added to it. IEEE 754 leaves the flag open, RISC-V
	// raises it, and so do we.
	switch {
	case f.IsNaN(x) || f.IsNaN(y) || f.IsNaN(z):
		v, flags := f.nan(x, y, z)
		if bad {
			flags |= Invalid
		}
		return v, flags
	case bad, inf && f.IsInf(z) && f.IsNeg(z) != neg:
		return f.invalid()
	case inf:
		return f.Inf(neg), 0
	case f.IsInf(z):
		return z, 0
	}
	return f.path().productSum(f.number(x), f.number(y), f.number(z), r)
}

// Div is x / y.
func (f Format) Div(x, y uint64, r Rounding) (uint64, Flags) {
	neg := f.IsNeg(x) != f.IsNeg(y)

	// 0/0 and ∞/∞ come before the cases of one zero or one infinity.
	switch {
	case f.IsNaN(x) || f.IsNaN(y):
		return f.nan(x, y)
	case f.IsInf(x) && f.IsInf(y) || f.IsZero(x) && f.IsZero(y):
		return f.invalid()
	case f.IsInf(x):
		return f.Inf(neg), 0
	case f.IsZero(y):
		return f.Inf(neg), DivideByZero
	case f.IsInf(y) || f.IsZero(x):
		return f.sign(neg), 0
	}
	return f.path().quotient(f.number(x), f.number(y), r)
}

// Sqrt is √x; that of -0 is -0.
func (f Format) Sqrt(x uint64, r Rounding) (uint64, Flags) {
	// √-0 is -0: zeros come before signs.
	switch {
	case f.IsNaN(x):
		return f.nan(x)
	case f.IsZero(x):
		return f.zeroFlushed(x), 0
	case f.IsNeg(x):
		return f.invalid()
	case f.IsInf(x):
		return x, 0
	}
	return f.path().root(f.number(x), r)
}

// Hypot is √(x² + y²), rounded once. That of an infinity and a quiet NaN is an
// infinity.
func (f Format) Hypot(x, y uint64, r Rounding) (uint64, Flags) {
	// An infinite operand decides, as |∞| is above all that a quiet NaN could stand for.
	switch {
	case f.IsSignaling(x) || f.IsSignaling(y):
		return f.invalid()
	case f.IsInf(x) || f.IsInf(y):
		return f.Inf(false), 0
	case f.IsNaN(x) || f.IsNaN(y):
		return f.NaN(), 0
	}
	return f.path().hypot(f.number(x), f.number(y), r)
}

// Convert is x in the format g. An infinity is past the range of a g that saturates or
// has none; a NaN that g has not raises Invalid.
func (f Format) Convert(x uint64, g Format, r Rounding) (uint64, Flags) {
	switch {
	case f.IsSignaling(x):
		return g.invalid()
	case f.IsNaN(x) && g.Codes == Finite:
		return g.invalid()
	case f.IsNaN(x):
		return g.NaN(), 0
	case f.IsInf(x) && g.Codes == IEEE && !g.Saturate:
		return g.Inf(f.IsNeg(x)), 0
	case f.IsInf(x):
		return g.overflow(f.IsNeg(x), r), Overflow | Inexact
	}

	// A number of at most 32 bits fits the machine-word path, whatever both exponents are.
	n := f.number(x)
	if f.Width() <= 32 && g.Width() <= 32 {
		return g.roundWord(n.neg, n.sig, n.exp, false, r)
	}
	return g.Round(n.neg, new(big.Int).SetUint64(n.sig), n.exp, false, r)
}

func (f Format) invalid() (uint64, Flags) { return f.NaN(), Invalid }

// nan is the result of operands of which one is a NaN.
func (f Format) nan(xs ...uint64) (uint64, Flags) {
	for _, x := range xs {
		if f.IsSignaling(x) {
			return f.invalid()
		}
	}
	return f.NaN(), 0
}

// number is a finite operand: ±sig · 2^exp.
type number struct {
	neg bool
	sig uint64
	exp int
}

func (f Format) number(x uint64) number {
	sig, exp := f.parts(x)
	return number{f.IsNeg(x), sig, exp}
}

// arithmetic is one of the ways to compute with finite numbers.
type arithmetic interface {
	sum(x, y number, r Rounding) (uint64, Flags)
	product(x, y number, r Rounding) (uint64, Flags)
	productSum(x, y, z number, r Rounding) (uint64, Flags)
	quotient(x, y number, r Rounding) (uint64, Flags) // neither is 0
	root(x number, r Rounding) (uint64, Flags)        // above 0
	hypot(x, y number, r Rounding) (uint64, Flags)
}

// path is machine words where they are wide enough for every operation.
func (f Format) path() arithmetic {
	if f.Width() <= 32 {
		return words{f}
	}
	return exact{f}
}

// zeroSum is the sum of two numbers that cancel, and of two zeros of unlike sign.
func (f Format) zeroSum(a, b bool, r Rounding) uint64 {
	if a == b {
		return f.sign(a)
	}
	return f.sign(r == Down)
}
