package model

import (
	"fmt"
	"math"
	"math/bits"

	"etch/hw/fixed"
	"etch/hw/float"
)

// Floating point on integers: the model stores a value as an integer, in units of the
// format's least subnormal number. Every number of the format is such an integer, so the
// exact format of a float format is a fixed-point format, and sums, losses and tables are
// computed in fixed point. Only rounding differs: it rounds to integers that the float
// format has. There is one zero and there are no infinities or NaNs: a value past the
// range saturates.

// Exact returns the step with the fixed-point format that holds every value exactly, in
// place of a float format. A step in fixed point, or with an invalid Float, is returned
// unchanged.
func (s Step) Exact() Step {
	s.Formats = s.exact()
	return s
}

func (f Formats) exact() Formats {
	g, err := f.format()
	if err != nil || f.Float == "" {
		return f
	}

	// In units of the least subnormal number, 2^(MinExp−Frac), the greatest has MaxExp − MinExp more
	// bits than a significand; one more is the sign.
	x := fixed.Format{Width: 1 + g.MaxExp() + 1 - g.MinExp() + g.Frac, Frac: g.Frac - g.MinExp()}
	f.Weight, f.Activation, f.Gradient = x, x, x
	return f
}

// format is the float format of values; the zero value in fixed point.
func (f Formats) format() (g float.Format, err error) {
	if f.Float == "" {
		return g, nil
	}
	if err := g.UnmarshalText([]byte(f.Float)); err != nil {
		return float.Format{}, fmt.Errorf("float: %w", err)
	}

	if g.Flush {
		return float.Format{}, fmt.Errorf("float: %s flushes subnormal numbers, which the learner keeps", f.Float)
	}
	g.Saturate = true
	return g, nil
}

// Number is the format of a kind of stored values: that of the exact numbers, and the
// float format, of no exponent in fixed point.
type Number struct {
	fixed.Format
	Float float.Format
}

// Weights, Activations, Gradients and Targets are the formats of the kinds, Targets that
// of soft targets, which have more fraction bits.
func (f Formats) Weights() Number     { return f.number(f.exact().Weight) }
func (f Formats) Activations() Number { return f.number(f.exact().Activation) }
func (f Formats) Gradients() Number   { return f.number(f.exact().Gradient) }

func (f Formats) Targets() Number {
	w := f.exact().Weight
	return f.number(fixed.Format{Width: w.Width + f.Target, Frac: w.Frac + f.Target})
}

func (f Formats) number(x fixed.Format) Number {
	g, err := f.format()
	if err != nil || g.Exp == 0 {
		return Number{Format: x}
	}

	// More fraction bits of a target are more fraction bits of its numbers, in the same exponents.
	g.Frac = x.Frac + g.MinExp()
	return Number{x, g}
}

// floats reports whether values are floating-point numbers.
func (n Number) floats() bool { return n.Float.Exp > 0 }

// Bits is the width of a code.
func (n Number) Bits() int {
	if n.floats() {
		return n.Float.Width()
	}
	return n.Width
}

// Value is the number that a stored value stands for.
func (n Number) Value(raw int64) float64 { return n.Format.Float(raw) }

// Range returns the smallest and the largest finite number. A fixed-point format reaches one step
// further down than up.
func (n Number) Range() (least, greatest float64) {
	if n.floats() {
		greatest = n.Float.Float64(n.Float.Greatest(false))
		return -greatest, greatest
	}
	return n.Format.Float(-1 << (n.Width - 1)), n.Format.Float(1<<(n.Width-1) - 1)
}

// Raw is the stored value nearest to v.
func (n Number) Raw(v float64) int64 {
	if n.floats() {
		return n.Decode(n.Float.Code(v))
	}
	return n.Format.Raw(v)
}

// Code is the code of a stored value: two's complement, or that of the float format.
func (n Number) Code(v int64) uint64 {
	if !n.floats() {
		return uint64(v) & (1<<n.Width - 1)
	}
	g, code := n.Float, uint64(0)
	if v < 0 {
		code, v = 1<<(g.Width()-1), -v
	}

	// The exponent field is the number of places by which the significand was moved up, and
	// one more if its hidden bit is set; the addition of both does that.
	up := max(0, bits.Len64(uint64(v))-1-g.Frac)
	return code | (uint64(up)<<g.Frac + uint64(v)>>up)
}

// Decode is the stored value of a code; those of infinities and NaNs are read as 0.
func (n Number) Decode(code uint64) int64 {
	if !n.floats() {
		return int64(code<<(64-n.Width)) >> (64 - n.Width)
	}
	g := n.Float
	if g.IsInf(code) || g.IsNaN(code) {
		return 0
	}

	// A normal number's hidden bit, then as many places up as the exponent is above the least.
	exp, v := int(code>>g.Frac)&(1<<g.Exp-1), int64(code&(1<<g.Frac-1))
	if exp > 0 {
		v = (v | 1<<g.Frac) << (exp - 1)
	}
	if g.IsNeg(code) {
		return -v
	}
	return v
}

// grid is the numbers of a float format, among the exact values.
type grid struct {
	frac     int // fraction bits of a number
	least    int // exponent of the least normal one
	greatest int64
}

// newGrid is the grid of a number, nil in fixed point.
func newGrid(n Number) *grid {
	if !n.floats() {
		return nil
	}
	_, greatest := n.Range()
	return &grid{n.Float.Frac, n.Float.MinExp(), int64(math.Ldexp(greatest, n.Frac))}
}

// nearest is the number nearest to v · 2^-frac, of two the even one, in the units of exact
// values in the format x; past the greatest number it is that one, which is counted.
func (g *grid) nearest(x fixed.Format, v wide, frac int, count *uint64) int64 {
	// Sign and magnitude: the nearest is symmetric.
	m, neg := v.magnitude()
	n := m.len()
	if n == 0 {
		return 0
	}

	// The last place that a number has there, and the rest of v above it.
	last := max(n-1-frac, g.least) - g.frac
	past := last+x.Frac > 61-g.frac // one bit is for a carry of rounding

	// The magnitude in units of that place, to the nearest even.
	var q int64
	switch drop := last + frac; {
	case past:
	case drop <= 0:
		q = int64(m.lo << -drop)
	default:
		left, half := m.shr(drop)
		if half > 0 || half == 0 && left&1 == 1 {
			left++
		}
		q = int64(left)
	}

	// Back in units of exact values, within the range.
	if !past {
		q <<= last + x.Frac
	}
	if past || q > g.greatest {
		*count++
		q = g.greatest
	}
	if neg {
		return -q
	}
	return q
}

// wideLimit is the number of bits that an exact sum of floating-point numbers may have.
const wideLimit = 126

// validateFloat refuses float formats whose values or sums the model cannot hold.
func (s Step) validateFloat(fan int) error {
	g, err := s.format()
	if err != nil {
		return err
	}

	// Sums of products are in 128 bits, all else in words. A sum of n products has log2(n) bits more
	// than one.
	x, more := s.Exact().Weight, bits.Len(uint(fan+1))
	for _, sum := range []struct {
		name     string
		n, limit int
	}{
		{"a target", x.Width + Unit + 3, limit},
		{"a target weight", x.Width + s.Formats.Target, limit},
		{"a neuron's sum", 2*x.Width + more, wideLimit},
		{"a batch's gradient", 2*x.Width + bits.Len(uint(s.Batch)), wideLimit},
	} {
		if sum.n > sum.limit {
			return fmt.Errorf("float: with %s %s takes %d bits, more than %d; fp16 and smaller formats fit", s.Float, sum.name, sum.n, sum.limit)
		}
	}

	if s.Formats.Target < 0 || g.Frac+s.Formats.Target > 52 {
		return fmt.Errorf("targets with %d more fraction bits; 0 to %d", s.Formats.Target, 52-g.Frac)
	}
	return nil
}
