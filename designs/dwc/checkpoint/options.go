package checkpoint

import (
	"fmt"
	"math"
	"strings"

	"etch/designs/dwc/model"
)

// Options supply the facts that a checkpoint does not hold. Errors name them by the flags of
// `etch convert`, given here in brackets.
type Options struct {
	// Name becomes the model's name; "" means the file's.
	Name string
	// Layout is the name of one of the Layouts [-layout]; "" means the one that
	// fits.
	Layout string
	// Bits is B, the thresholds of a dimension, odd [-bits]; or 1 for inputs that
	// are bits already. It is not needed where thresholds are stored.
	Bits int
	// SensorBits is W [-sensor-bits]. Required, but 2 for bits.
	SensorBits int
	// SensorMax is the largest |x| of a dimension in physical units, D numbers
	// > 0 or one for all [-sensor-max]; eq. 7 makes the sensor's scale of it.
	// SensorScale is that scale itself, physical units per code, and wins
	// [-sensor-scale]. One of them is required, but for bits.
	SensorMax, SensorScale []float64
	// Classes is the number of groups of the heads counts and argmax, where the
	// checkpoint does not tell [-classes].
	Classes int
	// Inputs is the number of dimensions, where neither stored thresholds nor a
	// learnable mapping tell [-inputs].
	Inputs int
	// ThresholdsFile is a file of thresholds in physical units [-thresholds]: .pt,
	// .safetensors, JSON rows or CSV, a row a dimension or one for all. It wins
	// over stored ones.
	ThresholdsFile string
	// ActionScale and ActionBias are the action's half range and middle, one
	// number or A [-action-scale, -action-bias]. An action lies in bias ± scale,
	// the range that PPO clamps to as well. The scale is required for an action
	// head; no bias means 0.
	ActionScale, ActionBias []float64
	// StatsFile is a JSON or CSV file of observation statistics [-stats], see
	// Convert. It is required where the checkpoint has none and else wins.
	StatsFile string
	// Head is "sac", "ddpg", "ppo", "counts" or "argmax" [-head]; "" means ppo
	// in an actor_mean layout, sac, whose arithmetic is ddpg's, in fc_mean, and
	// argmax without log_alpha and beta.
	Head string
	// DACBits is the width of an action word [-dac-bits]; 0 means 12.
	DACBits int
}

// defaultDACBits is the width of the demonstration's action words.
const defaultDACBits = 12

// flags collects the flags that must still be given.
type flags []string

func (f *flags) need(missing bool, flag, format string, args ...any) {
	if missing {
		*f = append(*f, flag+" ("+fmt.Sprintf(format, args...)+")")
	}
}

func (f flags) err() error {
	if len(f) == 0 {
		return nil
	}
	return fmt.Errorf("the checkpoint does not hold everything; give %s", strings.Join(f, ", "))
}

// check reports flags whose value is wrong in itself.
func (o *Options) check() error {
	// 0 is a flag that was not given: most are found in the checkpoint.
	if o.Bits < 0 || o.Bits > model.MaxB {
		return fmt.Errorf("-bits: %d is out of range 1..%d", o.Bits, model.MaxB)
	}

	if o.Classes < 0 || o.Classes > model.MaxGroups {
		return fmt.Errorf("-classes: %d is out of range 1..%d", o.Classes, model.MaxGroups)
	}

	if o.Inputs < 0 || o.Inputs > model.MaxObs {
		return fmt.Errorf("-inputs: %d is out of range 1..%d", o.Inputs, model.MaxObs)
	}

	// Words of the sensor and of the converter.
	for _, w := range []struct {
		flag string
		bits int
	}{{"-sensor-bits", o.SensorBits}, {"-dac-bits", o.DACBits}} {
		if w.bits != 0 && (w.bits < model.MinWordBits || w.bits > model.MaxWordBits) {
			return fmt.Errorf("%s: %d is out of range %d..%d", w.flag, w.bits, model.MinWordBits, model.MaxWordBits)
		}
	}

	// Physical ranges: NaN fails each comparison, and 1e90 leaves room for products in a float64.
	for i, v := range o.SensorMax {
		if !(v > 0) || v > 1e90 {
			return fmt.Errorf("-sensor-max: number %d, %v, is not a positive number (for a dimension that never moves, give 1)", i, v)
		}
	}
	for i, v := range o.SensorScale {
		if !(v > 0) || v > 1e90 {
			return fmt.Errorf("-sensor-scale: number %d, %v, is not a positive number", i, v)
		}
	}
	for i, v := range o.ActionScale {
		if !(v > 0) || v > 1e90 {
			return fmt.Errorf("-action-scale: number %d, %v, is not a positive number", i, v)
		}
	}

	for i, v := range o.ActionBias {
		if math.IsNaN(v) || math.Abs(v) > 1e90 {
			return fmt.Errorf("-action-bias: number %d, %v, is not a finite number", i, v)
		}
	}

	switch model.HeadKind(o.Head) {
	case "", model.SAC, model.DDPG, model.PPO, model.Counts, model.Argmax:
		return nil
	}
	return fmt.Errorf("-head: unknown head %q; must be sac, ddpg, ppo, counts or argmax", o.Head)
}

// spread returns n numbers of a flag's one or n.
func spread(flag string, v []float64, n int) ([]float64, error) {
	switch len(v) {
	case n:
		return v, nil
	case 0:
		return make([]float64, n), nil
	case 1:
		out := make([]float64, n)
		for i := range out {
			out[i] = v[0]
		}
		return out, nil
	}

	of := "actions"
	if strings.HasPrefix(flag, "-sensor") {
		of = "dimensions"
	}
	return nil, fmt.Errorf("%s: %d numbers for %d %s; give 1 or %d", flag, len(v), n, of, n)
}
