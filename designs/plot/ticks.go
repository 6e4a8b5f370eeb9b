package plot

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// ticks are five to ten round numbers an axis, without the labels between them that
// gonum's own leave out.
type ticks struct{}

// Ticks implements [plot.Ticker].
func (ticks) Ticks(low, high float64) (all []plot.Tick) {
	unit := step(low, high, 10)
	for k := math.Ceil(low / unit); k*unit <= high; k++ {
		all = append(all, plot.Tick{Value: k * unit, Label: label(k * unit)})
	}
	return all
}

// step is a round number of which about n fit between low and high, and never so
// small that adding it would change nothing.
func step(low, high float64, n int) float64 {
	return round(max((high-low)/float64(n), 1e-12*max(math.Abs(low), math.Abs(high))))
}

// round is the least of 1, 2, 2.5 and 5 times a power of ten that is not below x, but
// for a rounding error; 1 for a number that is not positive.
func round(x float64) float64 {
	if !(x > 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, f := range []float64{1, 2, 2.5, 5} {
		if f*power >= x*(1-1e-9) {
			return f * power
		}
	}
	return 10 * power
}

// label writes a number with up to six digits.
func label(v float64) string {
	if a := math.Abs(v); a >= 1e7 || a != 0 && a < 1e-4 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	s := strconv.FormatFloat(v, 'f', 6, 64)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}

	// ticks gives −0 where Ceil rounds up from below 0.
	if s == "-0" {
		return "0"
	}
	return s
}
