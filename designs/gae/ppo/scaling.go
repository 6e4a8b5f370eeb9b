package ppo

import "math"

// rewardScaler divides rewards by the running deviation of the discounted sum of
// rewards, as trainers' wrappers around environments do.
type rewardScaler struct {
	gamma float64
	sums  []float64 // discounted, of every environment's running episode
	n     float64   // numbers seen
	mean  float64
	m2    float64 // sum of squared distances from the mean
}

func newRewardScaler(envs int, gamma float64) *rewardScaler {
	return &rewardScaler{gamma: gamma, sums: make([]float64, envs)}
}

// apply rewrites the rewards of a rollout: step by step, and all environments of a
// step before any is rescaled.
func (s *rewardScaler) apply(r *rollout) {
	for t := range r.horizon {
		// First the statistics of the step, from all environments,
		for i := range r.tracks {
			track := &r.tracks[i]
			sum := float64(s.sums[i]*s.gamma) + track.Reward[t]
			s.see(sum)
			if s.sums[i] = sum; track.Done(t) {
				s.sums[i] = 0
			}
		}

		// then its rewards, by the deviation with the step included.
		scale := 1 / math.Sqrt(s.m2/s.n+1e-8)
		for i := range r.tracks {
			x := &r.tracks[i].Reward[t]
			*x = min(max(float64(*x*scale), -10), 10)
		}
	}
}

func (s *rewardScaler) see(x float64) {
	// Welford's method.
	s.n++
	d := x - s.mean
	s.mean += d / s.n
	s.m2 += float64(d * (x - s.mean))
}
