package learner

import (
	"errors"
	"fmt"

	"etch/designs/learner/model"
)

// Config is a DQN learner: its networks, its step, and the multipliers that work in parallel.
type Config struct {
	Sizes []int `help:"observations, hidden layers, actions" range:"1..4096"`
	Tiles []int `help:"inputs and outputs of a word of weights, for each layer" range:"1..4096"`
	model.Step
	Rate   int  `help:"learning rate 2^-rate" range:"-16..32"`
	Double bool `help:"the online network picks the next action"`
	DP     int  `help:"samples side by side, a power of two" range:"1..4096"`
	Count  bool `help:"counts the values that saturate; else the counters stay 0"`
	// Prefetch doubles the memories of samples: a step runs on the samples pushed before it
	// began, while the samples of the next step come.
	Prefetch bool `json:",omitempty" help:"takes the samples of the next step while one runs"`

	watched bool // asserted: nothing is read as it is written, nor written in the end
}

// CartPole is the learner of CartPole with a beat of so many cycles, from 8 to 64 and
// a power of two.
func CartPole(beat int) Config {
	d, side := model.DQN4x64x2(), 64/beat
	return Config{Sizes: d.Sizes, Tiles: []int{4, side, side, 2}, Step: d.Step, Rate: d.Rate, DP: 1}
}

// Model leaves out tiles and DP: they change cycles and area, not results.
func (c Config) Model() model.DQNConfig {
	return model.DQNConfig{Sizes: c.Sizes, Step: c.Step, Rate: c.Rate, Double: c.Double}
}

// Validate refuses shapes that no learner has.
func (c Config) Validate() error {
	if err := c.Model().Validate(); err != nil {
		return err
	}
	return errors.Join(c.net().validate(), c.net().common.validate())
}

// net is the network.
func (c Config) net() tiling {
	return tiling{common{c.Exact(), c.DP, c.watched, nil}, c.Sizes, c.Tiles, c.Rate}
}

// DDPG is a learner of continuous actions: an actor, whose outputs end in tanh, and a
// critic of an observation followed by the actions.
type DDPG struct {
	Observation  int   `help:"numbers of an observation" range:"1..4096"`
	Actions      int   `help:"numbers of an action, in [-1, 1]" range:"1..4096"`
	ActorHidden  []int `help:"hidden layers of the actor" range:"1..4096"`
	CriticHidden []int `help:"hidden layers of the critic" range:"1..4096"`
	ActorTiles   []int `help:"inputs and outputs of a word of weights, for each layer of the actor" range:"1..4096"`
	CriticTiles  []int `help:"inputs and outputs of a word of weights, for each layer of the critic" range:"1..4096"`
	model.Step
	ActorRate  int  `help:"learning rate of the actor 2^-rate" range:"-16..32"`
	CriticRate int  `help:"learning rate of the critic 2^-rate" range:"-16..32"`
	DP         int  `help:"samples side by side, a power of two" range:"1..4096"`
	Count      bool `help:"counts the values that saturate; else the counters stay 0"`
	Prefetch   bool `json:",omitempty" help:"takes the samples of the next step while one runs"` // as in [Config]

	watched bool // asserted: nothing is read as it is written, nor written in the end
}

// Pendulum is the learner of the pendulum with a beat of so many cycles, from 8 to 64 and
// a power of two.
func Pendulum(beat int) DDPG {
	d, side := model.DDPGPendulum(), 64/beat
	return DDPG{
		Observation: d.Observation, Actions: d.Actions, ActorHidden: d.ActorHidden, CriticHidden: d.CriticHidden,
		ActorTiles: []int{3, side, side, 1}, CriticTiles: []int{4, side, side, 1},
		Step: d.Step, ActorRate: d.ActorRate, CriticRate: d.CriticRate, DP: 1,
	}
}

// Model is the model's configuration.
func (c DDPG) Model() model.DDPGConfig {
	return model.DDPGConfig{
		Observation: c.Observation, Actions: c.Actions, ActorHidden: c.ActorHidden, CriticHidden: c.CriticHidden,
		Step: c.Step, ActorRate: c.ActorRate, CriticRate: c.CriticRate,
	}
}

// Validate refuses shapes that no learner has.
func (c DDPG) Validate() error {
	if err := c.Model().Validate(); err != nil {
		return err
	}
	all := []error{c.actor().common.validate()}
	if err := c.actor().validate(); err != nil {
		all = append(all, fmt.Errorf("actor: %w", err))
	}
	if err := c.critic().validate(); err != nil {
		all = append(all, fmt.Errorf("critic: %w", err))
	}
	return errors.Join(all...)
}

// actor and critic are the networks.
func (c DDPG) actor() tiling {
	return tiling{common{c.Exact(), c.DP, c.watched, nil}, c.Model().ActorSizes(), c.ActorTiles, c.ActorRate}
}

func (c DDPG) critic() tiling {
	return tiling{common{c.Exact(), c.DP, c.watched, nil}, c.Model().CriticSizes(), c.CriticTiles, c.CriticRate}
}
