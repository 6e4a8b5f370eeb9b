package stopwatch_test

import (
	"testing"
	"time"

	"etch/sim/internal/stopwatch"

	"github.com/stretchr/testify/require"
)

// TestFine: the smallest step of the watch is far below the runs of a contest, which last some ten
// microseconds. A clock that stands still for half a millisecond shows two different times in a
// million readings at most a few hundred times.
func TestFine(t *testing.T) {
	w := stopwatch.Start()
	seen, last := 0, w.Elapsed()
	for range 1_000_000 {
		now := w.Elapsed()
		require.GreaterOrEqual(t, now, last, "it never goes back")
		if now > last {
			seen++
		}
		if last = now; seen > 10_000 {
			return
		}
	}
	t.Fatalf("%d steps in %v", seen, last)
}

func TestElapsed(t *testing.T) {
	w, start := stopwatch.Start(), time.Now()
	time.Sleep(50 * time.Millisecond)
	mine, clock := w.Elapsed(), time.Since(start)
	require.GreaterOrEqual(t, mine, 45*time.Millisecond)
	require.LessOrEqual(t, mine, clock+25*time.Millisecond, "read first: not later than the clock, but for its steps")
}
