package plot

import (
	"fmt"
	"math"
)

// Figure is a plot of lines.
type Figure struct {
	Title string
	X, Y  string // the axes' names
	Lines []Line
	// LogX spaces the horizontal axis by logarithms; all X are positive then.
	LogX bool
	// The legend's corner: bottom right, unless these say otherwise.
	LegendTop, LegendLeft bool
}

// Line is points joined by straight lines.
type Line struct {
	Name string
	X, Y []float64 // equally long, X ascending
	// Low and High, if there are any, are the limits of a band around the line.
	Low, High []float64
	Marks     bool // marks the points
}

// check reports the first thing that cannot be drawn.
func (f *Figure) check() error {
	if len(f.Lines) == 0 {
		return fmt.Errorf("plot: %q has no lines", f.Title)
	}
	for i := range f.Lines {
		if err := f.Lines[i].check(f.LogX); err != nil {
			return fmt.Errorf("plot: %q: line %q: %w", f.Title, f.Lines[i].Name, err)
		}
	}
	return nil
}

// largest is the largest number that can be drawn: differences and steps beyond must be finite, too.
const largest = 1e300

func (l *Line) check(log bool) error {
	n := len(l.X)
	if n == 0 || len(l.Y) != n {
		return fmt.Errorf("%d points have %d heights", n, len(l.Y))
	}
	if len(l.Low) != len(l.High) || len(l.Low) != 0 && len(l.Low) != n {
		return fmt.Errorf("%d points have a band of %d lower and %d upper limits", n, len(l.Low), len(l.High))
	}

	// The negated comparison refuses NaN as well.
	for _, all := range [][]float64{l.X, l.Y, l.Low, l.High} {
		for i, v := range all {
			if !(math.Abs(v) <= largest) {
				return fmt.Errorf("point %d has a %v", i, v)
			}
		}
	}

	// height divides by the distance of neighbours, and limits takes the ends for the extremes.
	for i, x := range l.X {
		if i > 0 && x <= l.X[i-1] {
			return fmt.Errorf("X does not ascend at point %d", i)
		}
		if log && x <= 0 {
			return fmt.Errorf("X = %v at point %d of a logarithmic axis", x, i)
		}
	}
	return nil
}

// limits are the least and the greatest X of all lines.
func (f *Figure) limits() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, l := range f.Lines {
		low, high = min(low, l.X[0]), max(high, l.X[len(l.X)-1])
	}
	return low, high
}
