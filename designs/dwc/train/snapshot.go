package train

import (
	"math/rand/v2"

	"etch/designs/dwc/model"
)

// snapshot is a policy as it would be deployed: only the parameters that decide the circuit.
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
func validationStarts(k *task, c *Config) []environment {
	r := rand.New(rand.NewPCG(c.Seed, validateStream))
	starts := make([]environment, c.ValidateStarts)
	for i := range starts {
		starts[i] = k.begin()
		starts[i].reset(r)
	}
	return starts
}

// validate scores the current policy without noise and keeps it if it is the
// best so far.
func (t *Trainer) validate(c *crew) {
	var means [shards]float64
	c.both(func(shard int) {
		from, to := part(shard, len(t.starts))
		means[shard] = t.rollout(t.starts[from:to])
	})

	// Weighted by the sizes of the parts, whose sums have one order.
	sum := 0.0
	for shard, mean := range means {
		from, to := part(shard, len(t.starts))
		sum += float64(mean * float64(to-from))
	}
	score := sum / float64(len(t.starts))

	if t.best.step == 0 || score > t.best.score {
		t.best = t.current()
		t.best.score = score
	}
}

// rollout is the mean return of the policy's mean action from the given starts, lanes
// episodes at a time.
func (t *Trainer) rollout(starts []environment) float64 {
	// There are as many actions as counts: one table serves all steps.
	p, dims := t.sac.policy, len(t.task.dims)
	action := make([]float64, p.group+1)
	for c, y := range p.y[0] {
		action[c] = model.Tanh(y)
		if t.ppo != nil {
			action[c] = max(-1, min(1, y))
		}
	}

	b := newBlock(dims, p.perDim, p.layers, actionDims)
	obs, codes := make([]float64, dims), make([]int16, dims)
	returns := make([]float64, len(starts))
	for first := 0; first < len(starts); first += lanes {
		// Lane s is episode which[s]; episodes that are over leave their lane to another.
		var running []environment
		var which []int
		for i := first; i < min(first+lanes, len(starts)); i++ {
			running, which = append(running, starts[i].clone()), append(which, i)
		}
		for len(running) > 0 {
			b.n = len(running)
			for s, e := range running {
				e.observe(obs)
				t.encoder.observe(codes, obs)
				t.encoder.load(b, s, codes)
			}
			p.forward(b)

			// Close the ranks: episodes that have ended leave the front.
			left := 0
			for s, e := range running {
				reward, goal, late := e.step(action[b.counts[0][s]])
				returns[which[s]] += reward
				if !goal && !late {
					running[left], which[left] = e, which[s]
					left++
				}
			}
			running, which = running[:left], which[:left]
		}
	}

	mean := 0.0
	for _, r := range returns {
		mean += r
	}
	return mean / float64(max(1, len(returns)))
}
