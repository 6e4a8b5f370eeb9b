package host

import (
	learner "etch/designs/learner/model"
	"etch/designs/rl"
)

// layout is how the words of a circuit's weights are cut from a network: two numbers of
// tiles for each layer, inputs and outputs of a word.
type layout struct {
	sizes, tiles []int
	first        int // number of its first layer in the circuit
}

// word is a word of weights or biases.
type word struct {
	layer, number int
	bias          bool
	at            []int // of each element in the layer's weights or biases; -1 past its end
}

// words visits all words of a network. Word o·(tiles of inputs) + i is the tile of inputs i
// and outputs o; within it weight (input i, output o) is element o·(inputs of a tile) + i.
func (x layout) words(visit func(w word)) {
	for l := range len(x.sizes) - 1 {
		in, out, a, b := x.sizes[l], x.sizes[l+1], x.tiles[2*l], x.tiles[2*l+1]
		across, down := (in+a-1)/a, (out+b-1)/b

		// Weights by tiles of outputs, within one by tiles of inputs.
		for w := range across * down {
			var at []int
			for o := w / across * b; o < w/across*b+b; o++ {
				for i := w % across * a; i < w%across*a+a; i++ {
					place := o*in + i
					if o >= out || i >= in {
						place = -1
					}
					at = append(at, place)
				}
			}
			visit(word{l, w, false, at})
		}

		// Biases by tiles of outputs.
		for w := range down {
			var at []int
			for o := w * b; o < min(out, w*b+b); o++ {
				at = append(at, o)
			}
			visit(word{l, w, true, at})
		}
	}
}

// elements is the number of codes in the widest word, which the register between host
// and learner holds.
func (x layout) elements() (n int) {
	for l := range len(x.sizes) - 1 {
		n = max(n, x.tiles[2*l]*x.tiles[2*l+1])
	}
	return n
}

// values lists the parameters that word is a part of.
func (w word) values(n *learner.Net) []int64 {
	if w.bias {
		return n.Layers[w.layer].B
	}
	return n.Layers[w.layer].W
}

// part is the register of that name.
func (w word) part(network int) int {
	if w.bias {
		return network | rl.PartBias
	}
	return network
}

// load writes a network, whose weights have a format.
func (d *driver) load(n *learner.Net, x layout, network int, f learner.Number) {
	x.words(func(w word) {
		d.place(x.first+w.layer, w.number, w.part(network))
		values := w.values(n)

		for i := range d.elements {
			if i < len(w.at) && w.at[i] >= 0 {
				d.write("weight", uint32(f.Code(values[w.at[i]])))
			} else {
				d.write("weight", 0) // the register shifts: its first element comes first
			}
		}
		d.write("store", 1)
	})
}

// fetch reads a network whose weights have a format.
func (d *driver) fetch(x layout, network int, f learner.Number) *learner.Net {
	n := learner.NewNet(x.sizes...)
	x.words(func(w word) {
		d.place(x.first+w.layer, w.number, w.part(network))
		d.write("fetch", 1)

		// Elements are chosen one by one for the register weight_out.
		values := w.values(n)
		for i, at := range w.at {
			if at < 0 {
				continue
			}
			d.write("select", uint32(i))
			values[at] = f.Decode(uint64(d.read("weight_out")))
		}
	})
	return n
}
