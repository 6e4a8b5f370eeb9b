package tool

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/learner"
)

func ask(t *testing.T, args ...string) (Answer, error) {
	t.Helper()
	var out, errs bytes.Buffer
	err := exploreLearner(nil, append(args, "-json"), cli.Output{Out: &out, Err: &errs})
	var a Answer
	if err == nil {
		require.NoError(t, json.Unmarshal(out.Bytes(), &a))
	}
	return a, err
}

// Of designs that the model was not fitted to, tables and flip-flops are within 15 %, and
// multipliers exact.
func TestAreaModel(t *testing.T) {
	for _, family := range []string{"xc7", "ecp5"} {
		_, points, err := areaModel(family)
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(points), 7)
		greatest, err := greatestErrors(points)
		require.NoError(t, err)
		t.Log(family, len(points), greatest)
		require.Less(t, greatest["lut"], 0.15)
		require.Less(t, greatest["ff"], 0.15)
		for _, p := range points {
			require.Equal(t, p.Cells["dsp"], p.Counts.Product)
		}
	}
}

// The best of a small space is that of all of it, and what it says it has.
func TestExploreLearner(t *testing.T) {
	start := time.Now()
	a, err := ask(t, "-net", "4-16-2", "-device", "xc7a35t", "-formats", "18", "-budget", "dsp=40", "-top", "2")
	require.NoError(t, err)
	t.Log(time.Since(start))
	require.Len(t, a.Best, 2)
	require.Greater(t, a.Faster.Multipliers, 40)
	require.Contains(t, a.Faster.Lacks, "DSP, the device has 40 (")

	best := 1 << 30
	for _, side := range [][4]int{{1, 1, 1, 1}, {1, 1, 1, 2}, {2, 1, 1, 2}, {4, 1, 1, 2}, {4, 2, 2, 2}, {4, 4, 4, 2}, {4, 4, 4, 1}, {2, 2, 2, 2}, {2, 2, 2, 1}, {1, 2, 2, 1}, {4, 2, 2, 1}, {1, 4, 4, 1}, {2, 4, 4, 2}, {2, 4, 4, 1}} {
		for dp := 1; dp <= 32; dp *= 2 {
			c := learner.CartPole(32)
			c.Sizes, c.Tiles, c.DP = []int{4, 16, 2}, side[:], dp
			if c.Validate() == nil && c.Multipliers() <= 40 {
				best = min(best, c.Schedule().Cycles)
			}
		}
	}
	require.Equal(t, best, a.Best[0].Cycles)

	c := learner.CartPole(32)
	require.NoError(t, cli.Fill(&c, a.Best[0].Given))
	require.Equal(t, a.Best[0].Cycles, c.Schedule().Cycles)
	require.Contains(t, a.Export, "etch export learner -p batch=32 ")
}

func TestExploreLearnerRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-net", "8-64-x"}, "want sizes"},
		{[]string{"-net", "8"}, "two to six"},
		{[]string{"-algorithm", "ppo"}, "want dqn"},
		{[]string{"-device", "xc7a36t"}, "no device"},
		{[]string{"-device", "ice40up5k"}, "no area model"},
		{[]string{"-device", "xc7a35t", "-pnr"}, "no place and route"},
		{[]string{"-budget", "lut=-4"}, "-budget"},
		{[]string{"-budget", "luts=4"}, "-budget"},
		{[]string{"-formats", "17"}, "-formats"},
		{[]string{"-batch", "33"}, "no learner of this network"},
		{[]string{"-budget", "dsp=3"}, "no learner of this network fits"},
		{[]string{"-clock", "0"}, "-clock"},
	} {
		_, err := ask(t, c.args...)
		require.ErrorContains(t, err, c.want, c.args)
	}
}
