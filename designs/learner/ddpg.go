package learner

import "etch/hw"

// DDPGSample is a transition with its importance weight.
type DDPGSample struct {
	State, Next word // observations, codes of activations
	Actions     word // codes of activations, in [−1, 1]
	Outcome
}

// DDPGPorts are the ports of [DDPG]. They differ from DQN's in the actions.
type DDPGPorts struct {
	// Push stores a sample of the coming step as number At. It is ignored with Start or Act
	// and, without Prefetch, while Busy is high.
	Push   hw.Bit     `dir:"in"`
	At     hw.UInt    `dir:"in"`
	Sample DDPGSample `dir:"in"`

	// Start begins a gradient step, while Busy is low; with Synchronise the target
	// networks become the online ones at its end.
	Start       hw.Bit  `dir:"in"`
	Synchronise hw.Bit  `dir:"in"`
	Tau         hw.UInt `dir:"in"` // rate of soft targets, U1.16; not read if there are none
	Losses      Losses  `dir:"out"`

	// Act runs the actor on an observation, which stays until Busy is low again; then
	// Values, its actions, are there until the next use.
	Act         hw.Bit `dir:"in"`
	Observation word   `dir:"in"`
	Values      word   `dir:"out"`

	Busy hw.Bit `dir:"out"`
	Host Host   `dir:"in"`
	Word word   `dir:"out"` // read by the host, three cycles after it has asked

	Saturated Saturated `dir:"out"`
}

// ModuleName is ddpg_learner.
func (c DDPG) ModuleName() string { return "ddpg_learner" }

func (c DDPG) Ports() DDPGPorts {
	t, host := c.actor(), hostOf(c.actor(), c.critic())
	observation, actions := t.codes(Activation, c.Observation), t.codes(Activation, c.Actions)
	return DDPGPorts{
		At: hw.AddressOf(c.Batch), Sample: DDPGSample{observation, observation, actions, t.outcomeOf()},
		Tau: hw.Unsigned(unitBits), Losses: t.lossesOf(),
		Observation: observation, Values: actions, Host: host, Word: host.Data, Saturated: saturatedOf(),
	}
}

// Build describes the body: memories, the walks of all stages, and the work of each stage.
// Actor and critic run on three inputs at a time: the target networks on next states, the
// critic on the actions taken and on the actions that the actor would take. Gradients of
// all three read the critic as it was before the step.
func (c DDPG) Build(m *hw.Module, p DDPGPorts) {
	// Steps, the batch's memories, and both networks; the host numbers the critic's layers behind
	// the actor's.
	s := c.Schedule()
	b := newCore(m, c.actor().common, options{c.Count, c.Prefetch}, s.Timing, commands{p.Start, p.Act, p.Synchronise}, p.Host, p.Tau)
	p.Busy.Set(b.busy)
	taken := batch(b, p.Push, p.At, p.Sample.State, p.Sample.Next, p.Sample.Actions, p.Sample.Outcome)
	actor := newStack(b, "actor_", c.actor(), s.Actor, 0)
	critic := newStack(b, "critic_", c.critic(), s.Critic, actor.layers())
	critic.through = true

	// π(s) and π′(s′).
	w, sums := actor.forwards(false, func(w walk) streams {
		now, next := b.observations(w, p.Observation)
		return streams{now: now, next: next}
	})
	chosen := actor.act(m.Scope("chosen"), w, sums.now, s.Chosen)
	next := actor.act(m.Scope("next"), w, sums.next, s.Next)
	actor.acted(w, chosen.values, p.Values)

	// Q(s, a), Q(s, π(s)) and Q′(s′, π′(s′)), and the loss.
	w, values := critic.forwards(true, func(w walk) streams {
		at, sample := w.valid.At(0), w.sample.At(0)
		state := b.states.read("critic", sample)
		return streams{
			now:   w.observed(beside(state, taken.read("critic", sample))),
			next:  w.observed(beside(b.nexts.read("critic", sample), next.read(at, sample, "critic"))),
			other: w.observed(beside(state, chosen.read(at, sample, "critic"))),
		}
	})
	critic.valueLoss(w, values, p.Losses)

	// Back through the critic to the actions, and through the actor.
	w, valid, byActions := critic.backwards(descent{
		inputs: func(w walk) lanes {
			sample := w.sample.At(0)
			return w.observed(beside(b.states.read("critic_backward", sample), taken.read("backward", sample)))
		},
		wanted: critic.from(c.Observation),
	})
	actor.gradients[actor.last()] = c.slopes(actor, w, valid, byActions, chosen, s.Actor.Gradients[actor.last()])
	actor.backwards(descent{inputs: func(w walk) lanes {
		return w.observed(b.states.read("actor_backward", w.sample.At(0)))
	}})
	b.hostRead(p.Word, actor.online, actor.target, critic.online, critic.target)
	b.tally.total(m, p.Saturated)
}

// beside is the critic's inputs of each lane.
func beside(observations, actions lanes) (x lanes) {
	for n, o := range observations {
		x = append(x, append(o[:len(o):len(o)], actions[n]...))
	}
	return x
}

// valueLoss makes the loss and its gradient. The critic has one output.
func (s *stack) valueLoss(w walk, values streams, losses Losses) {
	m := s.b.m.Scope("loss")
	var results lanes
	var overs []hw.Bit
	for n, o := range s.b.outcomes.read("loss", w.sample.At(4)) {
		lane := m.Scope("lane", n)
		loss, gradient, over := s.loss(lane, 6, values.next[n][0], values.now[n][0], newOutcome(lane, 5, o))
		hw.Set(losses.Lanes[n], loss)
		results, overs = append(results, word{gradient}), append(overs, over...)
	}
	s.learnFrom(w, 6, losses, results, overs)
}

// slopes multiplies gradients by the actions, at stage 6 of the critic's last walk back,
// with the derivative of tanh, 1 − a².
//
//	stage 3  a²
//	      4  1 − a²
//	      7  product
//	      8  rounded
//	      9  all actions together, stored
func (c DDPG) slopes(actor *stack, w walk, valid hw.Bit, byActions lanes, acted actions, slots int) *buffer {
	// The actions again, in the critic's tiles: observations are nothing here.
	m, a, columns := actor.b.m.Scope("slope"), actor.arithmetic(), c.critic().from(c.Observation)
	none := hw.Fill(c.Observation, hw.Zeros(a.Code(Activation).Width()))
	tiles := w.observed(beside(repeat(none, c.DP), acted.read(w.valid.At(0), w.sample.At(0), "slope")))
	x := actor.newBuffer(actor.b.m, "slopes", a.Code(Gradient), slots, c.DP, c.Actions, acted.padded, actor.tile(actor.last()).Out)

	// Stored with the last action's tile.
	tile := c.critic().tile(0).In
	valid = hw.Delay(m, "valid", valid, 2, hw.Low)
	last := hw.Delay(m, "last", valid.And(w.input.At(8).Is((c.Observation+c.Actions-1)/tile)), 1, hw.Low)

	var all lanes
	for n, by := range byActions {
		// The critic's tiles need not begin with an action: each has a register.
		lane := m.Scope("lane", n)
		together := hw.Zero(actor.codes(Gradient, acted.padded))
		var overs []hw.Bit
		for i, column := range columns {
			action := hw.Delay(lane, hw.Name("action", i), tiles[n][column.at], 1)
			rounded, over := actor.slope(lane, i, action, by[i])
			overs = append(overs, over.And(column.wanted(w, 8)))
			for _, in := range column.in {
				k := in*tile + column.at - c.Observation
				kept := hw.Reg(lane, hw.Name("together", k), a.Code(Gradient))
				kept.SetIf(valid.And(w.input.At(8).Is(in)), rounded)
				together[k] = kept
			}
		}
		actor.count(lane, Gradient, valid, overs...)
		all = append(all, together)
	}
	x.write(last, w.sample.At(9), hw.Zeros(1), all)
	return x
}

// slope is the product of a gradient, at stage 6, and the derivative of tanh where it
// gave an action, at stage 2; it is there at stage 8.
func (c common) slope(m *hw.Module, i int, action, by hw.UInt) (result hw.UInt, over hw.Bit) {
	// 1 has the square's fraction bits, so that the difference is exact.
	a := c.arithmetic()
	square := hw.Delay(m, hw.Name("square", i), a.Multiply(Activation, action, Activation, action), 1)
	one := square.LitRaw(1 << square.Frac())
	derivative := hw.Delay(m, hw.Name("derivative", i), one.Sub(square), 3)

	product := hw.Delay(m, hw.Name("product", i), a.Exact(Gradient, by).Mul(derivative), 1)
	rounded, over := a.Round(m, hw.Name("rounding", i), Gradient, product)
	return hw.Delay(m, hw.Name("rounded", i), rounded, 1), c.flag(m, hw.Name("over", i), over, 1)
}
