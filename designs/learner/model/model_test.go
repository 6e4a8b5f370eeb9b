package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/learner/model"
	"etch/hw/fixed"
)

// TestOrder: the order of a batch's samples changes no bit, as sums are exact.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	c := model.DQN4x64x2()
	net := randomNet(r, c.Formats, c.Sizes...)
	batch := randomBatch(r, c.Formats, c.Batch, 4, 2)
	a, err := model.NewDQN(c, net)
	require.NoError(t, err)
	b, err := model.NewDQN(c, net)
	require.NoError(t, err)
	_, err = a.Learn(batch)
	require.NoError(t, err)
	r.Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
	_, err = b.Learn(batch)
	require.NoError(t, err)
	require.Equal(t, a.Online.Words(), b.Online.Words())
	require.NotEqual(t, net.Words(), a.Online.Words())
}

// TestForward: values of the default formats are those of float64 within the rounding
// of each activation, carried through the weights behind it.
func TestForward(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	c := model.DQN4x64x2()
	net := randomNet(r, c.Formats, c.Sizes...)
	d, err := model.NewDQN(c, net)
	require.NoError(t, err)
	bound := math.Ldexp(0.5, -c.Activation.Frac)
	for _, w := range net.Layers[1].W[:64] {
		bound += math.Abs(c.Weight.Float(w)) * math.Ldexp(0.5, -c.Activation.Frac)
	}
	for range 200 {
		x := randomRaw(r, c.Activation, 4, 4)
		got, best := d.Act(x)
		want := floatNet{net}.forward(c.Formats, floats(c.Formats, x))
		require.InDelta(t, want[0], c.Activation.Float(got[0]), bound)
		if math.Abs(want[0]-want[1]) > 4*bound {
			require.Equal(t, want[1] > want[0], best == 1)
		}
	}
	require.Zero(t, d.Saturated())
}

// TestTies: of equal values the lowest action is the best.
func TestTies(t *testing.T) {
	c := model.DQN4x64x2()
	d, err := model.NewDQN(c, model.NewNet(c.Sizes...))
	require.NoError(t, err)
	_, action := d.Act(make([]int64, 4))
	require.Zero(t, action)
}

// TestSaturation: what does not fit stops at the limit of its format and is counted by
// its kind; nothing wraps.
func TestSaturation(t *testing.T) {
	c := model.DQN4x64x2()
	net := model.NewNet(c.Sizes...)
	for _, words := range net.Words() {
		for i := range words {
			words[i] = 1<<17 - 1
		}
	}
	d, err := model.NewDQN(c, net)
	require.NoError(t, err)
	values, _ := d.Act([]int64{1<<17 - 1, 1<<17 - 1, 1<<17 - 1, 1<<17 - 1})
	require.Equal(t, []int64{1<<17 - 1, 1<<17 - 1}, values)
	require.Equal(t, model.Saturations{Activation: 66}, d.Saturated())

	// A TD error that asks for more: the weights stay at their limit.
	s := model.Sample{Transition: model.Transition{State: []int64{1024, 0, 0, 0}, Next: []int64{1 << 16, 1 << 16, 1 << 16, 1 << 16}, Reward: 1<<17 - 1, Discount: model.One}, Weight: model.One}
	s.State[0] = 1
	batch := make([]model.Sample, c.Batch)
	for i := range batch {
		batch[i] = s
	}
	_, err = d.Learn(batch)
	require.NoError(t, err)
	for _, words := range d.Online.Words() {
		for _, w := range words {
			require.True(t, w >= -1<<17 && w < 1<<17)
		}
	}
	require.NotZero(t, d.Saturated().Weight+d.Saturated().Gradient)
}

// TestTargets: a hard target is the online network of the last synchronisation; a soft
// one reaches it within one LSB of the weights and never stalls on the way.
func TestTargets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	c := model.DQN4x64x2()
	d, err := model.NewDQN(c, randomNet(r, c.Formats, c.Sizes...))
	require.NoError(t, err)
	first := d.Online.Clone()
	for range 3 {
		_, err = d.Learn(randomBatch(r, c.Formats, c.Batch, 4, 2))
		require.NoError(t, err)
	}
	require.Equal(t, first.Words(), d.Target.View.Words())
	d.Synchronise()
	require.Equal(t, d.Online.Words(), d.Target.View.Words())

	// Samples of weight 0 move nothing, so the target alone goes on.
	c.Tau = 328 // 0.005
	soft, err := model.NewDQN(c, first)
	require.NoError(t, err)
	soft.Online.Copy(d.Online)
	batch := randomBatch(r, c.Formats, c.Batch, 4, 2)
	for i := range batch {
		batch[i].Weight = 0
	}
	for range 3000 {
		_, err = soft.Learn(batch)
		require.NoError(t, err)
	}
	require.Equal(t, d.Online.Words(), soft.Online.Words())
	for k, words := range soft.Target.View.Words() {
		for i, w := range words {
			require.InDelta(t, d.Online.Words()[k][i], w, 1)
		}
	}
}

// TestTanh: the table is odd, monotone but for a bit, 1 from 4 on, and within 2^-10 of
// tanh for every value of several formats.
func TestTanh(t *testing.T) {
	for _, f := range []fixed.Format{{Width: 18, Frac: 10}, {Width: 16, Frac: 8}, {Width: 20, Frac: 14}, {Width: 22, Frac: 18}} {
		worst := 0.0
		for x := int64(0); x < 1<<(f.Width-1); x++ {
			y := model.Tanh(f, x)
			require.Equal(t, -y, model.Tanh(f, -x))
			worst = math.Max(worst, math.Abs(f.Float(y)-math.Tanh(f.Float(x))))
		}
		require.Less(t, worst, math.Ldexp(1, -10)+math.Ldexp(0.5, -f.Frac), "%v", f)
	}
	require.Equal(t, int64(1024), model.Tanh(fixed.Format{Width: 18, Frac: 10}, 5<<10))
}

// TestRefused: each mistake of a configuration and of a batch has its own words.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(c *model.DQNConfig){
		"a network of 1 sizes":              func(c *model.DQNConfig) { c.Sizes = []int{4} },
		"a layer of 0":                      func(c *model.DQNConfig) { c.Sizes = []int{4, 0, 2} },
		"a batch of 3":                      func(c *model.DQNConfig) { c.Batch = 3 },
		"tau 65537":                         func(c *model.DQNConfig) { c.Tau = 65537 },
		"clip NaN":                          func(c *model.DQNConfig) { c.Clip = math.NaN() },
		"format of weights: 40 bits":        func(c *model.DQNConfig) { c.Weight.Width = 40 },
		"format of gradients: 18 bits":      func(c *model.DQNConfig) { c.Gradient.Frac = 18 },
		"targets with 25 more":              func(c *model.DQNConfig) { c.Formats.Target = 25 },
		"a neuron's sum takes 71 bits":      func(c *model.DQNConfig) { c.Weight.Width, c.Activation.Width = 32, 32 },
		"a learning rate of 2^16":           func(c *model.DQNConfig) { c.Rate = -16 },
		"a learning rate of 2^-33":          func(c *model.DQNConfig) { c.Rate = 33 },
		"weights of a network [4 64 2] for": func(c *model.DQNConfig) { c.Sizes = []int{4, 32, 2} },
	} {
		c := model.DQN4x64x2()
		net := model.NewNet(c.Sizes...)
		change(&c)
		_, err := model.NewDQN(c, net)
		require.ErrorContains(t, err, want)
	}

	c := model.DQN4x64x2()
	d, err := model.NewDQN(c, model.NewNet(c.Sizes...))
	require.NoError(t, err)
	for want, change := range map[string]func(b []model.Sample) []model.Sample{
		"a batch of 31 samples":             func(b []model.Sample) []model.Sample { return b[:31] },
		"sample 3: action 2 of 2":           func(b []model.Sample) []model.Sample { b[3].Action = 2; return b },
		"sample 0: observations of 3 and 4": func(b []model.Sample) []model.Sample { b[0].State = b[0].State[:3]; return b },
		"sample 5: discount 65537":          func(b []model.Sample) []model.Sample { b[5].Discount = 65537; return b },
	} {
		_, err := d.Learn(change(randomBatch(rand.New(rand.NewPCG(1, 1)), c.Formats, 32, 4, 2)))
		require.ErrorContains(t, err, want)
	}

	e := model.DDPGPendulum()
	_, err = model.NewDDPG(e, model.NewNet(3, 64, 2), model.NewNet(e.CriticSizes()...))
	require.ErrorContains(t, err, "actor: weights of a network [3 64 2] for one of [3 64 1]")
}

// TestRounding: values are stored as fixed.Format.FitInt does with HalfUp and Saturate;
// a network of one weight shows it.
func TestRounding(t *testing.T) {
	c := model.DQN4x64x2()
	c.Sizes = []int{1, 1}
	r := rand.New(rand.NewPCG(9, 9))
	for range 2000 {
		net := model.NewNet(1, 1)
		net.Layers[0].W[0] = r.Int64N(1<<18) - 1<<17
		net.Layers[0].B[0] = r.Int64N(1<<18) - 1<<17
		d, err := model.NewDQN(c, net)
		require.NoError(t, err)
		x := r.Int64N(1<<18) - 1<<17
		got, _ := d.Act([]int64{x})
		exact := net.Layers[0].W[0]*x + net.Layers[0].B[0]<<c.Activation.Frac
		want := c.Activation.FitInt(exact, c.Weight.Frac+c.Activation.Frac, fixed.HalfUp, fixed.Saturate)
		require.Equal(t, want, got[0], fmt.Sprint(net.Layers[0], x))
	}
}
