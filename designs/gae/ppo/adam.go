package ppo

import "math"

// Adam's constants: decay of the first and the second moment, and ε.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-5 // CleanRL's; PyTorch's own default is 1e-8
)

// adam is an Adam optimiser.
type adam struct {
	first, second  []float64 // moments of every parameter
	power1, power2 float64   // beta1^t and beta2^t after t steps
}

func newAdam(params int) *adam {
	return &adam{first: make([]float64, params), second: make([]float64, params), power1: 1, power2: 1}
}

// step moves params against grads.
func (a *adam) step(rate float64, params, grads []float64) {
	a.power1 = float64(a.power1 * beta1)
	a.power2 = float64(a.power2 * beta2)
	correct1, correct2 := 1/(1-a.power1), 1/(1-a.power2)
	first, second, grads := a.first[:len(params)], a.second[:len(params)], grads[:len(params)]
	for i, g := range grads {
		m := float64(beta1*first[i]) + float64((1-beta1)*g)
		v := float64(beta2*second[i]) + float64((1-beta2)*float64(g*g))
		first[i], second[i] = m, v
		params[i] -= float64(rate*m*correct1) / (math.Sqrt(float64(v*correct2)) + epsilon)
	}
}

// limitNorm scales grads down to a length of at most limit; 0 is no limit.
func limitNorm(grads []float64, limit float64) {
	if length := norm(grads); limit > 0 && length > limit {
		scale := limit / length
		for i := range grads {
			grads[i] *= scale
		}
	}
}
