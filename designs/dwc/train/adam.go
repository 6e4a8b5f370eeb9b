package train

import "math"

// Adam's constants: decay of the first and the second moment, and ε.
const (
	adamBeta1 = 0.9
	adamBeta2 = 0.999
	adamEps   = 1e-8
)

// adam is the state of one Adam optimiser over a slice of parameters.
type adam struct {
	m, v []float32 // first and second moment
	// power1 and power2 are adamBeta1^t and adamBeta2^t after t steps.
	power1, power2 float64
}

func newAdam(params int) adam {
	return adam{m: make([]float32, params), v: make([]float32, params), power1: 1, power2: 1}
}

// adamStep holds the numbers that all parameters of one step share.
type adamStep struct{ rate, spread float32 }

// next counts a step and returns its constants for the given learning rate.
// The bias corrections are moved out of the loop over parameters:
// rate·(m/c1)/(√(v/c2)+ε) = (rate/c1)·m/(√v·(1/√c2)+ε).
func (a *adam) next(rate float64) adamStep {
	a.power1 = float64(a.power1 * adamBeta1)
	a.power2 = float64(a.power2 * adamBeta2)
	return adamStep{
		rate:   float32(rate / (1 - a.power1)),
		spread: float32(1 / math.Sqrt(1-a.power2)),
	}
}

// apply moves params against grads. The slices are equally long; m and v are
// the parameters' part of the optimiser's moments.
func (s adamStep) apply(params, grads, m, v []float32) {
	m, v, grads = m[:len(params)], v[:len(params)], grads[:len(params)]

	// Conversions keep products from being fused with sums, which would give other bits on some
	// architectures.
	for i, g := range grads {
		mi := float32(adamBeta1*m[i]) + float32((1-adamBeta1)*g)
		vi := float32(adamBeta2*v[i]) + float32((1-adamBeta2)*float32(g*g))
		m[i], v[i] = mi, vi
		root := float32(math.Sqrt(float64(vi)))
		params[i] -= float32(s.rate*mi) / (float32(root*s.spread) + adamEps)
	}
}

// step is next and apply for an optimiser that covers all of params.
func (a *adam) step(rate float64, params, grads []float32) {
	a.next(rate).apply(params, grads, a.m, a.v)
}
