package learnertool

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cli"
	"etch/designs/learner"
)

// The reports have the schedule of the parameters that are given, and refuse shapes.
func TestReport(t *testing.T) {
	dqn, ddpg := Designs()[0], Designs()[1]
	for _, beat := range []int{32, 8} {
		c, d := learner.CartPole(beat), learner.Pendulum(beat)
		given, both := cli.Values{}, cli.Values{}
		if beat == 8 {
			given["tiles"] = "4,8,8,2"
			both["actor_tiles"], both["critic_tiles"] = "3,8,8,1", "4,8,8,1"
		}
		check(t, dqn, given, timing{c.Schedule(), c.Multipliers(), c.Memory()}, c.Schedule().Cycles, "backward_1")
		check(t, ddpg, both, timing{d.Schedule(), d.Multipliers(), d.Memory()}, d.Schedule().Cycles, "critic_backward_1")
	}
	_, err := dqn.Report(cli.Values{"tiles": "5,8,8,2"}, &bytes.Buffer{}, "")
	require.ErrorContains(t, err, "a tile of 5 inputs for 4")
}

func check(t *testing.T, d cli.Design, given cli.Values, want timing, cycles int, stage string) {
	t.Helper()
	var text bytes.Buffer
	got, err := d.Report(given, &text, "")
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Contains(t, text.String(), stage)
	measures, err := d.Measures(given)
	require.NoError(t, err)
	require.Equal(t, float64(cycles), measures["cycles"])
}

// The area's beats and algorithm are checked before anything is synthesised.
func TestAreaRefused(t *testing.T) {
	for want, given := range map[string][2]string{
		`"12" is no power of two from 8 to 64`: {"dqn", "8,12"},
		`"" is no power of two`:                {"dqn", ""},
		`"sac"; dqn or ddpg`:                   {"sac", "8"},
	} {
		_, err := candidates(given[0], given[1])
		require.ErrorContains(t, err, want)
	}
	rows, err := candidates("ddpg", "32, 8")
	require.NoError(t, err)
	require.Equal(t, []int{learner.Pendulum(32).Schedule().Cycles, learner.Pendulum(8).Schedule().Cycles}, []int{rows[0].Cycles, rows[1].Cycles})
}
