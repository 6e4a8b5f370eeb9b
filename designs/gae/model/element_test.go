package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae/model"
	"etch/designs/gae/reference"
	"etch/hw/fixed"
)

// forms are all pairs of a form and a k that it can have.
func forms() (all []model.Element) {
	for k := 1; k <= model.MaxLookahead; k++ {
		for f := model.Direct; f <= model.CSlow; f++ {
			if f != model.Factored || k&(k-1) == 0 {
				all = append(all, model.Element{Form: f, K: k})
			}
		}
	}
	return all
}

// exact is the recurrence in float64.
func exact(gamma, lambda float64, f fixed.Format, steps []model.Step) (adv, ret []float64) {
	adv, ret = make([]float64, len(steps)), make([]float64, len(steps))
	for i, s := range steps {
		boot, carry := 0.0, 0.0
		switch {
		case s.Term:
		case s.Cut:
			boot = f.Float(s.Boot)
		default:
			boot, carry = f.Float(steps[i-1].Value), adv[i-1]
		}
		adv[i] = f.Float(s.Reward) + gamma*boot - f.Float(s.Value) + gamma*lambda*carry
		ret[i] = adv[i] + f.Float(s.Value)
	}
	return adv, ret
}

// With γ = 1, λ = ½, integer δ and at least as many fraction bits as steps nothing
// is rounded: every form gives the exact sum, for every pattern of cuts of up to
// six steps and δ of −1, 0, 1.
func TestFormsAreExact(t *testing.T) {
	const most = 6
	f := fixed.Format{Width: 16, Frac: most}
	all := forms()
	for n := 1; n <= most; n++ {
		for cuts := range 1 << (n - 1) {
			for code := range pow(3, n) {
				steps := make([]model.Step, n)
				for i, c := 0, code; i < n; i, c = i+1, c/3 {
					steps[i] = model.Step{Reward: int64(c%3-1) << f.Frac, Cut: i == 0 || cuts>>(i-1)&1 == 1}
					steps[i].Term = steps[i].Cut
				}
				want, _ := exact(1, 0.5, f, steps)
				for _, e := range all {
					e.Gamma, e.Lambda, e.Data = 1, 0.5, f
					for i, r := range e.Run(steps) {
						if f.Float(r.Advantage) != want[i] {
							t.Fatalf("%v, k = %d, steps %v: advantage %d is %v, exactly %v", e.Form, e.K, steps, i, f.Float(r.Advantage), want[i])
						}
					}
				}
			}
		}
	}
}

func pow(b, n int) int {
	p := 1
	for range n {
		p *= b
	}
	return p
}

// standardised draws n steps of mean 0 and deviation 1 in episodes of about the
// given length, half of them truncated.
func standardised(r *rand.Rand, f fixed.Format, n, episode int) []model.Step {
	steps := make([]model.Step, n)
	for i := range steps {
		steps[i] = model.Step{Reward: f.Raw(r.NormFloat64()), Value: f.Raw(r.NormFloat64()), Boot: f.Raw(r.NormFloat64())}
		if i == 0 || r.IntN(episode) == 0 {
			steps[i].Cut, steps[i].Term = true, r.IntN(2) == 0
		}
	}
	return steps
}

// Where products are rounded, the advantages of a form differ from the exact
// recurrence on the same δ by no more than the bound: half a unit per product and
// what the coefficients are off, summed over the loop.
func TestErrorBound(t *testing.T) {
	f := model.Default
	unit := math.Ldexp(1, -f.Frac)
	for _, e := range forms() {
		for _, at := range [][2]float64{{0.99, 0.95}, {0.999, 0.98}, {0.9, 0.5}, {1, 0.97}} {
			e.Gamma, e.Lambda = at[0], at[1]
			span, products := e.K, e.K
			if e.Form == model.CSlow {
				span, products = 1, 1
			}
			off := 0.0
			for i := 1; i <= span; i++ {
				off += math.Abs(e.Carry(i).Float() - math.Pow(e.Gamma*e.Lambda, float64(i)))
			}
			r := rand.New(rand.NewPCG(uint64(e.K), uint64(e.Form)))
			steps := standardised(r, f, 4000, 200)
			var carry, largest, worst float64
			for i, got := range e.Run(steps) {
				require.False(t, got.DeltaClipped || got.AdvantageClipped || got.RetClipped)
				if steps[i].Cut {
					carry = 0
				}
				carry = f.Float(got.Delta) + e.Gamma*e.Lambda*carry
				largest = max(largest, math.Abs(carry), math.Abs(f.Float(got.Delta)))
				worst = max(worst, math.Abs(carry-f.Float(got.Advantage)))
			}
			bound := (float64(products)/2*unit + off*largest) / (1 - math.Pow(e.Gamma*e.Lambda, float64(span)))
			require.LessOrEqual(t, worst, bound, "%v, k = %d, γ = %v, λ = %v", e.Form, e.K, e.Gamma, e.Lambda)
		}
	}
}

// Against float64 the results of the element are good to 80 dB and more, on
// standardised data and on values as large as the format takes.
func TestAccuracy(t *testing.T) {
	f := model.Default
	for _, e := range forms() {
		e.Gamma, e.Lambda = 0.99, 0.95
		for _, c := range []struct {
			name          string
			reward, value float64
			episode       int
		}{{"standardised", 1, 1, 200}, {"large values", 1, 80, 200}, {"single steps", 1, 1, 1}, {"short episodes", 1, 1, 5}} {
			r := rand.New(rand.NewPCG(7, 7))
			steps := standardised(r, f, 20000, c.episode)
			for i := range steps {
				s := &steps[i]
				s.Reward = f.Raw(f.Float(s.Reward) * c.reward)
				s.Value, s.Boot = f.Raw(f.Float(s.Value)*c.value), f.Raw(f.Float(s.Boot)*c.value)
			}
			wantA, wantR := exact(e.Gamma, e.Lambda, f, steps)
			gotA, gotR := make([]float64, len(steps)), make([]float64, len(steps))
			for i, x := range e.Run(steps) {
				gotA[i], gotR[i] = f.Float(x.Advantage), f.Float(x.Return)
				require.False(t, x.DeltaClipped || x.AdvantageClipped || x.RetClipped)
			}
			a, b := reference.Compare(wantA, gotA), reference.Compare(wantR, gotR)
			if e.K == 2 {
				t.Logf("%v, k = %d, %s: %.0f dB and at most %.1e off for A, %.0f dB and %.1e for returns", e.Form, e.K, c.name, a.SNR, a.Max, b.SNR, b.Max)
			}
			require.GreaterOrEqual(t, min(a.SNR, b.SNR), 90.0, "%v, k = %d, %s", e.Form, e.K, c.name)
		}
	}
}

// A sum outside the range is the nearest end of it, and said.
func TestSaturation(t *testing.T) {
	f := fixed.Format{Width: 8, Frac: 2}
	e := model.Element{K: 1, Gamma: 1, Lambda: 1, Data: f}
	out := e.Run([]model.Step{
		{Reward: 100, Value: -100, Term: true, Cut: true}, // δ = 200 → 127
		{Reward: 100, Value: 0},                           // δ = 0: 100 − 100
		{Reward: 120, Value: 20},                          // δ = 100, A = 227 → 127, return 147 → 127
		{Reward: -128, Value: 100, Cut: true, Term: true}, // δ = −228 → −128
	})
	require.Equal(t, []model.Result{
		{Delta: 127, Advantage: 127, Return: 27, DeltaClipped: true},
		{Delta: 0, Advantage: 127, Return: 127},
		{Delta: 100, Advantage: 127, Return: 127, AdvantageClipped: true, RetClipped: true},
		{Delta: -128, Advantage: -128, Return: -28, DeltaClipped: true},
	}, out)
}

// Coefficients are as near to their power as 17 bits of the complement allow, and
// 0 and 1 are exact.
func TestCoefficient(t *testing.T) {
	require.True(t, model.Power(1, 5).One())
	require.Equal(t, int64(0), model.Power(0, 3).Times(12345))
	require.Equal(t, int64(-77), model.Power(1, 2).Times(-77))
	for _, c := range []float64{0.5, 0.9, 0.95 * 0.99, 0.99, 0.999, 0.9999999, 1e-3} {
		for n := 1; n <= 8; n++ {
			k := model.Power(c, n)
			want := 1 - math.Pow(c, float64(n))
			require.InEpsilon(t, want, k.Complement(), math.Ldexp(1, -16), fmt.Sprint(c, n))
			require.True(t, k.Mantissa >= 1<<16 && k.Mantissa < 1<<17, k.String())
			for _, x := range []int64{1, -1, 65536, -65536, 1<<26 - 1, -1 << 26, 12345678} {
				require.Equal(t, x-int64(math.Floor(float64(x)*k.Complement()+0.5)), k.Times(x), fmt.Sprint(c, n, x))
			}
		}
	}
}

func TestValidate(t *testing.T) {
	for want, e := range map[string]model.Element{
		"K = 0, want 1 to 8": {},
		"K = 6, want a power of two for the factored form": {Form: model.Factored, K: 6},
		"Gamma = 1.5, want 0 to 1":                         {K: 1, Gamma: 1.5},
		"Lambda = NaN, want 0 to 1":                        {K: 1, Lambda: math.NaN()},
		"Form = 3":                                         {Form: 3, K: 1},
		"Data = Q0.50":                                     {K: 1, Data: fixed.Format{Width: 50, Frac: 50}},
	} {
		require.ErrorContains(t, e.Validate(), want)
	}
}
