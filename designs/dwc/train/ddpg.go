package train

import (
	"etch/designs/dwc/model"
)

// explorationNoise is the standard deviation of DDPG's noise on an action in
// −1..1, that of the controllers' authors, where a configuration has no other.
const explorationNoise = 0.1

// updateDDPG is update for deep deterministic policy gradient (Lillicrap and
// others, 2016) on the batch that is loaded: the first critic moves towards
// r + γ·Q'(z', π'(z')), the actor up the slope of Q(z, π(z)).
func (s *sac) updateDDPG(c *crew, withActor bool, decay float64) {
	// The action in the next state is the slow actor's, that in the state itself the actor's.
	c.both(func(shard int) {
		switch {
		case shard == 0:
			s.next.mean(s.slow)
		case withActor:
			s.now.mean(s.policy)
		}
	})

	// The critic: one step towards the target network's value of the next state.
	target, t, q := s.targetTape[0], s.tape[0], s.critics[0]
	s.fillCritic(target, s.next)
	s.targets[0].forward(target)
	q.forward(t)
	errs := s.qErrs[:t.rows]
	for row, v := range t.output() {
		goal := float32(s.batch.reward[row] + float64(s.batch.discount[row]*float64(target.output()[row])))
		errs[row] = 2 * (v - goal) / float32(t.rows)
	}
	q.backward(t, errs)
	s.criticAdam[0].step(s.cfg.CriticRate*decay, q.params, t.grads)

	if !withActor {
		return
	}

	// The actor: up the critic's slope by its action, over the whole batch.
	s.fillCritic(t, s.now)
	q.forward(t)

	// There is one critic, so it gives the slope of every row.
	all := s.chosen[0][:0]
	for row := range s.which {
		all = append(all, row)
	}
	s.chosen[0] = all
	q.inputSlope(t, all, s.dims, s.slope)
	s.deterministicErrs()
	s.policy.learn(c, &s.scratch, s.now.blocks, s.errs, s.cfg.ActorRate*decay)

	// Both targets follow only in steps in which the actor moves.
	s.targets[0].follow(q, float32(s.cfg.Polyak))
	s.slow.follow(s.policy, float32(s.cfg.Polyak))
}

// deterministicErrs computes the derivatives of −Q by the head's outputs y.
func (s *sac) deterministicErrs() {
	scale := 1 / float64(len(s.which))
	for row := range s.which {
		for a := range s.policy.actions {
			i := row*s.policy.actions + a
			slope, _ := preSlopes(s.now.action[i])
			s.errs.y[row/lanes][a][row%lanes] = float32(-float64(float64(s.slope[i])*slope) * scale)
		}
	}
}

// mean runs the policy without noise on the loaded observations.
func (d *draw) mean(p *policy) {
	for b, blk := range d.blocks {
		p.forward(blk)
		for a := range p.actions {
			for s := range lanes {
				d.action[(b*lanes+s)*p.actions+a] = model.Tanh(p.y[a][blk.counts[a][s]])
			}
		}
	}
}

// noisy is the policy's action in −1..1 with exploration noise, noise its standard normal
// draw.
func (c *Config) noisy(y, noise float64) float64 {
	deviation := c.Deviation
	if deviation == 0 {
		deviation = explorationNoise
	}
	return max(-1, min(1, model.Tanh(y)+float64(deviation*noise)))
}

// clone copies a policy, without the state of its optimisers.
func (p *policy) clone() *policy {
	c := *p

	// The copy still shares every slice with p; each of them is replaced.
	c.layers, c.y = nil, nil
	for _, l := range p.layers {
		k := *l
		k.table = append([]float32(nil), l.table...)
		k.truth = append([]uint64(nil), l.truth...)
		k.pins = append([]int32(nil), l.pins...)
		k.scores = append([]float32(nil), l.scores...)
		k.tableAdam, k.scoreAdam = adam{}, adam{}
		c.layers = append(c.layers, &k)
	}
	for _, row := range p.y {
		c.y = append(c.y, append([]float64(nil), row...))
	}

	c.logAlpha, c.beta = append([]float32(nil), p.logAlpha...), append([]float32(nil), p.beta...)
	c.slope = append([]float64(nil), p.slope...)
	c.logAlphaAdam, c.betaAdam = adam{}, adam{}
	return &c
}

// follow moves p's parameters towards q's: tables, scores and head. The bits of
// tables and the pins follow from those.
func (p *policy) follow(q *policy, tau float32) {
	move := func(to, from []float32) {
		for i, v := range to {
			to[i] = v + float32(tau*(from[i]-v))
		}
	}
	for i, l := range p.layers {
		move(l.table, q.layers[i].table)
		move(l.scores, q.layers[i].scores)
		for j := range l.width {
			l.settle(j)
		}
	}

	move(p.logAlpha, q.logAlpha)
	move(p.beta, q.beta)
	p.settleHead()
}

// carry carries the target actor.
func (p *policy) carry(s *stream) {
	// Truth tables and pins follow from these: see Resume.
	for _, l := range p.layers {
		s.floats("slow.table", l.table)
		s.floats("slow.scores", l.scores)
	}
	s.floats("slow.log_alpha", p.logAlpha)
	s.floats("slow.beta", p.beta)
}
