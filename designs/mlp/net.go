package mlp

import "slices"

// Float is the numbers of a network.
type Float interface{ float32 | float64 }

// Activation is the function between the layers of a network; the output is linear.
type Activation int

// The activations.
const (
	Tangent Activation = iota // hyperbolic tangent
	ReLU                      // max(0, x)
)

// Net is a multilayer perceptron.
type Net[F Float] struct {
	Hidden Activation
	Layers []Layer[F]
	// Params is layer by layer the weights, then the biases: the layers' slices are parts of
	// it. At the end come free parameters that belong to no layer.
	Params []F
}

// Layer is weights [Out×In], a row an output, and biases of a layer, or their derivatives.
type Layer[F Float] struct {
	In, Out      int
	Weight, Bias []F
}

// New makes a network of zeros with so many free parameters. sizes are the units from input
// to output, at least two.
func New[F Float](hidden Activation, free int, sizes ...int) *Net[F] {
	total := free
	for i := range len(sizes) - 1 {
		total += (sizes[i] + 1) * sizes[i+1]
	}

	n := &Net[F]{Hidden: hidden, Params: make([]F, total)}
	n.Layers = carve(n.Params, sizes)
	return n
}

// carve cuts a slice into layers.
func carve[F Float](all []F, sizes []int) (layers []Layer[F]) {
	for i := range len(sizes) - 1 {
		l := Layer[F]{In: sizes[i], Out: sizes[i+1]}
		l.Weight, all = all[:l.In*l.Out], all[l.In*l.Out:]
		l.Bias, all = all[:l.Out], all[l.Out:]
		layers = append(layers, l)
	}
	return layers
}

// Sizes are the units from input to output.
func (n *Net[F]) Sizes() []int {
	sizes := []int{n.Layers[0].In}
	for _, l := range n.Layers {
		sizes = append(sizes, l.Out)
	}
	return sizes
}

// Free are the parameters that belong to no layer.
func (n *Net[F]) Free() []F {
	used := 0
	for _, l := range n.Layers {
		used += (l.In + 1) * l.Out
	}
	return n.Params[used:]
}

// Clone copies the network.
func (n *Net[F]) Clone() *Net[F] {
	c := &Net[F]{Hidden: n.Hidden, Params: slices.Clone(n.Params)}
	c.Layers = carve(c.Params, n.Sizes())
	return c
}

// Follow moves the parameters towards the parameters of a network of the same sizes: p
// += τ·(other − p).
func (n *Net[F]) Follow(other *Net[F], tau F) {
	from := other.Params[:len(n.Params)]
	for i, p := range n.Params {
		n.Params[i] = p + F(tau*(from[i]-p))
	}
}
