package model

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Layer is a dense layer: Out sums of In products and a bias.
type Layer struct {
	In, Out int
	W       []int64 // row by output as in PyTorch: W[o*In+i]
	B       []int64 // by output
}

// Net is a network by its layers, or anything of the shape of one: gradients, targets.
type Net struct{ Layers []Layer }

// NewNet makes a network of zeros: sizes are its inputs, hidden layers and outputs.
func NewNet(sizes ...int) *Net {
	n := &Net{}
	for i := 1; i < len(sizes); i++ {
		in, out := sizes[i-1], sizes[i]
		n.Layers = append(n.Layers, Layer{in, out, make([]int64, in*out), make([]int64, out)})
	}
	return n
}

// Sizes are the inputs, hidden layers and outputs.
func (n *Net) Sizes() []int {
	sizes := []int{n.Layers[0].In}
	for _, l := range n.Layers {
		sizes = append(sizes, l.Out)
	}
	return sizes
}

// Clone is a copy that shares nothing.
func (n *Net) Clone() *Net {
	c := NewNet(n.Sizes()...)
	c.Copy(n)
	return c
}

// Copy takes the values of a network of the same sizes.
func (n *Net) Copy(from *Net) {
	for i, l := range from.Layers {
		copy(n.Layers[i].W, l.W)
		copy(n.Layers[i].B, l.B)
	}
}

// Words are all values, layer by layer, weights before biases; writing to them changes
// the network.
func (n *Net) Words() [][]int64 {
	var words [][]int64
	for _, l := range n.Layers {
		words = append(words, l.W, l.B)
	}
	return words
}

// Init draws weights and biases uniformly from ±1/√In of their layer, in their format.
func (n *Net) Init(r *rand.Rand, f Number) {
	for _, l := range n.Layers {
		scale := 1 / math.Sqrt(float64(l.In))
		for _, words := range [][]int64{l.W, l.B} {
			for i := range words {
				u := 2*float64(r.Float64()) - 1
				words[i] = f.Raw(float64(u * scale))
			}
		}
	}
}

// validateSizes refuses networks that are none.
func validateSizes(sizes []int) error {
	if len(sizes) < 2 || len(sizes) > 9 {
		return fmt.Errorf("a network of %d sizes; 2 to 9: inputs, hidden layers, outputs", len(sizes))
	}
	for _, n := range sizes {
		if n < 1 || n > 4096 {
			return fmt.Errorf("a layer of %d; 1 to 4096", n)
		}
	}
	return nil
}

// trace is the record of a forward pass for the backward one: the inputs of each layer,
// and last the outputs.
type trace [][]int64

func newTrace(n *Net) trace {
	t := trace{make([]int64, n.Layers[0].In)}
	for _, l := range n.Layers {
		t = append(t, make([]int64, l.Out))
	}
	return t
}

func (t trace) out() []int64 { return t[len(t)-1] }

// engine computes with formats and counts saturated values.
type engine struct {
	Formats                // of exact values
	grid, targetGrid *grid // nil in fixed point
	saturated        Saturations
}

// newEngine has the formats of a valid step.
func newEngine(s Step) engine {
	return engine{Formats: s.exact(), grid: newGrid(s.Weights()), targetGrid: newGrid(s.Targets())}
}

// sums are the sums of a batch's gradients: words, and where they are floating-point
// numbers the upper half of 128 bits.
type sums struct{ low, high *Net }

func (e *engine) newSums(sizes ...int) *sums {
	s := &sums{low: NewNet(sizes...)}
	if e.grid != nil {
		s.high = NewNet(sizes...)
	}
	return s
}

// forward runs a network on t[0]; hidden layers end in a rectifier.
func (e *engine) forward(n *Net, t trace) []int64 {
	for k := range n.Layers {
		e.layer(n, k, t)
	}
	return t.out()
}

// layer runs layer k of a network.
func (e *engine) layer(n *Net, k int, t trace) {
	l, x, y := n.Layers[k], t[k], t[k+1]
	hidden := k+1 < len(n.Layers)
	for o := range y {
		// A bias counts as a product with 1. Sums are exact, in words or 128 bits, and rounded once.
		row := l.W[o*l.In : (o+1)*l.In]
		if e.grid != nil {
			sum := product(l.B[o], 1<<e.Activation.Frac)
			for i, w := range row {
				sum = sum.add(product(w, x[i]))
			}
			y[o] = e.grid.nearest(e.Activation, sum, e.Weight.Frac+e.Activation.Frac, &e.saturated.Activation)
		} else {
			sum := l.B[o] << e.Activation.Frac
			for i, w := range row {
				sum += w * x[i]
			}
			y[o] = e.fit(e.Activation, sum, e.Weight.Frac+e.Activation.Frac, &e.saturated.Activation)
		}

		if hidden {
			y[o] = max(y[o], 0)
		}
	}
}

// backward takes gradients with respect to a network's outputs back to its inputs, and adds the
// outer products with each layer's inputs to grad, which may be nil. Gradients are those of a
// quantity to be maximised, see descend. It returns the gradients with respect to the inputs from
// number from on, nil if there are none.
func (e *engine) backward(n *Net, t trace, delta []int64, grad *sums, from int) []int64 {
	for k := len(n.Layers) - 1; k >= 0; k-- {
		// Outer products first: they need this layer's delta, which the way back replaces.
		l := n.Layers[k]
		if grad != nil {
			e.outer(grad, k, t[k], delta)
		}

		// Of the network's inputs only some are asked for: a critic's actions, or none.
		first := 0
		if k == 0 {
			first = from
		}
		if first >= l.In {
			return nil
		}

		// The rectifier in front of a layer lets positive values through. Inputs of the
		// network have none.
		back := make([]int64, l.In)
		for i := first; i < l.In; i++ {
			if k > 0 && t[k][i] <= 0 {
				continue
			}
			back[i] = e.column(l, i, delta)
		}
		delta = back
	}
	return delta[from:]
}

// column is the gradient by a layer's input i, from those by its outputs.
func (e *engine) column(l Layer, i int, delta []int64) int64 {
	// The weights' rows are by output, so this goes down a column.
	frac := e.Weight.Frac + e.Gradient.Frac
	if e.grid != nil {
		var sum wide
		for o, d := range delta {
			sum = sum.add(product(l.W[o*l.In+i], d))
		}
		return e.grid.nearest(e.Gradient, sum, frac, &e.saturated.Gradient)
	}

	sum := int64(0)
	for o, d := range delta {
		sum += l.W[o*l.In+i] * d
	}
	return e.fit(e.Gradient, sum, frac, &e.saturated.Gradient)
}

// outer adds the gradient of one sample to the sums of a batch for layer k, which have the
// fraction bits of activations and gradients together.
func (e *engine) outer(sums *sums, k int, x, delta []int64) {
	grad := sums.low.Layers[k]
	if sums.high != nil {
		sums.outer(k, x, delta, 1<<e.Activation.Frac)
		return
	}

	// DQN's delta of the last layer is zero but for the action taken.
	for o, d := range delta {
		if d == 0 {
			continue
		}
		grad.B[o] += d << e.Activation.Frac
		row := grad.W[o*grad.In : (o+1)*grad.In]
		for i := range row {
			row[i] += d * x[i]
		}
	}
}

// outer is that of floating-point numbers; one is the activation that biases have.
func (s *sums) outer(k int, x, delta []int64, one int64) {
	low, high := s.low.Layers[k], s.high.Layers[k]
	add := func(low, high *int64, p wide) {
		sum := wide{uint64(*high), uint64(*low)}.add(p)
		*high, *low = int64(sum.hi), int64(sum.lo)
	}

	for o, d := range delta {
		add(&low.B[o], &high.B[o], product(d, one))
		for i, v := range x {
			add(&low.W[o*low.In+i], &high.W[o*low.In+i], product(d, v))
		}
	}
}

// descend moves weights by the mean gradient of a batch of 2^batch times 2^-rate, and
// clears the sums. Gradients here are of a quantity to be maximised.
func (e *engine) descend(n *Net, grad *sums, rate, batch int) {
	// Mean and rate are powers of two, so both are a shift: from the sums' fraction bits to the
	// weights'.
	shift := e.Activation.Frac + e.Gradient.Frac + rate + batch - e.Weight.Frac
	sums := grad.low.Words()
	if grad.high != nil {
		// Weight and mean are one sum, which is rounded once.
		high := grad.high.Words()
		for k, words := range n.Words() {
			for i, g := range sums[k] {
				sum := wide{uint64(high[k][i]), uint64(g)}.add(product(words[i], 1).shl(shift))
				words[i] = e.grid.nearest(e.Weight, sum, e.Weight.Frac+shift, &e.saturated.Weight)
			}
			clear(sums[k])
			clear(high[k])
		}
		return
	}

	for k, words := range n.Words() {
		for i, g := range sums[k] {
			words[i] = saturate(e.Weight, words[i]+round(g, shift), &e.saturated.Weight)
			sums[k][i] = 0
		}
	}
}
