package learner

import (
	"etch/hw"
	"etch/hw/fixed"
)

// gradient adds the outer products of a layer's inputs and the gradients of its outputs
// to the words of the gradient memory, over all lanes at once. Gradients of outputs
// alone are added to the words of biases. The last sample's word goes on to the update.
//
//	stage 1  a word of gradients is addressed
//	      2  operands
//	      3  products, the word
//	      4  the word with the products, which is stored
//
// inputs are operands at stage 2. The sums begin with the first sample of a step.
func (t tiling) gradient(m *hw.Module, w walk, g gradients, inputs lanes, u update) {
	a, tile := t.arithmetic(), t.tile(w.stage.Layer)
	sum := fixed.Of(a.Sum(Activation, Gradient, t.Batch))

	// The outer product: each gradient with each input, and alone for the bias.
	var products, biases []fixed.Num // by element of a word, the sum over lanes
	for o := range tile.Out {
		for i := range tile.In {
			products = append(products, overLanes(m, hw.Name("product", o, i), inputs, g, o, func(lane int, by hw.UInt) fixed.Num {
				return a.Multiply(Activation, inputs[lane][i], Gradient, by)
			}))
		}
		biases = append(biases, overLanes(m, hw.Name("by", o), inputs, g, o, func(_ int, by hw.UInt) fixed.Num {
			return a.Exact(Gradient, by)
		}))
	}

	// Sums of the batch: a word is read, added to and stored; the first sample's stands for
	// the word, so that nothing clears the memory.
	add := func(name string, depth int, at func(stage int) hw.UInt, valid func(stage int) hw.Bit, products []fixed.Num) hw.Vec[fixed.Num] {
		v := m.Scope(name)
		mem := hw.Mem(v, "sums", depth, hw.VecOf(len(products), sum))
		old := mem.SyncRead("read", at(1), hw.Undefined)
		next := make(hw.Vec[fixed.Num], len(old))
		for i := range old {
			begin := hw.Delay(v, hw.Name("old", i), hw.Mux(w.sample.At(2).Any(), old[i], hw.Zero(old[i])), 1)
			next[i] = hw.Delay(v, hw.Name("next", i), into(sum.Format(), begin.Add(products[i])), 1)
		}
		m.When(valid(4), func() { mem.Write(at(4), next) })
		return next
	}
	weights := add("weights", t.words(w.stage.Layer), func(s int) hw.UInt { return w.word.At(s) }, func(s int) hw.Bit { return w.valid.At(s) }, products)
	bias := add("bias", t.outputTiles(w.stage.Layer), func(s int) hw.UInt { return w.output.At(s) }, w.bias, biases)
	t.update(m, w, u, weights, bias)
}

// bias reports whether a stage has the word that stands for all of an output tile.
func (w walk) bias(stage int) hw.Bit { return w.valid.At(stage).And(w.input.At(stage).Is(0)) }

// overLanes sums the result of product for each lane's gradient by output o of the tile, with
// a register behind the products. At the last layer they are let through where o is the
// action taken.
//
// The zeros stand right before that register: synthesis makes them its reset, which takes no
// table, where a gate behind it takes one a bit. The zeros that begin the sums of a batch
// stand there too.
func overLanes(m *hw.Module, name string, inputs lanes, g gradients, o int, product func(lane int, by hw.UInt) fixed.Num) fixed.Num {
	var terms []fixed.Num
	for lane := range inputs {
		if g.cold == nil {
			terms = append(terms, hw.Delay(m, hw.Name(name, lane), product(lane, g.by[lane][o]), 1))
			continue
		}
		p := product(lane, g.by[lane][0])
		terms = append(terms, hw.Delay(m, hw.Name(name, lane), hw.Mux(g.cold[lane][o], hw.Zero(p), p), 1))
	}
	return total(terms)
}

// update holds the inputs of gradient descent besides the sums.
type update struct {
	online, target layer
	synchronise    hw.Bit  // the target becomes the online network
	tau            hw.UInt // rate of a soft target
	busy           hw.Bit  // there is a step
}

// update moves weights by the sums of a whole step, which are there at stage 4.
//
//	stage 4  the weight is read
//	      5  weight plus 2^-rate times the mean
//	      6  rounded, stored
//	      9  a soft target is stored
func (t tiling) update(m *hw.Module, w walk, u update, weights, bias hw.Vec[fixed.Num]) {
	// In the beat of the last sample a word's sum is whole: it goes on to the update at once. Biases
	// stand beside the first word of an output tile.
	last := func(stage int) hw.Bit { return w.sample.At(stage).Is(t.beats() - 1) }
	word := func(stage int) hw.UInt { return w.word.At(stage) }
	output := func(stage int) hw.UInt { return w.output.At(stage) }
	valid := func(stage int) hw.Bit { return w.valid.At(stage).And(last(stage)) }
	first := func(stage int) hw.Bit { return w.bias(stage).And(last(stage)) }
	t.descend(m.Scope("weights"), u, u.online.weights, u.target.weights, word, valid, weights)
	t.descend(m.Scope("bias"), u, u.online.bias, u.target.bias, output, first, bias)
}

// descend is the update of a memory's words.
func (t tiling) descend(m *hw.Module, u update, online, target bank, address func(stage int) hw.UInt, valid func(stage int) hw.Bit, sums hw.Vec[fixed.Num]) {
	a := t.arithmetic()

	// w + 2^-rate·mean, rounded once.
	online.address(valid(3), address(3))
	next := make(word, len(sums))
	var overs []hw.Bit
	for i, sum := range sums {
		mean := sum.Scale(-t.rate - t.logBatch())
		moved := hw.Delay(m, hw.Name("moved", i), a.Exact(Weight, online.read.Data[i]).Add(mean), 1)
		rounded, over := a.Round(m, hw.Name("rounded", i), Weight, moved)
		next[i] = hw.Delay(m, hw.Name("weight", i), hw.Mux(u.busy, rounded, online.given(i)), 1)
		overs = append(overs, t.flag(m, hw.Name("over", i), over, 1))
	}
	t.count(m, Weight, valid(6), overs...)
	online.store(valid(6), address(6), next)

	if t.watched {
		m.Assert(valid(6).Or(valid(9).And(hw.B(t.soft()))).Implies(u.busy), "a word is stored after the end of the step")
	}
	if !t.soft() {
		target.store(valid(6).And(u.synchronise), address(6), next)
		return
	}

	// t + τ·(w − t), or w.
	target.address(valid(5), address(5))
	following := make(word, len(sums))
	for i := range sums {
		slow, w := a.Exact(Target, target.read.Data[i]), a.Exact(Weight, next[i])
		apart := hw.Delay(m, hw.Name("apart", i), w.Sub(slow), 1)
		step := hw.Delay(m, hw.Name("step", i), apart.Mul(unit(u.tau)), 1)
		was, reached := hw.Delay(m, hw.Name("was", i), slow, 2), hw.Delay(m, hw.Name("reached", i), w, 2)
		there, _ := a.Round(m, hw.Name("there", i), Target, reached) // neither is over: both lie between weights
		nearer, _ := a.Round(m, hw.Name("nearer", i), Target, was.Add(step))
		goal := hw.Mux(u.synchronise, there, nearer)
		following[i] = hw.Delay(m, hw.Name("target", i), hw.Mux(u.busy, goal, target.given(i)), 1)
	}
	target.store(valid(9), address(9), following)
}
