package dwc

import (
	"fmt"
	"slices"

	"etch/designs/dwc/model"
	"etch/designs/dwc/network"
	"etch/hw"
	"etch/ir/bits"
)

// Encoder compares the codes of every dimension with its folded thresholds:
// output bit i is Obs[Comparators[i].Dim] > Comparators[i].T, signed and strict.
type Encoder struct {
	Net *network.Network
}

// EncoderPorts are the ports of [Encoder].
type EncoderPorts struct {
	Obs  hw.Vec[hw.SInt] // a code per dimension, W bits
	Bits hw.UInt         // a bit per comparator
}

// ModuleName is dwc_encoder.
func (e Encoder) ModuleName() string { return "dwc_encoder" }

// Ports gives the shapes and directions.
func (e Encoder) Ports() EncoderPorts {
	return EncoderPorts{
		Obs:  hw.In(hw.VecOf(len(e.Net.Model.Obs), hw.Signed(e.Net.Model.SensorBits))),
		Bits: hw.Out(hw.Unsigned(max(1, len(e.Net.Comparators)))),
	}
}

// Build describes the body.
func (e Encoder) Build(m *hw.Module, p EncoderPorts) {
	out := []hw.Bit{}
	for _, c := range e.Net.Comparators {
		switch x := p.Obs[c.Dim]; c.Kind {
		case model.Zero:
			out = append(out, hw.Low)
		case model.One:
			out = append(out, hw.High)
		default:
			out = append(out, x.Gt(x.Lit(c.T)))
		}
	}
	p.Bits.Set(vote(out))

	// A reduced network may compare only some dimensions.
	for dim, x := range p.Obs {
		compares := func(c network.Comparator) bool { return c.Dim == dim && c.Kind != model.Zero && c.Kind != model.One }
		if !slices.ContainsFunc(e.Net.Comparators, compares) {
			hw.Unused(m, x)
		}
	}
}

// vote is bits side by side; none at all are one low bit.
func vote(bs []hw.Bit) hw.UInt {
	if len(bs) == 0 {
		return hw.U(0)
	}
	return hw.FromBits(bs...)
}

// Layer is one layer of lookup tables.
type Layer struct {
	Net   *network.Network
	Index int // which
}

// LayerPorts are the ports of [Layer].
type LayerPorts struct {
	In  hw.UInt // the outputs of the layer before, or the encoder's
	Out hw.UInt // bit i is the output of table i
}

// ModuleName is dwc_layer_1 for the first.
func (l Layer) ModuleName() string { return fmt.Sprintf("dwc_layer_%d", l.Index+1) }

// inputs is the number of signals a layer can read.
func (l Layer) inputs() int {
	if l.Index == 0 {
		return len(l.Net.Comparators)
	}
	return len(l.Net.Layers[l.Index-1])
}

// Ports gives the shapes and directions.
func (l Layer) Ports() LayerPorts {
	return LayerPorts{
		In:  hw.In(hw.Unsigned(max(1, l.inputs()))),
		Out: hw.Out(hw.Unsigned(max(1, len(l.Net.Layers[l.Index])))),
	}
}

// Build describes the body.
func (l Layer) Build(m *hw.Module, p LayerPorts) {
	in, out := p.In.BitVec(), []hw.Bit{}
	for _, lut := range l.Net.Layers[l.Index] {
		var address []hw.Bit
		for _, pin := range lut.Pins {
			address = append(address, in[pin])
		}
		switch {
		case lut.Constant():
			out = append(out, hw.B(lut.Table&1 == 1))
		case lut.Wire():
			out = append(out, address[0])
		default:
			out = append(out, hw.Lut(bits.New(1<<len(address), lut.Table), address...))
		}
	}
	p.Out.Set(vote(out))
}
