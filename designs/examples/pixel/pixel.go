// Package pixel shows bundles: nested structs with methods, reset for some of
// the fields, one Set for all of them.
package pixel

import "etch/hw"

// Pixel is a colour with its place on the screen.
type Pixel struct {
	R, G, B hw.UInt
	At      Point
	Valid   hw.Bit
}

// Point is a place on the screen.
type Point struct{ X, Y hw.UInt }

// Luma is an ordinary method on a bundle: (R + 2G + B) / 4.
func (p Pixel) Luma() hw.UInt {
	return p.R.AddGrow(p.B).Extend(10).Add(p.G.Extend(10).Shl(1)).Range(9, 2)
}

// Shape is the shape of a Pixel on a screen of 2048 × 1024.
var Shape = Pixel{
	R: hw.Unsigned(8), G: hw.Unsigned(8), B: hw.Unsigned(8),
	At: Point{X: hw.Unsigned(11), Y: hw.Unsigned(10)},
}

// Stage holds a pixel for a cycle. Reset clears only Valid and the place: a
// colour that is not valid need not cost a reset net.
type Stage struct{}

type StagePorts struct {
	In   Pixel   `dir:"in"`
	Out  Pixel   `dir:"out"`
	Luma hw.UInt `dir:"out"`
}

func (Stage) Ports() StagePorts {
	return StagePorts{In: Shape, Out: Shape, Luma: hw.Unsigned(8)}
}

func (Stage) Build(m *hw.Module, p StagePorts) {
	held := hw.Reg(m, "held", Shape, Pixel{At: hw.Zero(Shape.At), Valid: hw.Low})

	// Only the flag is reset and always moves; colour and place stand still without a pixel.
	held.Valid.Set(p.In.Valid)
	m.When(p.In.Valid, func() {
		held.R.Set(p.In.R)
		held.G.Set(p.In.G)
		held.B.Set(p.In.B)
		hw.Set(held.At, p.In.At)
	})
	hw.Set(p.Out, held)
	p.Luma.Set(held.Luma())

	same := hw.Pack(held).Eq(hw.Past(m, hw.Pack(p.In)))
	m.Assert(held.Valid.Implies(same), "the pixel is not the one of the cycle before")
}
