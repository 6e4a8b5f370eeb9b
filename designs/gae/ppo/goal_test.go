package ppo

import (
	"os"
	"testing"

	"etch/designs/gae/model"
	"etch/designs/pendulum"
)

// A run of half the default's length with smaller networks learns most of the task,
// with advantages in the circuit's arithmetic.
func TestTrainingImproves(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for a few seconds")
	}
	c := Default()
	c.Iterations, c.Hidden = 45, []int{32, 32}
	tr := mustNew(t, c, Element{Model: model.Element{K: 2, Gamma: c.Gamma, Lambda: c.Lambda}})
	mustRun(t, tr)
	if n := tr.Counters(); n.Clipped != 0 || n.Saturated != 0 || n.Elements != 45*1024 {
		t.Errorf("counters %+v", n)
	}
	curve := tr.Curve()
	first, last := curve[7].Return, curve.Last()
	if last < first+500 || last < -450 {
		t.Errorf("the mean return went from %.0f to %.0f in %d steps", first, last, curve[len(curve)-1].Steps)
	}
	starts := pendulum.Starts(50, 4)
	untrained := pendulum.Evaluate(starts, mustNew(t, c, nil).Policy()).Mean
	if trained := pendulum.Evaluate(starts, tr.Policy()).Mean; trained < -300 || untrained > -900 {
		t.Errorf("the controller returns %.0f, before training %.0f", trained, untrained)
	}
}

// What the documentation says of the default configuration.
func TestGoal(t *testing.T) {
	if os.Getenv("ETCH_SLOW") == "" {
		t.Skip("set ETCH_SLOW=1 to run this test")
	}
	starts, ref := pendulum.Starts(1000, 1), pendulum.Solve()
	best := ref.Score(starts).Mean
	for seed := uint64(1); seed <= 10; seed++ {
		c := Default()
		c.Seed = seed
		tr := mustNew(t, c, nil)
		mustRun(t, tr)
		curve, times := tr.Curve(), tr.Times()
		t.Logf("seed %d: last 100 episodes %.1f, −250 reached after %d steps, controller %.1f of %.1f, %.1f s (rollout %.1f, GAE %.3f, update %.1f)",
			seed, curve.Last(), curve.Reached(-250), pendulum.Evaluate(starts, tr.Policy()).Mean, best,
			times.Total().Seconds(), times.Rollout.Seconds(), times.GAE.Seconds(), times.Update.Seconds())
		if curve.Last() < -250 {
			t.Errorf("seed %d returns %.1f", seed, curve.Last())
		}
	}
}

func BenchmarkIteration(b *testing.B) {
	tr := mustNew(b, Default(), nil)
	for b.Loop() {
		if err := tr.Iterate(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(tr.rollout.action))/b.Elapsed().Seconds(), "steps/s")
}
