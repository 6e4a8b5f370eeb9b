package env

import (
	"fmt"
	"math"
	"time"
)

// Spec is the shape of a task.
type Spec struct {
	Observation int       // numbers of an observation
	Actions     int       // actions, numbered from 0; 0 where they are amounts
	Low, High   []float64 // the range of each amount
	Best        float64   // no episode returns more; +Inf: not known
}

// Action is an action's number, or the amounts of a continuous action within the range of
// Spec.
type Action struct {
	Number  int       `json:"number,omitempty"`
	Amounts []float64 `json:"amounts,omitempty"`
}

// Outcome is an environment's answer to an action.
type Outcome struct {
	Observation []float64
	Reward      float64
	Terminated  bool // a terminal state: no reward follows, its value is 0
	Truncated   bool // cut by a limit: the last state still has a value
}

// Environment is a task with an episode under way, from Reset on.
type Environment interface {
	Spec() Spec
	// Reset begins an episode, the same one for the same seed.
	Reset(seed uint32) (observation []float64, err error)
	// Step takes an action. After the end of an episode Reset must come first.
	Step(a Action) (Outcome, error)
	Close() error
}

// Limits bound the time and the episodes of an environment of the user's own.
type Limits struct {
	Answer  time.Duration   // until an answer comes; 0 for 30 s
	Episode int             // steps after which an episode is truncated; 0 for 10,000
	Stop    <-chan struct{} // when it is closed no answer is waited for: the error is context.Canceled; nil never
}

// Failure is the error of an environment that is a process: it died, answered too late or
// wrongly, or was stopped.
type Failure struct{ err error }

// Error names the environment and the request.
func (f *Failure) Error() string { return f.err.Error() }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.err }

// Open makes the built-in environment of that name, cartpole or pendulum, or else starts
// a command with its arguments.
func Open(name string, l Limits) (Environment, error) {
	switch name {
	case "cartpole":
		return &cartPole{}, nil
	case "pendulum":
		return &swingUp{}, nil
	}
	return start(name, l)
}

// validate refuses shapes that no learner has: a task has either numbered actions or
// amounts, and each width is 1 to maxWidth.
func (s Spec) validate() error {
	switch {
	case s.Observation < 1 || s.Observation > maxWidth:
		return fmt.Errorf("observation %d; 1 to %d numbers", s.Observation, maxWidth)
	case s.Actions != 0 && (s.Low != nil || s.High != nil):
		return fmt.Errorf("both actions, and low and high: want one")
	case s.Actions == 0 && s.Low == nil && s.High == nil:
		return fmt.Errorf("neither actions, nor low and high")
	case s.Actions < 0 || s.Actions > maxWidth || len(s.Low) > maxWidth:
		return fmt.Errorf("%d actions; 1 to %d", max(len(s.Low), s.Actions), maxWidth)
	case len(s.Low) != len(s.High):
		return fmt.Errorf("low has %d numbers, high %d", len(s.Low), len(s.High))
	}

	// Negated, so that a NaN on either side is refused too.
	for i := range s.Low {
		if !(s.Low[i] < s.High[i]) {
			return fmt.Errorf("low %v is not below high %v", s.Low[i], s.High[i])
		}
		if math.IsInf(s.High[i]-s.Low[i], 0) {
			return fmt.Errorf("low %v and high %v: their distance is beyond float64", s.Low[i], s.High[i])
		}
	}
	return nil
}

// maxWidth bounds the numbers of an observation and the actions, the outer layers of a
// learner's network.
const maxWidth = 4096

// finite reports the first number that is NaN or infinite.
func finite(xs ...float64) error {
	for i, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("number %d is %v", i, x)
		}
	}
	return nil
}
