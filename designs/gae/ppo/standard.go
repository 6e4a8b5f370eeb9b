package ppo

import (
	"math"

	"etch/designs/gae/model"
	"etch/designs/gae/reference"
)

// Standardised estimates in float64 with rewards standardised as a variant of the
// circuit does it, and with nothing quantised or clipped: the variant's result
// without its arithmetic. Values, which the circuit restores, are as they are.
type Standardised struct {
	Float
	Rewards model.Standard // of raw ones, estimation is Float's

	n            float64 // rewards in the sums
	sum, squares float64
	rollout      []reference.Trajectory
}

// FloatVariant is the variant of this system in float64.
func FloatVariant(s model.System, c reference.Convention) *Standardised {
	f := &Standardised{Float: Float{c, s.Gamma, s.Lambda}, Rewards: s.Rewards}
	if s.RestoreRewards {
		f.Rewards = model.Raw
	}
	return f
}

// Estimate implements [Estimator].
func (f *Standardised) Estimate(rollout []reference.Trajectory, out []reference.Estimate) (Counters, error) {
	if f.Rewards == model.Raw {
		return f.Float.Estimate(rollout, out)
	}

	// Statistics include the rollout's own rewards, as in the circuit.
	if f.Rewards == model.Block {
		f.n, f.sum, f.squares = 0, 0, 0
	}
	for _, t := range rollout {
		for _, r := range t.Reward {
			f.n++
			f.sum += r
			f.squares += float64(r * r)
		}
	}
	if f.n == 0 {
		return Counters{}, nil
	}

	mean := f.sum / f.n
	variance := max(0, f.squares/f.n-float64(mean*mean))
	inverse := 1 / max(math.Sqrt(variance), 1.0/1024) // the circuit's least deviation

	// Copies with other rewards: the rollout must stay as it is.
	f.rollout = f.rollout[:0]
	for _, t := range rollout {
		rewards := make([]float64, t.Len())
		for i, r := range t.Reward {
			rewards[i] = float64((r - mean) * inverse)
		}
		t.Reward = rewards
		f.rollout = append(f.rollout, t)
	}
	return f.Float.Estimate(f.rollout, out)
}
