package float

// Relation is the outcome of a comparison.
type Relation int

// The relations.
const (
	Less Relation = iota
	Equal
	Greater
	Unordered // one of the two is NaN
)

// Compare compares x with y; both zeros are equal. A quiet comparison raises Invalid
// for signalling NaNs, a signalling one for all.
func (f Format) Compare(x, y uint64, signaling bool) (Relation, Flags) {
	switch {
	case f.IsNaN(x) || f.IsNaN(y):
		if signaling || f.IsSignaling(x) || f.IsSignaling(y) {
			return Unordered, Invalid
		}
		return Unordered, 0
	case f.IsZero(x) && f.IsZero(y):
		return Equal, 0
	}

	// Codes are ordered as their numbers are, so that nothing is taken apart.
	switch a, b := f.order(f.zeroFlushed(x)), f.order(f.zeroFlushed(y)); {
	case a < b:
		return Less, 0
	case a > b:
		return Greater, 0
	}
	return Equal, 0
}

// Min is the lesser of x and y, -0 before +0, and the number where one is a NaN.
func (f Format) Min(x, y uint64) (uint64, Flags) { return f.choose(x, y, f.order(x) < f.order(y)) }

// Max is the greater of x and y, +0 before -0, and the number where one is a NaN.
func (f Format) Max(x, y uint64) (uint64, Flags) { return f.choose(x, y, f.order(x) > f.order(y)) }

// choose is x where first, else y, if both are numbers.
func (f Format) choose(x, y uint64, first bool) (uint64, Flags) {
	// A quiet NaN is no operand here: it raises nothing, and gives way to a number.
	var flags Flags
	if f.IsSignaling(x) || f.IsSignaling(y) {
		flags = Invalid
	}
	switch {
	case f.IsNaN(x) && f.IsNaN(y):
		return f.NaN(), flags
	case f.IsNaN(y), first && !f.IsNaN(x):
		return f.zeroFlushed(x), flags
	}
	return f.zeroFlushed(y), flags
}

// Class is the class of x by the bits of RISC-V's fclass: 0 -∞, 1 negative normal, 2
// negative subnormal, 3 -0, 4 +0, 5 positive subnormal, 6 positive normal, 7 +∞, 8
// signalling NaN, 9 quiet NaN.
func (f Format) Class(x uint64) int {
	switch {
	case f.IsSignaling(x):
		return 8
	case f.IsNaN(x):
		return 9
	}

	at := 6 // positive normal; the negative ones mirror the positive ones
	switch {
	case f.IsInf(x):
		at = 7
	case f.IsZero(x):
		at = 4
	case f.IsSubnormal(x):
		at = 5
	}

	if f.IsNeg(x) {
		return 7 - at
	}
	return at
}

// NextUp is the least number above x; NextUp of the greatest is infinity, or itself
// in a format without one.
func (f Format) NextUp(x uint64) (uint64, Flags) {
	// The code after x is the number after it, across the binades and into infinity; only the zeros
	// and the top of formats without infinity are different.
	switch {
	case f.IsNaN(x):
		return f.nan(x)
	case f.IsZero(x):
		return f.Least(), 0
	case x == f.Greatest(false):
		if f.Codes == IEEE {
			return f.Inf(false), 0
		}
		return x, 0
	case x == f.Inf(false):
		return x, 0
	case f.IsNeg(x):
		return f.zeroFlushed(x - 1), 0
	}
	return x + 1, 0
}

// NextDown is the greatest number below x.
func (f Format) NextDown(x uint64) (uint64, Flags) {
	if f.IsNaN(x) {
		return f.nan(x)
	}

	// Down is up of the mirrored number.
	y, flags := f.NextUp(f.Neg(x))
	return f.Neg(y), flags
}
