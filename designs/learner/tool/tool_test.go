package tool

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/learner"
)

// The report has the schedule of the parameters that are given, and refuses shapes.
func TestReport(t *testing.T) {
	for _, beat := range []int{32, 8} {
		c := learner.CartPole(beat)
		given := cli.Values{}
		if beat == 8 {
			given["tiles"] = "4,8,8,2"
		}
		var text bytes.Buffer
		got, err := Design().Report(given, &text, "")
		require.NoError(t, err)
		require.Equal(t, timing{c.Schedule(), c.Multipliers(), c.Memory()}, got)
		require.Contains(t, text.String(), "backward_1")
		measures, err := Design().Measures(given)
		require.NoError(t, err)
		require.Equal(t, float64(c.Schedule().Cycles), measures["cycles"])
	}
	_, err := Design().Report(cli.Values{"tiles": "3,8,8,2"}, &bytes.Buffer{}, "")
	require.ErrorContains(t, err, "a tile of 3 inputs does not divide 4")
}
