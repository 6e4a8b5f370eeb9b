package learner

import (
	"etch/hw"
	"etch/hw/fixed"
)

// gradients are the gradients of the loss by a tile of a layer's outputs, of each lane,
// as operands at stage 2. At the last layer only the action taken has one: then there is
// one value a lane, and hot says which output of the tile it belongs to, if any.
type gradients struct {
	by  lanes
	hot []hw.Vec[hw.Bit]
}

// backward is a backward pass of a layer: gradients of its outputs are summed along them
// with the same words as in a forward pass, and let through where the input was
// positive.
//
//	stage 1  words; gradients, inputs
//	      2  operands
//	      3  products
//	      4  sums along the tile
//	      5  sums along all tiles of outputs
//	      6  rounded, masked; valid with the last tile of outputs
//
// inputs are operands at stage 2.
func (c Config) backward(m *hw.Module, w walk, x layer, g gradients, inputs lanes) (valid hw.Bit, results lanes) {
	a, t, l := c.arithmetic(), c.tile(w.stage.Layer), w.stage.Layer
	weights := hw.Delay(m, "weight", x.weights.mem.SyncRead("backward", w.word.At(0), hw.Undefined), 1)
	sum := a.Sum(Weight, Gradient, c.Sizes[l+1])
	for n := range inputs {
		v := m.Scope("lane", n)
		var back word
		for i := range t.In {
			var products []fixed.Num
			for o, weight := range c.columns(weights, g, n, i, t) {
				product := a.Multiply(Weight, weight, Gradient, g.by[n][o])
				products = append(products, hw.Delay(v, hw.Name("product", i, o), product, 1))
			}
			along := hw.Delay(v, hw.Name("along", i), into(sum, total(products)), 1)

			acc := hw.Reg(v, hw.Name("sum", i), fixed.Of(sum))
			begin := hw.Gate(w.output.At(4).Any(), acc)
			m.When(w.valid.At(4), func() { acc.Set(into(sum, begin.Add(along))) })

			positive := hw.Delay(v, hw.Name("positive", i), a.Positive(Activation, inputs[n][i]), 3)
			y := hw.Gate(positive, a.Round(Gradient, acc))
			back = append(back, hw.Delay(v, hw.Name("back", i), y, 1))
		}
		results = append(results, back)
	}
	return w.valid.At(6).And(w.lastOutput(6)), results
}

// columns are the weights that the gradients of a lane meet on their way to an input of
// the tile: of the last layer the one of the action taken, or 0.
func (c Config) columns(weights word, g gradients, lane, input int, t Tile) (column word) {
	for o := range t.Out {
		column = append(column, weights[o*t.In+input])
	}
	if g.hot == nil {
		return column
	}
	return word{hw.OneHotMux(hw.FromBits(g.hot[lane]...), column)}
}
