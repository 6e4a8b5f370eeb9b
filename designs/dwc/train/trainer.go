package train

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"etch/designs/dwc/model"
	"etch/designs/pendulum"
)

// The pendulum's shape.
const (
	observationDims = 3
	actionDims      = 1
)

// Streams of random numbers, each seeded with Config.Seed and its own constant.
const (
	initStream     = 0x696e6974
	runStream      = 0x72756e
	validateStream = 0x76616c6964617465
)

// recentEpisodes is how many finished episodes Progress averages over.
const recentEpisodes = 10

// Progress is what a run tells of itself.
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
	env     pendulum.Env
	source  *rand.PCG // behind rng
	rng     *rand.Rand
	step    int // environment steps done

	episode float64          // return of the running episode
	recent  []float64        // returns of the last episodes, oldest first
	starts  []pendulum.State // of the validations
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
	t.cfg.Widths = append([]int(nil), c.Widths...)
	t.rng = rand.New(t.source)
	t.starts = validationStarts(&t.cfg)
	t.mem = replay{dims: observationDims, actions: actionDims}
	t.sac = newSAC(rand.New(rand.NewPCG(c.Seed, initStream)), observationDims, actionDims, &t.cfg)
	m, err := t.export(t.current())
	if err != nil {
		return nil, err
	}
	folded, err := m.Fold()
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	t.encoder = newEncoder(folded)
	t.actBlock = newBlock(observationDims, c.Bits, t.sac.policy.layers, actionDims)
	t.actNoise = newTape(t.sac.noise, 1)
	t.env.Reset(pendulum.RandomState(t.rng))
	return t, nil
}

// Config returns the run's configuration.
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
	t.step++
	if t.step > t.cfg.Warmup {
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
	var codes [2][observationDims]int16
	obs := t.env.State.Observe()
	t.encoder.observe(codes[0][:], obs[:])
	action := t.explore(codes[0][:])
	if math.IsNaN(action) {
		return fmt.Errorf("train: the networks diverged by step %d: lower actor_rate or critic_rate", t.step)
	}
	reward, over := t.env.Step(float64(pendulum.MaxTorque * action))
	obs = t.env.State.Observe()
	t.encoder.observe(codes[1][:], obs[:])
	t.mem.add(codes[0][:], codes[1][:], []float32{float32(action)}, float32(reward))
	t.episode += reward
	if over {
		if len(t.recent) == recentEpisodes {
			t.recent = append(t.recent[:0], t.recent[1:]...)
		}
		t.recent = append(t.recent, t.episode)
		t.episode = 0
		t.env.Reset(pendulum.RandomState(t.rng))
	}
	return nil
}

// explore draws an action in −1..1: uniform in the warm-up, then from the
// stochastic policy.
func (t *Trainer) explore(codes []int16) float64 {
	if t.step < t.cfg.Warmup {
		return uniform(t.rng)
	}
	t.actBlock.n = 1
	t.encoder.load(t.actBlock, 0, codes)
	t.sac.policy.forward(t.actBlock)
	t.encoder.normalise(t.actNoise.input(), codes)
	y := t.sac.policy.y[0][t.actBlock.counts[0][0]]
	if t.sac.slow != nil {
		return noisy(y, t.rng)
	}
	t.sac.noise.forward(t.actNoise)
	logDev, _ := logDeviation(float64(t.actNoise.output()[0]))
	return model.Tanh(y + float64(model.Exp(logDev)*normal(t.rng)))
}
