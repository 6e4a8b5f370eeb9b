package ppo

import (
	"math"

	"etch/designs/mlp"
)

// halfLog2Pi is ½·ln 2π.
const halfLog2Pi = 0.91893853320467274178

// logDensity is the logarithm of the normal density at a, with the logarithm of the
// deviation.
func logDensity(a, mean, logDev float64) float64 {
	z := (a - mean) / mlp.Exp(logDev)
	return -float64(0.5*float64(z*z)) - logDev - halfLog2Pi
}

// objective is the clipped objective.
type objective struct{ clip float64 } // ε

// slope is the contribution of a step to the gradient of the policy's loss.
type slope struct {
	byMean, byScale float64 // derivatives by the mean and the log deviation
	ratio           float64 // of new to old density
	logRatio        float64
}

// step differentiates the loss −min(ratio·A, clip(ratio)·A) of an action a that was
// taken with log density old and has turned out to be worth advantage.
func (o objective) step(a, old, advantage, mean, logDev float64) slope {
	dev := mlp.Exp(logDev)
	z := (a - mean) / dev
	s := slope{logRatio: -float64(0.5*float64(z*z)) - logDev - halfLog2Pi - old}
	s.ratio = mlp.Exp(s.logRatio)

	// The clipped objective is the lesser of the two; where the clipped one counts it is constant
	// and has no gradient.
	free := float64(s.ratio * advantage)
	held := float64(min(max(s.ratio, 1-o.clip), 1+o.clip) * advantage)
	if free <= held { // else the clipped one counts, which is flat
		s.byMean = -float64(free*z) / dev
		s.byScale = -float64(free * (float64(z*z) - 1))
	}
	return s
}

// standardise writes to out the numbers of x at the given places, brought to mean 0
// and deviation 1 if on.
func standardise(out, x []float64, at []int, on bool) {
	sum := 0.0
	for i, s := range at {
		out[i] = x[s]
		sum += x[s]
	}
	if !on || len(at) < 2 {
		return
	}

	// The unbiased deviation, with the ε that public trainers add.
	mean := sum / float64(len(at))
	square := 0.0
	for _, v := range out {
		square += float64((v - mean) * (v - mean))
	}
	scale := 1 / (math.Sqrt(square/float64(len(at)-1)) + 1e-8)
	for i := range out {
		out[i] = (out[i] - mean) * scale
	}
}
