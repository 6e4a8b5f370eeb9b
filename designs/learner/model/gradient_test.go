package model_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/learner/model"
	"etch/hw/fixed"
)

// fine are formats whose rounding is far below what the tests compare.
var fine = model.Formats{
	Weight: fixed.Format{Width: 26, Frac: 20}, Activation: fixed.Format{Width: 26, Frac: 18}, Gradient: fixed.Format{Width: 26, Frac: 20}, Target: 8,
}

// floatNet is a network in float64, by the same words.
type floatNet struct{ *model.Net }

func (n floatNet) forward(f model.Formats, x []float64) []float64 {
	for k, l := range n.Layers {
		y := make([]float64, l.Out)
		for o := range y {
			y[o] = f.Weight.Float(l.B[o])
			for i, v := range x {
				y[o] += f.Weight.Float(l.W[o*l.In+i]) * v
			}
			if k+1 < len(n.Layers) {
				y[o] = math.Max(y[o], 0)
			}
		}
		x = y
	}
	return x
}

func floats(f model.Formats, raw []int64) []float64 {
	x := make([]float64, len(raw))
	for i, v := range raw {
		x[i] = f.Activation.Float(v)
	}
	return x
}

func randomRaw(r *rand.Rand, f fixed.Format, n int, scale float64) []int64 {
	x := make([]int64, n)
	for i := range x {
		x[i] = f.Raw((2*r.Float64() - 1) * scale)
	}
	return x
}

func randomNet(r *rand.Rand, f model.Formats, sizes ...int) *model.Net {
	n := model.NewNet(sizes...)
	n.Init(r, f.Weights())
	return n
}

// slope is the derivative of f by a word, by central differences of a 2^12th.
func slope(f fixed.Format, word *int64, value func() float64) float64 {
	step := int64(1) << (f.Frac - 12)
	was := *word
	*word = was + step
	up := value()
	*word = was - step
	down := value()
	*word = was
	return (up - down) / (2 * f.Float(step))
}

// TestDQNGradient: one step of a batch moves each weight by −rate times the derivative
// of the batch's mean of w·½δ² by that weight, found by differences in float64, with
// the target's value held.
func TestDQNGradient(t *testing.T) {
	for _, sizes := range [][]int{{4, 8, 2}, {3, 6, 5, 3}, {2, 2}, {1, 9, 4, 4, 2}} {
		for _, double := range []bool{false, true} {
			r := rand.New(rand.NewPCG(uint64(len(sizes)), 5))
			c := model.DQNConfig{Sizes: sizes, Step: model.Step{Formats: fine, Batch: 8, Clip: 8}, Rate: 0, Double: double}
			d, err := model.NewDQN(c, randomNet(r, fine, sizes...))
			require.NoError(t, err)
			batch := randomBatch(r, fine, 8, sizes[0], sizes[len(sizes)-1])
			before, target := d.Online.Clone(), d.Target.View.Clone()
			_, err = d.Learn(batch)
			require.NoError(t, err)

			loss := func(n *model.Net, y []float64) (sum float64) {
				for k, s := range batch {
					q := floatNet{n}.forward(fine, floats(fine, s.State))[s.Action]
					sum += float64(s.Weight) / model.One * (y[k] - q) * (y[k] - q) / 2
				}
				return sum / float64(len(batch))
			}
			y := targets(batch, before, target, double)
			compare(t, before, d.Online, func(word *int64) float64 {
				return -slope(fine.Weight, word, func() float64 { return loss(before, y) })
			})
		}
	}
}

// targets are the values that a batch's Q are to have, in float64.
func targets(batch []model.Sample, online, target *model.Net, double bool) []float64 {
	y := make([]float64, len(batch))
	for k, s := range batch {
		next := floatNet{target}.forward(fine, floats(fine, s.Next))
		choice := next
		if double {
			choice = floatNet{online}.forward(fine, floats(fine, s.Next))
		}
		best := 0
		for i := range choice {
			if choice[i] > choice[best] {
				best = i
			}
		}
		y[k] = fine.Activation.Float(s.Reward) + next[best]*float64(s.Discount)/model.One
	}
	return y
}

func randomBatch(r *rand.Rand, f model.Formats, n, in, out int) []model.Sample {
	batch := make([]model.Sample, n)
	for k := range batch {
		batch[k] = model.Sample{
			Transition: model.Transition{
				State: randomRaw(r, f.Activation, in, 1), Next: randomRaw(r, f.Activation, in, 1), Action: r.IntN(out),
				Reward: f.Activation.Raw(2*r.Float64() - 1), Discount: []int64{0, 64881, model.One}[r.IntN(3)],
			},
			Weight: r.Int64N(model.One + 1),
		}
	}
	return batch
}

// compare checks that each word moved by what want says, within 2^-9 of the largest
// move or so: the formats' rounding and the curvature within a difference.
func compare(t *testing.T, before, after *model.Net, want func(word *int64) float64) {
	t.Helper()
	was, is := before.Words(), after.Words()
	moved := 0
	for k := range was {
		for i := range was[k] {
			got := fine.Weight.Float(is[k][i] - was[k][i])
			w := want(&was[k][i])
			require.InDelta(t, w, got, 0.002+0.002*math.Abs(w), "words %d, %d", k, i)
			if math.Abs(w) > 0.01 {
				moved++
			}
		}
	}
	require.Greater(t, moved, 2, "nothing to compare")
}

// TestDDPGGradient: the critic moves against the derivative of its loss, the actor along
// that of Q(s, π(s)), both by the networks of before the step.
func TestDDPGGradient(t *testing.T) {
	for _, hidden := range [][]int{{7}, {6, 5}} {
		r := rand.New(rand.NewPCG(uint64(len(hidden)), 6))
		c := model.DDPGConfig{
			Observation: 3, Actions: 2, ActorHidden: hidden, CriticHidden: hidden,
			Step: model.Step{Formats: fine, Batch: 8, Clip: 8}, ActorRate: 0, CriticRate: 0,
		}
		d, err := model.NewDDPG(c, randomNet(r, fine, c.ActorSizes()...), randomNet(r, fine, c.CriticSizes()...))
		require.NoError(t, err)
		batch := randomBatch(r, fine, 8, 3, 1)
		for k := range batch {
			batch[k].Actions = randomRaw(r, fine.Activation, 2, 1)
		}
		actor, critic := d.Actor.Clone(), d.Critic.Clone()
		_, err = d.Learn(batch)
		require.NoError(t, err)

		act := func(n *model.Net, x []float64) []float64 {
			a := floatNet{n}.forward(fine, x)
			for i := range a {
				a[i] = math.Tanh(a[i])
			}
			return a
		}
		value := func(n *model.Net, x, a []float64) float64 {
			return floatNet{n}.forward(fine, append(append([]float64(nil), x...), a...))[0]
		}
		compare(t, critic, d.Critic, func(word *int64) float64 {
			fixedCritic := d.CriticTarget.View // no step has moved it
			return -slope(fine.Weight, word, func() (sum float64) {
				for _, s := range batch {
					next := floats(fine, s.Next)
					y := fine.Activation.Float(s.Reward) + float64(s.Discount)/model.One*value(fixedCritic, next, act(d.ActorTarget.View, next))
					q := value(critic, floats(fine, s.State), floats(fine, s.Actions))
					sum += float64(s.Weight) / model.One * (y - q) * (y - q) / 2
				}
				return sum / float64(len(batch))
			})
		})
		compare(t, actor, d.Actor, func(word *int64) float64 {
			return slope(fine.Weight, word, func() (sum float64) {
				for _, s := range batch {
					x := floats(fine, s.State)
					sum += value(critic, x, act(actor, x))
				}
				return sum / float64(len(batch))
			})
		})
	}
}
