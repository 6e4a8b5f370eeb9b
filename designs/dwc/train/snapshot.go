package train

import (
	"math/rand/v2"

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

// shape makes room for a policy like p.
func (s *snapshot) shape(p *policy) {
	for _, l := range p.layers {
		s.truth = append(s.truth, make([]uint64, len(l.truth)))
		s.pins = append(s.pins, make([]int32, len(l.pins)))
	}
	s.logAlpha, s.beta = make([]float32, p.actions), make([]float32, p.actions)
}

// current copies the policy of this moment.
func (t *Trainer) current() snapshot {
	s, p := snapshot{step: t.step}, t.sac.policy
	s.shape(p)
	for i, l := range p.layers {
		copy(s.truth[i], l.truth)
		copy(s.pins[i], l.pins)
	}
	copy(s.logAlpha, p.logAlpha)
	copy(s.beta, p.beta)
	return s
}

// validationStarts draws the starts that snapshots compete on. They come from
// the run's own seed and a stream of their own, so they are never those that a
// finished controller is judged on.
func validationStarts(c *Config) []pendulum.State {
	r := rand.New(rand.NewPCG(c.Seed, validateStream))
	starts := make([]pendulum.State, c.ValidateStarts)
	for i := range starts {
		starts[i] = pendulum.RandomState(r)
	}
	return starts
}

// validate scores the current policy without noise and keeps it if it is the
// best so far.
func (t *Trainer) validate(c *crew) {
	var scores [shards]pendulum.Score
	c.both(func(shard int) {
		from, to := part(shard, len(t.starts))
		scores[shard] = t.rollout(t.starts[from:to])
	})
	sum := 0.0
	for _, s := range scores {
		sum += float64(s.Mean * float64(len(s.Returns)))
	}
	score := sum / float64(len(t.starts))
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
