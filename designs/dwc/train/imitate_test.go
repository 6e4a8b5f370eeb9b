package train

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/pendulum"
)

// An imitation of value iteration is as good within 17, and so is it with eight
// bits; with two it is not. Copies act alike.
func TestImitate(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for some seconds")
	}
	reference := pendulum.Solve()
	p, err := Imitate(reference.Action, 32, 1)
	require.NoError(t, err)
	starts := TestStarts(100)
	score := func(p *Perceptron) float64 {
		return pendulum.Evaluate(starts, func(s pendulum.State) float64 { return p.Act(s.Observe()) }).Mean
	}
	best, float := reference.Score(starts).Mean, score(p)
	require.InDelta(t, best, float, 17)
	var seen []pendulum.Observation
	for _, s := range starts {
		for range pendulum.Steps {
			seen = append(seen, s.Observe())
			s, _ = s.Step(p.Act(s.Observe()))
		}
	}
	eight, err := p.Quantised(8, seen)
	require.NoError(t, err)
	two, err := p.Quantised(2, seen)
	require.NoError(t, err)
	t.Logf("value iteration %.1f, perceptron %.1f, of 8 bits %.1f, of 2 bits %.1f", best, float, score(eight), score(two))
	require.InDelta(t, best, score(eight), 17)
	require.Less(t, score(two), best-100)
	require.NotEqual(t, float, score(eight))
	c := eight.Copy()
	for _, o := range seen[:50] {
		require.Equal(t, eight.Act(o), c.Act(o))
	}
	_, err = p.Quantised(1, seen)
	require.ErrorContains(t, err, "1 bits")
	_, err = Imitate(reference.Action, 0, 1)
	require.ErrorContains(t, err, "0 hidden units")
}
