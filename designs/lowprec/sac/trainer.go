package sac

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"etch/designs/float/function"
	"etch/designs/pendulum"
)

// Result is what a run came to.
type Result struct {
	Returns     []float64  // of the tests, a mean of 20 episodes each
	Crash       string     // what was not finite first, "" if nothing
	CrashStep   int        // when
	Skipped     [3]int     // steps of critics, actor and temperature
	Scale       [3]float64 // of the losses at the end
	Diverged    bool       // a scale fell to its floor and below
	Temperature float64    // at the end
}

// Final is the mean of the last five tests; ok is false where the run crashed.
func (r *Result) Final() (mean float64, ok bool) {
	if r.Crash != "" || len(r.Returns) == 0 {
		return 0, false
	}
	last := r.Returns[max(0, len(r.Returns)-5):]
	for _, x := range last {
		mean += x / float64(len(last))
	}
	return mean, true
}

// Best is the greatest return of a test, −∞ if there was none.
func (r *Result) Best() float64 {
	best := math.Inf(-1)
	for _, x := range r.Returns {
		best = max(best, x)
	}
	return best
}

// transition is a step in the memory.
type transition struct {
	before, after [3]float32
	action        float32
	reward        float32
}

// trainer is a run.
type trainer struct {
	c      Config
	n      *numbers
	r      *rand.Rand
	policy policy
	rec    *Recorder
	step   int

	actor, critics, temperature *group
	actorRun                    *run
	testRun                     *run
	criticRun                   [2]*run
	criticSize                  int
	targets                     *targets

	memory []transition
	batch  []*transition
	heads  []head
	result Result
}

// tests are the episodes of a test.
const tests = 20

// Train runs a configuration. It tells of every test, and keeps records if there is a
// recorder.
func Train(ctx context.Context, c Config, rec *Recorder, told func(step int, r *Result)) (*Result, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	t := newTrainer(c, rec)
	env := pendulum.Env{State: pendulum.RandomState(t.r)}
	for t.step = 1; t.step <= c.Steps && t.result.Crash == ""; t.step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.act(&env)
		if t.step > c.Warm && t.result.Crash == "" {
			t.update()
		}
		if t.step%c.Test == 0 && t.result.Crash == "" {
			t.result.Returns = append(t.result.Returns, t.test())
			if told != nil {
				told(t.step, &t.result)
			}
		}
	}
	for i, o := range []*group{t.critics, t.actor, t.temperature} {
		t.result.Skipped[i], t.result.Scale[i] = o.skipped, o.scale()
		t.result.Diverged = t.result.Diverged || o.scaler.Diverged
	}
	t.result.Temperature = math.Exp(float64(t.temperature.p[0]))
	return &t.result, nil
}

// stream separates the generator of a run from other uses of the seed.
const stream = 0x73616337

func newTrainer(c Config, rec *Recorder) *trainer {
	n := newNumbers(c.Format)
	t := &trainer{c: c, n: n, r: rand.New(rand.NewPCG(c.Seed, stream)), rec: rec}
	t.policy = newPolicy(&t.c, n)
	actor, critic := newShape(3, c.Hidden, c.Hidden, 2), newShape(4, c.Hidden, c.Hidden, 1)
	t.criticSize = critic.size

	p := make([]float32, actor.size)
	actor.start(p, n, t.r)
	t.actor = newGroup(&t.c, n, Actor, p, false)
	p = make([]float32, 2*critic.size)
	for i := range 2 {
		critic.start(p[i*critic.size:(i+1)*critic.size], n, t.r)
	}
	t.critics = newGroup(&t.c, n, Critics, p, true)
	t.temperature = newGroup(&t.c, n, Temperature, []float32{n.wide(math.Log(c.Temperature))}, true)
	t.targets = newTargets(&t.c, n, p)

	t.actorRun, t.testRun = newRun(&actor, n, c.Batch), newRun(&actor, n, max(tests, 1))
	for i := range t.criticRun {
		t.criticRun[i] = newRun(&critic, n, c.Batch)
	}
	t.batch, t.heads = make([]*transition, c.Batch), make([]head, c.Batch)
	return t
}

// crash ends the run.
func (t *trainer) crash(what string) { t.result.Crash, t.result.CrashStep = what, t.step }

// observe is what the networks see.
func (t *trainer) observe(s pendulum.State) (o [3]float32) {
	for i, x := range s.Observe() {
		o[i] = t.n.wide(x)
	}
	return o
}

// act is a step of the environment into the memory.
func (t *trainer) act(env *pendulum.Env) {
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
	reward, done := env.Step(2 * float64(x.action))
	x.after, x.reward = t.observe(env.State), t.n.wide(t.c.Reward*reward)
	t.memory = append(t.memory, x)
	if done {
		env.Reset(pendulum.RandomState(t.r))
	}
}

// test is the mean return of the policy's means on starts that are always the same.
func (t *trainer) test() float64 {
	return pendulum.EvaluateBatch(pendulum.Starts(tests, 12345), tests, func(states []pendulum.State, torque []float64) {
		for i, s := range states {
			o := t.observe(s)
			copy(t.testRun.input(i), o[:])
		}
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

// update is a gradient step of all three groups, and of the targets where it is their turn.
func (t *trainer) update() {
	for i := range t.batch {
		t.batch[i] = &t.memory[t.r.IntN(len(t.memory))]
	}
	t.rec.step(t.step)
	alpha := t.n.apply(function.Exp, t.temperature.p[0])
	t.updateCritics(alpha)
	t.updateActor(alpha)
	t.updateTemperature(alpha)
	if t.step%t.c.Every == 0 {
		t.targets.update(t.critics.p, t.rec)
	}
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

// least is the lesser of both critics' values; NaN where one is.
func (t *trainer) least(q int) float32 {
	a, b := t.criticRun[0].output(q)[0], t.criticRun[1].output(q)[0]
	if a != a || b != b {
		return float32(math.NaN())
	}
	return min(a, b)
}

func (t *trainer) updateActor(alpha float32) {
	n := t.n
	t.sample(false)
	seed := n.wide(t.actor.scale() / float64(t.c.Batch))
	for i := range t.criticRun {
		t.value(i, t.critics.p, before, t.drawn)
	}
	for q := range t.batch {
		first := 0
		if t.criticRun[1].output(q)[0] < t.criticRun[0].output(q)[0] {
			first = 1
		}
		t.criticRun[first].lastError(q)[0], t.criticRun[1-first].lastError(q)[0] = -seed, 0
	}
	for i, run := range t.criticRun {
		run.backward(t.critics.p[i*t.criticSize:(i+1)*t.criticSize], nil, true)
	}
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
	var sum float32
	for q := range t.heads {
		sum += float32(seed * n.r(-t.heads[q].logProb-float32(t.c.Entropy)))
	}
	t.temperature.g[0] = n.r(alpha * n.r(sum))
	t.temperature.step(t.rec)
}

// String is the run's name in messages.
func (c Config) String() string { return fmt.Sprintf("%s, seed %d", c.Name, c.Seed) }
