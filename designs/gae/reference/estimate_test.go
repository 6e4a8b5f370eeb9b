package reference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// near compares two numbers up to rounding in sums of a few thousand terms.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-10*(1+math.Abs(a)+math.Abs(b)) }

func mustEstimate(t *testing.T, c Convention, tr Trajectory, gamma, lambda float64) Estimate {
	t.Helper()
	e, err := c.Estimate(&tr, gamma, lambda)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// random draws a trajectory whose episodes are about length steps long. Values of
// observations that were seen twice agree.
func random(r *rand.Rand, n, length int) Trajectory {
	t := NewTrajectory(n)
	for i := range n {
		t.Reward[i], t.Value[i], t.NextValue[i] = r.NormFloat64(), 3*r.NormFloat64(), 3*r.NormFloat64()
		if r.IntN(length) == 0 {
			t.Terminated[i] = r.IntN(2) == 0
			t.Truncated[i] = !t.Terminated[i] || r.IntN(8) == 0
		}
	}
	for i := range n - 1 {
		if !t.Done(i) {
			t.NextValue[i] = t.Value[i+1]
		}
	}
	return t
}

// sums is the definition, written as sums: every step looks at all that follow in
// its episode, and at the state in which the data leaves off.
func sums(c Convention, t *Trajectory, gamma, lambda float64) Estimate {
	n := t.Len()
	delta := make([]float64, n)
	for i := range n {
		future := 0.0
		switch {
		case t.Terminated[i], t.Truncated[i] && c == CleanRL:
		default:
			future = t.NextValue[i]
		}
		delta[i] = t.Reward[i] + gamma*future - t.Value[i]
	}
	e := NewEstimate(n)
	for i := range n {
		for j := i; j < n; j++ {
			e.Advantage[i] += math.Pow(gamma*lambda, float64(j-i)) * delta[j]
			if t.Done(j) {
				break
			}
		}
		e.Return[i] = e.Advantage[i] + t.Value[i]
	}
	return e
}

func TestEstimateIsTheSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, length := range []int{1, 2, 3, 10, 1000} {
		for _, n := range []int{1, 2, 3, 7, 100, 301} {
			for _, gl := range [][2]float64{{0.99, 0.95}, {1, 1}, {1, 0}, {0, 1}, {0.9, 0.5}, {0, 0}} {
				tr := random(r, n, length)
				for _, c := range []Convention{StableBaselines, CleanRL} {
					got, want := mustEstimate(t, c, tr, gl[0], gl[1]), sums(c, &tr, gl[0], gl[1])
					for i := range n {
						if !near(got.Advantage[i], want.Advantage[i]) || !near(got.Return[i], want.Return[i]) {
							t.Fatalf("%v, γλ %v, %d steps, step %d: %v, %v, want %v, %v", c, gl, n, i, got.Advantage[i], got.Return[i], want.Advantage[i], want.Return[i])
						}
					}
				}
			}
		}
	}
}

// Cases worked by hand, with numbers that are exact in binary: γ = ½, λ = ½.
func TestByHand(t *testing.T) {
	base := Trajectory{
		Reward: []float64{1, 2, 4}, Value: []float64{8, 16, 32}, NextValue: []float64{16, 32, 64},
	}
	for _, c := range []struct {
		name                  string
		terminated, truncated int // the step, or −1
		convention            Convention
		want                  [3]float64
	}{
		// δ = 1+8−8 = 1, 2+16−16 = 2, 4+32−32 = 4
		{"goes on", -1, -1, StableBaselines, [3]float64{1 + 0.5 + 0.25, 3, 4}},
		{"goes on", -1, -1, CleanRL, [3]float64{1 + 0.5 + 0.25, 3, 4}},
		// δ₁ = 2−16 = −14
		{"ends within", 1, -1, StableBaselines, [3]float64{1 - 3.5, -14, 4}},
		{"ends within", 1, -1, CleanRL, [3]float64{1 - 3.5, -14, 4}},
		{"is cut within", -1, 1, StableBaselines, [3]float64{1.5, 2, 4}},
		{"is cut within", -1, 1, CleanRL, [3]float64{1 - 3.5, -14, 4}},
		// δ₂ = 4−32 = −28
		{"ends last", 2, -1, StableBaselines, [3]float64{1 + 0.5 - 1.75, 2 - 7, -28}},
		{"is cut last", -1, 2, StableBaselines, [3]float64{1.75, 3, 4}},
		{"is cut last", -1, 2, CleanRL, [3]float64{1 + 0.5 - 1.75, 2 - 7, -28}},
		{"ends and is cut", 2, 2, StableBaselines, [3]float64{1 + 0.5 - 1.75, 2 - 7, -28}},
	} {
		t.Run(fmt.Sprint(c.name, " ", c.convention), func(t *testing.T) {
			tr := base
			tr.Terminated, tr.Truncated = make([]bool, 3), make([]bool, 3)
			if c.terminated >= 0 {
				tr.Terminated[c.terminated] = true
			}
			if c.truncated >= 0 {
				tr.Truncated[c.truncated] = true
			}
			e := mustEstimate(t, c.convention, tr, 0.5, 0.5)
			for i, a := range c.want {
				if e.Advantage[i] != a || e.Return[i] != a+tr.Value[i] {
					t.Errorf("step %d: %v, %v, want %v, %v", i, e.Advantage[i], e.Return[i], a, a+tr.Value[i])
				}
			}
		})
	}
}

// What stable-baselines3 tests of its buffer: episodes of eight steps with a reward
// of 1 at the end alone and a critic that always says the same. λ = 1 is the
// discounted sum of rewards; otherwise the advantages have a closed form.
func TestConstantValue(t *testing.T) {
	const length, episodes = 8, 5
	for _, gamma := range []float64{1, 0.99} {
		for _, lambda := range []float64{1, 0.9} {
			for _, v := range []float64{0, 1} {
				tr := NewTrajectory(length * episodes)
				for i := range tr.Len() {
					tr.Value[i], tr.NextValue[i] = v, v
					if i%length == length-1 {
						tr.Reward[i], tr.Terminated[i] = 1, true
					}
				}
				for _, c := range []Convention{StableBaselines, CleanRL} {
					e := mustEstimate(t, c, tr, gamma, lambda)
					for i := range tr.Len() {
						left := float64(length - 1 - i%length) // steps before the last
						q := gamma * lambda
						between := left // Σ q^j for j < left
						if q != 1 {
							between = (1 - math.Pow(q, left)) / (1 - q)
						}
						want := (gamma*v-v)*between + math.Pow(q, left)*(1-v)
						if !near(e.Advantage[i], want) {
							t.Errorf("%v, γ %v, λ %v, V %v: A_%d = %v, want %v", c, gamma, lambda, v, i, e.Advantage[i], want)
						}
						if sum := math.Pow(gamma, left); lambda == 1 && !near(e.Return[i], sum) {
							t.Errorf("%v, γ %v, V %v: return %d = %v, want %v", c, gamma, v, i, e.Return[i], sum)
						}
					}
				}
			}
		}
	}
}

// A task without an end, cut every few steps: reward 1 a step is worth 1/(1−γ)
// everywhere, and a critic that knows it leaves no advantage. Treating the cut as an
// end does.
func TestTruncationIsNoEnd(t *testing.T) {
	const gamma, lambda = 0.9, 0.95
	tr := NewTrajectory(50)
	for i := range tr.Len() {
		tr.Reward[i], tr.Value[i], tr.NextValue[i] = 1, 10, 10
		tr.Truncated[i] = i%7 == 6
	}
	e := mustEstimate(t, StableBaselines, tr, gamma, lambda)
	for i := range tr.Len() {
		if !near(e.Advantage[i], 0) || !near(e.Return[i], 10) {
			t.Errorf("step %d: advantage %v, return %v", i, e.Advantage[i], e.Return[i])
		}
	}
	if e := mustEstimate(t, CleanRL, tr, gamma, lambda); !near(e.Advantage[6], -9) || !near(e.Advantage[49], 0) {
		t.Errorf("CleanRL: %v and %v, want −9 and 0", e.Advantage[6], e.Advantage[49])
	}
}

// Without truncations the conventions agree, to the last bit.
func TestConventionsAgreeOnTerminations(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 50 {
		tr := random(r, 64, 5)
		clear(tr.Truncated)
		a, b := mustEstimate(t, StableBaselines, tr, 0.99, 0.95), mustEstimate(t, CleanRL, tr, 0.99, 0.95)
		for i := range a.Advantage {
			if a.Advantage[i] != b.Advantage[i] || a.Return[i] != b.Return[i] {
				t.Fatalf("step %d: %v and %v", i, a.Advantage[i], b.Advantage[i])
			}
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		want  string
		spoil func(t *Trajectory)
	}{
		{"trajectory of 4 rewards has 3 values", func(t *Trajectory) { t.Value = t.Value[:3] }},
		{"trajectory of 4 rewards has 5 next values", func(t *Trajectory) { t.NextValue = make([]float64, 5) }},
		{"trajectory of 4 rewards has 0 terminated flags", func(t *Trajectory) { t.Terminated = nil }},
		{"trajectory of 3 rewards has 4 values", func(t *Trajectory) { t.Reward = t.Reward[:3] }},
		{"trajectory: value of step 2 is NaN", func(t *Trajectory) { t.Value[2] = math.NaN() }},
		{"trajectory: next value of step 1 is -Inf", func(t *Trajectory) { t.NextValue[1] = math.Inf(-1) }},
	} {
		tr := NewTrajectory(4)
		c.spoil(&tr)
		if _, err := StableBaselines.Estimate(&tr, 1, 1); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	none := NewTrajectory(0)
	if e := mustEstimate(t, CleanRL, none, 1, 1); len(e.Advantage) != 0 {
		t.Errorf("no steps give %v", e)
	}
}

func TestBreak(t *testing.T) {
	tr := random(rand.New(rand.NewPCG(8, 8)), 30, 4)
	if at := tr.Break(0); at >= 0 {
		t.Errorf("sound data breaks at %d", at)
	}
	tr.Terminated[12], tr.Truncated[12] = false, false
	tr.NextValue[12] = tr.Value[13] + 0.5
	if at := tr.Break(0.4); at != 12 {
		t.Errorf("breaks at %d, want 12", at)
	}
	if at := tr.Break(0.6); at >= 0 {
		t.Errorf("within the tolerance it breaks at %d", at)
	}
}

func TestConventionNames(t *testing.T) {
	for _, c := range []Convention{StableBaselines, CleanRL} {
		back := Convention(9)
		text, err := c.MarshalText()
		if err != nil || back.UnmarshalText(text) != nil || back != c {
			t.Errorf("%v: %q reads back as %d", c, text, int(back))
		}
	}
	if err := new(Convention).UnmarshalText([]byte("sb")); err == nil {
		t.Error("sb is a convention")
	}
}
