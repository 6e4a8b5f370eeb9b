package train

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"etch/designs/dwc/model"
)

// actionDims is the number of actions of all tasks.
const actionDims = 1

// Streams of random numbers, each seeded with Config.Seed and its own constant.
const (
	initStream     = 0x696e6974
	runStream      = 0x72756e
	validateStream = 0x76616c6964617465
)

// recentEpisodes is how many finished episodes Progress averages over.
const recentEpisodes = 10

// Progress is the report of a run on itself.
type Progress struct {
	Step, Steps int
	// Return is the mean return of the last ten finished training episodes,
	// 0 before the first has finished.
	Return float64
	// Best is the best validation return so far, and BestStep its step; 0
	// before the first validation.
	Best     float64
	BestStep int
	// Temperature is SAC's α.
	Temperature float64
	// Elapsed is the time that Run has taken, over all its calls in this
	// process.
	Elapsed time.Duration
}

// Trainer is a training run. It is for one goroutine at a time.
type Trainer struct {
	cfg     Config
	encoder *encoder
	sac     *sac
	mem     replay
	env     environment
	task    *task
	ppo     *ppo      // nil unless PPO learns
	noise   float64   // the last draw of correlated exploration
	source  *rand.PCG // behind rng
	rng     *rand.Rand
	step    int // environment steps done

	episode float64       // return of the running episode
	recent  []float64     // returns of the last episodes, oldest first
	starts  []environment // of the validations, each at its start
	best    snapshot

	actBlock *block
	actNoise *tape
	elapsed  time.Duration
}

// New prepares a run. It fails where c.Validate does.
func New(c Config) (*Trainer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}

	t := &Trainer{cfg: c, source: rand.NewPCG(c.Seed, runStream)}

	// The caller may change its slice later.
	t.cfg.Widths = append([]int(nil), c.Widths...)
	t.rng = rand.New(t.source)
	t.task, _ = c.Task.find() // Validate has
	t.starts = validationStarts(t.task, &t.cfg)

	// Networks have random numbers of their own: the run's stream starts at the environment.
	dims := len(t.task.dims)
	t.mem = replay{dims: dims, actions: actionDims, marked: t.cfg.Algorithm == PPO || t.task != tasks[Pendulum]}
	r := rand.New(rand.NewPCG(c.Seed, initStream))
	t.sac = newSAC(r, dims, actionDims, &t.cfg)
	if c.Algorithm == PPO {
		t.ppo = newPPO(r, dims, &t.cfg)
	}

	// Exporting once finds a configuration that could not be exported before hours are spent, and
	// gives the folded thresholds.
	m, err := t.export(t.current())
	if err != nil {
		return nil, err
	}
	folded, err := m.Fold()
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	t.encoder = newEncoder(folded)

	// The trainer acts on one observation at a time: one lane, one row.
	t.actBlock = newBlock(dims, c.Bits, t.sac.policy.layers, actionDims)
	t.actNoise = newTape(t.sac.noise, 1)
	t.env = t.task.begin()
	t.env.reset(t.rng)
	return t, nil
}

// Config returns the configuration that the run was started or resumed with.
func (t *Trainer) Config() Config { return t.cfg }

// Done reports whether all steps have been taken.
func (t *Trainer) Done() bool { return t.step >= t.cfg.Steps }

// Run trains until all steps are taken or ctx ends; then it returns ctx's
// error, and the trainer stands between two steps, fit to be saved or run on.
// progress, which may be nil, is called every 100 steps and after the last.
func (t *Trainer) Run(ctx context.Context, progress func(Progress)) error {
	c := newCrew()
	defer c.stop()

	start, before := time.Now(), t.elapsed
	for !t.Done() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.advance(c); err != nil {
			return err
		}
		t.elapsed = before + time.Since(start)
		if progress != nil && (t.step%100 == 0 || t.Done()) {
			progress(t.Progress())
		}
	}
	return nil
}

// Progress returns the state of the run.
func (t *Trainer) Progress() Progress {
	p := Progress{
		Step: t.step, Steps: t.cfg.Steps,
		Temperature: t.sac.temperature(), Elapsed: t.elapsed,
	}
	if t.best.step > 0 {
		p.Best, p.BestStep = t.best.score, t.best.step
	}
	for _, r := range t.recent {
		p.Return += r / float64(len(t.recent))
	}
	return p
}

// advance takes one environment step, one update, and a validation when due.
func (t *Trainer) advance(c *crew) error {
	if err := t.interact(); err != nil {
		return err
	}

	// PPO learns once a horizon and forgets it; the others learn every step, the actor every
	// other.
	t.step++
	if t.ppo != nil {
		if t.mem.len() == t.cfg.Horizon {
			t.ppo.learn(c, t.rng, t.encoder, &t.mem, t.sac, t.decay())
			t.mem.clear()
		}
	} else if t.step > t.cfg.Warmup {
		t.sac.update(c, t.rng, t.encoder, &t.mem, t.step%2 == 1, t.decay())
	}

	every := t.cfg.ValidateEvery
	if every > 0 && t.step > t.cfg.Warmup && (t.step%every == 0 || t.Done()) {
		t.validate(c)
	}
	return nil
}

// decay returns the factor on the learning rates at the current step.
func (t *Trainer) decay() float64 {
	done := float64(t.step) / float64(t.cfg.Steps)
	if done <= t.cfg.DecayFrom {
		return 1
	}
	return (1 - done) / (1 - t.cfg.DecayFrom)
}

// interact takes one step in the environment and remembers it.
func (t *Trainer) interact() error {
	dims := len(t.task.dims)

	obs, before, after := make([]float64, dims), make([]int16, dims), make([]int16, dims)
	t.env.observe(obs)
	t.encoder.observe(before, obs)
	action := t.explore(before)
	if math.IsNaN(action) {
		return fmt.Errorf("train: the networks diverged by step %d: lower actor_rate or critic_rate", t.step)
	}

	// The observation after is in the same buffer: before was coded already.
	reward, goal, late := t.env.step(action)
	t.env.observe(obs)
	t.encoder.observe(after, obs)
	end := int16(0)
	switch {
	case goal:
		end = terminated
	case late:
		end = truncated
	}

	t.mem.add(before, after, []float32{float32(action)}, float32(reward), end)
	t.episode += reward

	if end != 0 {
		if len(t.recent) == recentEpisodes {
			t.recent = append(t.recent[:0], t.recent[1:]...)
		}
		t.recent = append(t.recent, t.episode)
		t.episode = 0
		t.env.reset(t.rng)
	}
	return nil
}

// explore draws an action in −1..1: uniform in the warm-up, then from the
// stochastic policy.
func (t *Trainer) explore(codes []int16) float64 {
	if t.step < t.cfg.Warmup && t.ppo == nil {
		if t.cfg.Correlation > 0 {
			return max(-1, min(1, t.draw()))
		}
		return uniform(t.rng)
	}

	t.actBlock.n = 1
	t.encoder.load(t.actBlock, 0, codes)
	t.sac.policy.forward(t.actBlock)
	t.encoder.normalise(t.actNoise.input(), codes)

	y := t.sac.policy.y[0][t.actBlock.counts[0][0]]
	switch {
	case t.ppo != nil:
		// The densities at the end of the rollout need the noise before each action.
		t.ppo.before[t.mem.len()] = t.noise
		return y + float64(t.ppo.deviation()*t.draw())
	case t.sac.slow != nil:
		return t.cfg.noisy(y, t.draw())
	}

	// SAC's deviation is the noise net's for this observation.
	t.sac.noise.forward(t.actNoise)
	logDev, _ := logDeviation(float64(t.actNoise.output()[0]))
	return model.Tanh(y + float64(model.Exp(logDev)*t.draw()))
}

// draw is a number of the standard normal distribution, correlated with the last one if the
// configuration says so.
func (t *Trainer) draw() float64 {
	if t.cfg.Correlation == 0 {
		return normal(t.rng)
	}
	rho := t.cfg.Correlation
	t.noise = float64(rho*t.noise) + float64(t.cfg.fresh()*normal(t.rng))
	return t.noise
}

// remembered is the number of transitions in the memory after so many steps: PPO forgets
// those that it has learned from.
func (t *Trainer) remembered() int {
	if t.ppo != nil {
		return t.step % t.cfg.Horizon
	}
	return t.step
}
