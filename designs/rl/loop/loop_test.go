package loop

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/rl/env"
)

var errLost = errors.New("lost")

// flaky is an environment whose call of number fails, once, before it does anything.
type flaky struct {
	env.Environment
	calls, fails int
}

func (f *flaky) lost() error {
	if f.calls++; f.calls == f.fails {
		return errLost
	}
	return nil
}

func (f *flaky) Reset(seed uint32) ([]float64, error) {
	if err := f.lost(); err != nil {
		return nil, err
	}
	return f.Environment.Reset(seed)
}

func (f *flaky) Step(a env.Action) (env.Outcome, error) {
	if err := f.lost(); err != nil {
		return env.Outcome{}, err
	}
	return f.Environment.Step(a)
}

// notes is an agent that keeps what it is told.
type notes struct {
	kept  []Transition
	steps int
	ends  int
}

func (n *notes) Act(x []float64) (env.Action, error) {
	if x[2] > 0 {
		return env.Action{Number: 1}, nil
	}
	return env.Action{}, nil
}
func (n *notes) Insert(t Transition) error { n.kept = append(n.kept, t); return nil }
func (n *notes) Step(bool) error           { n.steps++; return nil }
func (n *notes) End() error                { n.ends++; return nil }

// TestFailureLeavesState: whichever call of an environment fails, the loop goes on as if it had
// not, so that a run may be kept.
func TestFailureLeavesState(t *testing.T) {
	run := func(inner, tests int) (State, *notes, int) {
		open := func(fails int) *flaky {
			e, err := env.Open("cartpole", env.Limits{})
			require.NoError(t, err)
			return &flaky{e, 0, fails}
		}
		e, other, agent := open(inner), open(tests), &notes{}
		c := Default(e.Spec())
		c.Start, c.Every, c.Test, c.Limit, c.Episodes, c.Goal = 20, 3, 5, 20, 2, nil
		l, err := New(c, e, other, agent, 1)
		require.NoError(t, err)
		failures := 0
		for err = l.Run(context.Background(), nil); err != nil; err = l.Run(context.Background(), nil) {
			require.ErrorIs(t, err, errLost)
			failures++
		}
		s, err := l.State()
		require.NoError(t, err)
		return s, agent, failures
	}

	state, agent, _ := run(0, 0)
	require.Len(t, state.Result.Curve, 4)
	require.Greater(t, agent.ends, 2)
	for n := 2; n < 70; n++ { // the first call is that of New
		for _, c := range [][2]int{{n, 0}, {0, n}} {
			s, a, failures := run(c[0], c[1])
			require.Equal(t, 1, failures)
			require.Equal(t, state, s, "%v", c)
			require.Equal(t, agent, a, "%v", c)
		}
	}
}
