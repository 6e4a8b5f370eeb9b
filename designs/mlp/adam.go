package mlp

import "math"

// Adam's constants: decay of the first and the second moment.
const (
	beta1 = 0.9
	beta2 = 0.999
)

// Adam is the state of an Adam optimiser (Kingma and Ba, 2015).
type Adam[F Float] struct {
	Epsilon        float64
	first, second  []F     // moments of every parameter
	power1, power2 float64 // beta1^t and beta2^t after t steps
}

// NewAdam begins with moments of 0. epsilon keeps divisors from 0: 1e-8 in
// PyTorch, 1e-5 in CleanRL.
func NewAdam[F Float](params int, epsilon float64) *Adam[F] {
	return &Adam[F]{Epsilon: epsilon, first: make([]F, params), second: make([]F, params), power1: 1, power2: 1}
}

// Moments are the first and second moments, the optimiser's own.
func (a *Adam[F]) Moments() (first, second []F) { return a.first, a.second }

// Step moves params against grads.
func (a *Adam[F]) Step(rate float64, params, grads []F) {
	a.power1 = float64(a.power1 * beta1)
	a.power2 = float64(a.power2 * beta2)

	// The moments begin at 0; these factors make up for it.
	correct1, correct2 := F(1/(1-a.power1)), F(1/(1-a.power2))
	first, second, grads := a.first[:len(params)], a.second[:len(params)], grads[:len(params)]
	epsilon := F(a.Epsilon)

	// Conversions keep products from being fused with sums, so that every architecture gives the
	// same bits.
	for i, g := range grads {
		m := F(beta1*first[i]) + F((1-beta1)*g)
		v := F(beta2*second[i]) + F((1-beta2)*F(g*g))
		first[i], second[i] = m, v
		params[i] -= F(F(rate)*m*correct1) / (F(math.Sqrt(float64(F(v*correct2)))) + epsilon)
	}
}

// Descend is a step of stochastic gradient descent: params −= rate·grads.
func Descend[F Float](params, grads []F, rate F) {
	grads = grads[:len(params)]
	for i, g := range grads {
		params[i] -= F(rate * g)
	}
}

// LimitNorm scales grads down to a length of at most limit; 0 is no limit.
func LimitNorm[F Float](grads []F, limit F) {
	if length := norm(grads); limit > 0 && length > limit {
		scale := limit / length
		for i := range grads {
			grads[i] *= scale
		}
	}
}
