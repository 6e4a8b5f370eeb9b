package sac

import (
	"fmt"

	"etch/designs/float"
)

// Config holds the settings of a training run of soft actor-critic.
type Config struct {
	Variant
	Seed  uint64
	Steps int
	Warm  int // of them with random actions and without updates
	Test  int // steps between tests

	Rate        float64 // of all three groups
	Low, High   float64 // bounds of log σ
	Batch       int
	Hidden      int
	Gamma, Tau  float64
	Reward      float64 // factor of rewards
	Temperature float64 // at first
	Entropy     float64 // that the policy is to have
	Scale       float64 // of the loss at first
	Target      float64 // factor of the stored target
	Epsilon     float64
	Growth      int // steps after which the scale is doubled
	Every       int // steps between updates of the target
}

// Default is the setting in which every method shows: bounds of the paper's pixel tasks and
// a great rate.
func Default(v Variant, seed uint64) Config {
	return Config{
		Variant: v, Seed: seed, Steps: 12000, Warm: 1000, Test: 1000, Rate: 1e-3, Low: -10, High: 2, Batch: 64, Hidden: 64, Gamma: .99, Tau: .005,
		Reward: .1, Temperature: .1, Entropy: -1, Scale: 1e4, Target: 8192, Epsilon: 1e-8, Growth: 10000, Every: 2,
	}
}

// Tame is the setting with the paper's bounds for states and a smaller rate.
func Tame(v Variant, seed uint64) Config {
	c := Default(v, seed)

	// The paper's own bounds for states, where the softplus and normal fixes hardly matter.
	c.Steps, c.Rate, c.Low = 15000, 3e-4, -5
	return c
}

// Validate reports the first number that no run can have.
func (c Config) Validate() error {
	switch {
	case c.Steps < 1 || c.Warm < 1 || c.Test < 1 || c.Every < 1 || c.Growth < 1:
		return fmt.Errorf("sac: steps %d, warm %d, test %d, every %d, growth %d: want at least 1", c.Steps, c.Warm, c.Test, c.Every, c.Growth)
	case c.Batch < 1 || c.Batch > 4096 || c.Hidden < 1 || c.Hidden > 4096:
		return fmt.Errorf("sac: batch %d, hidden %d: want 1 to 4096", c.Batch, c.Hidden)
	case !kept(c.M.Or(c.Format)) || !kept(c.W.Or(c.Format)):
		return fmt.Errorf("sac: moments in formats %v and %v: want IEEE codes of at most 8 exponent and 23 fraction bits", c.M, c.W)
	case c.Format != float.F32 && (c.Format.Frac > 10 || c.Format.Exp > 8 || c.Format.Codes != 0 || c.Format.Flush || c.Format.Saturate):
		return fmt.Errorf("sac: format %v: want float32, or IEEE codes of at most 8 exponent and 10 fraction bits", c.Format)
	case !(c.Low < c.High):
		return fmt.Errorf("sac: bounds %v and %v of log σ", c.Low, c.High)
	}
	return nil
}

// kept reports whether a moment may have the format: float32 has to hold all its numbers.
func kept(f float.Format) bool {
	_, ok := f.Slices()
	return ok && f.Validate() == nil
}

// String is the run's name in messages.
func (c Config) String() string { return fmt.Sprintf("%s, seed %d", c.Name, c.Seed) }
