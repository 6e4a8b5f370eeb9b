package baseline

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	learner "etch/designs/learner/model"
	"etch/designs/mlp"
	"etch/designs/rl/loop"
)

// wide is a format so fine that the model rounds next to nothing.
func wide() learner.Formats {
	f := learner.Wide()
	f.Weight.Width, f.Weight.Frac = 26, 21
	f.Activation.Width, f.Activation.Frac = 24, 16
	f.Gradient.Width, f.Gradient.Frac = 24, 18
	return f
}

// twin is a network of the model in floats.
func twin[F mlp.Float](n *learner.Net, f learner.Formats) *mlp.Net[F] {
	x := mlp.New[F](mlp.ReLU, 0, n.Sizes()...)
	for i, l := range n.Layers {
		for k, w := range l.W {
			x.Layers[i].Weight[k] = F(f.Weight.Float(w))
		}
		for k, b := range l.B {
			x.Layers[i].Bias[k] = F(f.Weight.Float(b))
		}
	}
	return x
}

// batches are random samples in both forms.
func batch(r *rand.Rand, n, observation, actions, amounts int, f learner.Formats) (a []learner.Sample, b []Sample) {
	raw := func(x *[]int64, y *[]float64, n int, scale float64) {
		for range n {
			v := f.Activation.Raw((2*r.Float64() - 1) * scale)
			*x, *y = append(*x, v), append(*y, f.Activation.Float(v))
		}
	}
	for range n {
		var s learner.Sample
		t := &loop.Transition{}
		raw(&s.State, &t.State, observation, 1)
		raw(&s.Next, &t.Next, observation, 1)
		raw(&s.Actions, &t.Action.Amounts, amounts, 1)
		if actions > 0 {
			s.Action = r.IntN(actions)
			t.Action.Number = s.Action
		}
		reward := f.Activation.Raw(3 * r.NormFloat64())
		s.Reward, t.Reward = reward, f.Activation.Float(reward)
		s.Discount = []int64{0, 64881}[r.IntN(2)]
		t.Discount = float64(s.Discount) / learner.One
		s.Weight = int64(r.IntN(learner.One + 1))
		a, b = append(a, s), append(b, Sample{t, float64(s.Weight) / learner.One})
	}
	return a, b
}

// near compares the weights of a network of the model with floats.
func near[F mlp.Float](t *testing.T, want *learner.Net, f learner.Formats, got *mlp.Net[F]) {
	t.Helper()
	for i, l := range want.Layers {
		for k, w := range l.W {
			require.InDelta(t, f.Weight.Float(w), float64(got.Layers[i].Weight[k]), 3e-5, "layer %d, weight %d", i, k)
		}
		for k, b := range l.B {
			require.InDelta(t, f.Weight.Float(b), float64(got.Layers[i].Bias[k]), 3e-5, "layer %d, bias %d", i, k)
		}
	}
}

// TestDQNIsTheModelsStep: steps of the bit-exact model in a fine format and of the floats
// end within rounding of each other, with hard and soft targets and in Double DQN.
func TestDQNIsTheModelsStep(t *testing.T) {
	for _, c := range []learner.DQNConfig{
		{Sizes: []int{4, 16, 2}, Step: learner.Step{Formats: wide(), Batch: 8, Clip: 1}, Rate: 4},
		{Sizes: []int{3, 9, 7, 3}, Step: learner.Step{Formats: wide(), Batch: 4, Clip: 2, Tau: 6554}, Rate: 3, Double: true},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		n := learner.NewNet(c.Sizes...)
		n.Init(r, c.Weights())
		m, err := learner.NewDQN(c, n)
		require.NoError(t, err)
		a, b := NewDQN(c, twin[float64](n, c.Formats)), NewDQN(c, twin[float32](n, c.Formats))
		for step := range 12 {
			raw, floats := batch(r, c.Batch, c.Sizes[0], c.Sizes[len(c.Sizes)-1], 0, c.Formats)
			losses, err := m.Learn(raw)
			require.NoError(t, err)
			errors := a.Learn(floats)
			b.Learn(floats)
			for k, l := range losses {
				require.InDelta(t, math.Abs(math.Ldexp(float64(l.Delta), -c.Activation.Frac-learner.Unit)), errors[k], 1e-3)
			}
			if c.Tau == 0 && step%5 == 4 {
				m.Synchronise()
				a.Synchronise()
				b.Synchronise()
			}
		}
		near(t, m.Online, c.Formats, a.Online)
		near(t, m.Target.View, c.Formats, a.Target)
		near(t, m.Online, c.Formats, b.Online)
		_, want := m.Act([]int64{5, -70, 900, -20}[:c.Sizes[0]])
		f := c.Activation
		require.Equal(t, want, a.Act([]float64{f.Float(5), f.Float(-70), f.Float(900), f.Float(-20)}[:c.Sizes[0]]))
	}
}

// TestDDPGIsTheModelsStep: the same of actor and critic. The model's tanh is a table of
// segments within 2^-10, so more is allowed.
func TestDDPGIsTheModelsStep(t *testing.T) {
	c := learner.DDPGConfig{
		Observation: 3, Actions: 2, ActorHidden: []int{8}, CriticHidden: []int{12},
		Step: learner.Step{Formats: wide(), Batch: 8, Clip: 4, Tau: 3277}, ActorRate: 3, CriticRate: 3,
	}
	r := rand.New(rand.NewPCG(2, 2))
	actor, critic := learner.NewNet(c.ActorSizes()...), learner.NewNet(c.CriticSizes()...)
	actor.Init(r, c.Weights())
	critic.Init(r, c.Weights())
	m, err := learner.NewDDPG(c, actor, critic)
	require.NoError(t, err)
	d := NewDDPG(c, twin[float64](actor, c.Formats), twin[float64](critic, c.Formats))
	for range 10 {
		raw, floats := batch(r, c.Batch, c.Observation, 0, c.Actions, c.Formats)
		_, err := m.Learn(raw)
		require.NoError(t, err)
		d.Learn(floats)
	}
	for _, x := range []struct {
		want *learner.Net
		got  *mlp.Net[float64]
	}{{m.Actor, d.Actor}, {m.Critic, d.Critic}, {m.ActorTarget.View, d.ActorTarget}, {m.CriticTarget.View, d.CriticTarget}} {
		for i, l := range x.want.Layers {
			for k, w := range l.W {
				require.InDelta(t, c.Weight.Float(w), x.got.Layers[i].Weight[k], 1e-3)
			}
		}
	}
	require.Greater(t, math.Abs(d.Actor.Params[0]-twin[float64](actor, c.Formats).Params[0]), 1e-3, "the actor moved")
	state := []int64{100, -3000, 500}
	f := c.Activation
	for i, a := range m.Act(state) {
		require.InDelta(t, f.Float(a), d.Act([]float64{f.Float(100), f.Float(-3000), f.Float(500)})[i], 2e-3)
	}
}

// TestMemory: draws follow the priorities, weights and sums are those of the formulas, and
// the oldest transition goes first.
func TestMemory(t *testing.T) {
	m := NewMemory(MemoryConfig{Capacity: 5, Alpha: 0.5, Beta: 0.4, Epsilon: 0.01, Plain: true, Seed: 3})
	require.ErrorContains(t, m.Step(1, nil), "empty")
	for i := range 7 {
		m.Insert(loop.Transition{Reward: float64(i)})
	}
	require.Equal(t, []float64{5, 6, 2, 3, 4}, []float64{m.data[0].Reward, m.data[1].Reward, m.data[2].Reward, m.data[3].Reward, m.data[4].Reward})

	// Errors of 0, 1, 4, 9 and 16 by slot give priorities of about 0.1, 1, 2, 3 and 4.
	for range 30 {
		require.NoError(t, m.Step(8, func(batch []Sample) []float64 {
			errors := make([]float64, len(batch))
			for k, s := range batch {
				slot := (int(s.Reward) + 5) % 5
				errors[k] = float64(slot * slot)
			}
			return errors
		}))
	}
	total := 0.0
	for slot := range 5 {
		want := math.Pow(float64(slot*slot)+0.01, 0.5)
		require.InDelta(t, want, m.sum[m.leaves+slot], 1e-12)
		total += want
	}
	require.InDelta(t, total, m.sum[1], 1e-12)
	counts := make([]float64, 5)
	const n = 200_000
	slots, samples := m.draw(n)
	for k, slot := range slots {
		counts[slot]++
		require.InDelta(t, math.Pow(m.sum[m.leaves]/m.sum[m.leaves+slot], 0.4), samples[k].Weight, 1e-12)
	}
	for slot, c := range counts {
		p := m.sum[m.leaves+slot] / total
		require.InDelta(t, p*n, c, 5*math.Sqrt(n*p*(1-p)), "slot %d", slot)
	}

	// In strata, equal priorities give every slot its share exactly.
	even := NewMemory(MemoryConfig{Capacity: 8, Seed: 4})
	for range 8 {
		even.Insert(loop.Transition{})
	}
	slots, samples = even.draw(16)
	for k, slot := range slots {
		require.Equal(t, k/2, slot)
		require.Equal(t, 1.0, samples[k].Weight)
	}
}

// TestMemoryState: a memory that is restored goes on with the same draws; states that are
// none are refused.
func TestMemoryState(t *testing.T) {
	c := MemoryConfig{Capacity: 6, Alpha: 0.6, Beta: 0.4, Epsilon: 0.01, Seed: 5}
	m, again := NewMemory(c), NewMemory(c)
	for i := range 9 {
		m.Insert(loop.Transition{Reward: float64(i)})
	}
	learn := func(batch []Sample) (errors []float64) {
		for _, s := range batch {
			errors = append(errors, s.Reward)
		}
		return errors
	}
	require.NoError(t, m.Step(4, learn))
	s, err := m.State()
	require.NoError(t, err)
	require.NoError(t, again.Restore(s))
	a, _ := m.draw(20)
	b, _ := again.draw(20)
	require.Equal(t, a, b)
	for _, spoil := range []func(*MemoryState){
		func(s *MemoryState) { s.Head = 6 },
		func(s *MemoryState) { s.Priorities = s.Priorities[1:] },
		func(s *MemoryState) { s.Priorities = append([]float64{math.NaN()}, s.Priorities[1:]...) },
		func(s *MemoryState) { s.Transitions, s.Priorities = s.Transitions[:2], s.Priorities[:2]; s.Head = 3 },
		func(s *MemoryState) { s.Random = nil },
	} {
		bad := s
		spoil(&bad)
		require.Error(t, NewMemory(c).Restore(bad))
	}
}

// TestDiverged: a TD error that is no number ends the run.
func TestDiverged(t *testing.T) {
	m := NewMemory(MemoryConfig{Capacity: 2, Alpha: 0.6, Seed: 1})
	m.Insert(loop.Transition{})
	require.ErrorContains(t, m.Step(1, func([]Sample) []float64 { return []float64{math.NaN()} }), "diverged")
}
