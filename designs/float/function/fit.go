package function

import "math"

// guard is the number of fraction bits of the coefficients of a form: enough that a
// step of the last coefficient moves the end of a segment by a fraction of a code.
func (f Form) guard() int { return (f.Degree)*f.Low + 3 }

// Form is how the codes of a format are divided and fitted.
type Form struct {
	Degree int // of the polynomials: 1 or 2
	Low    int // bits of a code that choose a place in a segment
	Slope  int // bits of c1, two's complement
	Bend   int // bits of c2, two's complement; 0 for degree 1
}

// segment is the coefficients of a polynomial, scaled by 2^guard.
type segment struct {
	c0, c1, c2 int64
	fitted     bool
}

// bounds is, for each place of a segment, the least and the greatest scaled value that
// the polynomial may have.
type bounds struct{ lo, hi []int64 }

// fit finds coefficients within the widths of the form, the flattest curve first.
func (f Form) fit(b bounds) segment {
	if s := f.line(b, 0); s.fitted || f.Degree == 1 {
		return s
	}

	// A segment that no line meets is tried with a curve.
	n := float64(len(b.lo) - 1)
	mid := func(d int) float64 { return float64(b.lo[d]+b.hi[d]) / 2 }
	h := len(b.lo) / 2

	// The bend through the middles of three intervals, and the bends around it as far as the
	// intervals leave room.
	x := float64(h)
	bend := ((mid(len(b.lo)-1)-mid(0))/n - (mid(h)-mid(0))/x) / (n - x)

	// A bend that is off by room moves the end of the segment by 8 codes.
	room := int64(math.Ceil(8 * float64(int64(1)<<f.guard()) / (n * n)))
	step := max(1, room/24)
	most := int64(1)<<(f.Bend-1) - 1
	center := int64(math.Round(bend))

	// From the middle outwards, so that the first bend that fits is the nearest to it.
	for k := int64(0); k <= room; k += step {
		for _, c2 := range []int64{center + k, center - k} {
			if c2 > most || c2 < -most {
				continue
			}
			if s := f.line(b, c2); s.fitted {
				return s
			}
		}
	}
	return segment{}
}

// line finds c0 and c1 for a given c2. Two places i < j bound the slope by
// lo[j] - hi[i] ≤ c1·(j-i) ≤ hi[j] - lo[i], and for a slope that all pairs allow the
// bounds of c0 meet.
func (f Form) line(b bounds, c2 int64) segment {
	// All pairs bound the slope, near ones first, as they fail soonest.
	least, most := -(int64(1) << (f.Slope - 1)), int64(1)<<(f.Slope-1)-1
	n := len(b.lo)
	curve := func(d int) int64 { return c2 * int64(d) * int64(d) }

	for gap := 1; gap < n; gap++ {
		for i := 0; i+gap < n; i++ {
			j, bend := i+gap, curve(i+gap)-curve(i)
			least = max(least, ceilDiv(b.lo[j]-b.hi[i]-bend, int64(gap)))
			most = min(most, floorDiv(b.hi[j]-b.lo[i]-bend, int64(gap)))
		}
		if least > most {
			return segment{}
		}
	}

	// With the slope in the middle of its range, each place bounds the constant.
	s := segment{c1: least + (most-least)/2, c2: c2, fitted: true}
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	for d := range n {
		at := curve(d) + s.c1*int64(d)
		lo, hi = max(lo, b.lo[d]-at), min(hi, b.hi[d]-at)
	}

	// The middle again. The memory's field for the constant has no sign.
	s.c0 = lo + (hi-lo)/2
	s.fitted = lo <= hi && s.c0 >= 0
	return s
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }
