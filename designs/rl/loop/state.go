package loop

import (
	"errors"
	"fmt"
	"slices"

	"etch/designs/rl/env"
)

// State is the state from which a loop resumes.
type State struct {
	Result      Result    `json:"result"`
	Explore     []byte    `json:"explore"` // generators
	Test        []byte    `json:"test"`
	Episode     episode   `json:"episode"`
	Observation []float64 `json:"observation"` // the last one of the episode; nil if it is over
}

// State is that of the loop between two calls of Run.
func (l *Loop) State() (State, error) {
	explore, err1 := l.explorePCG.MarshalBinary()
	test, err2 := l.testPCG.MarshalBinary()
	return State{l.result, explore, test, l.episode, l.now}, errors.Join(err1, err2)
}

// Resume makes a loop that goes on from a state: it plays the episode that was under way
// again. An environment that does not repeat itself is an error.
func Resume(c Config, e, tests env.Environment, agent Agent, s State) (*Loop, error) {
	// Generators and counts as they were.
	l, err := made(c, e, tests, agent)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(l.explorePCG.UnmarshalBinary(s.Explore), l.testPCG.UnmarshalBinary(s.Test)); err != nil {
		return nil, fmt.Errorf("the state's generators: %w", err)
	}
	l.result, l.episode = s.Result, s.Episode
	if s.Observation == nil {
		return l, nil // the next episode has not begun
	}

	// An environment has no state that could be stored, so the episode is played again.
	if l.now, err = e.Reset(s.Episode.Seed); err != nil {
		return nil, err
	}
	for i, a := range s.Episode.Actions {
		// The file may be of another environment.
		if a.Number < 0 || a.Number >= max(1, l.spec.Actions) || len(a.Amounts) != len(l.spec.Low) {
			return nil, fmt.Errorf("the state's action %d is none of the environment", i)
		}

		o, err := e.Step(a)
		if err != nil {
			return nil, err
		}
		l.now = o.Observation
		if o.Terminated || o.Truncated {
			return nil, fmt.Errorf("the environment does not repeat itself: it ends at step %d of the episode that was under way", i+1)
		}
	}

	// It has to end where it was left.
	if !slices.Equal(l.now, s.Observation) {
		return nil, fmt.Errorf("the environment does not repeat itself: after %d steps of the episode that was under way it shows %v, and showed %v", len(s.Episode.Actions), l.now, s.Observation)
	}
	return l, nil
}
