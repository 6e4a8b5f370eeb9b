package lowprec

import (
	"errors"
	"fmt"

	"etch/designs/float"
	"etch/hw"
	"etch/hw/pipe"
)

// kahan adds v to a sum s that has lost c so far (Algorithm 2 of the paper; Kahan,
// "Further remarks on reducing truncation errors", 1965): four roundings.
func kahan[V any](u ops[V], s, c, v V) (sum, rest V) {
	y := u.As("wanted").Sub(v, c)
	sum = u.As("sum").Add(s, y)
	moved := u.As("moved").Sub(sum, s)
	return sum, u.As("lost").Sub(moved, y)
}

// Kahan adds numbers to sums whose rounding errors it keeps. It takes one in a cycle;
// Latency is that of four sums.
type Kahan struct{ Numbers }

// KahanPorts are a summand, the sum with its error, and both after the addition.
type KahanPorts struct {
	En   hw.Bit    `dir:"in"` // the unit moves; otherwise it stands still
	V    float.Num `dir:"in"` // to be added
	S, C float.Num `dir:"in"` // the sum, and how much it is too great
	SOut float.Num `dir:"out"`
	COut float.Num `dir:"out"`
}

func (c Kahan) Ports() KahanPorts {
	n := c.shape()
	return KahanPorts{V: n, S: n, C: n, SOut: n, COut: n}
}

func (c Kahan) Latency() int {
	_, rest := kahan[int](stages{c.Numbers}, 0, 0, 0)
	return rest
}

// Next is the model.
func (c Kahan) Next(s, rest, v uint64) (sum, lost uint64) {
	return kahan[uint64](c.codes(), s, rest, v)
}

func (c Kahan) Build(m *hw.Module, p KahanPorts) {
	run := enabled(m, p.En, c.Latency())
	u := c.flow(run)
	s, lost := kahan[float.Value](u, u.Input("s", p.S), u.Input("c", p.C), u.Input("v", p.V))

	p.SOut.Set(s.At(c.Latency()))
	p.COut.Set(lost.At(c.Latency()))
}

// enabled is the view of a module with a clock enable, which a unit without registers
// has no use for.
func enabled(m *hw.Module, en hw.Bit, latency int) *hw.Module {
	if latency == 0 {
		hw.Unused(m, en)
		return m
	}
	return m.Enabled(en)
}

// SoftUpdate moves a target's weight towards the weight: Kahan-momentum, one weight in a
// cycle. The target is kept times Scale, B, with the error C of its sum; a target for
// inference is B / Scale. At first B is Scale times the weight, and C is 0.
//
// Without Kahan it is the plain update, τψ + (1−τ)ψ', of a target that is not scaled: B is
// the target itself, and C is 0.
type SoftUpdate struct {
	Numbers
	Tau   float64 `help:"part of the way that the target goes" range:"0..1"`
	Scale float64 `help:"factor of the stored target; 8192 leaves weights below 8 in fp16" range:"1..65536"`
	Kahan bool    `help:"whether the sum keeps its error"`
}

// SoftUpdatePorts are a weight, the stored target with its error, and both after the update.
type SoftUpdatePorts struct {
	En     hw.Bit    `dir:"in"`
	Psi    float.Num `dir:"in"` // the weight
	B, C   float.Num `dir:"in"`
	BOut   float.Num `dir:"out"`
	COut   float.Num `dir:"out"`
	Target float.Num `dir:"out"` // the new target, for inference
}

func (c SoftUpdate) Validate() error {
	if code := c.Format.Code(c.Scale); c.Format.IsInf(code) || c.Format.Float64(code) != c.Scale {
		return errors.Join(c.Numbers.Validate(), fmt.Errorf("scale %v is no number of %v", c.Scale, c.Format))
	}
	return c.Numbers.Validate()
}

func (c SoftUpdate) Ports() SoftUpdatePorts {
	n := c.shape()
	return SoftUpdatePorts{Psi: n, B: n, C: n, BOut: n, COut: n, Target: n}
}

// target is a target with its error, and its value for inference.
type target[V any] struct{ B, C, Psi V }

// softUpdate is Kahan-momentum: B += τ·(Scale·ψ − B), by Kahan's sum, and ψ' = B / Scale. A division
// by a power of two is the product with its inverse, where that is a number of the format.
func softUpdate[V any](u ops[V], c SoftUpdate, psi, b, rest V) (t target[V]) {
	if !c.Kahan {
		t.B = u.As("mixed").Add(u.As("new").Mul(u.Const(c.Tau), psi), u.As("old").Mul(u.Const(1-c.Tau), b))
		return target[V]{t.B, u.Const(0), t.B}
	}

	// The distance is scaled before it is multiplied with τ, as it would be subnormal otherwise.
	apart := u.As("apart").Sub(u.As("scaled").Mul(u.Const(c.Scale), psi), b)
	t.B, t.C = kahan(u, b, rest, u.As("step").Mul(u.Const(c.Tau), apart))

	// The inverse of 2^k is a number and its product exact, where the exponent is in range; else a
	// quotient.
	t.Psi = t.B
	switch inverse := 1 / c.Scale; {
	case c.Scale == 1:
	case c.Format.Float64(c.Format.Code(inverse)) == inverse:
		t.Psi = u.As("target").Mul(u.Const(inverse), t.B)
	default:
		t.Psi = u.As("target").Div(t.B, u.Const(c.Scale))
	}
	return t
}

// Latency is the number of cycles to all three results.
func (c SoftUpdate) Latency() int {
	t := softUpdate[int](stages{c.Numbers}, c, 0, 0, 0)
	return max(t.B, t.C, t.Psi)
}

// Next is the model: the new B and C, and the target for inference.
func (c SoftUpdate) Next(psi, b, rest uint64) (bOut, cOut, target uint64) {
	t := softUpdate[uint64](c.codes(), c, psi, b, rest)
	return t.B, t.C, t.Psi
}

// Start is B of a target that is equal to the weight.
func (c SoftUpdate) Start(psi uint64) uint64 {
	if !c.Kahan {
		return psi
	}
	u := c.codes()
	return u.Mul(u.Const(c.Scale), psi)
}

func (c SoftUpdate) Build(m *hw.Module, p SoftUpdatePorts) {
	run := enabled(m, p.En, c.Latency())
	u := c.flow(run)

	// Without Kahan the port of the error is there and not read.
	var rest float.Value
	if c.Kahan {
		rest = u.Input("c", p.C)
	} else {
		hw.Unused(m, p.C)
	}
	t := softUpdate[float.Value](u, c, u.Input("psi", p.Psi), u.Input("b", p.B), rest)

	// All three results leave together.
	end := c.Latency()
	p.BOut.Set(t.B.At(end))
	p.COut.Set(t.C.At(end))
	p.Target.Set(t.Psi.At(end))
}

// input is a bundle that comes in at stage 0.
func input[T any](run *hw.Module, name string, x T) pipe.Value[T] { return pipe.Of(run, name, 0, x) }
