package sac

import (
	"etch/designs/float/function"
)

// update is a gradient step of all three groups, and of the targets where it is their turn.
func (t *trainer) update() {
	for i := range t.batch {
		t.batch[i] = &t.memory[t.r.IntN(len(t.memory))]
	}

	// All three groups see the temperature that the step began with.
	t.rec.step(t.step)
	alpha := t.n.apply(function.Exp, t.temperature.p[0])
	t.updateCritics(alpha)
	t.updateActor(alpha)
	t.updateTemperature(alpha)
	if t.step%t.c.Every == 0 {
		t.targets.update(t.critics.p, t.rec)
	}

	// A weight that is not finite ends the run; of several groups the first by name is told, as
	// maps have no order.
	if t.c.Coerce {
		return
	}
	for what, o := range map[string]*group{"actor": t.actor, "critics": t.critics, "temperature": t.temperature} {
		if !finite(o.p) && (t.result.Crash == "" || what < t.result.Crash) {
			t.crash(what)
		}
	}
}

// sample draws actions for the states of the batch.
func (t *trainer) sample(after bool) {
	for q, x := range t.batch {
		if after {
			copy(t.actorRun.input(q), x.after[:])
		} else {
			copy(t.actorRun.input(q), x.before[:])
		}
	}
	t.actorRun.forward(t.actor.p, t.c.Batch)

	for q := range t.heads {
		out := t.actorRun.output(q)
		t.heads[q] = t.policy.sample(out[0], out[1], t.n.wide(t.r.NormFloat64()))
		t.rec.head(t.n, &t.heads[q])
	}
}

// value is a critic's output for states and actions.
func (t *trainer) value(i int, p []float32, state func(x *transition) [3]float32, action func(q int) float32) {
	for q, x := range t.batch {
		in, s := t.criticRun[i].input(q), state(x)
		copy(in, s[:])
		in[3] = action(q)
	}
	t.criticRun[i].forward(p[i*t.criticSize:(i+1)*t.criticSize], t.c.Batch)
}

func before(x *transition) [3]float32 { return x.before }
func after(x *transition) [3]float32  { return x.after }

// drawn is the action that was sampled.
func (t *trainer) drawn(q int) float32 { return t.heads[q].a }

func (t *trainer) updateCritics(alpha float32) {
	n := t.n

	// The targets' estimate of the state after: the lesser critic's value, less the entropy's price.
	t.sample(true)
	for i := range t.criticRun {
		t.value(i, t.targets.psi, after, t.drawn)
	}
	y := make([]float32, t.c.Batch)
	gamma := n.wide(t.c.Gamma)
	for q, x := range t.batch {
		least := t.least(q)
		v := n.r(least - n.r(alpha*t.heads[q].logProb))
		y[q] = n.r(x.reward + n.r(gamma*v))
	}

	// The scale enters at the seed of the backward pass.
	seed := n.wide(2 * t.critics.scale() / float64(t.c.Batch))
	for i, run := range t.criticRun {
		t.value(i, t.critics.p, before, func(q int) float32 { return t.batch[q].action })
		for q := range t.batch {
			run.lastError(q)[0] = n.r(seed * n.r(run.output(q)[0]-y[q]))
		}

		at := i * t.criticSize
		run.backward(t.critics.p[at:at+t.criticSize], t.critics.g[at:at+t.criticSize], false)
	}
	t.critics.step(t.rec)
}

// least is the lesser of both critics' values; NaN where one is, as Go's min has it.
func (t *trainer) least(q int) float32 {
	return min(t.criticRun[0].output(q)[0], t.criticRun[1].output(q)[0])
}

func (t *trainer) updateActor(alpha float32) {
	n := t.n
	t.sample(false)

	// Actions of the policy now, as the critics value them.
	seed := n.wide(t.actor.scale() / float64(t.c.Batch))
	for i := range t.criticRun {
		t.value(i, t.critics.p, before, t.drawn)
	}
	for q := range t.batch {
		// The gradient goes back through the critic that gives the lesser value.
		first := 0
		if t.criticRun[1].output(q)[0] < t.criticRun[0].output(q)[0] {
			first = 1
		}
		t.criticRun[first].lastError(q)[0], t.criticRun[1-first].lastError(q)[0] = -seed, 0
	}

	for i, run := range t.criticRun {
		run.backward(t.critics.p[i*t.criticSize:(i+1)*t.criticSize], nil, true)
	}

	// The critics' gradient at the action and the entropy's at the density meet in the policy's
	// head.
	weight := n.r(alpha * seed)
	for q := range t.heads {
		gA := n.r(t.criticRun[0].err[0][q*4+3] + t.criticRun[1].err[0][q*4+3])
		gMu, gRaw := t.policy.gradient(&t.heads[q], gA, weight)
		t.rec.slope(n, &t.heads[q], gA, weight, gMu, gRaw)
		e := t.actorRun.lastError(q)
		e[0], e[1] = gMu, gRaw
	}

	t.actorRun.backward(t.actor.p, t.actor.g, false)
	t.actor.step(t.rec)
}

func (t *trainer) updateTemperature(alpha float32) {
	n := t.n
	seed := n.wide(t.temperature.scale() / float64(t.c.Batch))

	// The loss is α times the distance of the entropy from its target, summed in float32 as
	// products of the networks are.
	var sum float32
	for q := range t.heads {
		sum += float32(seed * n.r(-t.heads[q].logProb-float32(t.c.Entropy)))
	}

	t.temperature.g[0] = n.r(alpha * n.r(sum))
	t.temperature.step(t.rec)
}
