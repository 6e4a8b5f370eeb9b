package train

import (
	"slices"

	"etch/designs/dwc/model"
	"etch/designs/pendulum"
)

// snapshot is a policy as it would be deployed: only what decides the circuit.
type snapshot struct {
	step           int     // environment steps done; 0 for none taken yet
	score          float64 // mean validation return
	truth          [][]uint64
	pins           [][]int32
	logAlpha, beta []float32
}

// current copies the policy of this moment.
func (t *Trainer) current() snapshot {
	s := snapshot{step: t.step}
	p := t.sac.policy
	for _, l := range p.layers {
		s.truth = append(s.truth, slices.Clone(l.truth))
		s.pins = append(s.pins, slices.Clone(l.pins))
	}
	s.logAlpha, s.beta = slices.Clone(p.logAlpha), slices.Clone(p.beta)
	return s
}

// validate scores the current policy without noise and keeps it if it is the
// best so far. The starts come from the run's own seed and a stream of their
// own, so they are never those that a finished controller is judged on.
func (t *Trainer) validate(c *crew) {
	starts := pendulum.Starts(t.cfg.ValidateStarts, t.cfg.Seed^testStream<<32)
	var scores [shards]pendulum.Score
	c.both(func(shard int) {
		from, to := part(shard, len(starts))
		scores[shard] = t.rollout(starts[from:to])
	})
	sum := 0.0
	for _, s := range scores {
		sum += s.Mean * float64(len(s.Returns))
	}
	score := sum / float64(len(starts))
	if t.best.step == 0 || score > t.best.score {
		t.best = t.current()
		t.best.score = score
	}
}

// rollout evaluates the policy's mean action, lanes episodes at a time.
func (t *Trainer) rollout(starts []pendulum.State) pendulum.Score {
	p := t.sac.policy
	torque := make([]float64, p.group+1)
	for c, y := range p.y[0] {
		torque[c] = pendulum.MaxTorque * model.Tanh(y)
	}
	b := newBlock(observationDims, p.perDim, p.layers, actionDims)
	var codes [observationDims]int16
	return pendulum.EvaluateBatch(starts, lanes, func(states []pendulum.State, out []float64) {
		b.n = len(states)
		for s, state := range states {
			obs := state.Observe()
			t.encoder.observe(codes[:], obs[:])
			t.encoder.load(b, s, codes[:])
		}
		p.forward(b)
		for s := range out {
			out[s] = torque[b.counts[0][s]]
		}
	})
}
