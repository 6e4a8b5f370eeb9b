package ppo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"etch/designs/mlp"
	"etch/designs/pendulum"
)

// Streams of random numbers, each seeded with Config.Seed and its own constant; that
// of environment i is envStream + i.
const (
	initStream  = 0x696e6974
	orderStream = 0x6f72646572
	envStream   = 0x656e7600000000
)

// Trainer is a training run. It is for one goroutine at a time.
type Trainer struct {
	cfg       Config
	estimator Estimator
	actor     *mlp.Net[float64] // its free parameter is the logarithm of the deviation
	critic    *mlp.Net[float64]
	rollout   *rollout
	update    *update
	scaler    *rewardScaler // nil if rewards are not normalised
	order     *rand.Rand

	curve    Curve
	recent   []float64 // returns of the last episodes, oldest first
	episodes int
	times    Times
	counters Counters
}

// New prepares a run. Without an estimator, advantages are estimated in float64 by
// the configuration's γ, λ and convention; an estimator has its own. It fails where
// c.Validate does.
func New(c Config, estimator Estimator) (*Trainer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	c.Hidden = slices.Clone(c.Hidden)
	if estimator == nil {
		estimator = Float{c.Convention, c.Gamma, c.Lambda}
	}

	// Each use of random numbers has a stream of its own: the order of use in one does not move
	// another.
	t := &Trainer{cfg: c, estimator: estimator, order: rand.New(rand.NewPCG(c.Seed, orderStream))}
	r := rand.New(rand.NewPCG(c.Seed, initStream))
	sizes := func(out int) []int { return append(append([]int{observations}, c.Hidden...), out) }

	// The gains of public trainers: a small one for the policy's last layer, so that it starts
	// near zero.
	t.actor = mlp.New[float64](mlp.Tangent, 1, sizes(actions)...)
	t.actor.Orthogonal(r, 0.01)
	t.actor.Free()[0] = c.LogDeviation
	t.critic = mlp.New[float64](mlp.Tangent, 0, sizes(1)...)
	t.critic.Orthogonal(r, 1)

	t.rollout = newRollout(&t.cfg, t.actor, t.critic)
	t.update = newUpdate(&t.cfg, t.actor, t.critic)
	if c.NormaliseRewards {
		t.scaler = newRewardScaler(c.Envs, c.Gamma)
	}
	return t, nil
}

// Config returns the configuration that the run was started with.
func (t *Trainer) Config() Config { return t.cfg }

// Curve is the learning curve so far.
func (t *Trainer) Curve() Curve { return slices.Clone(t.curve) }

// Times is where the time of the iterations so far went.
func (t *Trainer) Times() Times { return t.times }

// Counters adds up the estimator's counts so far.
func (t *Trainer) Counters() Counters { return t.counters }

// Done reports whether all iterations have been made.
func (t *Trainer) Done() bool { return len(t.curve) >= t.cfg.Iterations }

// Run makes the iterations that are left, or as many as ctx lets it; then it returns
// ctx's error. progress, which may be nil, is called after each.
func (t *Trainer) Run(ctx context.Context, progress func(Progress)) error {
	for !t.Done() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.Iterate(); err != nil {
			return err
		}
		if progress != nil {
			progress(t.Progress())
		}
	}
	return nil
}

// Progress is the state of the run.
func (t *Trainer) Progress() Progress {
	p := Progress{Iterations: t.cfg.Iterations, Times: t.times, Counters: t.counters, Elapsed: t.times.Total()}
	if len(t.curve) > 0 {
		p.Point = t.curve[len(t.curve)-1]
	}
	return p
}

// Iterate makes one iteration: a rollout, the estimation, an update. It fails if the
// estimator does or the networks have diverged.
func (t *Trainer) Iterate() error {
	begin := time.Now()

	// The three phases of an iteration, timed apart.
	both(func(worker int) { t.rollout.collect(worker, t.actor, t.critic, t.cfg.RewardScale) })
	if t.scaler != nil {
		t.scaler.apply(t.rollout)
	}

	collected := time.Now()
	counters, err := t.estimator.Estimate(t.rollout.tracks, t.rollout.outcome)
	if err != nil {
		return fmt.Errorf("ppo: iteration %d: %w", len(t.curve)+1, err)
	}

	estimated := time.Now()
	t.update.shuffle(t.order, len(t.rollout.action))
	t.update.learn(t.rollout, t.decay())
	t.account(collected.Sub(begin), estimated.Sub(collected), time.Since(estimated))
	t.counters.Add(counters)
	t.record()

	if !finite(t.actor.Params) || !finite(t.critic.Params) {
		return fmt.Errorf("ppo: the networks diverged by iteration %d: lower actor_rate or critic_rate", len(t.curve))
	}
	return nil
}

// decay is the factor on the learning rates in the coming update.
func (t *Trainer) decay() float64 {
	if !t.cfg.DecayRates || t.Done() {
		return 1
	}
	return 1 - float64(len(t.curve))/float64(t.cfg.Iterations)
}

// account adds up times.
func (t *Trainer) account(rollout, gae, update time.Duration) {
	now := Times{Rollout: rollout, GAE: gae, Update: update}

	// Stopwatches start again with every iteration.
	for i := range t.rollout.accounts {
		now.Add(t.rollout.accounts[i].times)
		t.rollout.accounts[i].times = Times{}
	}
	for _, l := range []*learner{t.update.actor, t.update.critic} {
		now.Add(l.times)
		l.times = Times{}
	}
	t.times.Add(now)
}

// record adds a point to the curve.
func (t *Trainer) record() {
	p := Point{Iteration: len(t.curve) + 1, Divergence: t.update.policy, ValueLoss: t.update.value, Deviation: mlp.Exp(t.actor.Free()[0])}
	p.Steps = p.Iteration * len(t.rollout.action)
	for _, e := range t.rollout.envs {
		for _, r := range e.finished {
			p.Iterate += r
			p.Finished++
		}
		t.recent = append(t.recent, e.finished...)
	}

	// Returns are averaged over the last episodes, for a curve that can be read.
	t.episodes += p.Finished
	p.Iterate /= float64(max(1, p.Finished))
	t.recent = t.recent[max(0, len(t.recent)-recentEpisodes):]
	for _, r := range t.recent {
		p.Return += r
	}
	p.Return /= float64(max(1, len(t.recent)))
	p.Episodes = t.episodes
	t.curve = append(t.curve, p)
}

func finite(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// Policy is the trained policy of the task Pendulum without exploration, as it is now.
// It is for one goroutine at a time.
func (t *Trainer) Policy() pendulum.Policy {
	act := t.policy()
	var e environment
	return func(s pendulum.State) float64 {
		e.State = s
		return float64(pendulum.MaxTorque * act(&e))
	}
}

// policy is the action that the policy takes in an environment, without exploration.
func (t *Trainer) policy() func(e *environment) float64 {
	// A copy, so that training may go on meanwhile.
	n := t.actor.Clone()
	tape := mlp.NewTape(n, 1)
	return func(e *environment) float64 {
		e.observe(tape.Input())
		n.Forward(tape, 1)
		return tape.Output()[0]
	}
}
