package ppo

import (
	"fmt"
	"io"
	"time"
)

// Progress is the report of a run after an iteration.
type Progress struct {
	Point
	Iterations int
	Times      Times    // so far
	Counters   Counters // so far
	Elapsed    time.Duration
}

// Line returns a receiver of progress that keeps one line of a terminal up to date,
// at most four times a second, and ends it after the last iteration. label begins
// the line and may be empty.
func Line(w io.Writer, label string) func(Progress) {
	if label != "" {
		label += "  "
	}

	last := time.Time{}
	return func(p Progress) {
		done := p.Iteration == p.Iterations
		if !done && time.Since(last) < time.Second/4 {
			return
		}
		last = time.Now()
		fmt.Fprintf(w, "\r%siteration %d of %d  %d steps  return %.1f  deviation %.2f  %.0f s   ",
			label, p.Iteration, p.Iterations, p.Steps, p.Return, p.Deviation, p.Elapsed.Seconds())
		if done {
			fmt.Fprintln(w)
		}
	}
}
