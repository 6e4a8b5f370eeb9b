package ppo

import "time"

// Times is where a run's time went. The first three follow each other and are times
// by the clock. The others are times of work within rollouts and updates, summed over
// the two workers, so together they may exceed the clock's.
type Times struct {
	Rollout time.Duration `json:"rollout"` // acting in the environments and valuing the observations
	GAE     time.Duration `json:"gae"`     // the estimator
	Update  time.Duration `json:"update"`  // of both networks

	Inference   time.Duration `json:"inference"`   // networks in a rollout
	Environment time.Duration `json:"environment"` // steps, and storing their outcome
	Loss        time.Duration `json:"loss"`        // forward passes and losses of an update
	Backward    time.Duration `json:"backward"`    // backward passes and Adam
}

// Total is the time by the clock.
func (t Times) Total() time.Duration { return t.Rollout + t.GAE + t.Update }

// Add adds the times of another stretch of work.
func (t *Times) Add(o Times) {
	t.Rollout += o.Rollout
	t.GAE += o.GAE
	t.Update += o.Update
	t.Inference += o.Inference
	t.Environment += o.Environment
	t.Loss += o.Loss
	t.Backward += o.Backward
}

// Share is a part of an iteration and its percentage of the time.
type Share struct {
	Phase, Part string
	Percent     float64
}

// Shares divides the clock's time as HEPPO's Table I does. Rollout and update are
// divided among their parts as their work was.
func (t Times) Shares() []Share {
	total := max(t.Total().Seconds(), 1e-12)

	// A phase's share of the clock, divided in proportion to the processor time of its parts: two
	// workers run at once.
	split := func(phase, part, of time.Duration) float64 {
		return 100 * phase.Seconds() / total * part.Seconds() / max(of.Seconds(), 1e-12)
	}
	collecting, learning := t.Inference+t.Environment, t.Loss+t.Backward
	return []Share{
		{"trajectory collection", "network inference", split(t.Rollout, t.Inference, collecting)},
		{"trajectory collection", "environment and storing", split(t.Rollout, t.Environment, collecting)},
		{"GAE", "all", 100 * t.GAE.Seconds() / total},
		{"network update", "loss calculation", split(t.Update, t.Loss, learning)},
		{"network update", "backpropagation and Adam", split(t.Update, t.Backward, learning)},
	}
}
