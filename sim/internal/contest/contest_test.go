package contest_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"etch/sim/internal/contest"

	"github.com/stretchr/testify/require"
)

// run is a contest of runs whose times are given in turns: incumbent, challenger, and so on.
func run(took ...time.Duration) *contest.Contest {
	c := &contest.Contest{}
	for i, t := range took {
		c.Add(contest.Kind(i%2), t, 10)
	}
	return c
}

func TestVerdict(t *testing.T) {
	for name, x := range map[string]struct {
		c     *contest.Contest
		share float64
		want  contest.Verdict
	}{
		"no runs":              {run(), 1, contest.Near},
		"no runs, any share":   {run(), math.Inf(1), contest.Faster},
		"clearly faster":       {run(100, 50, 100, 50, 100, 50, 100, 50), 0.9, contest.Faster},
		"one run disturbed":    {run(100, 50, 100, 500, 100, 50, 100, 50), 0.9, contest.Faster},
		"two runs disturbed":   {run(100, 50, 100, 500, 100, 50, 100, 500), 0.9, contest.Near},
		"faster by too little": {run(100, 95, 100, 95, 100, 95, 100, 95), 0.9, contest.Slower},
		"clearly slower":       {run(100, 200, 100, 200, 100, 200, 100, 200), 1, contest.Slower},
		"at the share":         {run(100, 50, 100, 50, 100, 50, 100, 50), 0.5, contest.Near},
		"a clock at rest":      {run(0, 0, 0, 0, 0, 0, 0, 0), 0.9, contest.Near},
		"slow phases":          {run(100, 50, 900, 450, 300, 150, 200, 100), 0.9, contest.Faster},
		"an unpaired run":      {run(100, 50, 100, 50, 100), 0.9, contest.Faster},
	} {
		require.Equal(t, x.want, x.c.Verdict(x.share), name)
	}
}

// TestNoise: a twelfth of the runs is interrupted for long. The verdict on a kind of code that takes
// half of the time is the same in each of a thousand contests.
func TestNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	wrong := 0
	for range 1000 {
		c := &contest.Contest{}
		for range 12 {
			for k, took := range []time.Duration{1000, 500} {
				took += time.Duration(r.IntN(100))
				if r.IntN(12) == 0 {
					took *= 20
				}
				c.Add(contest.Kind(k), took, 1)
			}
		}
		if c.Verdict(0.9) != contest.Faster {
			wrong++
		}
	}
	require.LessOrEqual(t, wrong, 20)
}

// TestTime: the clock is read before and after, and without one, sleep is no processor time.
func TestTime(t *testing.T) {
	now := time.Duration(0)
	clock := contest.Clock(func() time.Duration { now += 7; return now })
	require.Equal(t, time.Duration(7+100), clock.Time(func() { now += 100 }))

	if runtime.GOOS != "linux" {
		return // real time
	}
	took := contest.Clock(nil).Time(func() { time.Sleep(100 * time.Millisecond) })
	require.Positive(t, took)
	require.Less(t, took, 50*time.Millisecond)
}

// TestPerCycle: medians by cycle; runs without cycles do not count.
func TestPerCycle(t *testing.T) {
	c := run(100, 50, 300, 60, 200, 70)
	c.Add(contest.Challenger, 1_000_000, 0)
	require.Equal(t, 3, c.Runs(contest.Challenger))
	require.Equal(t, 20.0, c.PerCycle(contest.Incumbent))
	require.Equal(t, 6.0, c.PerCycle(contest.Challenger))
	require.True(t, math.IsNaN((&contest.Contest{}).PerCycle(contest.Incumbent)))
}
