package ppo

import "math/rand/v2"

// orthogonal fills w [rows×cols] with a random matrix whose rows, or columns if
// these are fewer, are orthogonal and of length gain.
func orthogonal(r *rand.Rand, w []float64, rows, cols int, gain float64) {
	few, many := min(rows, cols), max(rows, cols)
	basis := make([]float64, few*many)
	for i := range few {
		v := basis[i*many : (i+1)*many]
		for !direction(r, v, basis[:i*many]) {
		}
		for j, x := range v {
			if rows <= cols {
				w[i*cols+j] = float64(gain * x)
			} else {
				w[j*cols+i] = float64(gain * x)
			}
		}
	}
}

// direction draws a vector of length 1 at right angles to those in basis, uniformly
// by Gram and Schmidt's method. It fails where what is left of the draw is short.
func direction(r *rand.Rand, v, basis []float64) bool {
	for j := range v {
		v[j] = normal(r)
	}
	for range 2 { // the second time for what rounding left
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
