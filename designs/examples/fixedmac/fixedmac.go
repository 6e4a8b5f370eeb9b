// Package fixedmac is fixed point: arithmetic is exact and grows, Fit says how
// bits go, Delay makes the pipeline.
package fixedmac

import (
	"etch/hw"
	"etch/hw/fixed"
)

// MulAdd is A·B + C, rounded and saturated to the format of its operands, one
// result a cycle.
type MulAdd struct {
	Integer  int            `help:"integer bits of the operands, the sign included" range:"0..1024"`
	Fraction int            `help:"fraction bits of the operands" range:"0..1024"`
	Round    fixed.Rounding `help:"what happens to fraction bits that go" values:"floor|ceil|toward-zero|half-up|half-down|half-even|half-away"`
}

type MulAddPorts struct {
	A, B, C fixed.Num `dir:"in"`
	Y       fixed.Num `dir:"out"` // Latency cycles later
}

// Latency is the number of cycles from operands to result.
const Latency = 3

func (f MulAdd) Ports() MulAddPorts {
	q := fixed.Q(f.Integer, f.Fraction)
	return MulAddPorts{A: q, B: q, C: q, Y: q}
}

func (f MulAdd) Build(m *hw.Module, p MulAddPorts) {
	product := hw.Delay(m, "product", p.A.Mul(p.B), 1)
	addend := hw.Delay(m, "addend", p.C, 1)
	sum := hw.Delay(m, "sum", product.Add(addend), 1)
	p.Y.Set(hw.Delay(m, "y", sum.Fit(p.Y, f.Round, fixed.Saturate), 1))

	free := m.NoReset()
	want := p.A.Mul(p.B).Add(p.C).Fit(p.Y, f.Round, fixed.Saturate)
	free.Assert(p.Y.Raw.Eq(hw.Past(free, want.Raw, Latency)), "%d is not the result of the operands %d cycles ago", p.Y.Raw, hw.S(Latency))
}
