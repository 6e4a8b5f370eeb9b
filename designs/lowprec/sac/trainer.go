package sac

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"etch/designs/lowprec"
	"etch/designs/pendulum"
)

// Result is the outcome of a run.
type Result struct {
	Returns     []float64  // of the tests, a mean of 20 episodes each
	Crash       string     // the first value that was not finite: action or a group's name; "" if none
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

// trainer is the state of a training run between steps.
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
	if rec != nil && c.Moments != (lowprec.Moments{}) {
		return nil, fmt.Errorf("sac: records have room for moments in the common format alone, not for %v and %v", c.M, c.W)
	}

	// One step of the environment and, once there is something in the memory, one of learning; a
	// value that is not finite ends the run where the hardware would go on with it.
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

	// The state at the end, whether the run crashed or not.
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

	// Weights are drawn in the order actor, first critic, second critic: equal seeds give equal runs
	// only while the order stays.
	p := make([]float32, actor.size)
	actor.start(p, n, t.r)
	t.actor = newGroup(&t.c, n, Actor, p, false)
	p = make([]float32, 2*critic.size)
	for i := range 2 {
		critic.start(p[i*critic.size:(i+1)*critic.size], n, t.r)
	}
	t.critics = newGroup(&t.c, n, Critics, p, true)
	t.temperature = newGroup(&t.c, n, Temperature, []float32{n.wide(math.Log(c.Temperature))}, true)

	// The targets begin as the critics. Scratch for the passes is made once.
	t.targets = newTargets(&t.c, n, p)

	t.actorRun, t.testRun = newRun(&actor, n, c.Batch), newRun(&actor, n, max(tests, 1))
	for i := range t.criticRun {
		t.criticRun[i] = newRun(&critic, n, c.Batch)
	}
	t.batch, t.heads = make([]*transition, c.Batch), make([]head, c.Batch)
	return t
}
