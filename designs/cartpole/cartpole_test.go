package cartpole_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/cartpole"
)

// TestGymnasium follows episodes that testdata/gymnasium.py recorded from the public
// environment: same states up to the last bits of the sine, same terminations.
func TestGymnasium(t *testing.T) {
	text, err := os.ReadFile("testdata/gymnasium.json")
	require.NoError(t, err)
	var episodes []struct {
		Start      [4]float64
		Actions    []int
		States     [][4]float64
		Terminated bool
	}
	require.NoError(t, json.Unmarshal(text, &episodes))
	require.Len(t, episodes, 8)
	for i, e := range episodes {
		var env cartpole.Env
		env.Reset(cartpole.State{X: e.Start[0], V: e.Start[1], Theta: e.Start[2], Omega: e.Start[3]})
		for k, a := range e.Actions {
			reward, terminated, truncated := env.Step(a)
			s := env.State
			for j, got := range [4]float64{s.X, s.V, s.Theta, s.Omega} {
				require.InDelta(t, e.States[k][j], got, 1e-12*math.Max(1, math.Abs(got)), "episode %d, step %d, state %d", i, k, j)
			}
			require.Equal(t, 1.0, reward)
			require.False(t, truncated)
			require.Equal(t, e.Terminated && k == len(e.Actions)-1, terminated, "episode %d, step %d", i, k)
		}
	}
}

// TestTruncation: a policy that balances ends by truncation after 500 steps, one that
// always pushes left falls in the usual 8 to 11 steps.
func TestTruncation(t *testing.T) {
	balance := func(s cartpole.State) int {
		if s.Theta+0.3*s.Omega+0.05*s.X+0.1*s.V > 0 {
			return 1
		}
		return 0
	}
	for _, start := range cartpole.Starts(20, 1) {
		require.Equal(t, cartpole.Steps, cartpole.Length(start, balance))
		left := cartpole.Length(start, func(cartpole.State) int { return 0 })
		require.True(t, left >= 8 && left <= 11, "%d", left)
	}

	var env cartpole.Env
	env.Reset(cartpole.State{})
	env.Elapsed = cartpole.Steps - 1
	_, terminated, truncated := env.Step(1)
	require.True(t, truncated && !terminated)
	require.True(t, cartpole.State{X: math.NaN()}.Fallen())
}

// TestStarts: the same seed gives the same starts, within the public range.
func TestStarts(t *testing.T) {
	a, b := cartpole.Starts(100, 7), cartpole.Starts(50, 7)
	require.Equal(t, a[:50], b)
	for _, s := range a {
		for _, v := range []float64{s.X, s.V, s.Theta, s.Omega} {
			require.LessOrEqual(t, math.Abs(v), 0.05)
		}
	}
}
