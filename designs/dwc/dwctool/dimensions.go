package dwctool

import (
	"fmt"

	"etch/designs/dwc"
	"etch/designs/dwc/model"
	"etch/designs/dwc/network"
	"etch/hw"
)

// encoderName is the module of [dwc.Encoder].
var encoderName = dwc.Encoder{}.ModuleName()

// dimensions is an encoder whose comparators are in a module for each dimension.
// Comparators of different dimensions have no input in common, so synthesis loses
// nothing by it. Its passes, whose time grows faster than the module, take a module of
// at most B comparators at a time.
type dimensions struct {
	net      *dwc.Net
	from, to int // the dimensions from ≤ dim < to
}

// dimensionsAtOnce is the number of dimensions that one run of yosys synthesises. The
// whole encoder of Humanoid with W = 16, of 376 dimensions, took 23 GB in one run.
const dimensionsAtOnce = 32

// parts divides an encoder for runs of yosys.
func parts(net *dwc.Net) (of []dimensions) {
	n := len(net.Network().Model.Obs)
	for from := 0; from < n; from += dimensionsAtOnce {
		of = append(of, dimensions{net, from, min(n, from+dimensionsAtOnce)})
	}
	return of
}

type dimensionsPorts struct {
	Obs  hw.Vec[hw.SInt] // a code per dimension, W bits
	Bits []hw.UInt       // a bit per comparator of each dimension
}

func (d dimensions) ModuleName() string { return "dimensions" }

func (d dimensions) Ports() dimensionsPorts {
	p := dimensionsPorts{Obs: hw.In(hw.VecOf(d.to-d.from, hw.Signed(d.net.Network().Model.SensorBits)))}

	// A dimension without comparators has one bit, which is low.
	for dim := d.from; dim < d.to; dim++ {
		p.Bits = append(p.Bits, hw.Out(hw.Unsigned(max(1, len(comparators(d.net, dim))))))
	}
	return p
}

func (d dimensions) Build(m *hw.Module, p dimensionsPorts) {
	for i, code := range p.Obs {
		dim := d.from + i
		x := hw.Inst(m, hw.Name("dim", dim), dimension{d.net, dim}, dimensionPorts{Obs: code})
		p.Bits[i].Set(x.Bits)
	}
}

// comparators lists the comparators of a dimension that are not constant.
func comparators(net *dwc.Net, dim int) (of []network.Comparator) {
	for _, c := range net.Network().Comparators {
		if c.Dim == dim && c.Kind == model.Compare {
			of = append(of, c)
		}
	}
	return of
}

// dimension is the comparators of a dimension.
type dimension struct {
	net *dwc.Net
	dim int
}

type dimensionPorts struct {
	Obs  hw.SInt
	Bits hw.UInt
}

func (d dimension) ModuleName() string { return fmt.Sprintf("dimension_%d", d.dim) }

func (d dimension) Ports() dimensionPorts {
	return dimensionPorts{
		Obs:  hw.In(hw.Signed(d.net.Network().Model.SensorBits)),
		Bits: hw.Out(hw.Unsigned(max(1, len(comparators(d.net, d.dim))))),
	}
}

func (d dimension) Build(m *hw.Module, p dimensionPorts) {
	var out []hw.Bit
	for _, c := range comparators(d.net, d.dim) {
		out = append(out, p.Obs.Gt(p.Obs.Lit(c.T)))
	}

	// Nothing may read a dimension of a reduced network.
	if len(out) == 0 {
		hw.Unused(m, p.Obs)
		out = append(out, hw.Low)
	}
	p.Bits.Set(hw.FromBits(out...))
}
