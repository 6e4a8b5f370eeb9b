package network

import (
	"math/bits"

	"etch/designs/dwc/model"
)

// Comparator is one encoder bit: the code of dimension Dim is above T.
type Comparator struct {
	Dim  int
	T    int
	Kind model.BitKind // Compare; in a network that is not reduced also Zero and One
	Bit  int           // the first encoder bit it stands for, Dim·B + k
}

// Lut is one lookup table.
type Lut struct {
	Pins  []int  // outputs of the layer before; pin 0 is address bit 0; none for a constant
	Table uint64 // bit a is the output for address a
	Index int    // its place in the trained layer
}

// Constant reports whether l has no pins.
func (l *Lut) Constant() bool { return len(l.Pins) == 0 }

// Wire reports whether l only passes its one pin on.
func (l *Lut) Wire() bool { return len(l.Pins) == 1 && l.Table&3 == 2 }

// Group is one popcount: Base plus the number of ones among Bits, which index the
// last layer and may repeat.
type Group struct {
	Bits []int
	Base int
}

// Network is a controller up to its popcounts.
type Network struct {
	Model       *model.Model
	Comparators []Comparator
	Layers      [][]Lut
	Groups      []Group
}

// Of is f as a network, nothing left out.
func Of(f *model.Folded) *Network {
	// Bits, tables and votes as they are in the model, in the same order.
	m := f.Model
	n := &Network{Model: m}
	for d, row := range f.Bits {
		for k, b := range row {
			n.Comparators = append(n.Comparators, Comparator{Dim: d, T: b.T, Kind: b.Kind, Bit: d*m.B() + k})
		}
	}

	for i := range m.Layers {
		l := &m.Layers[i]
		luts := make([]Lut, l.Width())
		for j := range luts {
			luts[j] = Lut{Pins: append([]int(nil), l.Pins[j]...), Table: l.Tables[j], Index: j}
		}
		n.Layers = append(n.Layers, luts)
	}

	size := m.GroupSize()
	for g := range m.Groups() {
		var bits []int
		for i := range size {
			bits = append(bits, g*size+i)
		}
		n.Groups = append(n.Groups, Group{Bits: bits})
	}
	return n
}

// Run returns the popcounts for sensor codes.
func (n *Network) Run(codes []int) []int {
	// Layer by layer, all signals of one layer at a time; a group's count begins with the votes
	// fixed by reductions.
	now := make([]bool, len(n.Comparators))
	for i, c := range n.Comparators {
		now[i] = model.EncoderBit{Kind: c.Kind, T: c.T}.Value(codes[c.Dim])
	}

	for _, layer := range n.Layers {
		next := make([]bool, len(layer))
		for j := range layer {
			at := 0
			for l, p := range layer[j].Pins {
				if now[p] {
					at |= 1 << l
				}
			}
			next[j] = layer[j].Table>>at&1 == 1
		}
		now = next
	}

	out := make([]int, len(n.Groups))
	for g, group := range n.Groups {
		out[g] = group.Base
		for _, b := range group.Bits {
			if now[b] {
				out[g]++
			}
		}
	}
	return out
}

// Luts is the number of tables with at least one pin that do more than pass it
// on, over all layers.
func (n *Network) Luts() int {
	total := 0
	for _, layer := range n.Layers {
		for j := range layer {
			if !layer[j].Constant() && !layer[j].Wire() {
				total++
			}
		}
	}
	return total
}

// Comparisons is the number of comparators that are not constant.
func (n *Network) Comparisons() int {
	total := 0
	for _, c := range n.Comparators {
		if c.Kind == model.Compare {
			total++
		}
	}
	return total
}

// Depth is the number of two-input levels that a rough count gives: a comparator
// of W bits takes ⌈log2 W⌉+1, a table of n pins ⌈log2 n⌉+1 (at least 1), a
// popcount of G bits 2·⌈log2 G⌉. It is a yardstick between variants of one
// design, not a delay.
func (n *Network) Depth() int {
	depth := log2(n.Model.SensorBits) + 1
	for _, layer := range n.Layers {
		most := 0
		for j := range layer {
			if p := len(layer[j].Pins); p > 0 && !layer[j].Wire() {
				most = max(most, log2(p)+1)
			}
		}
		depth += most
	}

	most := 0
	for _, g := range n.Groups {
		most = max(most, 2*log2(len(g.Bits)))
	}
	return depth + most
}

func log2(n int) int {
	if n < 2 {
		return 0
	}
	return bits.Len(uint(n - 1))
}
