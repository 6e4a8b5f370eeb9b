package sac

import (
	"fmt"

	"etch/designs/float"
)

// Methods are those of the paper; the first three, of others, are what it compares with.
type Methods struct {
	Coerce      bool // NaN is 0 and an infinity the greatest number, wherever one comes up
	LossScaling bool // the gradient is scaled, and unscaled before the step
	Mixed       bool // loss scaling, and moments and a copy of the weights in float32

	HAdam         bool // the root of the second moment
	SoftplusFix   bool // softplus is linear above 10
	NormalFix     bool // the density divides, then squares
	KahanMomentum bool // the target is scaled, and its sum keeps its error
	Compound      bool // loss scaling that scales the moments too
	KahanGradient bool // the sums of critic and temperature keep their errors
}

// all are the six methods.
var all = Methods{HAdam: true, SoftplusFix: true, NormalFix: true, KahanMomentum: true, Compound: true, KahanGradient: true}

// scaled reports whether there is a scale that skips steps.
func (m Methods) scaled() bool { return m.LossScaling || m.Mixed || m.Compound }

// Variant is a format with methods.
type Variant struct {
	Name   string
	Format float.Format
	Methods
}

// Variants are the 17 of the experiment: float32, others' methods, the six added one by
// one, and each of the six left out.
func Variants() (list []Variant) {
	add := func(name string, m Methods) { list = append(list, Variant{name, float.F16, m}) }
	list = append(list, Variant{Name: "float32", Format: float.F32})
	add("fp16 naive", Methods{})
	add("coercion", Methods{Coerce: true})
	add("loss scaling", Methods{LossScaling: true})
	add("mixed precision", Methods{Mixed: true})

	var m Methods
	for _, step := range []struct {
		name string
		on   func()
	}{
		{"hAdam", func() { m.HAdam = true }},
		{"+ softplus-fix", func() { m.SoftplusFix = true }},
		{"+ normal-fix", func() { m.NormalFix = true }},
		{"+ Kahan-momentum", func() { m.KahanMomentum = true }},
		{"+ compound scaling", func() { m.Compound = true }},
		{"+ Kahan-gradients", func() { m.KahanGradient = true }},
	} {
		step.on()
		add(step.name, m)
	}
	for _, less := range []struct {
		name string
		off  func(m *Methods)
	}{
		{"without hAdam", func(m *Methods) { m.HAdam = false }},
		{"without softplus-fix", func(m *Methods) { m.SoftplusFix = false }},
		{"without normal-fix", func(m *Methods) { m.NormalFix = false }},
		{"without Kahan-momentum", func(m *Methods) { m.KahanMomentum = false }},
		{"without compound scaling", func(m *Methods) { m.Compound = false }},
		{"without Kahan-gradients", func(m *Methods) { m.KahanGradient = false }},
	} {
		m := all
		less.off(&m)
		add(less.name, m)
	}
	return list
}

// AllSix is the variant with all six methods.
func AllSix() Variant { return Variant{"all six, fp16", float.F16, all} }

// Significand is all six with so many fraction bits.
func Significand(frac int) Variant {
	return Variant{fmt.Sprintf("all six, e5m%d", frac), float.Format{Exp: 5, Frac: frac}, all}
}

// Config is a run.
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
	case c.Format != float.F32 && (c.Format.Frac > 10 || c.Format.Exp > 8 || c.Format.Codes != 0 || c.Format.Flush || c.Format.Saturate):
		return fmt.Errorf("sac: format %v: want float32, or IEEE codes of at most 8 exponent and 10 fraction bits", c.Format)
	case !(c.Low < c.High):
		return fmt.Errorf("sac: bounds %v and %v of log σ", c.Low, c.High)
	}
	return nil
}
