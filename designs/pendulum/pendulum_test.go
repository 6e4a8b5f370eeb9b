package pendulum

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"etch/designs/trig"
)

// The environment's equations, written out once more in their published form.
func publicStep(th, thdot, u float64) (float64, float64, float64) {
	const g, m, l, dt = 10.0, 1.0, 1.0, 0.05
	u = math.Min(math.Max(u, -2), 2)
	norm := th + math.Pi
	norm -= 2 * math.Pi * math.Floor(norm/(2*math.Pi))
	norm -= math.Pi
	cost := norm*norm + 0.1*thdot*thdot + 0.001*(u*u)
	newdot := thdot + (3*g/(2*l)*math.Sin(th)+3/(m*l*l)*u)*dt
	newdot = math.Min(math.Max(newdot, -8), 8)
	return th + newdot*dt, newdot, -cost
}

func TestStepFollowsThePublicEquations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100000 {
		s := State{Theta: 40 * (r.Float64() - 0.5), Omega: 16 * (r.Float64() - 0.5)}
		u := 6 * (r.Float64() - 0.5)
		next, reward := s.Step(u)
		th, w, want := publicStep(s.Theta, s.Omega, u)
		// A few roundings differ; the wrapped angle jumps only within 1e-13 of ±π.
		if math.Abs(next.Theta-th) > 1e-13 || math.Abs(next.Omega-w) > 1e-13 || math.Abs(reward-want) > 1e-11 {
			t.Fatalf("step %+v by %v: got %+v, %v, want %v, %v, %v", s, u, next, reward, th, w, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, th := range []float64{0, 1, -1, math.Pi, -math.Pi, 3 * math.Pi, 100, -100, -1e-300, -math.Pi - 1e-16, 1e9} {
		w := Wrap(th)
		if w < -math.Pi || w >= math.Pi {
			t.Errorf("Wrap(%v) = %v is outside [−π, π)", th, w)
		}
		if d := math.Abs(math.Sin(w) - math.Sin(th)); d > 1e-6 {
			t.Errorf("Wrap(%v) = %v is another angle", th, w)
		}
	}
}

func TestObserve(t *testing.T) {
	s := State{Theta: 2.5, Omega: -3}
	o := s.Observe()
	if math.Abs(o[0]-math.Cos(2.5)) > 1e-15 || math.Abs(o[1]-math.Sin(2.5)) > 1e-15 || o[2] != -3 {
		t.Errorf("observation of %+v is %v", s, o)
	}
}

func TestStarts(t *testing.T) {
	a := Starts(1000, 5)
	if !slices.Equal(a[:10], Starts(10, 5)) {
		t.Error("a shorter list is not the beginning of a longer one")
	}
	if a[0] == Starts(1, 6)[0] {
		t.Error("two seeds start alike")
	}
	var th, w float64
	for _, s := range a {
		if math.Abs(s.Theta) > math.Pi || math.Abs(s.Omega) > 1 {
			t.Fatalf("start %+v is out of range", s)
		}
		th, w = max(th, math.Abs(s.Theta)), max(w, math.Abs(s.Omega))
	}
	if th < 3.1 || w < 0.98 {
		t.Errorf("1000 starts reach only ±%v, ±%v", th, w)
	}
}

func TestEpisodeIsTruncated(t *testing.T) {
	var e Env
	e.Reset(State{Theta: 1})
	for i := 1; i <= Steps; i++ {
		if _, done := e.Step(0); done != (i == Steps) {
			t.Fatalf("step %d: truncated = %v", i, done)
		}
	}
}

func TestBatchSizeDoesNotMatter(t *testing.T) {
	starts := Starts(23, 3)
	policy := func(s State) float64 { return -s.Omega }
	want := Evaluate(starts, policy)
	for _, size := range []int{2, 7, 23, 64} {
		got := EvaluateBatch(starts, size, func(s []State, u []float64) {
			for i := range s {
				u[i] = policy(s[i])
			}
		})
		if got.Mean != want.Mean || got.Worst != want.Worst || !slices.Equal(got.Returns, want.Returns) {
			t.Errorf("batch of %d scores %v, one by one %v", size, got.Mean, want.Mean)
		}
	}
	if s := Evaluate(nil, policy); s.Mean != 0 || s.Worst != 0 {
		t.Errorf("no episodes score %+v", s)
	}
}

// The optimum from the upright rest is 0, and from any start the reference
// must bring the pendulum up and hold it.
func TestReferenceSwingsUpAndBalances(t *testing.T) {
	ref := Solve()
	if s := Evaluate([]State{{}}, ref.Action); s.Mean < -1e-3 {
		t.Errorf("from the upright rest the reference returns %v", s.Mean)
	}
	starts := Starts(50, 9)
	for _, s := range starts {
		for range Steps {
			s, _ = s.Step(ref.Action(s))
		}
		if math.Abs(Wrap(s.Theta)) > 0.05 || math.Abs(s.Omega) > 0.1 {
			t.Errorf("the reference ends at %+v", s)
		}
	}
	score := ref.Score(starts)
	if again := Evaluate(starts, ref.Action); !slices.Equal(again.Returns, score.Returns) {
		t.Error("Score differs from Evaluate")
	}
	if idle := Evaluate(starts, func(State) float64 { return 0 }); score.Mean < idle.Mean/4 {
		t.Errorf("the reference returns %v, doing nothing %v", score.Mean, idle.Mean)
	}
}

func TestReferenceDoesNotDependOnProcessors(t *testing.T) {
	if testing.Short() {
		t.Skip("three solutions take a second or two")
	}
	want := Solve()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{1, 3} {
		runtime.GOMAXPROCS(n)
		if got := Solve(); !slices.Equal(got.value, want.value) {
			t.Errorf("another solution with %d processors", n)
		}
	}
}

// One more sweep moves the values by no more than the discount allows: the
// table is a fixed point of the Bellman equation but for γ^sweeps of the range.
func TestReferenceSatisfiesBellman(t *testing.T) {
	ref := Solve()
	limit := 16.3 * math.Pow(Discount, sweeps)
	for c := 0; c < len(ref.value); c += 37 {
		best := math.Inf(-1)
		for k := range gridTorques {
			next, reward := gridState(c).Step(torqueAt(k, gridTorques))
			to := locate(next)
			best = max(best, reward+Discount*to.mix(ref.value))
		}
		if d := math.Abs(best - ref.value[c]); d > limit {
			t.Fatalf("cell %d: value %v, one sweep later %v", c, ref.value[c], best)
		}
	}
}

func BenchmarkSolve(b *testing.B) {
	for b.Loop() {
		Solve()
	}
}

func BenchmarkReferenceScore(b *testing.B) {
	ref, starts := Solve(), Starts(1000, 1)
	for b.Loop() {
		ref.Score(starts)
	}
}

// Near a zero relative error is meaningless after range reduction, so sine and
// cosine are held to one ulp of 1.
func TestSincos(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100000 {
		x := (2*r.Float64() - 1) * math.Pow(10, float64(r.IntN(6)))
		s, c := trig.Sincos(x)
		if math.Abs(s-math.Sin(x)) > 0x1p-52 || math.Abs(c-math.Cos(x)) > 0x1p-52 {
			t.Fatalf("trig.Sincos(%v) = %v, %v; package math says %v, %v", x, s, c, math.Sin(x), math.Cos(x))
		}
	}
	for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		if s, c := trig.Sincos(x); s == s || c == c {
			t.Errorf("trig.Sincos(%v) = %v, %v, want NaN", x, s, c)
		}
	}
	if s, _ := trig.Sincos(1e300); !(math.Abs(s) <= 1) {
		t.Errorf("trig.Sincos(1e300) is not bounded: %v", s)
	}
}
