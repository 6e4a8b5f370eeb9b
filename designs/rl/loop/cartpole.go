package loop

import (
	"fmt"
	"math/rand/v2"

	"etch/designs/cartpole"
	learner "etch/designs/learner/model"
	"etch/hw/fixed"
)

// DQN is a learner of the values of actions.
type DQN interface {
	// Act gives the values of all actions and the best action.
	Act(observation []int64) (values []int64, action int)
	// Insert keeps a transition.
	Insert(t learner.Transition)
	// Step is a gradient step on a batch of transitions; with synchronise the target
	// becomes the online network at its end.
	Step(synchronise bool) error
}

// CartPole are the numbers of the loop, with defaults by [NewCartPole].
type CartPole struct {
	Format      fixed.Format // of activations
	Scale       [4]float64   // of the observation (x, ẋ, θ, θ̇), powers of two
	Discount    float64
	Start       int     // environment steps before the first gradient step
	Every       int     // environment steps a gradient step
	Synchronise int     // gradient steps between copies to the target
	Explore     float64 // the least rate of random actions
	Decay       int     // environment steps in which it falls from 1 to that
	Test        int     // gradient steps between tests
	Limit       int     // gradient steps after which the loop gives up
	Goal        float64 // mean return of 20 episodes, and of 100 fresh ones, that solves the task
}

// NewCartPole is the loop that learns CartPole-v1. A pole's angle stays below 0.21 rad:
// scaled by 8 it uses the bits of its format.
func NewCartPole(activations fixed.Format) CartPole {
	return CartPole{
		Format: activations, Scale: [4]float64{1, 1, 8, 1}, Discount: 0.99, Start: 500, Every: 4, Synchronise: 100,
		Explore: 0.05, Decay: 5000, Test: 100, Limit: 30_000, Goal: 475,
	}
}

// Result says how a loop ended.
type Result struct {
	Solved      bool
	Steps       int     // gradient steps
	Environment int     // environment steps
	Return      float64 // mean of the last test of 100 episodes; of 20 if none was reached
	Curve       []Point
}

// Point is a test on the way.
type Point struct {
	Steps  int     // gradient steps
	Return float64 // mean of the test's episodes, or a bound of it: see [CartPole.Run]
}

// Episodes of a test, and of the one that confirms it.
const (
	testEpisodes    = 20
	confirmEpisodes = 100
)

// observe gives what the learner sees of a state.
func (c CartPole) observe(s cartpole.State) []int64 {
	x := make([]int64, 4)
	for i, v := range [4]float64{s.X, s.V, s.Theta, s.Omega} {
		x[i] = c.Format.Raw(float64(v * c.Scale[i]))
	}
	return x
}

// Run learns until the task is solved or the limit is reached; each sees every test, nil
// for nobody. A test ends early when its mean cannot reach the goal any more; the return
// it reports counts the episodes that were left out as perfect.
func (c CartPole) Run(agent DQN, seed uint64, each func(Point)) (Result, error) {
	var r Result
	random, tests := rand.New(rand.NewPCG(seed, 7)), rand.New(rand.NewPCG(seed, 99))
	var env cartpole.Env
	env.Reset(cartpole.RandomState(random))
	for r.Environment = 1; ; r.Environment++ {
		c.environmentStep(agent, &env, random, r.Environment)
		if r.Environment < c.Start || r.Environment%c.Every != 0 {
			continue
		}
		if err := agent.Step((r.Steps+1)%c.Synchronise == 0); err != nil {
			return r, fmt.Errorf("gradient step %d: %w", r.Steps+1, err)
		}
		r.Steps++
		if r.Steps%c.Test == 0 && c.test(agent, tests, &r, each) {
			return r, nil
		}
		if r.Steps >= c.Limit {
			return r, nil
		}
	}
}

// environmentStep acts once, at random with a rate that falls with time, and keeps the
// transition. After a truncation what comes next still counts.
func (c CartPole) environmentStep(agent DQN, env *cartpole.Env, random *rand.Rand, n int) {
	rate := max(c.Explore, 1-float64((1-c.Explore)*float64(n))/float64(c.Decay))
	t := learner.Transition{State: c.observe(env.State), Action: random.IntN(cartpole.Actions)}
	if random.Float64() >= rate {
		_, t.Action = agent.Act(t.State)
	}
	reward, terminated, truncated := env.Step(t.Action)
	t.Next, t.Reward = c.observe(env.State), c.Format.Raw(reward)
	if !terminated {
		t.Discount = int64(float64(c.Discount*learner.One) + 0.5)
	}
	agent.Insert(t)
	if terminated || truncated {
		env.Reset(cartpole.RandomState(random))
	}
}

// test runs the greedy policy; a test that reaches the goal is confirmed by another on
// fresh starts.
func (c CartPole) test(agent DQN, tests *rand.Rand, r *Result, each func(Point)) (solved bool) {
	mean := c.mean(agent, tests, testEpisodes)
	r.Return = mean
	if mean >= c.Goal {
		r.Return = c.mean(agent, tests, confirmEpisodes)
		r.Solved = r.Return >= c.Goal
	}
	p := Point{r.Steps, mean}
	r.Curve = append(r.Curve, p)
	if each != nil {
		each(p)
	}
	return r.Solved
}

// mean is the mean return of n episodes, or a bound of it that is below the goal.
func (c CartPole) mean(agent DQN, tests *rand.Rand, n int) float64 {
	lost, spare := 0, (cartpole.Steps-c.Goal)*float64(n)
	for range n {
		lost += cartpole.Steps - cartpole.Length(cartpole.RandomState(tests), func(s cartpole.State) int {
			_, a := agent.Act(c.observe(s))
			return a
		})
		if float64(lost) > spare {
			break
		}
	}
	return cartpole.Steps - float64(lost)/float64(n)
}
