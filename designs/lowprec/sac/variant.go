package sac

import (
	"fmt"

	"etch/designs/float"
	"etch/designs/lowprec"
)

// Methods are the paper's methods. The first three are from other papers, for comparison.
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
	lowprec.Moments
}

// Variants are the 17 of the experiment: float32, others' methods, the six added one by
// one, and each of the six left out.
func Variants() (list []Variant) {
	add := func(name string, m Methods) { list = append(list, Variant{Name: name, Format: float.F16, Methods: m}) }
	list = append(list, Variant{Name: "float32", Format: float.F32})
	add("fp16 naive", Methods{})
	add("coercion", Methods{Coerce: true})
	add("loss scaling", Methods{LossScaling: true})
	add("mixed precision", Methods{Mixed: true})

	// Ours, one added to those before it.
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

	// Then all six but one.
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

// AllSix is training in fp16 with every method of [Methods].
func AllSix() Variant { return Variant{Name: "all six, fp16", Format: float.F16, Methods: all} }

// Significand is all six with so many fraction bits.
func Significand(frac int) Variant {
	return Variant{Name: fmt.Sprintf("all six, e5m%d", frac), Format: float.Format{Exp: 5, Frac: frac}, Methods: all}
}

// Moments is all six in fp16 with moments in formats of their own.
func Moments(m, w lowprec.Own) Variant {
	return Variant{Name: fmt.Sprintf("all six, m %v, w %v", m, w), Format: float.F16, Methods: all, Moments: lowprec.Moments{M: m, W: w}}
}
