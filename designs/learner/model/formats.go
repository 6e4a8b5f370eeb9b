package model

import (
	"fmt"
	"math/bits"

	"etch/hw/fixed"
)

// Unit is the number of fraction bits of discounts, importance weights and target
// rates: One stands for 1.
const (
	Unit = 16
	One  = 1 << Unit
)

// Formats are the formats of stored values.
type Formats struct {
	Weight     fixed.Format // weights and biases
	Activation fixed.Format // observations, actions, activations, values, rewards
	Gradient   fixed.Format // of −loss (an actor: of Q) with respect to a layer's outputs
	Target     int          `help:"fraction bits that target weights have more than weights" range:"0..24"`
	Float      string       `json:",omitempty" help:"a floating-point format of all values in place of these, fp16 for one; empty: fixed point" form:"eXmY as e5m10, or fp16, bf16, tf32, fp32 or fp64; or nothing"`
}

// Wide are the default formats: every product of DQN with hard targets is 18×18 bits, one DSP block
// of a Xilinx or Lattice device. Soft targets and DDPG's derivative of tanh have wider ones.
func Wide() Formats {
	return Formats{Weight: fixed.Format{Width: 18, Frac: 13}, Activation: fixed.Format{Width: 18, Frac: 10}, Gradient: fixed.Format{Width: 18, Frac: 14}, Target: 11}
}

// Small are formats of 16 bits that still learn; weights have integer bits with the
// sign, 4 for DQN and 5 for DDPG.
func Small(integer int) Formats {
	return Formats{Weight: fixed.Format{Width: 16, Frac: 16 - integer}, Activation: fixed.Format{Width: 16, Frac: 8}, Gradient: fixed.Format{Width: 16, Frac: 12}, Target: 11}
}

// Half are numbers of IEEE 754's half precision, with exact sums.
func Half() Formats { return Formats{Float: "fp16", Target: 11} }

// limit is the number of bits that an exact sum may have, its sign included: those of a
// Go integer, with one to spare.
const limit = 63

// validate refuses formats that no circuit has, and sums that do not fit an int64, for
// layers of at most fan inputs and outputs and a batch.
func (f Formats) validate(fan, batch int) error {
	// Each kind by itself.
	for _, x := range []struct {
		name string
		fixed.Format
	}{{"weights", f.Weight}, {"activations", f.Activation}, {"gradients", f.Gradient}} {
		if x.Width < 4 || x.Width > 32 || x.Frac < 1 || x.Frac >= x.Width {
			return fmt.Errorf("format of %s: %d bits with %d of fraction; 4 to 32 bits with at least one of fraction, and the sign", x.name, x.Width, x.Frac)
		}
	}

	if f.Target < 0 || f.Target > 24 {
		return fmt.Errorf("targets with %d more fraction bits; 0 to 24", f.Target)
	}

	// A sum of n products has log2(n) bits more than one; a bias counts as a product.
	more, w, a, g := bits.Len(uint(fan+1)), f.Weight.Width, f.Activation.Width, f.Gradient.Width
	for _, x := range []struct {
		name string
		n    int
	}{
		{"a neuron's sum", w + a + more},
		{"a gradient's way back", w + g + more},
		{"a batch's gradient", a + g + bits.Len(uint(batch))},
		{"a target", a + Unit + 3},
		{"a weighted gradient", g + Unit + 1},
		{"a target weight's step", w + f.Target + Unit + 1},
	} {
		if x.n > limit {
			return fmt.Errorf("formats: %s takes %d bits, more than %d", x.name, x.n, limit)
		}
	}
	return nil
}

// Saturations counts values that did not fit where they were stored, by kind.
type Saturations struct{ Activation, Gradient, Weight uint64 }

// round drops n bits, half up; for a negative n it adds zeros.
func round(v int64, n int) int64 {
	if n <= 0 {
		return v << -n
	}
	return (v + 1<<(n-1)) >> n
}

// fit brings v with frac fraction bits into a format: fixed.Format.FitInt with HalfUp
// and Saturate, or the nearest number of floating point.
func (e *engine) fit(f fixed.Format, v int64, frac int, count *uint64) int64 {
	if e.grid != nil {
		return e.grid.nearest(f, product(v, 1), frac, count)
	}
	return saturate(f, round(v, frac-f.Frac), count)
}

func saturate(f fixed.Format, v int64, count *uint64) int64 {
	greatest := int64(1)<<(f.Width-1) - 1
	switch {
	case v > greatest:
		*count++
		return greatest
	case v < -greatest-1:
		*count++
		return -greatest - 1
	}
	return v
}
