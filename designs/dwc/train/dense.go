package train

import (
	"math"
	"math/rand/v2"
)

// dense is a multilayer perceptron with ReLU between its layers and a linear
// output. sizes are the units from input to output.
type dense struct {
	sizes  []int
	params []float32 // per layer the weights [out×in], then the biases [out]
}

// newDense draws weights and biases uniformly within ±1/√fan-in.
func newDense(r *rand.Rand, sizes ...int) *dense {
	d := &dense{sizes: sizes, params: make([]float32, denseParams(sizes))}
	for i := range len(sizes) - 1 {
		w, b := d.layer(d.params, i)
		limit := 1 / math.Sqrt(float64(sizes[i]))
		for _, p := range [][]float32{w, b} {
			for j := range p {
				p[j] = float32(uniform(r) * limit)
			}
		}
	}
	return d
}

func denseParams(sizes []int) int {
	n := 0
	for i := range len(sizes) - 1 {
		n += (sizes[i] + 1) * sizes[i+1]
	}
	return n
}

func (d *dense) clone() *dense {
	return &dense{sizes: d.sizes, params: append([]float32(nil), d.params...)}
}

// layer returns layer i's weights and biases within all, a slice that is laid
// out like params.
func (d *dense) layer(all []float32, i int) (weights, biases []float32) {
	at := denseParams(d.sizes[:i+1])
	in, out := d.sizes[i], d.sizes[i+1]
	return all[at : at+in*out], all[at+in*out : at+(in+1)*out]
}

// follow moves d's parameters towards other's: p += τ·(other − p).
func (d *dense) follow(other *dense, tau float32) {
	from := other.params[:len(d.params)]
	for i, p := range d.params {
		d.params[i] = p + float32(tau*(from[i]-p))
	}
}

// tape holds the values that one forward pass of a batch leaves for the backward pass,
// and the backward pass's own space.
type tape struct {
	rows int
	acts [][]float32 // [layer boundary][rows×units]; acts[0] is the input
	errs [][]float32 // derivatives, shaped like acts
	// scratch for transposed matrices
	errT, actT, weightT []float32
	grads               []float32 // derivative of every parameter
}

func newTape(d *dense, rows int) *tape {
	t := &tape{rows: rows, grads: make([]float32, len(d.params))}
	widest := 0
	for _, units := range d.sizes {
		t.acts = append(t.acts, make([]float32, rows*units))
		t.errs = append(t.errs, make([]float32, rows*units))
		widest = max(widest, units)
	}
	t.errT = make([]float32, rows*widest)
	t.actT = make([]float32, rows*widest)
	t.weightT = make([]float32, widest*widest)
	return t
}

func (t *tape) input() []float32  { return t.acts[0] }
func (t *tape) output() []float32 { return t.acts[len(t.acts)-1] }

// forward runs the batch in t.input() to t.output().
func (d *dense) forward(t *tape) {
	last := len(d.sizes) - 2
	for i := 0; i <= last; i++ {
		in, out := d.sizes[i], d.sizes[i+1]
		w, b := d.layer(d.params, i)
		y := t.acts[i+1]
		mulABt(y, t.acts[i], w, t.rows, out, in)
		for r := range t.rows {
			row := y[r*out : (r+1)*out]
			for j, bias := range b {
				row[j] += bias
			}
		}
		// The output is linear.
		if i < last {
			applyReLU(y)
		}
	}
}

// backward takes the derivative of the loss by the outputs [rows×out] and
// leaves the parameters' derivatives in t.grads. It follows a forward pass
// over the same tape.
func (d *dense) backward(t *tape, outErr []float32) {
	last := len(d.sizes) - 2
	copy(t.errs[last+1], outErr)

	// Gradients of weights are products of errors and activations over the rows; both are
	// transposed, since mulABt runs along rows.
	for i := last; i >= 0; i-- {
		in, out := d.sizes[i], d.sizes[i+1]
		e := t.errs[i+1]
		gw, gb := d.layer(t.grads, i)
		transpose(t.errT, e, t.rows, out)
		transpose(t.actT, t.acts[i], t.rows, in)
		mulABt(gw, t.errT, t.actT, out, in, t.rows)

		for j := range gb {
			var s float32
			for _, v := range t.errT[j*t.rows : (j+1)*t.rows] {
				s += v
			}
			gb[j] = s
		}

		if i > 0 {
			d.backLayer(t, i, t.rows)
			maskReLU(t.errs[i], t.acts[i])
		}
	}
}

// backLayer computes errs[i] from errs[i+1] through layer i's weights, for the
// first rows rows.
func (d *dense) backLayer(t *tape, i, rows int) {
	in, out := d.sizes[i], d.sizes[i+1]
	w, _ := d.layer(d.params, i)
	transpose(t.weightT, w, out, in)
	mulABt(t.errs[i], t.errs[i+1], t.weightT, rows, in, out)
}

// The signs of activations are as good as random, so a branch on them would be
// mispredicted every other time: both halves of ReLU work on the bit patterns.

// applyReLU clears negative values.
func applyReLU(acts []float32) {
	for i, a := range acts {
		u := math.Float32bits(a)
		negative := uint32(int32(u) >> 31) // all ones if so
		acts[i] = math.Float32frombits(u &^ negative)
	}
}

// maskReLU clears the derivatives where applyReLU left a zero.
func maskReLU(errs, acts []float32) {
	errs = errs[:len(acts)]
	for i, a := range acts {
		on := uint32(-int32(math.Float32bits(a)) >> 31) // all ones if a > 0
		errs[i] = math.Float32frombits(math.Float32bits(errs[i]) & on)
	}
}

// inputSlope writes, for each row r of a network with one output, the
// derivative of that output by the inputs from first on, to
// slope[r·(inputs−first)…]. Only the rows listed in which are computed. It
// follows a forward pass over the same tape.
func (d *dense) inputSlope(t *tape, which []int, first int, slope []float32) {
	last := len(d.sizes) - 2

	// The listed rows lie side by side on the way back.
	for n := range which {
		t.errs[last+1][n] = 1
	}

	// Back to the first hidden layer, for the listed rows alone,
	for i := last; i > 0; i-- {
		d.backLayer(t, i, len(which))
		units := d.sizes[i]
		for n, r := range which {
			maskReLU(t.errs[i][n*units:(n+1)*units], t.acts[i][r*units:(r+1)*units])
		}
	}

	// and from there only to the inputs that are asked for.
	in, out := d.sizes[0], d.sizes[1]
	w, _ := d.layer(d.params, 0)
	for n, r := range which {
		row := slope[r*(in-first) : (r+1)*(in-first)]
		clear(row)
		for j, e := range t.errs[1][n*out : (n+1)*out] {
			for k := range row {
				row[k] += float32(e * w[j*in+first+k])
			}
		}
	}
}
