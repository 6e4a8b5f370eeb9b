package ppo

import (
	"math"
	"math/rand/v2"
)

// network is a multilayer perceptron with tanh between its layers and a linear
// output.
type network struct {
	layers []layer
	params []float64 // what the layers' weights and biases are parts of; then the free ones
}

// layer is weights [out×in] and biases of a network's layer, or their derivatives.
type layer struct {
	in, out      int
	weight, bias []float64
}

// newNetwork draws orthogonal weights, scaled by √2 in hidden layers and by gain in
// the last; biases are 0. sizes are the units from input to output. Of its parameters
// the last free ones belong to no layer; they are 0.
func newNetwork(r *rand.Rand, gain float64, free int, sizes ...int) *network {
	total := free
	for i := range len(sizes) - 1 {
		total += (sizes[i] + 1) * sizes[i+1]
	}
	n := &network{params: make([]float64, total)}
	n.layers = carve(n.params, sizes)
	for i, l := range n.layers {
		scale := math.Sqrt2
		if i == len(n.layers)-1 {
			scale = gain
		}
		orthogonal(r, l.weight, l.out, l.in, scale)
	}
	return n
}

// carve cuts a slice into layers.
func carve(all []float64, sizes []int) (layers []layer) {
	for i := range len(sizes) - 1 {
		l := layer{in: sizes[i], out: sizes[i+1]}
		l.weight, all = all[:l.in*l.out], all[l.in*l.out:]
		l.bias, all = all[:l.out], all[l.out:]
		layers = append(layers, l)
	}
	return layers
}

func (n *network) sizes() []int {
	sizes := []int{n.layers[0].in}
	for _, l := range n.layers {
		sizes = append(sizes, l.out)
	}
	return sizes
}

// free are the parameters that belong to no layer.
func (n *network) free() []float64 {
	used := 0
	for _, l := range n.layers {
		used += (l.in + 1) * l.out
	}
	return n.params[used:]
}

// tape is one pass of up to some number of rows through a network: what forward
// leaves for backward, and the derivatives.
type tape struct {
	acts, errs   [][]float64 // [boundary between layers][rows×units]
	flipA, flipE []float64   // transposed activations, derivatives, weights
	flipW        []float64
	grads        []float64 // derivative of every parameter
	parts        []layer   // the same by layers
}

func newTape(n *network, rows int) *tape {
	t := &tape{grads: make([]float64, len(n.params))}
	t.parts = carve(t.grads, n.sizes())
	widest := 0
	for _, units := range n.sizes() {
		t.acts = append(t.acts, make([]float64, rows*units))
		t.errs = append(t.errs, make([]float64, rows*units))
		widest = max(widest, units)
	}
	t.flipA, t.flipE = make([]float64, rows*widest), make([]float64, rows*widest)
	t.flipW = make([]float64, widest*widest)
	return t
}

func (t *tape) input() []float64     { return t.acts[0] }
func (t *tape) output() []float64    { return t.acts[len(t.acts)-1] }
func (t *tape) outputErr() []float64 { return t.errs[len(t.errs)-1] }

// forward runs the first rows of t.input() to t.output().
func (n *network) forward(t *tape, rows int) {
	for i, l := range n.layers {
		y := t.acts[i+1][:rows*l.out]
		multiply(y, t.acts[i], l.weight, rows, l.out, l.in)
		for r := range rows {
			row := y[r*l.out : (r+1)*l.out]
			for j, b := range l.bias {
				row[j] += b
			}
		}
		if i < len(n.layers)-1 {
			for j, x := range y {
				y[j] = tanh(x)
			}
		}
	}
}

// backward takes the derivatives of the loss by the first rows of outputs from
// t.outputErr() and leaves those by the parameters in t.grads. It follows a forward
// pass over the same rows.
func (n *network) backward(t *tape, rows int) {
	for i := len(n.layers) - 1; i >= 0; i-- {
		l, g := n.layers[i], t.parts[i]
		transpose(t.flipE, t.errs[i+1], rows, l.out)
		transpose(t.flipA, t.acts[i], rows, l.in)
		multiply(g.weight, t.flipE, t.flipA, l.out, l.in, rows)
		for j := range g.bias {
			sum := 0.0
			for _, e := range t.flipE[j*rows : (j+1)*rows] {
				sum += e
			}
			g.bias[j] = sum
		}
		if i == 0 {
			return
		}
		transpose(t.flipW, l.weight, l.out, l.in)
		below := t.errs[i][:rows*l.in]
		multiply(below, t.errs[i+1], t.flipW, rows, l.in, l.out)
		for j, y := range t.acts[i][:rows*l.in] {
			below[j] *= 1 - float64(y*y)
		}
	}
}
