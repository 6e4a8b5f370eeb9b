package ppo

import (
	"math/rand/v2"
	"time"

	"etch/designs/gae/reference"
	"etch/designs/mlp"
	"etch/designs/pendulum"
)

const (
	observations = 3
	actions      = 1
	// speedScale brings the pendulum's angular velocity near ±1.
	speedScale = 1.0 / pendulum.MaxSpeed
	// valueRows is how many observations the critic takes at a time.
	valueRows = 64
)

// environment is one of the environments in lock step, with random numbers of its
// own.
type environment struct {
	task         Task
	pendulum.Env // of the task Pendulum
	cart         cart
	rng          *rand.Rand
	total        float64   // of the running episode's rewards
	finished     []float64 // returns of the rollout's finished episodes
	finals       []final
}

// final is the observation in which an episode was truncated, at a step.
type final struct {
	step int
	seen [observations]float64
}

func newEnvironment(task Task, seed uint64, index int) *environment {
	e := &environment{task: task, rng: rand.New(rand.NewPCG(seed, envStream+uint64(index)))}
	e.restart()
	return e
}

// rollout is horizon steps of all environments; step t of environment e is sample
// e·horizon + t.
type rollout struct {
	horizon  int
	seen     []float64 // [samples×observations]
	action   []float64 // [samples], 1 is the greatest
	density  []float64 // [samples], logarithm at the time
	tracks   []reference.Trajectory
	outcome  []reference.Estimate // parts of the next two
	worth    []float64            // [samples], advantages
	target   []float64            // [samples], returns
	envs     []*environment
	accounts []account
}

// account is one worker's tape and stopwatch in a rollout.
type account struct {
	actor, critic *mlp.Tape[float64]
	times         Times
}

func newRollout(c *Config, actor, critic *mlp.Net[float64]) *rollout {
	samples := c.Envs * c.Horizon

	r := &rollout{
		horizon: c.Horizon,
		seen:    make([]float64, samples*observations),
		action:  make([]float64, samples), density: make([]float64, samples),
		worth: make([]float64, samples), target: make([]float64, samples),
	}

	// Trajectories and estimates are windows of the flat arrays, so that updates read them without
	// copying.
	for i := range c.Envs {
		r.envs = append(r.envs, newEnvironment(c.Task, c.Seed, i))
		r.tracks = append(r.tracks, reference.NewTrajectory(c.Horizon))
		from, to := i*c.Horizon, (i+1)*c.Horizon
		r.outcome = append(r.outcome, reference.Estimate{Advantage: r.worth[from:to:to], Return: r.target[from:to:to]})
	}

	// A worker's tape has a row for each of its environments; the critic's takes the steps of one
	// environment after the other.
	for w := range workers {
		from, to := part(w, c.Envs)
		r.accounts = append(r.accounts, account{actor: mlp.NewTape(actor, max(1, to-from)), critic: mlp.NewTape(critic, valueRows)})
	}
	return r
}

// collect lets a worker's environments run for the horizon, and has the critic
// value the observations.
func (r *rollout) collect(worker int, actor, critic *mlp.Net[float64], scale float64) {
	a := &r.accounts[worker]
	from, to := part(worker, len(r.envs))

	for _, e := range r.envs[from:to] {
		e.finished, e.finals = e.finished[:0], e.finals[:0]
	}

	// All environments take a step together: one forward pass a step.
	logDev := actor.Free()[0]
	for t := range r.horizon {
		r.act(a, r.envs[from:to], from, t, actor, logDev, scale)
	}

	// Nothing in the rollout waits for values, so the critic goes last.
	begin := time.Now()
	for i := from; i < to; i++ {
		r.value(a, i, critic)
	}
	a.times.Inference += time.Since(begin)
}

// act takes step t in the environments envs, of which the first has the given index.
func (r *rollout) act(a *account, envs []*environment, first, t int, actor *mlp.Net[float64], logDev, scale float64) {
	begin := time.Now()

	in := a.actor.Input()
	for i, e := range envs {
		e.observe(in[i*observations : (i+1)*observations])
	}
	actor.Forward(a.actor, len(envs))

	// Each environment has random numbers of its own: it does not matter who runs it.
	dev := mlp.Exp(logDev)
	for i, e := range envs {
		s := (first+i)*r.horizon + t
		copy(r.seen[s*observations:(s+1)*observations], in[i*observations:])
		mean := a.actor.Output()[i]
		r.action[s] = mean + float64(dev*mlp.Normal(e.rng))
		r.density[s] = logDensity(r.action[s], mean, logDev)
	}

	// The environments' time is taken apart from the networks'.
	middle := time.Now()
	for i, e := range envs {
		s, track := (first+i)*r.horizon+t, &r.tracks[first+i]
		reward, over := e.step(r.action[s])
		e.total += reward
		track.Reward[t], track.Truncated[t] = float64(scale*reward), over
		if over {
			e.end(t)
		}
	}
	a.times.Inference += middle.Sub(begin)
	a.times.Environment += time.Since(middle)
}

// end notes a truncated episode and starts the next one.
func (e *environment) end(t int) {
	f := final{step: t}
	e.observe(f.seen[:])
	e.finals = append(e.finals, f)
	e.finished = append(e.finished, e.total)
	e.total = 0
	e.restart()
}

// value fills in the values of environment i's trajectory.
func (r *rollout) value(a *account, i int, critic *mlp.Net[float64]) {
	track, n := &r.tracks[i], r.horizon
	values(critic, a.critic, r.seen[i*n*observations:(i+1)*n*observations], track.Value)
	copy(track.NextValue, track.Value[1:])

	// The last state needs a value as well, and so does each final observation of a truncated
	// episode: one more pass for all of them.
	e := r.envs[i]
	var last final
	e.observe(last.seen[:])
	last.step = n - 1
	ends := append([]final{last}, e.finals...) // a truncation in the last step wins
	seen, value := make([]float64, 0, len(ends)*observations), make([]float64, len(ends))
	for _, f := range ends {
		seen = append(seen, f.seen[:]...)
	}

	values(critic, a.critic, seen, value)
	for j, f := range ends {
		track.NextValue[f.step] = value[j]
	}
}

// values computes a network's only output for any number of rows of inputs.
func values(n *mlp.Net[float64], t *mlp.Tape[float64], inputs, out []float64) {
	in, rows := n.Layers[0].In, len(t.Output())
	for len(out) > 0 {
		k := min(rows, len(out))
		copy(t.Input(), inputs[:k*in])
		n.Forward(t, k)
		copy(out, t.Output()[:k])
		inputs, out = inputs[k*in:], out[k:]
	}
}
