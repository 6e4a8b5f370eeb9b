package mountaincar

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestStepIsThePublicOne: transitions that Gymnasium 1.4.0 gave (its state is float32):
//
//	e = gymnasium.envs.classic_control.Continuous_MountainCarEnv()
//	e.reset(); e.state = numpy.array([position, speed]); e.step(numpy.array([force]))
func TestStepIsThePublicOne(t *testing.T) {
	for _, c := range []struct {
		position, speed, force  float64
		nextPosition, nextSpeed float64
		reward                  float64
		over                    bool
	}{
		{-0.5, 0, 1, -0.4986768364906311, 0.0013231569901108742, -0.1, false},
		{-0.5, 0, -1, -0.5016768574714661, -0.001676843035966158, -0.1, false},
		{-0.5, 0, 0.25, -0.4998018443584442, 0.00019815699488390237, -0.00625, false},
		{-1.19, -0.05, -1, -1.2000000476837158, 0.0, -0.1, false},
		{0.44, 0.03, 0.5, 0.4701295495033264, 0.030129561200737953, 99.975, true},
		{0.55, 0.069, 2, 0.6000000238418579, 0.07000000029802322, 99.6, true},
		{-1.2, -0.01, 0, -1.2000000476837158, 0.0, 0.0, false},
		{0.3, -0.0699, -3, 0.23000000417232513, -0.07000000029802322, -0.9, false},
		{0.44, 0.005, -1, 0.4428795576095581, 0.0028795613907277584, -0.1, false},
	} {
		next, reward, over := State{c.position, c.speed}.Step(c.force)
		if math.Abs(next.Position-c.nextPosition) > 1e-7 || math.Abs(next.Speed-c.nextSpeed) > 1e-8 || math.Abs(reward-c.reward) > 1e-12 || over != c.over {
			t.Errorf("%v, %v by %v: %+v, %v, %v; Gymnasium has %v, %v, %v, %v", c.position, c.speed, c.force, next, reward, over, c.nextPosition, c.nextSpeed, c.reward, c.over)
		}
	}
}

// TestStepFollowsThePublicEquations: the same over the whole range, the equations written
// out once more in their published form.
func TestStepFollowsThePublicEquations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		x, v, u := 1.8*r.Float64()-1.2, 0.14*r.Float64()-0.07, 3*r.Float64()-1.5
		next, reward, over := State{x, v}.Step(u)
		wantV := v + math.Min(math.Max(u, -1), 1)*0.0015 - 0.0025*math.Cos(3*x)
		if wantV > 0.07 {
			wantV = 0.07
		}
		if wantV < -0.07 {
			wantV = -0.07
		}
		wantX := x + wantV
		if wantX > 0.6 {
			wantX = 0.6
		}
		if wantX < -1.2 {
			wantX = -1.2
		}
		if wantX == -1.2 && wantV < 0 {
			wantV = 0
		}
		wantOver := wantX >= 0.45 && wantV >= 0
		want := -math.Pow(u, 2) * 0.1
		if wantOver {
			want += 100
		}
		if math.Abs(next.Position-wantX) > 1e-15 || math.Abs(next.Speed-wantV) > 1e-15 || math.Abs(reward-want) > 1e-12 || over != wantOver {
			t.Fatalf("%v, %v by %v: %+v, %v, %v; want %v, %v, %v, %v", x, v, u, next, reward, over, wantX, wantV, want, wantOver)
		}
	}
}

func TestEpisodes(t *testing.T) {
	e := Env{State: State{-0.5, 0}}
	for i := 1; i <= Steps; i++ {
		if _, terminated, truncated := e.Step(0); terminated || truncated != (i == Steps) {
			t.Fatalf("step %d: terminated %v, truncated %v", i, terminated, truncated)
		}
	}
	e = Env{State: State{0.44, 0.03}, Elapsed: Steps - 1}
	if _, terminated, truncated := e.Step(0); !terminated || truncated {
		t.Error("a last step to the goal has not terminated")
	}
	a := Starts(1000, 5)
	if !slices.Equal(a[:10], Starts(10, 5)) || a[0] == Starts(1, 6)[0] {
		t.Error("starts do not follow their seed")
	}
	for _, s := range a {
		if s.Position < -0.6 || s.Position >= -0.4 || s.Speed != 0 {
			t.Fatalf("start %+v is out of range", s)
		}
	}
}

// The reference comes to the goal from everywhere, better than pushing with the speed does,
// and loses next to nothing against one more sweep.
func TestReference(t *testing.T) {
	ref, starts := Solve(), Starts(100, 2)
	score := ref.Score(starts)
	swing := Evaluate(starts, func(s State) float64 { return math.Copysign(1, s.Speed) })
	if score.Reached != 100 || score.Mean < swing.Mean+5 {
		t.Errorf("the reference returns %v, %d at the goal; full force %v, %d", score.Mean, score.Reached, swing.Mean, swing.Reached)
	}
	for c := 0; c < len(ref.value); c += 37 {
		if most, _ := best(ref.value, gridState(c), gridForces); math.Abs(most-ref.value[c]) > 1e-3 {
			t.Fatalf("cell %d: value %v, one sweep later %v", c, ref.value[c], most)
		}
	}
	r := rand.New(rand.NewPCG(3, 1))
	for range 100 {
		p := score.Returns[r.IntN(100)]
		if p > Prize || p < 90 {
			t.Fatalf("a return of %v", p)
		}
	}
}
