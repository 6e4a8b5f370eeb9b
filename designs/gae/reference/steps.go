package reference

import (
	"math"

	"etch/designs/gae/model"
	"etch/hw/fixed"
)

// Steps turns a trajectory into the circuit's input: its steps in raw values of
// format f, the last one in time first. Of the three numbers of every step, clipped
// counts those outside the format's range, which became the nearest in it. The
// trajectory has passed Check.
//
// The last step always cuts. Where a step cuts without having terminated, Boot is
// the value that goes on in place of the next step's.
func (c Convention) Steps(t *Trajectory, f fixed.Format) (steps []model.Step, clipped int) {
	raw := rounder(f, &clipped)
	n := t.Len()
	steps = make([]model.Step, n)

	// The circuit takes the last step first.
	for i := range n {
		s := &steps[n-1-i]
		s.Reward, s.Value = raw(t.Reward[i]), raw(t.Value[i])
		// CleanRL ends the episode at a truncation, too.
		s.Term = t.Terminated[i] || c == CleanRL && t.Truncated[i]
		s.Cut = t.Done(i) || i == n-1
		if s.Cut && !s.Term {
			s.Boot = raw(t.NextValue[i])
		}
	}
	return steps, clipped
}

// rounder brings numbers to a format's nearest raw values, as f.Raw does, and counts
// those that did not fit.
func rounder(f fixed.Format, clipped *int) func(x float64) int64 {
	greatest := float64(int64(1)<<(f.Width-1) - 1)
	scale := math.Ldexp(1, f.Frac)

	// Rounding comes first: a number that rounds to the end of the range is not clipped.
	return func(x float64) int64 {
		y := math.Round(float64(x * scale))
		fit := min(max(y, -greatest-1), greatest)
		if fit != y {
			*clipped++
		}
		return int64(fit)
	}
}

// FromResults brings a vector's results, the last one in time first, into time
// order and floating point.
func FromResults(results []model.Result, f fixed.Format) Estimate {
	n := len(results)
	e := NewEstimate(n)
	for i := range results {
		e.Advantage[n-1-i], e.Return[n-1-i] = f.Float(results[i].Advantage), f.Float(results[i].Return)
	}
	return e
}
