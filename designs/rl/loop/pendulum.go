package loop

import (
	"fmt"
	"math"
	"math/rand/v2"

	learner "etch/designs/learner/model"
	"etch/designs/pendulum"
	"etch/hw/fixed"
)

// DDPG is a learner of continuous actions.
type DDPG interface {
	// Act gives the actor's actions, in [−1, 1].
	Act(observation []int64) []int64
	// Insert keeps a transition.
	Insert(t learner.Transition)
	// Step is a gradient step on a batch of transitions.
	Step() error
}

// Pendulum are the numbers of the loop, with defaults by [NewPendulum].
type Pendulum struct {
	Format   fixed.Format // of activations
	Scale    [3]float64   // of the observation (cos θ, sin θ, θ̇), powers of two
	Reward   float64      // factor of rewards
	Discount float64
	Random   int     // environment steps with random actions, before the first gradient step
	Noise    float64 // standard deviation of the exploration behind that
	Test     int     // gradient steps between tests
	Limit    int     // gradient steps after which the loop gives up
	Goal     float64 // mean return of 20 episodes, and of 100 fresh ones, that solves the task
}

// NewPendulum is the loop that learns Pendulum-v1. Unscaled speeds, of up to 8 rad/s,
// keep it from learning.
func NewPendulum(activations fixed.Format) Pendulum {
	return Pendulum{
		Format: activations, Scale: [3]float64{1, 1, 0.25}, Reward: 0.1, Discount: 0.99, Random: 500, Noise: 0.1,
		Test: 500, Limit: 60_000, Goal: -200,
	}
}

func (c Pendulum) observe(s pendulum.State) []int64 {
	x := make([]int64, 3)
	for i, v := range s.Observe() {
		x[i] = c.Format.Raw(float64(v * c.Scale[i]))
	}
	return x
}

// torque is what the environment takes for an action.
func (c Pendulum) torque(a int64) float64 { return pendulum.MaxTorque * c.Format.Float(a) }

// Run learns, one gradient step each environment step, until the task is solved or the
// limit is reached; each sees every test, nil for nobody.
func (c Pendulum) Run(agent DDPG, seed uint64, each func(Point)) (Result, error) {
	var r Result
	random, tests := rand.New(rand.NewPCG(seed, 7)), rand.New(rand.NewPCG(seed, 99))
	var env pendulum.Env
	env.Reset(pendulum.RandomState(random))
	for r.Environment = 1; ; r.Environment++ {
		c.environmentStep(agent, &env, random, r.Environment)
		if r.Environment < c.Random {
			continue
		}
		if err := agent.Step(); err != nil {
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

// environmentStep acts once and keeps the transition. No state is terminal, so every
// next one has a value.
func (c Pendulum) environmentStep(agent DDPG, env *pendulum.Env, random *rand.Rand, n int) {
	t := learner.Transition{State: c.observe(env.State), Actions: make([]int64, 1), Discount: int64(float64(c.Discount*learner.One) + 0.5)}
	one := int64(1) << c.Format.Frac
	if n < c.Random {
		t.Actions[0] = c.Format.Raw(2*float64(random.Float64()) - 1)
	} else {
		noise := c.Format.Raw(float64(random.NormFloat64() * c.Noise))
		t.Actions[0] = max(-one, min(one, agent.Act(t.State)[0]+noise))
	}
	reward, truncated := env.Step(c.torque(t.Actions[0]))
	t.Next, t.Reward = c.observe(env.State), c.Format.Raw(float64(reward*c.Reward))
	agent.Insert(t)
	if truncated {
		env.Reset(pendulum.RandomState(random))
	}
}

// test is as that of [CartPole].
func (c Pendulum) test(agent DDPG, tests *rand.Rand, r *Result, each func(Point)) (solved bool) {
	mean := c.mean(agent, tests, testEpisodes)
	r.Return = mean
	if mean > c.Goal {
		r.Return = c.mean(agent, tests, confirmEpisodes)
		r.Solved = r.Return > c.Goal
	}
	p := Point{r.Steps, mean}
	r.Curve = append(r.Curve, p)
	if each != nil {
		each(p)
	}
	return r.Solved
}

// mean is the mean return of n episodes of the actor without noise. Rewards are never
// positive: a sum that is below the goal stays there, and is reported as it is.
func (c Pendulum) mean(agent DDPG, tests *rand.Rand, n int) float64 {
	sum := 0.0
	for range n {
		var env pendulum.Env
		env.Reset(pendulum.RandomState(tests))
		for truncated := false; !truncated; {
			var reward float64
			reward, truncated = env.Step(c.torque(agent.Act(c.observe(env.State))[0]))
			sum += reward
		}
		if sum < math.Min(0, c.Goal*float64(n)) {
			break
		}
	}
	return sum / float64(n)
}
