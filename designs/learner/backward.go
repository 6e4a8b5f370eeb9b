package learner

import (
	"etch/hw"
	"etch/hw/fixed"
)

// gradients are the gradients of the loss by a tile of a layer's outputs, of each lane,
// as operands at stage 2. At the last layer of DQN only the action taken has one: then
// there is one value a lane, and cold says to which outputs of the tile it does not belong.
type gradients struct {
	by   lanes
	cold hw.Vec[hw.Vec[hw.Bit]]
}

// masks say by lane which inputs of a tile were positive, at stage 2; nil: all are let
// through.
type masks []hw.Vec[hw.Bit]

// positive marks the inputs above 0, lane by lane: there ReLU's derivative is 1.
func (c common) positive(inputs lanes) (p masks) {
	for _, x := range inputs {
		var bits hw.Vec[hw.Bit]
		for _, v := range x {
			bits = append(bits, c.arithmetic().Positive(Activation, v))
		}
		p = append(p, bits)
	}
	return p
}

// codes are masks as codes of one bit.
func (p masks) codes() (x lanes) {
	for _, bits := range p {
		var v word
		for _, b := range bits {
			v = append(v, b.UInt())
		}
		x = append(x, v)
	}
	return x
}

// backward is a backward pass of a layer: gradients of its outputs are summed along them
// with the same words as in a forward pass, and let through where the input was
// positive. Only the given columns of a tile are wanted.
//
//	stage 2  operands
//	      3  products
//	      4  sums along the tile
//	      5  sums along all tiles of outputs
//	      6  rounded, masked; valid with the last tile of outputs
//
// weights returns, at stage 2, the weights between an input of the tile and its outputs,
// for the gradients of a lane.
func (t tiling) backward(m *hw.Module, w walk, weights func(lane, input int) word, g gradients, positive masks, columns []column) (valid hw.Bit, results lanes) {
	// The longest sum is over all outputs of the layer.
	a, sum := t.arithmetic(), t.arithmetic().Sum(Weight, Gradient, t.sizes[w.stage.Layer+1])
	valid = w.valid.At(6).And(w.lastOutput(6))
	for n := range g.by {
		v := m.Scope("lane", n)
		var back word
		var overs []hw.Bit
		for _, x := range columns {
			// Products along a column of the word, and their sum.
			i := x.at
			var products []fixed.Num
			for o, weight := range weights(n, i) {
				product := a.Multiply(Weight, weight, Gradient, g.by[n][o])
				products = append(products, hw.Delay(v, hw.Name("product", i, o), product, 1))
			}
			along := hw.Delay(v, hw.Name("along", i), into(sum, total(products)), 1)

			// The sum along all tiles of outputs, which begins with the first.
			acc := hw.Reg(v, hw.Name("sum", i), fixed.Of(sum))
			begin := hw.Gate(w.output.At(4).Any(), acc)
			m.When(w.valid.At(4), func() { acc.Set(into(sum, begin.Add(along))) })

			// Rounded once, and let through where the layer's input was positive.
			y, over := a.Round(v, hw.Name("rounded", i), Gradient, acc)
			if positive != nil {
				through := hw.Delay(v, hw.Name("positive", i), positive[n][i], 3)
				y, over = hw.Gate(through, y), over.And(through)
			}
			back = append(back, hw.Delay(v, hw.Name("back", i), y, 1))
			overs = append(overs, t.flag(v, hw.Name("over", i), over, 1).And(x.wanted(w, 6)))
		}
		results = append(results, back)
		t.count(v, Gradient, valid, overs...)
	}
	return valid, results
}

// columnsOf picks, for an input of a tile, its weights to all outputs. Weights lie output by output
// in a word.
func (t tiling) columnsOf(l int, weights word) func(lane, input int) word {
	tile := t.tile(l)
	return func(_, input int) (column word) {
		for o := range tile.Out {
			column = append(column, weights[o*tile.In+input])
		}
		return column
	}
}

// fromOne is the backward pass of a gradient of 1 through a layer with a single output:
// its weights, where the input was positive. It takes no multiplier and has the latency
// of [tiling.backward].
func (t tiling) fromOne(m *hw.Module, w walk, weights word, positive masks, columns []column) (valid hw.Bit, results lanes) {
	a := t.arithmetic()
	valid = w.valid.At(6).And(w.lastOutput(6))
	for n := range t.dp {
		v := m.Scope("lane", n)
		var back word
		var overs []hw.Bit
		for _, x := range columns {
			y, over := a.Round(v, hw.Name("rounded", x.at), Gradient, a.Exact(Weight, weights[x.at]))
			if positive != nil {
				y, over = hw.Gate(positive[n][x.at], y), over.And(positive[n][x.at])
			}
			back = append(back, hw.Delay(v, hw.Name("back", x.at), y, 4))
			overs = append(overs, t.flag(v, hw.Name("over", x.at), over, 4).And(x.wanted(w, 6)))
		}
		results = append(results, back)
		t.count(v, Gradient, valid, overs...)
	}
	return valid, results
}

// column is a column of a layer's tile, and the tiles of inputs in which its gradient is
// wanted; nil: in all.
type column struct {
	at int
	in []int
}

func (c column) wanted(w walk, stage int) hw.Bit {
	if c.in == nil || w.inputTiles(w.stage.Layer) == 1 {
		return hw.High
	}
	is := hw.Low
	for _, tile := range c.in {
		is = is.Or(w.input.At(stage).Is(tile))
	}
	return is
}

// whole are all columns of a layer's tile.
func (t tiling) whole(l int) (columns []column) {
	for i := range t.tile(l).In {
		columns = append(columns, column{at: i})
	}
	return columns
}

// from are the columns of the first layer's tile that inputs from a number on fall into.
func (t tiling) from(first int) (columns []column) {
	// A column may have wanted inputs in some tiles only.
	in := make([][]int, t.tile(0).In)
	for k := first; k < t.sizes[0]; k++ {
		at := k % len(in)
		in[at] = append(in[at], k/len(in))
	}

	for at, tiles := range in {
		if tiles != nil {
			columns = append(columns, column{at, tiles})
		}
	}
	return columns
}
