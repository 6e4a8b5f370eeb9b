package sac

import (
	"etch/designs/float/function"
	"etch/designs/pendulum"
)

// crash ends the run.
func (t *trainer) crash(what string) { t.result.Crash, t.result.CrashStep = what, t.step }

// observe is a state as the networks' inputs: cos θ, sin θ and the angular velocity, rounded to
// the format.
func (t *trainer) observe(s pendulum.State) (o [3]float32) {
	for i, x := range s.Observe() {
		o[i] = t.n.wide(x)
	}
	return o
}

// act is a step of the environment into the memory.
func (t *trainer) act(env *pendulum.Env) {
	// Random actions fill the memory first; then the policy samples.
	x := transition{before: t.observe(env.State)}
	if t.step <= t.c.Warm {
		x.action = t.n.wide(2*t.r.Float64() - 1)
	} else {
		copy(t.testRun.input(0), x.before[:])
		t.testRun.forward(t.actor.p, 1)
		out := t.testRun.output(0)
		h := t.policy.sample(out[0], out[1], t.n.wide(t.r.NormFloat64()))
		a := []float32{h.a}
		if t.c.Coerce {
			coerce(t.n, a)
		}
		if x.action = a[0]; !finite(a) {
			t.crash("action")
			return
		}
	}

	// Actions of -1 to 1 are torques of -2 to 2; the reward is scaled before it is rounded.
	reward, done := env.Step(2 * float64(x.action))
	x.after, x.reward = t.observe(env.State), t.n.wide(t.c.Reward*reward)
	t.memory = append(t.memory, x)
	if done {
		env.Reset(pendulum.RandomState(t.r))
	}
}

// test is the mean return of the policy's means. A test has starts of its own, which are
// the same for every run: a policy fails in a region of starts, and twenty that never change
// may have half of their number in it, or none.
func (t *trainer) test() float64 {
	starts := pendulum.Starts(tests, uint64(t.step))
	return pendulum.EvaluateBatch(starts, tests, func(states []pendulum.State, torque []float64) {
		for i, s := range states {
			o := t.observe(s)
			copy(t.testRun.input(i), o[:])
		}

		// The mean of the policy, as the network has it: without the sampling, which explores.
		t.testRun.forward(t.actor.p, len(states))
		for i := range states {
			a := []float32{t.n.apply(function.Tanh, t.testRun.output(i)[0])}
			if t.c.Coerce {
				coerce(t.n, a)
			}
			torque[i] = 2 * float64(a[0])
		}
	}).Mean
}
