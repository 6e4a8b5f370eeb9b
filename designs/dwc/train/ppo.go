package train

import (
	"math"
	"math/rand/v2"

	"etch/designs/dwc/model"
)

// ppo learns by proximal policy optimisation (Schulman and others, 2017): the policy is a
// normal distribution around the head's output, whose deviation is one number; a critic of
// its own values observations. Everything is in units of the greatest action.
//
// The transitions of a rollout are those in the memory, which is emptied afterwards. The
// policy stays the same during a rollout, so densities and values are computed at its end.
//
// With a correlation ρ the noise is a process, n' = ρ·n + √(1−ρ²)·ε, and the policy is the
// distribution of an action given the noise before it (autoregressive policies, Korenkevych and
// others, 2019): a task whose goal takes a swing is not found by noise that is new in every step.
//
// Where this differs from the controllers' authors: gradients are not limited in length,
// since tables learn one by one.
type ppo struct {
	cfg       *Config
	value     *dense
	valueAdam adam
	logDev    []float32 // logarithm of the deviation, one element
	devAdam   adam
	before    []float64 // unit noise before each action of the rollout

	// Working space.
	tape          *tape
	worth, target []float64 // advantages and returns of the rollout
	old           []float64 // log densities of its actions
	order         []int
	errs          []float32
}

func newPPO(r *rand.Rand, dims int, c *Config) *ppo {
	p := &ppo{
		cfg: c, value: newDense(r, dims, c.Hidden, c.Hidden, 1),
		logDev: []float32{float32(log(c.Deviation))}, devAdam: newAdam(1),
		worth: make([]float64, c.Horizon), target: make([]float64, c.Horizon), old: make([]float64, c.Horizon),
		before: make([]float64, c.Horizon),
		order:  make([]int, c.Horizon), errs: make([]float32, c.Batch),
	}
	p.valueAdam = newAdam(len(p.value.params))
	p.tape = newTape(p.value, c.Batch)
	return p
}

// deviation is that of the policy.
func (p *ppo) deviation() float64 { return model.Exp(float64(p.logDev[0])) }

// fresh is the deviation of the part of unit noise that is new in a step, √(1−ρ²).
func (c *Config) fresh() float64 {
	return math.Sqrt(1 - float64(c.Correlation*c.Correlation))
}

// noise takes an action of the rollout apart: unit is its noise in units of the deviation,
// fresh that which the noise before it does not explain, a standard normal number.
func (p *ppo) noise(at int, action, mean, logDev float64) (unit, fresh float64) {
	unit = (action - mean) / model.Exp(logDev)
	return unit, (unit - float64(p.cfg.Correlation*p.before[at])) / p.cfg.fresh()
}

// freshDensity is the log density of an action with such fresh noise, but for a constant.
func freshDensity(fresh, logDev float64) float64 {
	return -float64(0.5*float64(fresh*fresh)) - logDev
}

// learn makes the update of a rollout: advantages, then epochs of minibatches.
func (p *ppo) learn(c *crew, r *rand.Rand, e *encoder, mem *replay, s *sac, decay float64) {
	p.estimate(e, mem, s)
	n := len(p.order)
	for range p.cfg.Epochs {
		// Each epoch shuffles the same list, so a checkpoint needs no order.
		for i := range p.order {
			p.order[i] = i
		}
		r.Shuffle(n, func(i, j int) { p.order[i], p.order[j] = p.order[j], p.order[i] })
		for at := 0; at+p.cfg.Batch <= n; at += p.cfg.Batch {
			p.minibatch(c, e, mem, s, p.order[at:at+p.cfg.Batch], decay)
		}
	}
}

// load puts samples into the policy's blocks and the critic's tape: the observations of a step, or
// those after it.
func (p *ppo) load(e *encoder, mem *replay, s *sac, which []int, next bool) {
	for row, at := range which {
		codes, after, _, _ := mem.at(at)
		if next {
			codes = after
		}
		e.load(s.now.blocks[row/lanes], row%lanes, codes)
		e.normalise(p.tape.input()[row*s.dims:(row+1)*s.dims], codes)
	}
}

// mean is the head's output of a loaded row.
func (s *sac) mean(row int) float64 {
	return s.policy.y[0][s.now.blocks[row/lanes].counts[0][row%lanes]]
}

// estimate computes log densities, advantages and returns of the rollout, by generalized
// advantage estimation (Schulman and others, 2016).
func (p *ppo) estimate(e *encoder, mem *replay, s *sac) {
	n, batch := len(p.order), p.cfg.Batch
	now, next := p.target, p.worth // values, until both are overwritten
	which := make([]int, batch)

	// Values of the next states first, then of the states themselves, whose blocks also give the
	// old log densities.
	for at := 0; at < n; at += batch {
		for row := range which {
			which[row] = at + row
		}
		p.load(e, mem, s, which, true)
		p.value.forward(p.tape)
		for row, v := range p.tape.output() {
			next[at+row] = float64(v)
		}

		p.load(e, mem, s, which, false)
		p.value.forward(p.tape)
		for _, b := range s.now.blocks {
			s.policy.forward(b)
		}
		for row, v := range p.tape.output() {
			now[at+row] = float64(v)
			_, _, action, _ := mem.at(at + row)
			_, fresh := p.noise(at+row, float64(action[0]), s.mean(row), float64(p.logDev[0]))
			p.old[at+row] = freshDensity(fresh, float64(p.logDev[0]))
		}
	}

	// Backwards in time; an end cuts the carry, a termination also the value after it.
	carry := 0.0
	for i := n - 1; i >= 0; i-- {
		_, _, _, reward := mem.at(i)
		after := float64(p.cfg.Discount * next[i])
		if mem.ends[i] == terminated {
			after = 0
		}
		if mem.ends[i] != 0 {
			carry = 0
		}
		delta := float64(float64(reward)*p.cfg.RewardScale) + after - now[i]
		carry = delta + float64(float64(p.cfg.Discount*p.cfg.Lambda)*carry)
		p.worth[i], p.target[i] = carry, carry+now[i]
	}
}

// minibatch moves the policy by the clipped objective, and the critic towards the returns.
func (p *ppo) minibatch(c *crew, e *encoder, mem *replay, s *sac, which []int, decay float64) {
	p.load(e, mem, s, which, false)

	// Critic and policy run side by side; the loss needs both.
	c.both(func(shard int) {
		if shard == 0 {
			p.learnValue(which, decay)
			return
		}
		for _, b := range s.now.blocks {
			s.policy.forward(b)
		}
	})

	// Advantages have mean 0 and deviation 1 within a minibatch.
	mean, scale := p.spread(which)
	n, logDev, byDev := float64(len(which)), float64(p.logDev[0]), 0.0
	dev := model.Exp(logDev)
	for row, at := range which {
		_, _, action, _ := mem.at(at)
		worth := float64((p.worth[at] - mean) * scale)
		unit, fresh := p.noise(at, float64(action[0]), s.mean(row), logDev)
		ratio := model.Exp(freshDensity(fresh, logDev) - p.old[at])
		free, held := float64(ratio*worth), float64(max(1-p.cfg.Clip, min(1+p.cfg.Clip, ratio))*worth)
		byMean := 0.0
		if free <= held { // else the clipped one counts, which is flat
			pull := fresh / p.cfg.fresh() // of the log density, by the unit noise's opposite
			byMean = -float64(free*pull) / dev
			byDev -= float64(free*(float64(pull*unit)-1)) / n
		}
		s.errs.y[row/lanes][0][row%lanes] = float32(byMean / n)
	}

	s.policy.learn(c, &s.scratch, s.now.blocks, s.errs, p.cfg.ActorRate*decay)
	p.devAdam.step(p.cfg.CriticRate*decay, p.logDev, []float32{float32(byDev)})
}

// spread is the mean of a minibatch's advantages, and the factor that brings their deviation to 1.
func (p *ppo) spread(which []int) (mean, scale float64) {
	n := float64(len(which))
	for _, at := range which {
		mean += p.worth[at] / n
	}
	square := 0.0
	for _, at := range which {
		d := p.worth[at] - mean
		square += float64(d*d) / n
	}
	return mean, 1 / (math.Sqrt(square) + 1e-8)
}

// learnValue takes a step of the critic on the mean of ½(V − return)².
func (p *ppo) learnValue(which []int, decay float64) {
	p.value.forward(p.tape)
	for row, at := range which {
		p.errs[row] = float32((float64(p.tape.output()[row]) - p.target[at]) / float64(len(which)))
	}
	p.value.backward(p.tape, p.errs)
	p.valueAdam.step(p.cfg.CriticRate*decay, p.value.params, p.tape.grads)
}

// carry carries the critic, the deviation, and the noise before the n actions of the rollout
// so far.
func (p *ppo) carry(s *stream, n int) {
	if p.cfg.Correlation > 0 {
		for i := range n {
			s.float("noise before", &p.before[i])
		}
	}
	s.floats("value", p.value.params)
	p.valueAdam.carry(s, "value")
	s.floats("deviation", p.logDev)
	p.devAdam.carry(s, "deviation")
}
