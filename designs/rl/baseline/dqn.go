package baseline

import (
	"math"

	learner "etch/designs/learner/model"
	"etch/designs/mlp"
)

// DQN is a learner of values of actions (Mnih et al. 2015).
type DQN[F mlp.Float] struct {
	Online, Target *mlp.Net[F]

	c         learner.DQNConfig
	now, next *mlp.Tape[F]
	act       *mlp.Tape[F]
	best      []float64 // value of the state that follows, by sample
}

// NewDQN makes a learner whose networks are copies of one of c.Sizes.
func NewDQN[F mlp.Float](c learner.DQNConfig, first *mlp.Net[F]) *DQN[F] {
	return &DQN[F]{
		Online: first.Clone(), Target: first.Clone(), c: c,
		now: mlp.NewTape(first, c.Batch), next: mlp.NewTape(first, c.Batch), act: mlp.NewTape(first, 1),
		best: make([]float64, c.Batch),
	}
}

// fill writes the k-th row of a tape's input: numbers side by side.
func fill[F mlp.Float](row []F, parts ...[]float64) {
	for _, part := range parts {
		for i, x := range part {
			row[i] = F(x)
		}
		row = row[len(part):]
	}
}

// argmax is the index of the greatest number, the lowest index among equals.
func argmax[F mlp.Float](xs []F) int {
	best := 0
	for i, x := range xs {
		if x > xs[best] {
			best = i
		}
	}
	return best
}

// Act is the action of the greatest value.
func (d *DQN[F]) Act(observation []float64) int {
	fill(d.act.Input(), observation)
	d.Online.Forward(d.act, 1)
	return argmax(d.act.Output())
}

// Synchronise copies the online network to the target.
func (d *DQN[F]) Synchronise() { copy(d.Target.Params, d.Online.Params) }

// Learn is a gradient step on a batch of c.Batch samples. It returns their absolute TD
// errors by the weights before it.
func (d *DQN[F]) Learn(batch []Sample) []float64 {
	in, out := d.c.Sizes[0], d.c.Sizes[len(d.c.Sizes)-1]
	d.value(batch, in, out)

	// The gradient of w·½δ² by the value of the action taken, δ clipped; the others have none.
	for k, s := range batch {
		fill(d.now.Input()[k*in:], s.State)
	}
	d.Online.Forward(d.now, len(batch))

	errors := make([]float64, len(batch))
	clear(d.now.OutputErr())
	for k, s := range batch {
		at := k*out + s.Action.Number
		delta := s.Reward + float64(s.Discount*d.best[k]) - float64(d.now.Output()[at])
		errors[k] = math.Abs(delta)
		d.now.OutputErr()[at] = F(-clipped(delta, d.c.Clip) * s.Weight)
	}

	d.Online.Backward(d.now, len(batch))
	mlp.Descend(d.Online.Params, d.now.Grads, rate[F](d.c.Rate, len(batch)))

	if d.c.Tau > 0 {
		d.Target.Follow(d.Online, tau[F](d.c.Tau))
	}
	return errors
}

// value fills best with the value of each following state by the target network: of its
// best action, or in Double DQN (van Hasselt et al. 2016) of the action that the online
// network picks.
func (d *DQN[F]) value(batch []Sample, in, out int) {
	for k, s := range batch {
		fill(d.next.Input()[k*in:], s.Next)
	}

	// Both networks share one tape: the picks are taken before the target overwrites it.
	picks := make([]int, len(batch))
	if d.c.Double {
		d.Online.Forward(d.next, len(batch))
		for k := range picks {
			picks[k] = argmax(d.next.Output()[k*out : (k+1)*out])
		}
	}

	d.Target.Forward(d.next, len(batch))
	for k := range batch {
		values := d.next.Output()[k*out : (k+1)*out]
		if !d.c.Double {
			picks[k] = argmax(values)
		}
		d.best[k] = float64(values[picks[k]])
	}
}

func clipped(x, bound float64) float64 { return max(-bound, min(bound, x)) }

// rate is the factor on a sum of gradients: 2^-k of their mean.
func rate[F mlp.Float](k, batch int) F { return F(math.Ldexp(1, -k) / float64(batch)) }

// tau is the rate of soft targets.
func tau[F mlp.Float](t int64) F { return F(float64(t) / learner.One) }
