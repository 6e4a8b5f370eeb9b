package learner

import (
	"etch/hw"
	"etch/hw/fixed"
)

// forward is a forward pass of a layer: every cycle a word of weights, whose outputs are
// summed along a tile of inputs of each lane.
//
//	stage 1  words and inputs
//	      2  operands
//	      3  products; the bias is read
//	      4  sums along the tile
//	      5  sums along all tiles of inputs, which begin with the bias
//	      6  rounded, rectified; valid with the last tile of inputs
//
// The inputs are codes at stage 1. While the learner acts, only the first lane counts, if
// at all.
func (t tiling) forward(m *hw.Module, w walk, x layer, inputs lanes, acts bool) (valid hw.Bit, outputs lanes) {
	a, tile, l := t.arithmetic(), t.tile(w.stage.Layer), w.stage.Layer
	x.weights.address(w.valid.At(0), w.word.At(0))
	x.bias.address(w.valid.At(3), w.output.At(3))
	weights, bias := hw.Delay(m, "weight", t.view(x.weights, "weight"), 1), t.view(x.bias, "bias")

	// All lanes meet the same words, each with its own input.
	sum := a.Sum(Weight, Activation, t.sizes[l]+1)
	for n, input := range inputs {
		v := m.Scope("lane", n)
		input = hw.Delay(v, "input", input, 1)
		var ys word
		var overs []hw.Bit
		for o := range tile.Out {
			// Products, and their sum along the tile.
			var products []fixed.Num
			for i := range tile.In {
				product := a.Multiply(Weight, weights[o*tile.In+i], Activation, input[i])
				products = append(products, hw.Delay(v, hw.Name("product", o, i), product, 1))
			}
			along := hw.Delay(v, hw.Name("along", o), into(sum, total(products)), 1)

			// The sum along all tiles of inputs: the first one begins with the bias.
			acc := hw.Reg(v, hw.Name("sum", o), fixed.Of(sum))
			begin := hw.Mux(w.input.At(4).Is(0), into(sum, a.Exact(Weight, bias[o]).Add(fixed.Of(sum).Lit(0))), acc)
			m.When(w.valid.At(4), func() { acc.Set(into(sum, begin.Add(along))) })

			// Rounded once, then rectified but for the last layer.
			y, over := a.Round(v, hw.Name("rounded", o), Activation, acc)
			overs = append(overs, t.flag(v, hw.Name("over", o), over, 1))
			if l != t.last() {
				y = hw.Gate(a.Positive(Activation, y), y)
			}
			ys = append(ys, hw.Delay(v, hw.Name("output", o), y, 1))
		}
		outputs = append(outputs, ys)

		// While the learner acts, the first lane of the online network alone has a value.
		if t.tally == nil {
			continue
		}
		counted := w.summed(6)
		if n > 0 || !acts {
			counted = counted.AndNot(w.acting.At(6))
		}
		t.count(v, Activation, counted, w.flagsInside(6, overs)...)
	}
	return w.summed(6), outputs
}

// view is the word that a memory gives, as forward passes take it: soft targets are
// rounded, by units of that name.
func (c common) view(b bank, name string) word {
	if b.kind == Weight {
		return b.read.Data
	}
	a, out := c.arithmetic(), make(word, b.size)
	for i, x := range b.read.Data {
		out[i], _ = a.Round(b.m, hw.Name("viewed_"+name, i), Weight, a.Exact(b.kind, x)) // it lies between weights
	}
	return out
}
