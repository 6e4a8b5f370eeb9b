package train

import (
	"fmt"

	"etch/designs/dwc/model"
)

// Mapping says how the LUTs' pins are wired to the layer before.
type Mapping string

// The mappings.
const (
	// Learnable pins follow the largest of one trained score per input.
	Learnable Mapping = "learnable"
	// Fixed pins are drawn once: random permutations of the inputs, one after
	// the other.
	Fixed Mapping = "fixed"
)

// Algorithm is how the actor learns.
type Algorithm string

// The algorithms. DDPG is deterministic: one critic, a slowly following actor
// behind its goals, and exploration by Gaussian noise on the action.
const (
	SAC  Algorithm = "sac"
	DDPG Algorithm = "ddpg"
	PPO  Algorithm = "ppo" // on-policy, see type ppo
)

// Config is everything that decides a training run: equal configurations give
// byte-equal models. Default holds the values that the goal was met with.
type Config struct {
	Seed    uint64  `json:"seed"`
	Steps   int     `json:"steps"`   // environment steps
	Widths  []int   `json:"widths"`  // LUTs per layer, first to last
	N       int     `json:"n"`       // pins per LUT, 2..6
	Bits    int     `json:"bits"`    // B, thresholds per observation dimension, odd
	Mapping Mapping `json:"mapping"` // of every layer

	Algorithm Algorithm `json:"algorithm,omitempty"` // "" is SAC
	Task      Task      `json:"task,omitempty"`      // "" is the pendulum

	// Correlation is that of exploration noise from step to step, 0 for none.
	Correlation float64 `json:"correlation,omitempty"`
	// Deviation of DDPG's noise, in units of the greatest action, 0 for 0.1; of PPO's policy
	// at the start.
	Deviation float64 `json:"deviation,omitempty"`

	// Of PPO alone.
	Horizon int     `json:"horizon,omitempty"` // steps of a rollout, a multiple of batch
	Epochs  int     `json:"epochs,omitempty"`  // passes over a rollout
	Lambda  float64 `json:"lambda,omitempty"`  // λ of the advantage estimation
	Clip    float64 `json:"clip,omitempty"`    // ε of the clipped objective

	SensorBits int `json:"sensor_bits"` // W, width of a sensor code
	DACBits    int `json:"dac_bits"`    // width of an action word

	Batch       int     `json:"batch"`        // samples per update, a multiple of 64
	Warmup      int     `json:"warmup"`       // first steps, with random actions
	Hidden      int     `json:"hidden"`       // units in each of the critics' two hidden layers
	NoiseHidden int     `json:"noise_hidden"` // units in the hidden layer of the noise net
	Discount    float64 `json:"discount"`     // γ
	Polyak      float64 `json:"polyak"`       // τ of the target critics
	RewardScale float64 `json:"reward_scale"` // factor on the rewards
	ActorRate   float64 `json:"actor_rate"`   // Adam rate of tables, mapping scores, log α, β
	CriticRate  float64 `json:"critic_rate"`  // Adam rate of critics, noise net, temperature
	Temperature float64 `json:"temperature"`  // SAC's α at the start
	DecayFrom   float64 `json:"decay_from"`   // share of the steps after which the rates fall linearly to 0

	ValidateEvery  int `json:"validate_every"`  // steps between validations, 0 for none
	ValidateStarts int `json:"validate_starts"` // episodes in a validation
}

// Default returns the configuration that `etch train dwc` uses; the package
// documentation has its results.
func Default() Config {
	return Config{
		Seed: 1, Steps: 20000, Widths: []int{64, 64}, N: 6, Bits: 63, Mapping: Learnable,
		SensorBits: 12, DACBits: 12,
		Batch: 64, Warmup: 500, Hidden: 64, NoiseHidden: 32,
		Discount: 0.99, Polyak: 0.01, RewardScale: 0.1,
		ActorRate: 3e-3, CriticRate: 2e-3, Temperature: 0.2, DecayFrom: 0.8,
		ValidateEvery: 500, ValidateStarts: 256,
	}
}

// DefaultFor returns the configuration for a task and an algorithm whose results the package
// documentation has; unknown ones are left for Validate to find.
func DefaultFor(task Task, algorithm Algorithm) Config {
	c := Default()
	if task != Pendulum {
		c.Task = task
	}
	if algorithm != SAC {
		c.Algorithm = algorithm
	}

	switch {
	case algorithm == PPO:
		c.Steps, c.Warmup, c.ValidateEvery = 102_400, 1, 4096
		c.Horizon, c.Epochs, c.Lambda, c.Clip, c.Deviation = 2048, 10, 0.95, 0.2, 1
		c.Discount, c.Correlation, c.ActorRate, c.CriticRate, c.DecayFrom = 0.97, 0.8, 3e-3, 1e-3, 0
		if task == MountainCar { // a hundred steps to the goal
			c.Steps, c.Discount, c.Correlation = 81_920, 0.99, 0.98
		}
	case task == MountainCar:
		// The goal takes a swing, and so noise that lasts from step to step.
		c.Correlation = 0.98
		if algorithm == DDPG {
			c.Deviation = 0.5
		}
	}
	return c
}

// Bounds that keep a run, and a checkpoint that claims one, within memory.
const (
	maxSteps  = 10_000_000
	maxLayers = 16
	maxLUTs   = 1 << 15 // in all layers
	maxScores = 1 << 25 // mapping scores of all layers together
)

// Validate reports the first field that cannot be used, by its JSON name.
func (c Config) Validate() error {
	// The limits as a table; a field is named as in JSON.
	ints := []struct {
		name          string
		value, lo, hi int
	}{
		{"steps", c.Steps, 1, maxSteps},
		{"n", c.N, 2, 6},
		{"sensor_bits", c.SensorBits, 4, 16},
		{"dac_bits", c.DACBits, 2, 32},
		{"batch", c.Batch, lanes, 4 * lanes},
		{"warmup", c.Warmup, 1, maxSteps},
		{"hidden", c.Hidden, 1, 1024},
		{"noise_hidden", c.NoiseHidden, 1, 1024},
		{"validate_every", c.ValidateEvery, 0, maxSteps},
		{"validate_starts", c.ValidateStarts, 1, 100000},
	}
	for _, f := range ints {
		if f.value < f.lo || f.value > f.hi {
			return fmt.Errorf("train: %s: %d is not in %d..%d", f.name, f.value, f.lo, f.hi)
		}
	}

	if c.Batch%lanes != 0 {
		return fmt.Errorf("train: batch: %d is not a multiple of %d", c.Batch, lanes)
	}
	if err := model.CheckB(c.Bits); err != nil {
		return fmt.Errorf("train: bits: %w", err)
	}
	if c.Mapping != Learnable && c.Mapping != Fixed {
		return fmt.Errorf("train: mapping: %q is neither %q nor %q", c.Mapping, Learnable, Fixed)
	}
	if c.Algorithm != "" && c.Algorithm != SAC && c.Algorithm != DDPG && c.Algorithm != PPO {
		return fmt.Errorf("train: algorithm: %q is not %q, %q or %q", c.Algorithm, SAC, DDPG, PPO)
	}

	if _, err := c.Task.find(); err != nil {
		return err
	}
	if err := c.validatePPO(); err != nil {
		return err
	}
	if err := c.validateRates(); err != nil {
		return err
	}
	return c.validateWidths()
}

// validatePPO checks the fields that PPO has alone.
func (c Config) validatePPO() error {
	if c.Algorithm != PPO {
		if c.Horizon != 0 || c.Epochs != 0 || c.Lambda != 0 || c.Clip != 0 {
			return fmt.Errorf("train: horizon, epochs, lambda and clip are of the algorithm %q", PPO)
		}
		return nil
	}

	// learn leaves out a rest of a rollout that is no whole batch.
	switch {
	case c.Horizon < c.Batch || c.Horizon > 1<<20 || c.Horizon%c.Batch != 0:
		return fmt.Errorf("train: horizon: %d is not a multiple of the batch, %d, up to %d", c.Horizon, c.Batch, 1<<20)
	case c.Epochs < 1 || c.Epochs > 1000:
		return fmt.Errorf("train: epochs: %d is not in 1..1000", c.Epochs)
	case !(c.Lambda >= 0 && c.Lambda <= 1):
		return fmt.Errorf("train: lambda: %v is not in 0..1", c.Lambda)
	case !(c.Clip >= 1e-6 && c.Clip <= 10):
		return fmt.Errorf("train: clip: %v is not in 1e-06..10", c.Clip)
	case !(c.Deviation >= 1e-6 && c.Deviation <= 10):
		return fmt.Errorf("train: deviation: %v is not in 1e-06..10", c.Deviation)
	}
	return nil
}

func (c Config) validateRates() error {
	floats := []struct {
		name          string
		value, lo, hi float64
	}{
		{"discount", c.Discount, 0, 1},
		{"polyak", c.Polyak, 0, 1},
		{"reward_scale", c.RewardScale, 0, 1e6},
		{"actor_rate", c.ActorRate, 0, 1},
		{"critic_rate", c.CriticRate, 0, 1},
		{"temperature", c.Temperature, 1e-6, 1e6},
		{"decay_from", c.DecayFrom, 0, 1},
		{"correlation", c.Correlation, 0, 0.999},
		{"deviation", c.Deviation, 0, 10},
	}

	for _, f := range floats {
		if !(f.value >= f.lo && f.value <= f.hi) { // NaN is out of range
			return fmt.Errorf("train: %s: %v is not in %v..%v", f.name, f.value, f.lo, f.hi)
		}
	}
	return nil
}

func (c Config) validateWidths() error {
	if len(c.Widths) < 1 || len(c.Widths) > maxLayers {
		return fmt.Errorf("train: widths: %d layers, not 1..%d", len(c.Widths), maxLayers)
	}
	task, err := c.Task.find()
	if err != nil {
		return err
	}

	// Memory is bounded before anything is allocated: tables by LUTs, mappings by scores.
	luts, scores, inputs := 0, 0, len(task.dims)*c.Bits
	for i, w := range c.Widths {
		if w < 1 || w > maxLUTs {
			return fmt.Errorf("train: widths: layer %d has %d LUTs, not 1..%d", i, w, maxLUTs)
		}
		luts += w
		scores += w * c.N * inputs
		inputs = w
	}

	if luts > maxLUTs {
		return fmt.Errorf("train: widths: %d LUTs in all layers, at most %d are allowed", luts, maxLUTs)
	}
	if c.Mapping == Learnable && scores > maxScores {
		return fmt.Errorf("train: widths: %v needs %d mapping scores, at most %d are allowed", c.Widths, scores, maxScores)
	}
	return nil
}
