package sac

import (
	"math"
	"math/rand/v2"
)

// shape is the widths of a network's layers, and where a layer's weights are: in-major,
// and after them the biases.
type shape struct {
	widths  []int
	offsets []int
	size    int
}

func newShape(widths ...int) (s shape) {
	s.widths = widths
	for i := range len(widths) - 1 {
		s.offsets = append(s.offsets, s.size)
		s.size += (widths[i] + 1) * widths[i+1]
	}
	return s
}

func (s *shape) layers() int { return len(s.offsets) }

// layer is a layer's weights and biases in a list of all.
func (s *shape) layer(p []float32, i int) (w, bias []float32) {
	in, out := s.widths[i], s.widths[i+1]
	p = p[s.offsets[i]:]
	return p[:in*out], p[in*out : (in+1)*out]
}

// start draws weights uniformly from ±1/√inputs, biases too.
func (s *shape) start(p []float32, n *numbers, r *rand.Rand) {
	for i := range s.layers() {
		w, bias := s.layer(p, i)
		limit := 1 / math.Sqrt(float64(s.widths[i]))
		for _, list := range [][]float32{w, bias} {
			for j := range list {
				list[j] = n.wide((2*r.Float64() - 1) * limit)
			}
		}
	}
}

// run is the activations and errors of a batch in a network.
type run struct {
	*shape
	n     *numbers
	act   [][]float32 // by layer, a row a sample
	err   [][]float32
	turn  []float32 // a layer's weights, out-major
	batch int
}

func newRun(s *shape, n *numbers, batch int) *run {
	r := &run{shape: s, n: n, batch: batch}
	for _, w := range s.widths {
		r.act = append(r.act, make([]float32, batch*w))
		r.err = append(r.err, make([]float32, batch*w))
	}
	return r
}

// input is a sample's row of the first layer.
func (r *run) input(q int) []float32 { w := r.widths[0]; return r.act[0][q*w : (q+1)*w] }

// output is a sample's row of the last layer.
func (r *run) output(q int) []float32 {
	w := r.widths[len(r.widths)-1]
	return r.act[r.layers()][q*w : (q+1)*w]
}

// lastError is a sample's row of the errors of the last layer.
func (r *run) lastError(q int) []float32 {
	w := r.widths[len(r.widths)-1]
	return r.err[r.layers()][q*w : (q+1)*w]
}

// accumulate is y[j] += Σ x[i·xs] · w[i·ws+j] for n i, ascending.
func accumulate(y, x []float32, xs, n int, w []float32, ws int) {
	// Sixteen sums at a time in vector registers, then the others. Each sum ascends in i in both, so
	// that the results are the same bit for bit.
	j := 0
	for ; j+16 <= len(y); j += 16 {
		mac16(&y[j], &x[0], xs, n, &w[j], ws)
	}
	for ; j < len(y); j++ {
		sum := y[j]
		for i := range n {
			sum += float32(x[i*xs] * w[i*ws+j])
		}
		y[j] = sum
	}
}

// forward computes the first samples of the batch with weights p: a sum of products and
// the bias, rounded once, then max(0, ·) but in the last layer.
func (r *run) forward(p []float32, samples int) {
	for i := range r.layers() {
		w, bias := r.layer(p, i)
		in, out := r.widths[i], r.widths[i+1]
		hidden := i+1 < r.layers()
		for q := range samples {
			// The sum starts with the bias and ascends, so that its order is that of an accumulator
			// in hardware.
			y := r.act[i+1][q*out : (q+1)*out]
			copy(y, bias)
			accumulate(y, r.act[i][q*in:(q+1)*in], 1, in, w, out)
		}

		// Rounded, then rectified; a NaN goes through both.
		rows := r.act[i+1][:samples*out]
		r.n.round(rows)
		if hidden {
			for j, v := range rows {
				if v <= 0 {
					rows[j] = 0
				}
			}
		}
	}
}

var one = []float32{1}

// backward takes the errors of the last layer down: gradients into g, where it is not nil,
// and errors of the inputs, where they are wanted.
func (r *run) backward(p, g []float32, inputs bool) {
	for i := r.layers() - 1; i >= 0; i-- {
		in, out := r.widths[i], r.widths[i+1]
		e := r.err[i+1]
		if g != nil {
			// A weight's gradient sums over the batch in ascending order, and is rounded once at
			// its end.
			w, bias := r.layer(g, i)
			clear(w)
			clear(bias)
			for k := range in {
				accumulate(w[k*out:(k+1)*out], r.act[i][k:], in, r.batch, e, out)
			}
			accumulate(bias, one, 0, r.batch, e, out)
			r.n.round(w)
			r.n.round(bias)
		}

		// The errors of the inputs are wanted of critics, for the actor's gradient.
		if i > 0 || inputs {
			r.down(p, i)
		}
	}
}

// down makes the errors of a layer's inputs.
func (r *run) down(p []float32, i int) {
	in, out := r.widths[i], r.widths[i+1]
	w, _ := r.layer(p, i)

	// The weights turned: out-major.
	if len(r.turn) < in*out {
		r.turn = make([]float32, in*out)
	}
	for k := range in {
		for j := range out {
			r.turn[j*in+k] = w[k*out+j]
		}
	}

	// With the weights turned, an input's error is a sum of products with stride one.
	for q := range r.batch {
		y := r.err[i][q*in : (q+1)*in]
		clear(y)
		accumulate(y, r.err[i+1][q*out:(q+1)*out], 1, out, r.turn, in)
		r.n.round(y)
	}
	if i == 0 {
		return
	}

	// Where the rectifier gave 0, or at NaN, nothing goes back.
	act := r.act[i]
	for k := range r.err[i] {
		if !(act[k] > 0) {
			r.err[i][k] = 0
		}
	}
}
