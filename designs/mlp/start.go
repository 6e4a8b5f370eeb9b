package mlp

import (
	"math"
	"math/rand/v2"
)

// Uniform draws weights and biases uniformly within ±1/√fan-in, as PyTorch does.
func (n *Net[F]) Uniform(r *rand.Rand) {
	for _, l := range n.Layers {
		limit := 1 / math.Sqrt(float64(l.In))
		for _, p := range [][]F{l.Weight, l.Bias} {
			for j := range p {
				p[j] = F((2*float64(r.Float64()) - 1) * limit)
			}
		}
	}
}

// Orthogonal draws orthogonal weights, scaled by √2 in hidden layers and by gain in the
// last. Biases are left alone.
func (n *Net[F]) Orthogonal(r *rand.Rand, gain float64) {
	for i, l := range n.Layers {
		scale := math.Sqrt2
		if i == len(n.Layers)-1 {
			scale = gain
		}
		orthogonal(r, l.Weight, l.Out, l.In, scale)
	}
}

// orthogonal fills w [rows×cols] with a random matrix whose rows, or columns if
// these are fewer, are orthogonal and of length gain.
func orthogonal[F Float](r *rand.Rand, w []F, rows, cols int, gain float64) {
	few, many := min(rows, cols), max(rows, cols)
	basis := make([]float64, few*many)
	for i := range few {
		v := basis[i*many : (i+1)*many]

		// A draw that lies almost in the span of the earlier ones is drawn again.
		for !direction(r, v, basis[:i*many]) {
		}

		for j, x := range v {
			if rows <= cols {
				w[i*cols+j] = F(gain * x)
			} else {
				w[j*cols+i] = F(gain * x)
			}
		}
	}
}

// direction draws a vector of length 1 at right angles to the basis, uniformly, by Gram
// and Schmidt's method. It fails if the rest of the draw is short.
func direction(r *rand.Rand, v, basis []float64) bool {
	for j := range v {
		v[j] = Normal(r)
	}

	for range 2 { // the second time removes rounding errors
		for rest := basis; len(rest) > 0; rest = rest[len(v):] {
			along := dot(v, rest[:len(v)])
			for j := range v {
				v[j] -= float64(along * rest[j])
			}
		}
	}

	length := norm(v)
	if length < 1e-3 {
		return false
	}
	for j := range v {
		v[j] /= length
	}
	return true
}
