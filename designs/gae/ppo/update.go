package ppo

import (
	"math/rand/v2"
	"time"

	"etch/designs/mlp"
)

// update is the learning on a rollout. The networks share nothing but the order of
// the samples, so each worker takes one.
type update struct {
	cfg    *Config
	order  [][]int // of the samples, in every epoch
	actor  *learner
	critic *learner
	worth  []float64 // a minibatch's advantages
	policy Divergence
	value  float64 // mean loss of the critic
}

// Divergence is how far an update took the policy, as a mean over its minibatches.
type Divergence struct {
	KL      float64 `json:"kl"`      // estimated, old to new, nats
	Clipped float64 `json:"clipped"` // share of steps whose ratio was beyond the clip
}

// adamEpsilon is CleanRL's; PyTorch's own default is 1e-8.
const adamEpsilon = 1e-5

// learner is a network and the state of its training.
type learner struct {
	*mlp.Net[float64]
	tape  *mlp.Tape[float64]
	adam  *mlp.Adam[float64]
	times Times
}

func newLearner(n *mlp.Net[float64], rows int) *learner {
	return &learner{Net: n, tape: mlp.NewTape(n, rows), adam: mlp.NewAdam[float64](len(n.Params), adamEpsilon)}
}

func newUpdate(c *Config, actor, critic *mlp.Net[float64]) *update {
	rows := min(c.Minibatch, c.Envs*c.Horizon)
	return &update{cfg: c, worth: make([]float64, rows), actor: newLearner(actor, rows), critic: newLearner(critic, rows)}
}

// shuffle draws the order of the samples.
func (u *update) shuffle(r *rand.Rand, samples int) {
	u.order = u.order[:0]
	for range u.cfg.Epochs {
		u.order = append(u.order, r.Perm(samples))
	}
}

// learn does all epochs; rate is the factor on the learning rates.
func (u *update) learn(r *rollout, rate float64) {
	// The two networks share nothing: one worker each.
	both(func(worker int) {
		if worker == 0 {
			u.policy = Divergence{}
			n := u.minibatches(func(at []int) { u.actorStep(r, at, rate*u.cfg.ActorRate) })
			u.policy.KL /= float64(n)
			u.policy.Clipped /= float64(n)
			return
		}

		u.value = 0
		n := u.minibatches(func(at []int) { u.criticStep(r, at, rate*u.cfg.CriticRate) })
		u.value /= float64(n)
	})
}

// minibatches calls step for every minibatch of every epoch and counts them.
func (u *update) minibatches(step func(at []int)) (n int) {
	for _, order := range u.order {
		for len(order) > 0 {
			// The last one of an epoch may be smaller.
			size := min(u.cfg.Minibatch, len(order))
			step(order[:size])
			order = order[size:]
			n++
		}
	}
	return n
}

// load runs the samples through the network.
func (l *learner) load(r *rollout, at []int) {
	in := l.tape.Input()
	for i, s := range at {
		copy(in[i*observations:(i+1)*observations], r.seen[s*observations:])
	}
	l.Forward(l.tape, len(at))
}

// descend turns the derivatives by the outputs into a step of Adam.
func (l *learner) descend(rows int, rate, limit float64) {
	l.Backward(l.tape, rows)
	mlp.LimitNorm(l.tape.Grads, limit)
	l.adam.Step(rate, l.Params, l.tape.Grads)
}

func (u *update) actorStep(r *rollout, at []int, rate float64) {
	begin := time.Now()
	d := u.actorLoss(r, at)
	middle := time.Now()
	u.actor.descend(len(at), rate, u.cfg.MaxNorm)
	u.policy.KL += d.KL
	u.policy.Clipped += d.Clipped
	u.actor.times.Loss += middle.Sub(begin)
	u.actor.times.Backward += time.Since(middle)
}

// actorLoss leaves the derivatives of the minibatch's mean loss by the means in the
// tape, and that by the log deviation among the gradients.
func (u *update) actorLoss(r *rollout, at []int) (d Divergence) {
	l, n := u.actor, float64(len(at))

	l.load(r, at)
	worth := u.worth[:len(at)]
	standardise(worth, r.worth, at, u.cfg.StandardiseAdvantages)
	o, logDev := objective{u.cfg.Clip}, l.Free()[0]
	byScale := 0.0

	for i, s := range at {
		x := o.step(r.action[s], r.density[s], worth[i], l.tape.Output()[i], logDev)
		l.tape.OutputErr()[i] = x.byMean / n
		byScale += x.byScale / n
		// Schulman's estimate of the divergence, r − 1 − log r, is never negative.
		d.KL += (x.ratio - 1 - x.logRatio) / n
		if x.ratio < 1-u.cfg.Clip || x.ratio > 1+u.cfg.Clip {
			d.Clipped += 1 / n
		}
	}

	grads := l.tape.Grads
	grads[len(grads)-1] = byScale - u.cfg.Entropy // the log deviation is the last parameter
	return d
}

func (u *update) criticStep(r *rollout, at []int, rate float64) {
	begin := time.Now()
	u.value += u.criticLoss(r, at)
	middle := time.Now()
	u.critic.descend(len(at), rate, u.cfg.MaxNorm)
	u.critic.times.Loss += middle.Sub(begin)
	u.critic.times.Backward += time.Since(middle)
}

// criticLoss leaves the derivatives of the minibatch's mean of ½(V − return)² in the
// tape and returns that mean.
func (u *update) criticLoss(r *rollout, at []int) (loss float64) {
	l, n := u.critic, float64(len(at))
	l.load(r, at)
	for i, s := range at {
		e := l.tape.Output()[i] - r.target[s]
		l.tape.OutputErr()[i] = e / n
		loss += 0.5 * float64(e*e) / n
	}
	return loss
}
