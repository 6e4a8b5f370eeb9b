package ppo

import (
	"fmt"
	"math"

	"etch/designs/gae/reference"
)

// Config is everything that decides a run, but for the estimator: equal ones give
// byte-equal curves and controllers. Default has the values that were tuned.
type Config struct {
	Task       Task   `json:"task"`
	Seed       uint64 `json:"seed"`
	Envs       int    `json:"envs"`       // environments in lock step
	Horizon    int    `json:"horizon"`    // steps of each in an iteration
	Iterations int    `json:"iterations"` // rollouts, each with an update

	Hidden       []int   `json:"hidden"`        // units of the hidden layers, in both networks
	LogDeviation float64 `json:"log_deviation"` // logarithm of the policy's standard deviation at the start; 0 is MaxTorque

	Gamma  float64 `json:"gamma"`  // γ, discount per step
	Lambda float64 `json:"lambda"` // λ of the advantage estimation
	// Convention says how the float estimator treats truncations.
	Convention reference.Convention `json:"convention"`

	Clip       float64 `json:"clip"`        // ε of the clipped objective
	Entropy    float64 `json:"entropy"`     // weight of the entropy bonus
	Epochs     int     `json:"epochs"`      // passes over a rollout in an update
	Minibatch  int     `json:"minibatch"`   // steps in a gradient
	ActorRate  float64 `json:"actor_rate"`  // Adam's, of the policy
	CriticRate float64 `json:"critic_rate"` // and of the value function
	DecayRates bool    `json:"decay_rates"` // lower both linearly towards 0 at the end of the run
	MaxNorm    float64 `json:"max_norm"`    // of the gradient of either network; 0 for no limit

	// StandardiseAdvantages brings the advantages of every minibatch to mean 0 and
	// deviation 1.
	StandardiseAdvantages bool `json:"standardise_advantages"`
	// RewardScale multiplies every reward before all else.
	RewardScale float64 `json:"reward_scale"`
	// NormaliseRewards divides rewards by the running deviation of the discounted
	// sum of rewards, after RewardScale, and limits them to ±10.
	NormaliseRewards bool `json:"normalise_rewards"`
}

// Default is the configuration whose results the package's documentation has.
func Default() Config {
	return Config{
		Seed: 1, Envs: 8, Horizon: 128, Iterations: 80,
		Hidden: []int{64, 64}, LogDeviation: 0,
		Gamma: 0.95, Lambda: 0.95,
		Clip: 0.2, Entropy: 0, Epochs: 5, Minibatch: 64,
		ActorRate: 2e-3, CriticRate: 2e-3, DecayRates: true, MaxNorm: 0.5,
		StandardiseAdvantages: true, RewardScale: 0.1,
	}
}

// Bounds that keep a run within memory.
const (
	maxSamples = 1 << 22 // steps of a rollout
	maxUnits   = 1024
	maxLayers  = 8
)

// Validate reports the first field that cannot be used, by its JSON name.
func (c Config) Validate() error {
	// Tables of fields: one line per limit, and one form of message.
	ints := []struct {
		name          string
		value, lo, hi int
	}{
		{"envs", c.Envs, 1, 1 << 16},
		{"horizon", c.Horizon, 1, maxSamples / max(1, c.Envs)},
		{"iterations", c.Iterations, 0, 1 << 30},
		{"hidden: layers", len(c.Hidden), 0, maxLayers},
		{"epochs", c.Epochs, 1, 1000},
		{"minibatch", c.Minibatch, 1, maxSamples},
	}
	for _, f := range ints {
		if f.value < f.lo || f.value > f.hi {
			return fmt.Errorf("ppo: %s: %d is not in %d..%d", f.name, f.value, f.lo, f.hi)
		}
	}

	for _, units := range c.Hidden {
		if units < 1 || units > maxUnits {
			return fmt.Errorf("ppo: hidden: %d is not in 1..%d", units, maxUnits)
		}
	}

	floats := []struct {
		name          string
		value, lo, hi float64
	}{
		{"log_deviation", c.LogDeviation, -10, 5},
		{"gamma", c.Gamma, 0, 1},
		{"lambda", c.Lambda, 0, 1},
		{"clip", c.Clip, 1e-6, 10},
		{"entropy", c.Entropy, 0, 1e6},
		{"actor_rate", c.ActorRate, 0, 1},
		{"critic_rate", c.CriticRate, 0, 1},
		{"max_norm", c.MaxNorm, 0, math.MaxFloat64},
		{"reward_scale", c.RewardScale, 1e-9, 1e9},
	}
	for _, f := range floats {
		if !(f.value >= f.lo && f.value <= f.hi) { // NaN too
			return fmt.Errorf("ppo: %s: %v is not in %g..%g", f.name, f.value, f.lo, f.hi)
		}
	}

	if c.Task < Pendulum || c.Task > Cart {
		return fmt.Errorf("ppo: task: %d is none", int(c.Task))
	}
	if c.Convention != reference.StableBaselines && c.Convention != reference.CleanRL {
		return fmt.Errorf("ppo: convention: %d is none", int(c.Convention))
	}
	return nil
}
