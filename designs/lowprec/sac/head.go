package sac

import (
	"math"

	"etch/designs/float/function"
)

// head is a sample of the policy with its values, see lowprec.PolicyHead.
type head struct {
	mu, raw, eps    float32
	t, sigma        float32
	u, a, logProb   float32
	d, z            float32
	square, doubled float32 // without normal-fix: d² and 2σ²
}

// policy samples actions of the network's outputs; eps are normal deviates.
type policy struct {
	c            *Config
	n            *numbers
	low, half    float32
	ln2, halfLog float32
}

func newPolicy(c *Config, n *numbers) policy {
	return policy{c, n, n.wide(c.Low), n.wide((c.High - c.Low) / 2), n.wide(math.Ln2), n.wide(math.Log(2*math.Pi) / 2)}
}

// sample is an action with its log-probability.
func (p *policy) sample(mu, raw, eps float32) (h head) {
	n := p.n

	// The deviation from the network's second output, between its bounds in the logarithm; then the
	// action through tanh.
	h.mu, h.raw, h.eps = mu, raw, eps
	h.t = n.apply(function.Tanh, raw)
	log := n.r(p.low + n.r(p.half*n.r(h.t+1)))
	h.sigma = n.apply(function.Exp, log)
	h.u = n.r(mu + n.r(h.sigma*eps))
	h.a = n.apply(function.Tanh, h.u)
	h.d = n.r(h.u - mu)

	// The density of u: normal-fix divides before it squares.
	var density float32
	if p.c.NormalFix {
		h.z = n.r(h.d / h.sigma)
		density = n.r(-.5 * n.r(h.z*h.z))
	} else {
		h.square, h.doubled = n.r(h.d*h.d), n.r(2*n.r(h.sigma*h.sigma))
		density = n.r(-h.square / h.doubled)
	}
	density = n.r(density - n.apply(function.Log, h.sigma))
	density = n.r(density - p.halfLog)

	// PyTorch computes softplus within one operation, so that it does not overflow even
	// without the fix; its threshold is 20.
	x := n.r(-2 * h.u)
	soft, limit := x, float32(20)
	if p.c.SoftplusFix && !n.plain {
		limit = 10
	}
	if !(x > limit) {
		soft = n.apply(function.Softplus, x)
	}

	// J = 2(ln 2 − u − softplus(−2u)), the logarithm of the derivative of tanh.
	j := n.r(2 * n.r(n.r(p.ln2-h.u)-soft))
	h.logProb = n.r(density - j)
	return h
}

// gradient is that of weight · log π + gA · a at the network's outputs, see
// lowprec.PolicyGradient.
func (p *policy) gradient(h *head, gA, weight float32) (gMu, gRaw float32) {
	n := p.n

	// Back through the density.
	var gu, gSigma float32
	if p.c.NormalFix {
		gz := n.r(-weight * h.z)
		gu = n.r(gz / h.sigma)
		gSigma = n.r(-gz * n.r(h.z/h.sigma))
	} else {
		gSquare := n.r(-weight / h.doubled)
		gDoubled := n.r(weight * n.r(n.r(h.square/h.doubled)/h.doubled))
		gu = n.r(gSquare * n.r(2*h.d))
		gSigma = n.r(n.r(2*gDoubled) * n.r(2*h.sigma))
	}
	gMu = -gu
	gSigma = n.r(gSigma + n.r(-weight/h.sigma))

	// Back through the correction of tanh, and through the action itself.
	inner := n.r(-2 * weight)
	gu = n.r(gu - inner)
	gu = n.r(gu + n.r(-2*p.softplusGradient(n.r(-2*h.u), -inner)))
	gu = n.r(gu + n.r(gA*n.r(1-n.r(h.a*h.a))))
	gMu = n.r(gMu + gu)
	gSigma = n.r(gSigma + n.r(gu*h.eps))

	// Through the exponential, the bounds and the tanh before them.
	gT := n.r(p.half * n.r(gSigma*h.sigma))
	return gMu, n.r(gT * n.r(1-n.r(h.t*h.t)))
}

// softplusGradient is g times the derivative of softplus at x. Without the fix it is
// z/(z+1), whose z = exp(x) overflows.
func (p *policy) softplusGradient(x, g float32) float32 {
	n := p.n

	// The composed chain: where exp overflows, z/(z+1) is NaN.
	if n.plain || !p.c.SoftplusFix {
		if x > 20 {
			return g
		}
		z := n.apply(function.Exp, x)
		return n.r(n.r(g*z) / n.r(z+1))
	}
	if x > 10 {
		return g
	}
	return n.r(g * n.apply(function.Sigmoid, x))
}
