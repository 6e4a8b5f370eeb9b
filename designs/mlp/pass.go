package mlp

import "math"

// Tape is a pass of up to some number of rows through a network: the values that Forward leaves for
// Backward, and the derivatives. A row is a sample, its units side by side.
type Tape[F Float] struct {
	// Grads are the derivatives of the loss by the parameters, laid out like Net.Params.
	// Backward leaves the derivatives by free parameters alone.
	Grads []F

	acts, errs          [][]F // [boundary between layers][rows×units]
	flipA, flipE, flipW []F   // transposed activations, derivatives, weights
	parts               []Layer[F]
}

// NewTape makes room for rows through n.
func NewTape[F Float](n *Net[F], rows int) *Tape[F] {
	t := &Tape[F]{Grads: make([]F, len(n.Params))}
	t.parts = carve(t.Grads, n.Sizes())
	widest := 0
	for _, units := range n.Sizes() {
		t.acts = append(t.acts, make([]F, rows*units))
		t.errs = append(t.errs, make([]F, rows*units))
		widest = max(widest, units)
	}

	// The transposed copies serve every layer, so they have the size of the widest.
	t.flipA, t.flipE = make([]F, rows*widest), make([]F, rows*widest)
	t.flipW = make([]F, widest*widest)
	return t
}

// Input is the rows that Forward reads.
func (t *Tape[F]) Input() []F { return t.acts[0] }

// Output is the rows that Forward writes.
func (t *Tape[F]) Output() []F { return t.acts[len(t.acts)-1] }

// OutputErr is where Backward finds the derivatives of the loss by the outputs.
func (t *Tape[F]) OutputErr() []F { return t.errs[len(t.errs)-1] }

// Activations are the rows at each boundary between layers, the input first. They are the
// tape's own.
func (t *Tape[F]) Activations() [][]F { return t.acts }

// Forward runs the first rows of t.Input() to t.Output().
func (n *Net[F]) Forward(t *Tape[F], rows int) {
	for i, l := range n.Layers {
		y := t.acts[i+1][:rows*l.Out]
		Multiply(y, t.acts[i], l.Weight, rows, l.Out, l.In)

		for r := range rows {
			row := y[r*l.Out : (r+1)*l.Out]
			for j, b := range l.Bias {
				row[j] += b
			}
		}

		if i < len(n.Layers)-1 {
			n.Hidden.apply(y)
		}
	}
}

// Backward takes the derivatives of the loss by the first rows of outputs from t.OutputErr()
// and leaves the derivatives by the parameters in t.Grads. It follows a forward pass over
// the same rows.
func (n *Net[F]) Backward(t *Tape[F], rows int) {
	for i := len(n.Layers) - 1; i >= 0; i-- {
		l, g := n.Layers[i], t.parts[i]

		// Multiply takes both operands with a sample a column: dL/dW = errsᵀ·acts.
		transpose(t.flipE, t.errs[i+1], rows, l.Out)
		transpose(t.flipA, t.acts[i], rows, l.In)
		Multiply(g.Weight, t.flipE, t.flipA, l.Out, l.In, rows)

		for j := range g.Bias {
			var sum F
			for _, e := range t.flipE[j*rows : (j+1)*rows] {
				sum += e
			}
			g.Bias[j] = sum
		}

		// Nothing reads derivatives by the input.
		if i > 0 {
			n.down(t, i, rows)
			n.Hidden.mask(t.errs[i][:rows*l.In], t.acts[i])
		}
	}
}

// down computes errs[i] from errs[i+1] through layer i's weights.
func (n *Net[F]) down(t *Tape[F], i, rows int) {
	l := n.Layers[i]
	transpose(t.flipW, l.Weight, l.Out, l.In)
	Multiply(t.errs[i][:rows*l.In], t.errs[i+1], t.flipW, rows, l.In, l.Out)
}

// InputSlope writes, for each of the rows listed, the derivatives of the first output by the
// inputs from first on to slope[row·(inputs−first)…]. It follows a forward pass over these
// rows, and needs no other output's derivative: the network has one output.
func (n *Net[F]) InputSlope(t *Tape[F], rows []int, first int, slope []F) {
	// The rows asked for lie side by side on the way down.
	last := len(n.Layers) - 1
	for k := range rows {
		t.errs[last+1][k] = 1
	}

	for i := last; i > 0; i-- {
		n.down(t, i, len(rows))
		units := n.Layers[i].In
		for k, r := range rows {
			n.Hidden.mask(t.errs[i][k*units:(k+1)*units], t.acts[i][r*units:(r+1)*units])
		}
	}

	// The first layer's weights are few: sums by hand, of the inputs wanted alone.
	l := n.Layers[0]
	for k, r := range rows {
		row := slope[r*(l.In-first) : (r+1)*(l.In-first)]
		clear(row)
		for j, e := range t.errs[1][k*l.Out : (k+1)*l.Out] {
			for x := range row {
				row[x] += F(e * l.Weight[j*l.In+first+x])
			}
		}
	}
}

// apply computes activations in place.
func (a Activation) apply(xs any) {
	// Concrete types: the loops over slices of one type are several times faster than generic
	// ones.
	switch xs := xs.(type) {
	case []float32:
		if a == ReLU {
			rectify32(xs)
			return
		}
		for i, x := range xs {
			xs[i] = float32(Tanh(float64(x)))
		}
	case []float64:
		if a == ReLU {
			rectify64(xs)
			return
		}
		for i, x := range xs {
			xs[i] = Tanh(x)
		}
	}
}

// mask multiplies derivatives by the activation's slope, which follows from its value.
func (a Activation) mask(errs, acts any) {
	// The slope of max(0, x) is 0 or 1, that of tanh is 1 − y².
	switch errs := errs.(type) {
	case []float32:
		acts := acts.([]float32)[:len(errs)]
		if a == ReLU {
			gate32(errs, acts)
			return
		}
		for i, y := range acts {
			errs[i] *= 1 - float32(y*y)
		}
	case []float64:
		acts := acts.([]float64)[:len(errs)]
		if a == ReLU {
			gate64(errs, acts)
			return
		}
		for i, y := range acts {
			errs[i] *= 1 - float64(y*y)
		}
	}
}

// The signs of activations are as good as random, so a branch on them would be mispredicted
// every other time: both halves of ReLU work on the bit patterns.

// rectify32 clears numbers whose sign is minus.
func rectify32(acts []float32) {
	for i, a := range acts {
		u := math.Float32bits(a)
		negative := uint32(int32(u) >> 31) // all ones if so
		acts[i] = math.Float32frombits(u &^ negative)
	}
}

func rectify64(acts []float64) {
	for i, a := range acts {
		u := math.Float64bits(a)
		negative := uint64(int64(u) >> 63)
		acts[i] = math.Float64frombits(u &^ negative)
	}
}

// gate32 clears derivatives where the activation is 0.
func gate32(errs, acts []float32) {
	errs = errs[:len(acts)]
	for i, a := range acts {
		on := uint32(-int32(math.Float32bits(a)) >> 31) // all ones if a > 0
		errs[i] = math.Float32frombits(math.Float32bits(errs[i]) & on)
	}
}

func gate64(errs, acts []float64) {
	errs = errs[:len(acts)]
	for i, a := range acts {
		on := uint64(-int64(math.Float64bits(a)) >> 63)
		errs[i] = math.Float64frombits(math.Float64bits(errs[i]) & on)
	}
}
