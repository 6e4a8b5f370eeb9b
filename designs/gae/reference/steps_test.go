package reference

import (
	"math"
	"math/rand/v2"
	"testing"

	"etch/designs/gae/model"
	"etch/hw/fixed"
)

// wide is the widest format that the model takes with a range of about ±250.
var wide = fixed.Format{Width: 40, Frac: 31}

// worst is the greatest distance that the model, on the circuit's input of a
// trajectory, has from the float64 reference, in advantage and return.
func worst(t *testing.T, c Convention, e model.Element, tr Trajectory) (a, r float64) {
	t.Helper()
	want := mustEstimate(t, c, tr, e.Gamma, e.Lambda)
	steps, clipped := c.Steps(&tr, e.Format())
	if clipped > 0 {
		t.Fatalf("%d numbers do not fit %v", clipped, e.Format())
	}
	results := e.Run(steps)
	for i, x := range results {
		if x.DeltaClipped || x.AdvantageClipped || x.RetClipped {
			t.Fatalf("step %d saturates", i)
		}
	}
	got := FromResults(results, e.Format())
	for i := range want.Advantage {
		a = max(a, math.Abs(got.Advantage[i]-want.Advantage[i]))
		r = max(r, math.Abs(got.Return[i]-want.Return[i]))
	}
	return a, r
}

// patterns are the ways in which episodes end that have broken hardware before.
func patterns(r *rand.Rand, n int) map[string]Trajectory {
	all := map[string]Trajectory{
		"one long episode": random(r, n, 1<<30),
		"mixed":            random(r, n, 12),
		"short":            random(r, n, 2),
		"single steps":     random(r, n, 1),
	}
	ends := func(name string, term, trunc func(i int) bool) {
		t := random(r, n, 1<<30)
		for i := range n {
			t.Terminated[i], t.Truncated[i] = term(i), trunc(i)
			if t.Done(i) {
				t.NextValue[i] = 3 * r.NormFloat64()
			}
		}
		all[name] = t
	}
	never := func(int) bool { return false }
	always := func(int) bool { return true }
	ends("done everywhere", always, never)
	ends("cut everywhere", never, always)
	ends("both everywhere", always, always)
	ends("cut and done in turn", func(i int) bool { return i%2 == 0 }, func(i int) bool { return i%2 == 1 })
	ends("cut every third", never, func(i int) bool { return i%3 == 2 })
	ends("done at the first", func(i int) bool { return i == 0 }, never)
	ends("done at the last", func(i int) bool { return i == n-1 }, never)
	ends("cut at the last", never, func(i int) bool { return i == n-1 })
	return all
}

// In a wide format what is left between the circuit's arithmetic and float64 are
// roundings of 2^-32 and coefficients of 17 bits: (1−c) is off by 2^-18 of itself.
func TestModelNearsTheReference(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for k := 1; k <= model.MaxLookahead; k++ {
		for f := model.Direct; f <= model.CSlow; f++ {
			for _, gl := range [][2]float64{{0.99, 0.95}, {1, 1}, {1, 0.5}, {0.9, 0.9}, {0.5, 0}, {0, 1}} {
				e := model.Element{Form: f, K: k, Gamma: gl[0], Lambda: gl[1], Data: wide}
				if e.Validate() != nil {
					continue
				}
				for _, n := range []int{1, 2, 3, 9, 128} {
					for name, tr := range patterns(r, n) {
						for _, c := range []Convention{StableBaselines, CleanRL} {
							a, ret := worst(t, c, e, tr)
							if limit := bound(e, &tr, c); a > limit || ret > limit {
								t.Errorf("%v, k %d, γλ %v, %v, %d steps, %s: off by %g and %g, bound %g", f, k, gl, c, n, name, a, ret, limit)
							}
						}
					}
				}
			}
		}
	}
}

// bound is how far the model may be from float64 where coefficients are what makes
// the difference: γ moves δ, and the powers of γλ move the sum.
func bound(e model.Element, t *Trajectory, c Convention) float64 {
	values, deltas := 0.0, 0.0
	for i := range t.Len() {
		values = max(values, math.Abs(t.Value[i]), math.Abs(t.NextValue[i]))
		deltas = max(deltas, math.Abs(t.Reward[i])+2*values)
	}
	off := func(k model.Coefficient, exact float64) float64 { return math.Abs(k.Float() - exact) }
	q := e.Gamma * e.Lambda
	gain := float64(t.Len()) // Σ q^i over the steps
	if q < 1 {
		gain = min(gain, 1/(1-q))
	}
	powers := 0.0
	for i := 1; i <= e.K; i++ {
		powers += off(e.Carry(i), math.Pow(q, float64(i)))
	}
	perDelta := off(e.Discount(), e.Gamma)*values + 4*e.Format().Float(1)
	perSum := powers*max(deltas, deltas*gain) + float64(e.K+2)*e.Format().Float(1)
	return (perDelta + perSum) * gain
}

// γ = 1, λ = ½ and integers: coefficients and products are exact, so the model must
// give the reference's own numbers.
func TestModelIsTheReferenceWhereAllIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	f := fixed.Format{Width: 40, Frac: 24}
	for range 300 {
		n := 1 + r.IntN(20)
		tr := random(r, n, 1+r.IntN(8))
		for _, xs := range [][]float64{tr.Reward, tr.Value, tr.NextValue} {
			for i := range xs {
				xs[i] = math.Round(4 * xs[i])
			}
		}
		for i := range n - 1 {
			if !tr.Done(i) {
				tr.NextValue[i] = tr.Value[i+1]
			}
		}
		for _, c := range []Convention{StableBaselines, CleanRL} {
			for _, e := range []model.Element{{K: 1}, {K: 2}, {K: 3}, {K: 8}, {K: 4, Form: model.Factored}, {K: 5, Form: model.CSlow}} {
				e.Gamma, e.Lambda, e.Data = 1, 0.5, f
				if a, ret := worst(t, c, e, tr); a != 0 || ret != 0 {
					t.Fatalf("%v %+v: off by %g and %g on %+v", c, e, a, ret, tr)
				}
			}
		}
	}
}

func TestSteps(t *testing.T) {
	tr := Trajectory{
		Reward: []float64{1, 2, 3, 4}, Value: []float64{5, 6, 7, 8}, NextValue: []float64{9, 10, 11, 12},
		Terminated: []bool{false, true, false, false}, Truncated: []bool{true, true, false, false},
	}
	f := fixed.Format{Width: 12, Frac: 4}
	for c, want := range map[Convention][]model.Step{
		StableBaselines: {
			{Reward: 64, Value: 128, Boot: 192, Cut: true},
			{Reward: 48, Value: 112},
			{Reward: 32, Value: 96, Term: true, Cut: true},
			{Reward: 16, Value: 80, Boot: 144, Cut: true},
		},
		CleanRL: {
			{Reward: 64, Value: 128, Boot: 192, Cut: true},
			{Reward: 48, Value: 112},
			{Reward: 32, Value: 96, Term: true, Cut: true},
			{Reward: 16, Value: 80, Term: true, Cut: true},
		},
	} {
		got, clipped := c.Steps(&tr, f)
		if clipped != 0 || len(got) != len(want) {
			t.Fatalf("%v: %d steps, %d clipped", c, len(got), clipped)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%v: step %d is %+v, want %+v", c, i, got[i], want[i])
			}
		}
	}
	if got, _ := CleanRL.Steps(new(Trajectory), f); len(got) != 0 {
		t.Errorf("no steps give %v", got)
	}
}

// Raw values are the format's own, and what does not fit is counted.
func TestRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, f := range []fixed.Format{model.Default, wide, {Width: 12, Frac: 4}, {Width: 9, Frac: 0}} {
		clipped, want := 0, 0
		raw := rounder(f, &clipped)
		for range 20000 {
			x := r.NormFloat64() * math.Pow(10, float64(r.IntN(8)-3))
			if r.IntN(4) == 0 {
				x = float64(r.IntN(1<<16)-1<<15) / 2 * f.Float(1) // ties
			}
			if got := raw(x); got != f.Raw(x) {
				t.Fatalf("%v: %v becomes %d, want %d", f, x, got, f.Raw(x))
			}
			if y := math.Round(math.Ldexp(x, f.Frac)); y >= math.Ldexp(1, f.Width-1) || y < -math.Ldexp(1, f.Width-1) {
				want++
			}
		}
		if clipped != want || want == 0 {
			t.Errorf("%v: %d clipped, want %d", f, clipped, want)
		}
	}
}

func TestFromResults(t *testing.T) {
	e := FromResults([]model.Result{{Advantage: 8, Return: 3}, {Advantage: -4, Return: 1}}, fixed.Format{Width: 8, Frac: 2})
	if e.Advantage[0] != -1 || e.Advantage[1] != 2 || e.Return[0] != 0.25 || e.Return[1] != 0.75 {
		t.Errorf("results are %+v", e)
	}
}
