// Package contesttest has clocks for tests of contests: equal clocks must lead to equal code, and so
// must the same clock when it is slow, fast or jumpy.
//
// The package imports package stopwatch and the standard library.
package contesttest

import (
	"math/rand/v2"
	"time"

	"etch/sim/internal/stopwatch"
)

// Clock is a clock for contests.
type Clock struct {
	Name string
	Read func() time.Duration // nil: the thread's own
}

// jumps is a clock of now that has jumped by a second in one of a hundred readings. A run may have
// ten readings.
func jumps(now func() time.Duration) func() time.Duration {
	r, ahead := rand.New(rand.NewPCG(1, 2)), time.Duration(0)
	return func() time.Duration {
		if r.IntN(100) == 0 {
			ahead += time.Second
		}
		return now() + ahead
	}
}

// ticking is a clock that advances by a step at each reading: all code seems to be equally fast.
func ticking(step time.Duration) func() time.Duration {
	now := time.Duration(0)
	return func() time.Duration { now += step; return now }
}

// Families are the clocks. They come in families. Those that follow the processor find the faster
// code; those that only count their readings find none.
var Families = [][]func() Clock{
	{
		func() Clock { return Clock{"the thread's own", nil} },
		func() Clock {
			return Clock{"slow", func() time.Duration { return 100 * stopwatch.Processor() }}
		},
		func() Clock {
			return Clock{"fast", func() time.Duration { return stopwatch.Processor() / 10 }}
		},
		func() Clock { return Clock{"jumpy", jumps(stopwatch.Processor)} },
	}, {
		func() Clock { return Clock{"slow ticks", ticking(time.Nanosecond)} },
		func() Clock { return Clock{"fast ticks", ticking(time.Hour)} },
		func() Clock { return Clock{"jumpy ticks", jumps(ticking(time.Millisecond))} },
	},
}
