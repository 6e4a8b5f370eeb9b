// Package contest finds by measurement which of two kinds of code is faster, where estimates cannot
// tell: how code and state lie in the caches, and how well branches are predicted.
//
// The verdict must not depend on the load of the machine, since the code of equal runs would differ.
// Hence these rules:
// - Time is the processor time of the thread, so that other threads do not count.
// - Both kinds run by turns, so that a slow phase of the machine or of the design meets both.
// - Each run of the one kind is compared with its neighbour of the other kind. The ratios count,
// not the times.
// - The verdict is [Near] unless three quarters of the ratios agree. The caller has a default for it,
// which follows from its estimates alone.
//
// The package imports sim/internal/stopwatch.
package contest

import (
	"math"
	"runtime"
	"slices"
	"time"

	"etch/sim/internal/stopwatch"
)

// Clock reads a clock. nil is the processor time of the calling thread.
type Clock func() time.Duration

// Time calls f on one thread and returns the time that it took.
func (c Clock) Time(f func()) time.Duration {
	// The processor time is that of a thread, so the goroutine must not change it meanwhile.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if c == nil {
		c = stopwatch.Processor
	}

	start := c()
	f()
	return c() - start
}

// Kind is one of the two kinds of code.
type Kind int

// The kinds. The incumbent runs at present, or has run before.
const (
	Incumbent Kind = iota
	Challenger
)

// Verdict compares the time of the challenger with a share of the time of the incumbent.
type Verdict int

// The verdicts.
const (
	Near   Verdict = iota // the runs do not agree, or there are none
	Faster                // the challenger takes less than the share
	Slower                // it takes more
)

// Contest is the runs of both kinds. The zero Contest has none.
type Contest struct{ took [2][]float64 }

// Add adds a run of so many cycles. Runs without cycles do not count.
func (c *Contest) Add(k Kind, took time.Duration, cycles uint64) {
	if cycles > 0 {
		c.took[k] = append(c.took[k], float64(took)/float64(cycles))
	}
}

// Runs is the number of runs of a kind.
func (c *Contest) Runs(k Kind) int { return len(c.took[k]) }

// PerCycle is the median time per cycle of a kind, in nanoseconds; NaN without runs.
func (c *Contest) PerCycle(k Kind) float64 {
	if len(c.took[k]) == 0 {
		return math.NaN()
	}

	// Sort a copy, because the order of the runs makes the pairs.
	took := slices.Sorted(slices.Values(c.took[k]))
	return took[len(took)/2]
}

// Verdict compares the runs in the order in which they were added. The share is the challenger's
// time over the incumbent's. An infinite share is undercut always, also without runs.
func (c *Contest) Verdict(share float64) Verdict {
	if math.IsInf(share, 1) {
		return Faster
	}

	// The runs of one number are neighbours.
	pairs := min(len(c.took[Incumbent]), len(c.took[Challenger]))
	faster, slower := 0, 0
	for i := range pairs {
		// A clock that stands still tells nothing: such a pair counts for neither.
		switch limit := share * c.took[Incumbent][i]; {
		case c.took[Challenger][i] < limit:
			faster++
		case c.took[Challenger][i] > limit:
			slower++
		}
	}

	switch {
	case pairs == 0:
		return Near
	case 4*faster >= 3*pairs:
		return Faster
	case 4*slower >= 3*pairs:
		return Slower
	}
	return Near
}
