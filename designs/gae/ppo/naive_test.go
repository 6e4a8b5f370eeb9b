package ppo

import (
	"math"
	"testing"

	"etch/designs/mlp"
)

// naive runs one row through a network in the plainest way.
func naive(n *mlp.Net[float64], in []float64) []float64 {
	x := in
	for i, l := range n.Layers {
		y := make([]float64, l.Out)
		for j := range y {
			y[j] = l.Bias[j]
			for k := range l.In {
				y[j] += l.Weight[j*l.In+k] * x[k]
			}
			if i < len(n.Layers)-1 {
				y[j] = math.Tanh(y[j])
			}
		}
		x = y
	}
	return x
}

// slopes compares derivatives with finite differences of a loss by all parameters.
func slopes(t *testing.T, params, grads []float64, loss func() float64) {
	t.Helper()
	const h = 1e-5
	for i, p := range params {
		params[i] = p + h
		up := loss()
		params[i] = p - h
		down := loss()
		params[i] = p
		if want := (up - down) / (2 * h); math.Abs(grads[i]-want) > 1e-7*(1+math.Abs(want)) {
			t.Errorf("derivative by parameter %d of %d is %v, want %v", i, len(params), grads[i], want)
		}
	}
}
