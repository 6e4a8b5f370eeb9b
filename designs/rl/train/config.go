package train

import (
	"fmt"
	"slices"

	learnercircuit "etch/designs/learner"
	replay "etch/designs/replay/model"
	"etch/designs/rl"
	"etch/designs/rl/env"
	"etch/designs/rl/host"
	"etch/designs/rl/loop"
	"etch/designs/rl/model"
)

// The algorithms and engines.
const (
	DQN     = "dqn"
	DDPG    = "ddpg"
	Circuit = "circuit"
	Model   = "model"
	Float   = "float"
)

// Config is a run, but for its length.
type Config struct {
	Algorithm string      `json:"algorithm"`
	Engine    string      `json:"engine"`
	Env       string      `json:"env"` // cartpole, pendulum or a command; "" for none
	Seed      uint64      `json:"seed"`
	Loop      loop.Config `json:"loop"`

	DQN    learnercircuit.Config `json:"dqn"`
	DDPG   learnercircuit.DDPG   `json:"ddpg"`
	Memory rl.Memory             `json:"memory"`
	Alpha  float64               `json:"alpha"`
	Beta   float64               `json:"beta"`
	// Epsilon is added to |δ|; with Uniform all priorities stay 1.
	Epsilon float64 `json:"epsilon"`
	Plain   bool    `json:"plain"` // draws without strata
	Uniform bool    `json:"uniform"`
}

// Default is the run that suits an environment of that shape: networks with a hidden layer
// of 64, and for DQN a circuit of two outputs a cycle.
func Default(algorithm, name string, s env.Spec, seed uint64) Config {
	c := Config{Algorithm: algorithm, Engine: Model, Env: name, Seed: seed, Loop: loop.For(name, s), Alpha: 0.6, Beta: 0.4, Epsilon: 0.01}

	// The example systems at a beat of 32 cycles, with outer layers of the environment's sizes.
	c.Memory = rl.CartPole(32).Memory
	c.DQN, c.DDPG = learnercircuit.CartPole(32), learnercircuit.Pendulum(32)
	if algorithm == DQN {
		c.DQN.Sizes = []int{s.Observation, 64, s.Actions}
		c.DQN.Tiles = []int{s.Observation, 2, 2, s.Actions}
		return c
	}

	c.Memory.Capacity = 16384
	c.DDPG.Observation, c.DDPG.Actions = s.Observation, len(s.Low)
	c.DDPG.ActorTiles = []int{s.Observation, 2, 2, len(s.Low)}
	c.DDPG.CriticTiles = []int{s.Observation + len(s.Low), 2, 2, 1}
	return c
}

// Validate refuses a run that does not suit the environment's shape, or that its engine
// cannot make.
func (c Config) Validate(s env.Spec) error {
	if !slices.Contains([]string{Circuit, Model, Float}, c.Engine) {
		return fmt.Errorf("engine %q; circuit, model or float", c.Engine)
	}
	if c.Seed == 0 {
		return fmt.Errorf("seed 0; 1 and more")
	}

	// Negated, so that NaN is refused.
	for name, x := range map[string]float64{"alpha": c.Alpha, "beta": c.Beta, "epsilon": c.Epsilon} {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("%s %v; 0 to 1", name, x)
		}
	}

	if err := c.Loop.Validate(s); err != nil {
		return err
	}

	// The baseline has neither: a setting that is silently ignored would falsify comparisons.
	if c.Engine == Float && (c.Memory.Horizon > 1 || c.Algorithm == DQN && c.DQN.Prefetch || c.Algorithm == DDPG && c.DDPG.Prefetch) {
		return fmt.Errorf("horizon and prefetch are of the engines circuit and model, not of float")
	}

	// The outer layers fit the environment; the circuit's own rules come last.
	switch c.Algorithm {
	case DQN:
		if s.Actions == 0 {
			return fmt.Errorf("dqn wants numbered actions, and the environment has amounts: ddpg takes these")
		}
		if in, out := c.DQN.Sizes[0], c.DQN.Sizes[len(c.DQN.Sizes)-1]; in != s.Observation || out != s.Actions {
			return fmt.Errorf("a network of %d inputs and %d outputs for %d numbers of an observation and %d actions", in, out, s.Observation, s.Actions)
		}
		return c.system().Validate()
	case DDPG:
		if s.Actions > 0 {
			return fmt.Errorf("ddpg wants amounts, and the environment has numbered actions: dqn takes these")
		}
		if c.DDPG.Observation != s.Observation || c.DDPG.Actions != len(s.Low) {
			return fmt.Errorf("an actor of %d inputs and %d outputs for %d numbers of an observation and %d amounts", c.DDPG.Observation, c.DDPG.Actions, s.Observation, len(s.Low))
		}
		return c.actions().Validate()
	}
	return fmt.Errorf("algorithm %q; dqn or ddpg", c.Algorithm)
}

func (c Config) system() rl.System[rl.Values] {
	s := rl.System[rl.Values]{Learner: rl.Values{Config: c.DQN}, Memory: c.Memory}
	s.Memory.Seed = c.Seed
	return s
}

func (c Config) actions() rl.System[rl.Actions] {
	s := rl.System[rl.Actions]{Learner: rl.Actions{DDPG: c.DDPG}, Memory: c.Memory}
	s.Memory.Seed = c.Seed
	return s
}

// settings are the settings of the circuit's memory; tau is the rate of soft targets in
// 2^-16.
func (c Config) settings(tau int64) host.Settings {
	s := host.Settings{Alpha: c.Alpha, Beta: c.Beta, Epsilon: c.Epsilon, Plain: c.Plain, Tau: tau}

	// p^0 = 1: both exponents 0 make draws uniform and all weights 1.
	if c.Uniform {
		s.Alpha, s.Beta = 0, 0
	}
	return s
}

// memory is the model's memory. Without priorities both exponents are 0.
func (c Config) memory() model.MemoryConfig {
	m := model.MemoryConfig{
		Params:    c.Memory.Params,
		Exponents: replay.Exponents{Alpha: replay.Fixed(c.Alpha), Beta: replay.Fixed(c.Beta), Epsilon: replay.Fixed(c.Epsilon)},
		Plain:     c.Plain, Seed: c.Seed, Prefetch: c.DQN.Prefetch, Horizon: c.Memory.Horizon, Reward: c.DQN.Activation,
	}
	if c.Algorithm == DDPG {
		m.Prefetch, m.Reward = c.DDPG.Prefetch, c.DDPG.Activation
	}

	if c.Uniform {
		m.Alpha, m.Beta = 0, 0
	}
	return m
}
