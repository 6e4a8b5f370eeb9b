// Package systolic is a grid of instances: host loops wire N×N equal elements, which are built once.
// The listed design has 64.
package systolic

import (
	"fmt"

	"etch/hw"
)

// PE multiplies the activation passing to the right by its own weight and adds
// the product to the sum passing down.
type PE struct {
	Data int `help:"bits of activations and weights" range:"1..4096"`
	Sum  int `help:"bits of partial sums, at least twice data" range:"2..2^20"`
}

type PEPorts struct {
	Load      hw.Bit  `dir:"in"` // shift weights down one row
	WeightIn  hw.SInt `dir:"in"`
	WeightOut hw.SInt `dir:"out"`
	XIn       hw.SInt `dir:"in"`
	XOut      hw.SInt `dir:"out"`
	SumIn     hw.SInt `dir:"in"`
	SumOut    hw.SInt `dir:"out"`
}

func (e PE) Ports() PEPorts {
	data, sum := hw.Signed(e.Data), hw.Signed(e.Sum)
	return PEPorts{WeightIn: data, WeightOut: data, XIn: data, XOut: data, SumIn: sum, SumOut: sum}
}

func (e PE) Build(m *hw.Module, p PEPorts) {
	weight := hw.Reg(m, "weight", hw.Like(p.WeightIn))
	weight.SetIf(p.Load, p.WeightIn)
	p.WeightOut.Set(weight)

	p.XOut.Set(hw.Delay(m, "x", p.XIn, 1))
	p.SumOut.Set(hw.Delay(m, "sum", p.SumIn.Add(p.XIn.Mul(weight).Extend(e.Sum)), 1))
}

// Array multiplies vectors by a stationary N×N matrix of weights, one vector a
// cycle: Y = X · W, 2N-1 cycles later.
type Array struct {
	N  int `help:"rows and columns of the grid" range:"1..256"`
	PE PE
}

type ArrayPorts struct {
	Load    hw.Bit          `dir:"in"`
	Weights hw.Vec[hw.SInt] `dir:"in"` // a row of W while Load is high, the last row first
	X       hw.Vec[hw.SInt] `dir:"in"`
	Y       hw.Vec[hw.SInt] `dir:"out"`
}

func (a Array) Validate() error {
	if a.PE.Sum < 2*a.PE.Data {
		return fmt.Errorf("Data = %d, Sum = %d: want Sum at least twice Data", a.PE.Data, a.PE.Sum)
	}
	return nil
}

// Latency is the number of cycles from X to Y.
func (a Array) Latency() int { return 2*a.N - 1 }

func (a Array) Ports() ArrayPorts {
	row := hw.VecOf(a.N, hw.Signed(a.PE.Data))
	return ArrayPorts{Weights: row, X: row, Y: hw.VecOf(a.N, hw.Signed(a.PE.Sum))}
}

func (a Array) Build(m *hw.Module, p ArrayPorts) {
	weights := p.Weights
	sums := hw.Zero(p.Y)
	for i := range a.N {
		// Column values are skewed: row i begins i cycles after row 0, as the sums reach it.
		x := hw.Delay(m, hw.Name("skew", i), p.X[i], i)
		for j := range a.N {
			pe := hw.Inst(m, hw.Name("pe", i, j), a.PE, PEPorts{
				Load:     p.Load,
				WeightIn: weights[j],
				XIn:      x,
				SumIn:    sums[j],
			})
			x, weights[j], sums[j] = pe.XOut, pe.WeightOut, pe.SumOut
		}
		hw.Unused(m, x) // of the last column
	}
	hw.Unused(m, weights...) // of the last row

	// The columns finish one after the other: give all results the same latency.
	for j, y := range p.Y {
		y.Set(hw.Delay(m, hw.Name("unskew", j), sums[j], a.N-1-j))
	}

	free := m.NoReset()
	last := hw.Pack(weights) // of the row at the bottom
	free.Assert(hw.Changed(free, last).Implies(hw.Past(free, p.Load)), "weights moved that were not loaded")
}
