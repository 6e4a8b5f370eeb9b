package dwc

import (
	"fmt"
	"slices"

	"etch/designs/dwc/model"
	"etch/designs/dwc/network"
	"etch/designs/dwc/thermometer"
	"etch/hw"
	"etch/ir/bits"
)

// Form says how comparators and popcounts are described.
type Form string

// The forms. Plain ones are operators, which every tool maps as it likes. LUT6 ones
// are tables of six inputs: comparators that share work (package thermometer),
// popcounts of compressors (popcount.go). They are smaller where tables do have
// six inputs; see the package documentation.
const (
	Plain Form = "plain"
	LUT6  Form = "lut6"
)

// tablePins is the number of inputs of a table of form LUT6.
const tablePins = 6

// Encoder compares the codes of every dimension with its folded thresholds:
// output bit i is Obs[Comparators[i].Dim] > Comparators[i].T, signed and strict.
type Encoder struct {
	Net  *network.Network
	Form Form `values:"|plain|lut6"` // "" is Plain
}

type EncoderPorts struct {
	Obs  hw.Vec[hw.SInt] // a code per dimension, W bits
	Bits hw.UInt         // a bit per comparator
}

// ModuleName is dwc_encoder.
func (e Encoder) ModuleName() string { return "dwc_encoder" }

func (e Encoder) Ports() EncoderPorts {
	return EncoderPorts{
		Obs:  hw.In(hw.VecOf(len(e.Net.Model.Obs), hw.Signed(e.Net.Model.SensorBits))),
		Bits: hw.Out(hw.Unsigned(max(1, len(e.Net.Comparators)))),
	}
}

func (e Encoder) Build(m *hw.Module, p EncoderPorts) {
	// Thresholds outside the sensor's range are constants; the others are shared tables, or a
	// comparison of their own.
	out := []hw.Bit{}
	shared := map[threshold]hw.Bit{}
	if e.Form == LUT6 {
		shared = e.share(m, p.Obs)
	}
	for _, c := range e.Net.Comparators {
		switch x := p.Obs[c.Dim]; c.Kind {
		case model.Zero:
			out = append(out, hw.Low)
		case model.One:
			out = append(out, hw.High)
		default:
			bit, ok := shared[threshold{c.Dim, c.T}]
			if !ok {
				bit = x.Gt(x.Lit(c.T))
			}
			out = append(out, bit)
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

// threshold is a comparison of a dimension.
type threshold struct{ dim, t int }

// keptWidth is the width of codes from which the shared signals of comparisons are
// to be kept by synthesis. yosys 0.23 undoes the sharing of wide codes (16 bits: 694
// tables without it, 618 with it; 14 bits: 357 and 346), while of narrow ones it finds
// better than is kept (12 bits: 427 and 437, 360 and 368; 10 bits: 202 and 211).
const keptWidth = 14

// share builds the comparisons of every dimension as one graph of tables.
func (e Encoder) share(m *hw.Module, obs hw.Vec[hw.SInt]) map[threshold]hw.Bit {
	bit := map[threshold]hw.Bit{}
	for dim, x := range obs {
		// The different thresholds of the dimension, ascending.
		var ts []int
		for _, c := range e.Net.Comparators {
			if c.Dim == dim && c.Kind == model.Compare {
				ts = append(ts, c.T)
			}
		}
		slices.Sort(ts)

		// Signals of the graph are numbered: the code's bits, then a table each.
		g := thermometer.Share(x.Width(), slices.Compact(ts))
		signals := x.AsUnsigned().BitVec()
		for i, n := range g.Nodes {
			var address []hw.Bit
			for _, p := range n.Pins {
				address = append(address, signals[p])
			}
			s := hw.Lut(bits.New(1<<len(address), n.Table), address...)

			// A node that is not a threshold's result is an intermediate, and synthesis may take the
			// sharing apart again: see keptWidth.
			if !slices.Contains(g.Out, g.W+i) {
				s = hw.Named(m, hw.Name("near", dim, i), s)
				if x.Width() >= keptWidth {
					hw.Attr(m, s, "keep", true)
				}
			}
			signals = append(signals, s)
		}

		for i, t := range g.T {
			bit[threshold{dim, t}] = signals[g.Out[i]]
		}
	}
	return bit
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

func (l Layer) Ports() LayerPorts {
	return LayerPorts{
		In:  hw.In(hw.Unsigned(max(1, l.inputs()))),
		Out: hw.Out(hw.Unsigned(max(1, len(l.Net.Layers[l.Index])))),
	}
}

func (l Layer) Build(m *hw.Module, p LayerPorts) {
	in, out := p.In.BitVec(), []hw.Bit{}
	for _, lut := range l.Net.Layers[l.Index] {
		var address []hw.Bit
		for _, pin := range lut.Pins {
			address = append(address, in[pin])
		}

		// A reduction may have left a constant or a wire in place of a table.
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
