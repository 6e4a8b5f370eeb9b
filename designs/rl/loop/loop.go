package loop

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"etch/designs/rl/env"
)

// Transition is a step of an environment as a learner sees it: scaled, amounts in [−1, 1].
type Transition struct {
	State, Next []float64
	Action      env.Action
	Reward      float64
	Discount    float64 // of the value of Next; 0 where the episode terminated
}

// Agent is a learner with its memory.
type Agent interface {
	// Act gives the action that is best for a scaled observation; amounts in [−1, 1].
	Act(observation []float64) (env.Action, error)
	// Insert keeps a transition.
	Insert(t Transition) error
	// Step is a gradient step on a batch of transitions; with synchronise the target
	// becomes the online network at its end.
	Step(synchronise bool) error
}

// Ender is an agent that wants to know where episodes end: transitions of one are not joined
// to those of the next.
type Ender interface{ End() error }

// End tells an agent that an episode is over, if it wants to know.
func End(a Agent) error {
	if e, ok := a.(Ender); ok {
		return e.End()
	}
	return nil
}

// Point is a test on the way.
type Point struct {
	Steps  int     `json:"steps"`  // gradient steps
	Return float64 `json:"return"` // mean of the test's episodes; a test ends early where the goal is out of reach
}

// Result says how far a loop is.
type Result struct {
	Solved      bool    `json:"solved"`
	Steps       int     `json:"steps"`       // gradient steps
	Environment int     `json:"environment"` // environment steps
	Return      float64 `json:"return"`      // mean of the last test
	Curve       []Point `json:"curve"`
}

// Loop is a loop under way.
type Loop struct {
	Config
	env, tests env.Environment
	spec       env.Spec
	agent      Agent

	explorePCG, testPCG *rand.PCG
	explore, test       *rand.Rand
	result              Result
	episode             episode
	now                 []float64 // the observation, unscaled; nil between two episodes
}

// episode is the seed and the actions that replay an episode.
type episode struct {
	Seed    uint32       `json:"seed"`
	Actions []env.Action `json:"actions"`
}

// New begins a loop with an environment to learn in, and another of the same kind to test
// in.
func New(c Config, e, tests env.Environment, agent Agent, seed uint64) (*Loop, error) {
	l, err := made(c, e, tests, agent)
	if err != nil {
		return nil, err
	}
	l.explorePCG.Seed(seed, 7)
	l.testPCG.Seed(seed, 99)
	return l, l.reset()
}

func made(c Config, e, tests env.Environment, agent Agent) (*Loop, error) {
	spec := e.Spec()
	if err := c.Validate(spec); err != nil {
		return nil, err
	}

	// Two generators, so that tests do not change the exploration.
	l := &Loop{Config: c, env: e, tests: tests, spec: spec, agent: agent, explorePCG: &rand.PCG{}, testPCG: &rand.PCG{}}
	l.explore, l.test = rand.New(l.explorePCG), rand.New(l.testPCG)
	return l, nil
}

// Result is how far the loop is.
func (l *Loop) Result() Result { return l.result }

// reset begins an episode.
func (l *Loop) reset() error {
	before := *l.explorePCG
	next := episode{Seed: l.explore.Uint32()}
	now, err := l.env.Reset(next.Seed)
	if err != nil {
		*l.explorePCG = before
		return err
	}
	l.episode, l.now = next, now
	return nil
}

// untested reports whether the test behind the last gradient step is still to be made.
func (l *Loop) untested() bool {
	n, curve := l.result.Steps, l.result.Curve
	return n > 0 && n%l.Test == 0 && (len(curve) == 0 || curve[len(curve)-1].Steps != n)
}

// Run goes on until the task is solved, the limit is reached, or ctx ends, whose error it
// returns; each sees every test, nil for nobody. An error of an environment leaves the state
// before the step or the test that it was asked for, from which a run may go on.
func (l *Loop) Run(ctx context.Context, each func(Point)) error {
	for !l.result.Solved && (l.result.Steps < l.Limit || l.untested()) {
		if err := ctx.Err(); err != nil {
			return err
		}

		// A test now and then ends the loop where the goal is reached.
		if l.untested() {
			if err := l.try(each); err != nil {
				return err
			}
			continue
		}
		if err := l.environmentStep(); err != nil {
			return err
		}

		// A gradient step every so many of the environment, once there is enough to draw.
		if n := l.result.Environment; n < l.Start || n%l.Every != 0 {
			continue
		}
		next := l.result.Steps + 1
		if err := l.agent.Step(l.Synchronise > 0 && next%l.Synchronise == 0); err != nil {
			return fmt.Errorf("gradient step %d: %w", next, err)
		}

		l.result.Steps = next
	}
	return nil
}

// environmentStep acts once and keeps the transition. After a truncation the next state
// still has a value.
func (l *Loop) environmentStep() error {
	// An episode begins when its first step is wanted: one that cannot begin leaves the end of
	// the last one complete.
	if l.now == nil {
		if err := l.reset(); err != nil {
			return err
		}
	}

	// Act, with exploration.
	before := *l.explorePCG
	l.result.Environment++
	t := Transition{State: l.Observe(l.now)}
	var err error
	if t.Action, err = l.choose(t.State); err != nil {
		return err
	}
	done := l.outer(t.Action)
	o, err := l.env.Step(done)
	if err != nil {
		*l.explorePCG = before
		l.result.Environment--
		return err
	}

	// The result as the learner sees it. A termination leaves nothing to come.
	l.episode.Actions = append(l.episode.Actions, done)
	l.now = o.Observation
	t.Next, t.Reward = l.Observe(o.Observation), float64(o.Reward*l.Reward)
	if !o.Terminated {
		t.Discount = l.Discount
	}

	// The agent keeps it, and hears of the episode's end.
	if err := l.agent.Insert(t); err != nil {
		return err
	}
	if !o.Terminated && !o.Truncated {
		return nil
	}
	l.now = nil
	return End(l.agent)
}

// choose acts with exploration.
func (l *Loop) choose(state []float64) (a env.Action, err error) {
	n := l.result.Environment

	// Numbered actions: random ones at a rate that falls. Both numbers are drawn in any case,
	// so that the generator does not depend on the policy.
	if l.spec.Actions > 0 {
		rate := max(l.Explore, 1-float64((1-l.Explore)*float64(n))/float64(l.Decay))
		a.Number = l.explore.IntN(l.spec.Actions)
		if l.explore.Float64() >= rate {
			return l.agent.Act(state)
		}
		return a, nil
	}

	// Amounts: random ones first, then the policy's with noise.
	if n < l.Start {
		for range l.spec.Low {
			a.Amounts = append(a.Amounts, 2*float64(l.explore.Float64())-1)
		}
		return a, nil
	}
	best, err := l.agent.Act(state)

	for _, x := range best.Amounts {
		noise := float64(l.explore.NormFloat64() * l.Noise)
		a.Amounts = append(a.Amounts, max(-1, min(1, x+noise)))
	}
	return a, err
}

// Observe scales an observation for a learner.
func (c Config) Observe(x []float64) []float64 {
	scaled := make([]float64, len(x))
	for i, v := range x {
		scaled[i] = float64(v * c.Scale[i])
	}
	return scaled
}

// outer is an action as the environment takes it.
func (l *Loop) outer(a env.Action) env.Action {
	if l.spec.Actions > 0 {
		return a
	}
	return env.Action{Amounts: Amounts(l.spec, a.Amounts)}
}

// Amounts brings amounts from [−1, 1] to the range of the environment.
func Amounts(s env.Spec, xs []float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		low, high := s.Low[i], s.High[i]
		out[i] = low + float64((high-low)*float64((x+1)/2))
	}
	return out
}

// try tests the policy without exploration. A test that reaches the goal is confirmed by
// another on fresh episodes.
func (l *Loop) try(each func(Point)) (err error) {
	before, last := *l.testPCG, l.result.Return
	defer func() {
		if err != nil {
			*l.testPCG, l.result.Return = before, last
		}
	}()
	mean, err := l.mean(l.Episodes)
	if err != nil {
		return err
	}

	// A mean of few episodes reaches the goal by luck now and then.
	l.result.Return = mean
	if l.reached(mean) {
		if l.result.Return, err = l.mean(l.Confirm); err != nil {
			return err
		}
		l.result.Solved = l.reached(l.result.Return)
	}

	p := Point{l.result.Steps, mean}
	l.result.Curve = append(l.result.Curve, p)
	if each != nil {
		each(p)
	}
	return nil
}

func (l *Loop) reached(mean float64) bool {
	return l.Goal != nil && (mean > *l.Goal || mean == *l.Goal && !l.Above)
}

// mean is the mean return of n episodes, or of fewer where the goal is out of reach even if
// all that are left were the best: it is below the goal, too.
func (l *Loop) mean(n int) (float64, error) {
	sum := 0.0
	for i := range n {
		r, err := l.greedy()
		if err != nil {
			return 0, err
		}

		sum += r
		if bound := sum + float64(l.spec.Best*float64(n-i-1)); l.Goal != nil && !math.IsInf(bound, 0) && bound/float64(n) < *l.Goal {
			return sum / float64(i+1), nil
		}
	}
	return sum / float64(n), nil
}

// greedy is the return of an episode without exploration.
func (l *Loop) greedy() (sum float64, err error) {
	// Every episode of a test has a start of its own.
	x, err := l.tests.Reset(l.test.Uint32())
	for err == nil {
		var a env.Action
		if a, err = l.agent.Act(l.Observe(x)); err != nil {
			break
		}
		var o env.Outcome
		if o, err = l.tests.Step(l.outer(a)); err != nil {
			break
		}

		sum += o.Reward
		if o.Terminated || o.Truncated {
			return sum, nil
		}
		x = o.Observation
	}
	return sum, err
}
