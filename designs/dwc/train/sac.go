package train

import (
	"math/rand/v2"

	"etch/designs/dwc/model"
)

// sac is the soft actor-critic learner: the policy, a noise net for its
// standard deviation, twin critics on (normalised observation, action) with
// slowly following targets, and a learned temperature.
type sac struct {
	cfg     *Config
	dims    int
	policy  *policy
	noise   *dense
	critics [shards]*dense
	targets [shards]*dense
	logTemp []float32 // log of the temperature α, one element
	slow    *policy   // DDPG's target actor, nil for SAC

	noiseAdam, tempAdam adam
	criticAdam          [shards]adam

	// Working space: nothing below outlives an update.
	which           []int
	now, next       *draw
	errs            *policyErrs
	scratch         [shards]*scratch
	batch           criticBatch
	targetTape      [shards]*tape
	tape            [shards]*tape
	chosen          [shards][]int // samples for which that critic is the smaller
	slope           []float32     // d min Q / d action, [batch][actions]
	noiseErr, qErrs []float32
}

// criticBatch holds the data that the critics learn from.
type criticBatch struct {
	reward   []float64 // scaled
	discount []float64 // of the value after it; 0 at the end of an episode that terminated
	goal     []float32 // the value each critic should have
}

func newSAC(r *rand.Rand, dims, actions int, c *Config) *sac {
	s := &sac{
		cfg: c, dims: dims,
		policy:  newPolicy(r, dims, actions, c),
		noise:   newDense(r, dims, c.NoiseHidden, actions),
		logTemp: []float32{float32(log(c.Temperature))}, tempAdam: newAdam(1),
		which: make([]int, c.Batch),
		batch: criticBatch{reward: make([]float64, c.Batch), discount: make([]float64, c.Batch), goal: make([]float32, c.Batch)},
		slope: make([]float32, c.Batch*actions),
		qErrs: make([]float32, shards*c.Batch), noiseErr: make([]float32, c.Batch*actions),
	}

	if c.Algorithm == DDPG {
		s.slow = s.policy.clone()
	}

	s.noiseAdam = newAdam(len(s.noise.params))
	for i := range s.critics {
		s.critics[i] = newDense(r, dims+actions, c.Hidden, c.Hidden, 1)
		s.targets[i] = s.critics[i].clone()
		s.criticAdam[i] = newAdam(len(s.critics[i].params))
		s.tape[i], s.targetTape[i] = newTape(s.critics[i], c.Batch), newTape(s.critics[i], c.Batch)
		s.scratch[i] = newScratch(s.policy.layers, c.Bits)
	}

	// Draws for the two states of a transition, with room for a batch each.
	s.now = newDraw(s.policy, dims, s.noise, c.Batch)
	s.next = newDraw(s.policy, dims, s.noise, c.Batch)
	s.errs = newPolicyErrs(s.policy, c.Batch/lanes)
	return s
}

// temperature returns α.
func (s *sac) temperature() float64 { return model.Exp(float64(s.logTemp[0])) }

// update takes one step of the critics and, if withActor, one of the actor and
// the temperature. decay is the factor on the learning rates.
func (s *sac) update(c *crew, r *rand.Rand, e *encoder, mem *replay, withActor bool, decay float64) {
	s.load(r, e, mem, withActor)
	if s.slow != nil {
		s.updateDDPG(c, withActor, decay)
		return
	}

	// The next state's actions are drawn while the current one's are.
	c.both(func(shard int) {
		switch {
		case shard == 0:
			s.next.sample(s.policy, s.noise)
		case withActor:
			s.now.sample(s.policy, s.noise)
		}
	})
	s.updateCritics(c, decay)
	if withActor {
		s.updateActor(c, decay)
	}
}

// load draws a batch and the noise of its actions.
func (s *sac) load(r *rand.Rand, e *encoder, mem *replay, withActor bool) {
	mem.draw(r, s.which)
	for i := range s.next.eps {
		s.next.eps[i] = normal(r)
	}
	if withActor {
		for i := range s.now.eps {
			s.now.eps[i] = normal(r)
		}
	}

	// A transition fills one lane of a block in both draws, and one row of each tape.
	width := s.dims + mem.actions
	for row, at := range s.which {
		before, after, action, reward := mem.at(at)
		block, lane := row/lanes, row%lanes
		e.load(s.now.blocks[block], lane, before)
		e.load(s.next.blocks[block], lane, after)
		z := s.now.noise.input()[row*s.dims : (row+1)*s.dims]
		e.normalise(z, before)
		e.normalise(s.next.noise.input()[row*s.dims:(row+1)*s.dims], after)
		for i := range s.tape {
			in := s.tape[i].input()[row*width : (row+1)*width]
			copy(in, z)
			copy(in[s.dims:], action)
		}

		s.batch.reward[row], s.batch.discount[row] = float64(reward)*s.cfg.RewardScale, s.cfg.Discount
		// Only a goal ends the value to come: an episode that time ends would go on.
		if mem.ends[at] == terminated {
			s.batch.discount[row] = 0
		}
	}
}

// fillCritic puts a draw's observations and actions into a critic's input.
func (s *sac) fillCritic(t *tape, d *draw) {
	actions := s.policy.actions
	width := s.dims + actions
	for row := range t.rows {
		in := t.input()[row*width : (row+1)*width]
		copy(in, d.noise.input()[row*s.dims:(row+1)*s.dims])
		for a := range actions {
			in[s.dims+a] = float32(d.action[row*actions+a])
		}
	}
}

// updateCritics moves both critics towards r + γ·(min Q'(z', a') − α·log π(a')),
// and the targets after them.
func (s *sac) updateCritics(c *crew, decay float64) {
	c.both(func(i int) {
		s.fillCritic(s.targetTape[i], s.next)
		s.targets[i].forward(s.targetTape[i])
	})

	// The lesser of the two targets counts, against overestimation (Fujimoto and others, 2018).
	temp := s.temperature()
	for row := range s.batch.goal {
		q := min(s.targetTape[0].output()[row], s.targetTape[1].output()[row])
		soft := float64(q) - float64(temp*s.next.logp[row])
		s.batch.goal[row] = float32(s.batch.reward[row] + float64(s.batch.discount[row]*soft))
	}

	// Each shard has a critic.
	c.both(func(i int) {
		t, q := s.tape[i], s.critics[i]
		q.forward(t)
		errs := s.qErrs[i*t.rows : (i+1)*t.rows]
		for row, v := range t.output() {
			errs[row] = 2 * (v - s.batch.goal[row]) / float32(t.rows)
		}
		q.backward(t, errs)
		s.criticAdam[i].step(s.cfg.CriticRate*decay, q.params, t.grads)
		s.targets[i].follow(q, float32(s.cfg.Polyak))
	})
}

// updateActor moves policy and noise net down the gradient of
// α·log π(a) − min Q(z, a), and the temperature so that log π nears the target
// entropy of one nat below zero per action.
func (s *sac) updateActor(c *crew, decay float64) {
	c.both(func(i int) {
		s.fillCritic(s.tape[i], s.now)
		s.critics[i].forward(s.tape[i])
	})

	// The actor follows the slope of the lesser critic, row by row: each critic computes only its
	// own rows.
	for i := range s.chosen {
		s.chosen[i] = s.chosen[i][:0]
	}
	for row := range s.which {
		smaller := 0
		if s.tape[1].output()[row] < s.tape[0].output()[row] {
			smaller = 1
		}
		s.chosen[smaller] = append(s.chosen[smaller], row)
	}

	c.both(func(i int) {
		s.critics[i].inputSlope(s.tape[i], s.chosen[i], s.dims, s.slope)
	})

	s.actorErrs()
	s.noise.backward(s.now.noise, s.noiseErr)
	s.policy.learn(c, &s.scratch, s.now.blocks, s.errs, s.cfg.ActorRate*decay)
	s.noiseAdam.step(s.cfg.CriticRate*decay, s.noise.params, s.now.noise.grads)
	s.tempAdam.step(s.cfg.CriticRate*decay, s.logTemp, []float32{s.temperatureGradient()})
}

// actorErrs computes the derivatives of the actor's mean loss by the head's
// outputs y and by the noise net's outputs.
func (s *sac) actorErrs() {
	actions, temp := s.policy.actions, s.temperature()

	scale := 1 / float64(len(s.which))
	for row := range s.which {
		for a := range actions {
			i := row*actions + a

			// By the action before tanh, and by the logarithm of the deviation.
			slope, logpSlope := preSlopes(s.now.action[i])
			pre := float64(temp*logpSlope) - float64(float64(s.slope[i])*slope)
			byLogDev := float64(pre*float64(s.now.dev[i]*s.now.eps[i])) - temp
			s.errs.y[row/lanes][a][row%lanes] = float32(pre * scale)
			s.noiseErr[i] = float32(float64(byLogDev*s.now.devSlope[i]) * scale)
		}
	}
}

// temperatureGradient returns the derivative of −α·(mean log π + H) by log α.
func (s *sac) temperatureGradient() float32 {
	sum := 0.0
	for _, lp := range s.now.logp {
		sum += lp
	}
	entropy := -float64(s.policy.actions)
	return float32(-s.temperature() * (sum/float64(len(s.which)) + entropy))
}
