package loop

import (
	"errors"
	"fmt"
	"math"

	"etch/designs/rl/env"
)

// Config are the numbers of a loop.
type Config struct {
	Scale    []float64 `json:"scale" help:"factors of the elements of an observation, powers of two, not 0"`
	Reward   float64   `json:"reward" help:"factor of rewards, not 0"`
	Discount float64   `json:"discount" help:"of the value of the next state, 0 to 1"`
	Start    int       `json:"start" help:"environment steps before the first gradient step" range:"1.."`
	Every    int       `json:"every" help:"environment steps for each gradient step" range:"1.."`
	Limit    int       `json:"limit" help:"gradient steps after which the loop gives up" range:"1.."`

	// Of numbered actions: the rate of random ones falls from 1 to Explore in Decay
	// environment steps; the target is synchronised every so many gradient steps, 0 never.
	Explore     float64 `json:"explore" help:"rate of random numbered actions in the end, 0 to 1"`
	Decay       int     `json:"decay" help:"environment steps in which that rate falls from 1" range:"1.."`
	Synchronise int     `json:"synchronise" help:"gradient steps between two synchronisations of the target, 0 never" range:"0.."`

	// Of amounts: random ones before Start, then noise of this standard deviation.
	Noise float64 `json:"noise" help:"standard deviation of the noise on amounts, 0 to 10"`

	// Every Test gradient steps the policy without exploration runs for Episodes episodes. A
	// mean return of Goal and more, or more than Goal if Above is set, must come again in
	// Confirm fresh ones to count as solved. No goal: the loop runs to its limit.
	Test     int      `json:"test" help:"gradient steps between two tests" range:"1.."`
	Episodes int      `json:"episodes" help:"episodes of a test" range:"1.."`
	Confirm  int      `json:"confirm" help:"episodes of the test that confirms a goal" range:"1.."`
	Goal     *float64 `json:"goal,omitempty"`
	Above    bool     `json:"above,omitempty" help:"the goal is reached only above it"`
}

// Default suits an environment that nothing is known of, without a goal.
func Default(s env.Spec) Config {
	// Numbered actions explore at a falling rate and have hard targets; amounts learn in every step,
	// with soft ones.
	c := Config{Reward: 1, Discount: 0.99, Start: 500, Every: 4, Limit: 30_000, Explore: 0.05, Decay: 5000, Synchronise: 100, Noise: 0.1, Test: 500, Episodes: 20, Confirm: 100}
	if s.Actions == 0 {
		c.Every, c.Synchronise, c.Limit = 1, 0, 60_000
	}

	for range s.Observation {
		c.Scale = append(c.Scale, 1)
	}
	return c
}

// CartPole is the loop that learns CartPole-v1: solved with 475 of 500 steps. A pole's
// angle stays below 0.21 rad: scaled by 8 it uses the bits of its format.
func CartPole() Config {
	c := Default(env.Spec{Observation: 4, Actions: 2})
	goal := 475.0
	c.Scale[2], c.Test, c.Goal = 8, 100, &goal
	return c
}

// Pendulum is the loop that learns Pendulum-v1: solved above −200. Unscaled speeds, of up
// to 8 rad/s, keep it from learning.
func Pendulum() Config {
	c := Default(env.Spec{Observation: 3})
	goal := -200.0
	c.Scale[2], c.Reward, c.Goal, c.Above = 0.25, 0.1, &goal, true
	return c
}

// For gives the loop of an environment by its name.
func For(name string, s env.Spec) Config {
	switch name {
	case "cartpole":
		return CartPole()
	case "pendulum":
		return Pendulum()
	}
	return Default(s)
}

// Validate checks the numbers for an environment.
func (c Config) Validate(s env.Spec) error {
	var all []error
	bad := func(is bool, format string, args ...any) {
		if is {
			all = append(all, fmt.Errorf(format, args...))
		}
	}

	// Written so that NaN is refused.
	bad(len(c.Scale) != s.Observation, "%d scales for %d numbers of an observation", len(c.Scale), s.Observation)
	factor := func(x float64) bool { return x != 0 && !math.IsNaN(x) && !math.IsInf(x, 0) }
	bad(!factor(c.Reward), "loop.reward is %v; want a finite factor other than 0", c.Reward)
	for i, x := range c.Scale {
		bad(!factor(x), "loop.scale: factor %d is %v; want a finite one other than 0", i, x)
	}
	bad(!(c.Discount >= 0 && c.Discount <= 1), "discount %v; 0 to 1", c.Discount)
	bad(!(c.Explore >= 0 && c.Explore <= 1), "explore %v; 0 to 1", c.Explore)
	bad(!(c.Noise >= 0 && c.Noise <= 10), "noise %v; 0 to 10", c.Noise)
	bad(c.Start < 1 || c.Every < 1 || c.Limit < 1 || c.Decay < 1 || c.Test < 1, "start %d, every %d, limit %d, decay %d, test %d; 1 and more", c.Start, c.Every, c.Limit, c.Decay, c.Test)
	bad(c.Synchronise < 0 || c.Episodes < 1 || c.Confirm < 1, "synchronise %d, episodes %d, confirm %d; 0 and more, 1 and more", c.Synchronise, c.Episodes, c.Confirm)
	return errors.Join(all...)
}
