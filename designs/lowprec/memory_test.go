package lowprec

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/hw"
	"etch/ir/bits"
	"etch/testbench"
)

// memories are small ones in every variant.
func memories() []OptimizerMemory {
	quick := Numbers{Format: float.F16, Add: 1, Mul: 1, Div: 2, Hypot: 2}
	return []OptimizerMemory{
		{Ours(), 64},
		{Optimizer{quick, HAdam, Folded, false, .9, .999, Moments{}}, 17},
		{Optimizer{quick, Adam, Divided, true, .9, .999, Moments{}}, 20},
		{Optimizer{Numbers{Format: float.BF16}, HAdam, Divided, true, .9, .999, Moments{}}, 2},
	}
}

// Passes of all kinds, with pauses of the stream and of the clock enable: every state is
// the model's, and what is said of a pass is so.
func TestOptimizerMemory(t *testing.T) {
	for i, c := range memories() {
		opts := []testbench.Option{}
		if i != 3 {
			opts = append(opts, testbench.CoSim("iverilog"))
		}
		s, p := testbench.New(t, c, opts...)
		r := rand.New(rand.NewPCG(uint64(i), 3))
		model := make([]State[uint64], c.Weights)
		put := func(port float.Num, code uint64) { s.SetBits(port.Raw, bits.New(port.Width(), code)) }
		state := func(p State[float.Num]) (list []float.Num) { return p.list() }
		k := c.StepConstants(3, 1e-3, 1e-8, 1e4)
		for i, port := range []float.Num{p.Step.First, p.Step.Second, p.Step.Epsilon, p.Step.Rate} {
			put(port, []uint64{k.First, k.Second, k.Epsilon, k.Rate}[i])
		}

		// What comes out, in order.
		type result struct {
			state              State[uint64]
			last, finite, fits bool
		}
		var want []result
		cycle := func(enabled bool) {
			s.Set(p.En, int(bit(enabled)))
			s.Step(1)
			if !enabled || !s.High(p.Done) {
				return
			}
			require.NotEmpty(t, want)
			w := want[0]
			want = want[1:]
			for i, port := range state(p.Out) {
				require.Equal(t, w.state.list()[i], s.GetBits(port.Raw).Uint64(), "%v", c)
			}
			require.Equal(t, w.last, s.High(p.Last))
			require.Equal(t, w.finite, s.High(p.Finite))
			require.Equal(t, w.fits, s.High(p.Fits))
		}
		f := c.Format
		for n, pass := range []Pass{Load, Keep, Step, Step, Halve, Step, Double, Keep, Step, Step, Load, Step, Halve, Halve, Double, Step} {
			finite, fits := true, true
			for at := range model {
				for r.IntN(4) == 0 { // a pause of the stream, or of all
					s.Set(p.Valid, 0)
					cycle(r.IntN(2) == 0)
				}
				x := ownElements(c.Optimizer, 1, uint64(n*1000+at))[0]
				if n < 10 { // as in training
					x = []uint64{f.Code(r.NormFloat64()), f.Code(r.NormFloat64()), f.Code(1e-4 * r.NormFloat64()), c.m().Code(r.NormFloat64() * 10), c.w().Code(r.ExpFloat64() * 10)}
				}
				s.Set(p.Valid, 1)
				testbench.Put(s, p.Pass, hw.Val(pass))
				put(p.G, x[0])
				for i, port := range state(p.In) {
					put(port, x[i+1])
				}
				model[at] = c.Next(pass, model[at], x[0], stateOf(x[1:]), k)
				w := model[at].list()
				finite = finite && finiteState(c.Optimizer, model[at])
				fits = fits && math.Abs(c.m().Float64(w[2])) <= Fits && math.Abs(c.w().Float64(w[3])) <= Fits
				want = append(want, result{model[at], at == c.Weights-1, finite, fits})
				cycle(true)
			}
		}
		s.Set(p.Valid, 0)
		for range c.Latency() {
			cycle(true)
		}
		require.Empty(t, want)
	}
}

func TestWeightsAreEnough(t *testing.T) {
	c := OptimizerMemory{Ours(), 30}
	_, _, err := hw.Build(c)
	require.ErrorContains(t, err, "weights is 30, want more than the latency")
}

// The scaler's orders and constants are the model's through growth, skips, floor and top.
func TestLossScaler(t *testing.T) {
	c := Scaling(3, 1024)
	c.Growth, c.Floor = 5, 3
	s, p := testbench.New(t, c, testbench.CoSim("iverilog"))
	r := rand.New(rand.NewPCG(1, 1))
	model := []*Scaler{NewScaler(c), NewScaler(c), NewScaler(c)}
	check := func(g int) {
		k := c.ScaleConstants(model[g].Level)
		require.Equal(t, model[g].Level, s.Get(p.Level))
		for want, port := range map[uint64]float.Num{k.Seed: p.Seed, k.Seed2: p.Seed2, k.Epsilon: p.Epsilon} {
			require.Equal(t, want, s.GetBits(port.Raw).Uint64())
		}
		for i, m := range model {
			require.Equal(t, bit(m.Diverged), uint64(s.Get(p.Diverged)>>i&1))
		}
	}
	for n := range 3000 {
		g := r.IntN(3)
		s.Set(p.Group, g)
		s.Set(p.Gradient, 1)
		s.Set(p.Stepped, 0)
		finite := r.Float64() > []float64{.02, .3, .6}[(n/500+g)%3]
		s.Set(p.Finite, int(bit(finite)))
		require.Equal(t, model[g].Level, s.Get(p.Level))
		order := model[g].Gradient(finite)
		require.Equal(t, order == Step, s.High(p.Step))
		require.Equal(t, order == Halve, s.High(p.Halve))
		s.Step(1)
		check(g)
		if order != Step {
			continue
		}
		s.Set(p.Gradient, 0)
		s.Set(p.Stepped, 1)
		fits := r.IntN(8) > 0
		s.Set(p.Fits, int(bit(fits)))
		s.Step(0)
		want := model[g].Stepped(fits) == Double
		require.Equal(t, want, s.High(p.Grow))
		s.Step(1)
		check(g)
	}
	require.True(t, model[0].Diverged)
}

func TestDetector(t *testing.T) {
	c := Detector{Format: float.F16, Lanes: 3}
	s, p := testbench.New(t, c, testbench.CoSim("iverilog"))
	seen := false
	for at, x := range elements(c.Format, 400, 3, 4) {
		clear, valid, on := at%3 == 0, at%5 != 0, at%7 != 0
		for i := range p.X {
			s.SetBits(p.X[i].Raw, bits.New(16, x[i]))
		}
		s.Set(p.Clear, int(bit(clear)))
		s.Set(p.Valid, int(bit(valid)))
		s.Set(p.En, int(bit(on)))
		s.Step(1)
		if on {
			seen = seen && !clear || valid && c.Finds(x)
		}
		require.Equal(t, seen, s.High(p.NonFinite))
	}
}
