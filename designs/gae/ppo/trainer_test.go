package ppo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"etch/designs/gae/model"
	"etch/designs/gae/reference"
	"etch/designs/pendulum"
)

// small is a run of well under a second.
func small() Config {
	c := Default()
	c.Seed, c.Envs, c.Horizon, c.Iterations = 3, 3, 150, 4
	c.Hidden, c.Epochs, c.Minibatch = []int{16, 16}, 3, 50
	return c
}

func mustNew(t testing.TB, c Config, e Estimator) *Trainer {
	t.Helper()
	tr, err := New(c, e)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func mustRun(t testing.TB, tr *Trainer) {
	t.Helper()
	if err := tr.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
}

// outcome is a run's curve and controller as bytes.
func outcome(t testing.TB, tr *Trainer) string {
	t.Helper()
	var b bytes.Buffer
	if err := tr.Curve().WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	for _, params := range [][]float64{tr.actor.Params, tr.critic.Params} {
		for _, p := range params {
			fmt.Fprintf(&b, "%x\n", math.Float64bits(p))
		}
	}
	return b.String()
}

func TestEqualSeedsGiveEqualRuns(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for name, change := range map[string]func(*Config){
		"plain":      func(*Config) {},
		"normalised": func(c *Config) { c.NormaliseRewards, c.StandardiseAdvantages = true, false },
		"one":        func(c *Config) { c.Envs, c.Minibatch = 1, 1<<20 },
	} {
		c := small()
		change(&c)
		run := func(processors int, seed uint64) string {
			runtime.GOMAXPROCS(processors)
			c.Seed = seed
			tr := mustNew(t, c, nil)
			mustRun(t, tr)
			return outcome(t, tr)
		}
		want := run(1, 3)
		if run(2, 3) != want || run(4, 3) != want {
			t.Errorf("%s: the number of processors changes the result", name)
		}
		if run(2, 4) == want {
			t.Errorf("%s: another seed gives the same result", name)
		}
	}
}

// What a rollout says happened must have happened: each step follows from the one
// before by the pendulum's own rules, and densities and values are the networks'.
func TestRolloutIsWhatHappened(t *testing.T) {
	const scale = 0.25
	for horizon, ends := range map[int]int{450: 2, pendulum.Steps: 1} { // within, and with the last step
		c := small()
		c.Horizon = horizon
		tr := mustNew(t, c, nil)
		tr.actor.Free()[0] = -0.5
		for range 2 { // the second rollout goes on within episodes
			var starts []pendulum.Env
			for _, e := range tr.rollout.envs {
				starts = append(starts, e.Env)
			}
			both(func(w int) { tr.rollout.collect(w, tr.actor, tr.critic, scale) })
			for i := range c.Envs {
				if n := checkTrack(t, tr, i, starts[i], scale); n != ends {
					t.Errorf("%d steps of environment %d: %d episodes ended, want %d", horizon, i, n, ends)
				}
			}
		}
	}
}

// checkTrack replays environment i from where it stood and returns how many episodes
// ended.
func checkTrack(t *testing.T, tr *Trainer, i int, env pendulum.Env, scale float64) (ends int) {
	t.Helper()
	r := tr.rollout
	track := &r.tracks[i]
	look := func(e pendulum.Env) []float64 {
		o := e.State.Observe()
		return []float64{o[0], o[1], o[2] / pendulum.MaxSpeed}
	}
	near := func(what string, step int, got, want float64) {
		if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("environment %d, step %d: %s is %v, want %v", i, step, what, got, want)
		}
	}
	for step := range r.horizon {
		s := i*r.horizon + step
		seen := r.seen[s*observations : (s+1)*observations]
		for j, x := range look(env) {
			near("an observation", step, seen[j], x)
		}
		near("the density", step, r.density[s], logDensity(r.action[s], naive(tr.actor, seen)[0], tr.actor.Free()[0]))
		near("the value", step, track.Value[step], naive(tr.critic, seen)[0])
		reward, over := env.Step(2 * r.action[s])
		near("the reward", step, track.Reward[step], scale*reward)
		if track.Truncated[step] != over || track.Terminated[step] {
			t.Fatalf("environment %d, step %d: truncated %v, terminated %v, want %v, false", i, step, track.Truncated[step], track.Terminated[step], over)
		}
		near("the next value", step, track.NextValue[step], naive(tr.critic, look(env))[0])
		if over { // the next episode's start is the environment's own draw
			ends++
			env = pendulum.Env{State: tr.rollout.envs[i].State}
			if step+1 < r.horizon {
				o := r.seen[(s+1)*observations:]
				env.State = pendulum.State{Theta: math.Atan2(o[1], o[0]), Omega: o[2] * pendulum.MaxSpeed}
			}
		}
	}
	return ends
}

func TestReturnsAreSumsOfRewards(t *testing.T) {
	c := small()
	c.Envs, c.Horizon, c.RewardScale = 1, pendulum.Steps, 0.5
	tr := mustNew(t, c, nil)
	for range 3 {
		if err := tr.Iterate(); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, r := range tr.rollout.tracks[0].Reward {
			sum += 2 * r
		}
		p := tr.Progress().Point
		if p.Finished != 1 || math.Abs(p.Iterate-sum) > 1e-9*math.Abs(sum) {
			t.Errorf("%+v, want one episode of %v", p, sum)
		}
	}
	curve := tr.Curve()
	mean := (curve[0].Iterate + curve[1].Iterate + curve[2].Iterate) / 3
	if p := curve[2]; math.Abs(p.Return-mean) > 1e-9*math.Abs(mean) || p.Episodes != 3 || p.Steps != 3*pendulum.Steps {
		t.Errorf("%+v, want a mean of %v", p, mean)
	}
	if curve.Last() != curve[2].Return || curve.Reached(-1e9) != 0 || Curve(nil).Last() != 0 {
		t.Error("the curve's summary is wrong")
	}
}

func TestRewardScaler(t *testing.T) {
	c := small()
	tr := mustNew(t, c, nil)
	r, s := tr.rollout, newRewardScaler(c.Envs, 0.9)
	sums := make([]float64, c.Envs)
	var all []float64
	for range 3 {
		both(func(w int) { r.collect(w, tr.actor, tr.critic, 0.1) })
		var want [][]float64
		for i := range r.tracks {
			want = append(want, append([]float64(nil), r.tracks[i].Reward...))
		}
		for step := range r.horizon {
			for i := range want {
				sums[i] = 0.9*sums[i] + want[i][step]
				all = append(all, sums[i])
				if r.tracks[i].Truncated[step] {
					sums[i] = 0
				}
			}
			mean, square := 0.0, 0.0
			for _, x := range all {
				mean += x / float64(len(all))
			}
			for _, x := range all {
				square += (x - mean) * (x - mean) / float64(len(all))
			}
			for i := range want {
				want[i][step] = math.Max(-10, math.Min(10, want[i][step]/math.Sqrt(square+1e-8)))
			}
		}
		s.apply(r)
		for i := range want {
			for step, w := range want[i] {
				if got := r.tracks[i].Reward[step]; math.Abs(got-w) > 1e-9*(1+math.Abs(w)) {
					t.Fatalf("environment %d, step %d: %v, want %v", i, step, got, w)
				}
			}
		}
	}
}

// spy is an estimator that fails or counts.
type spy struct {
	Float
	calls, fail int
}

func (s *spy) Estimate(rollout []reference.Trajectory, out []reference.Estimate) (Counters, error) {
	if s.calls++; s.calls == s.fail {
		return Counters{}, errors.New("no bitstream")
	}
	c, err := s.Float.Estimate(rollout, out)
	c.Cycles, c.Clipped = 7, s.calls
	return c, err
}

func TestEstimator(t *testing.T) {
	c := small()
	plain := mustNew(t, c, nil)
	mustRun(t, plain)
	s := &spy{Float: Float{Gamma: c.Gamma, Lambda: c.Lambda}}
	watched := mustNew(t, c, s)
	mustRun(t, watched)
	if outcome(t, plain) != outcome(t, watched) {
		t.Error("the same estimator from outside gives another run")
	}
	want := Counters{Elements: 4 * 450, Cycles: 28, Clipped: 10}
	if watched.Counters() != want || watched.Progress().Counters != want {
		t.Errorf("counters %+v, want %+v", watched.Counters(), want)
	}
	bad := mustNew(t, c, &spy{Float: s.Float, fail: 3})
	if err := bad.Run(context.Background(), nil); err == nil || err.Error() != "ppo: iteration 3: no bitstream" {
		t.Errorf("error %v", err)
	}
	other := mustNew(t, c, Float{Convention: reference.CleanRL, Gamma: c.Gamma, Lambda: c.Lambda})
	mustRun(t, other)
	if outcome(t, other) == outcome(t, plain) {
		t.Error("truncations do not matter")
	}
}

// The circuit's arithmetic gives the float estimates but for its last bits.
func TestElementEstimates(t *testing.T) {
	c := small()
	tr := mustNew(t, c, nil)
	both(func(w int) { tr.rollout.collect(w, tr.actor, tr.critic, 1) })
	blank := func() (out []reference.Estimate) {
		for range c.Envs {
			out = append(out, reference.NewEstimate(c.Horizon))
		}
		return out
	}
	float, raw := blank(), blank()
	for _, convention := range []reference.Convention{reference.StableBaselines, reference.CleanRL} {
		element := Element{convention, model.Element{K: 2, Gamma: 0.99, Lambda: 0.95}}
		if _, err := (Float{convention, 0.99, 0.95}).Estimate(tr.rollout.tracks, float); err != nil {
			t.Fatal(err)
		}
		counters, err := element.Estimate(tr.rollout.tracks, raw)
		if err != nil || counters != (Counters{Elements: 450}) {
			t.Fatalf("counters %+v, error %v", counters, err)
		}
		for i := range float {
			for s, a := range float[i].Advantage {
				if math.Abs(a-raw[i].Advantage[s]) > 5e-3 || math.Abs(float[i].Return[s]-raw[i].Return[s]) > 5e-3 {
					t.Fatalf("%v, environment %d, step %d: %v, %v, want %v, %v", convention, i, s, raw[i].Advantage[s], raw[i].Return[s], a, float[i].Return[s])
				}
			}
		}
	}
	tr.rollout.tracks[0].Reward[3] = -5000
	if counters, err := (Element{Model: model.Element{K: 2, Gamma: 0.99, Lambda: 0.95}}).Estimate(tr.rollout.tracks, raw); err != nil || counters.Clipped != 1 || counters.Saturated == 0 {
		t.Errorf("a reward of −5000: counters %+v, error %v", counters, err)
	}
	if _, err := (Element{Model: model.Element{K: 9}}).Estimate(tr.rollout.tracks, raw); err == nil {
		t.Error("an element of 9 steps runs")
	}
}

func TestRunStopsBetweenIterations(t *testing.T) {
	tr := mustNew(t, small(), nil)
	ctx, cancel := context.WithCancel(context.Background())
	err := tr.Run(ctx, func(p Progress) {
		if p.Iteration == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || len(tr.Curve()) != 2 {
		t.Fatalf("%d iterations, %v", len(tr.Curve()), err)
	}
	mustRun(t, tr)
	whole := mustNew(t, small(), nil)
	mustRun(t, whole)
	if outcome(t, tr) != outcome(t, whole) {
		t.Error("a run in two parts gives another result")
	}
}

func TestDivergenceIsAnError(t *testing.T) {
	tr := mustNew(t, small(), nil)
	tr.critic.Params[0] = math.NaN()
	err := tr.Run(context.Background(), nil)
	if err == nil || !strings.Contains(err.Error(), "value of step 0 is NaN") {
		t.Errorf("error %v", err)
	}
	tr = mustNew(t, small(), nil)
	first, _ := tr.update.actor.adam.Moments()
	first[5] = math.Inf(1)
	if err := tr.Run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "diverged by iteration 1") {
		t.Errorf("error %v", err)
	}
}

func TestValidate(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"ppo: envs: 0 is not in 1..65536":             func(c *Config) { c.Envs = 0 },
		"ppo: horizon: 9999999 is not in 1..524288":   func(c *Config) { c.Horizon = 9999999 },
		"ppo: hidden: 0 is not in 1..1024":            func(c *Config) { c.Hidden = []int{4, 0} },
		"ppo: gamma: 1.01 is not in 0..1":             func(c *Config) { c.Gamma = 1.01 },
		"ppo: lambda: NaN is not in 0..1":             func(c *Config) { c.Lambda = math.NaN() },
		"ppo: minibatch: 0 is not in 1..4194304":      func(c *Config) { c.Minibatch = 0 },
		"ppo: epochs: -1 is not in 1..1000":           func(c *Config) { c.Epochs = -1 },
		"ppo: reward_scale: 0 is not in 1e-09..1e+09": func(c *Config) { c.RewardScale = 0 },
		"ppo: convention: 7 is none":                  func(c *Config) { c.Convention = 7 },
		"ppo: actor_rate: 2 is not in 0..1":           func(c *Config) { c.ActorRate = 2 },
	} {
		c := Default()
		change(&c)
		if _, err := New(c, nil); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
}

func TestTimesAndProgress(t *testing.T) {
	var b bytes.Buffer
	tr := mustNew(t, small(), nil)
	if err := tr.Run(context.Background(), Line(&b, "seed 3")); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); !strings.HasPrefix(s, "\rseed 3  iteration 1 of 4  450 steps") || !strings.HasSuffix(s, "s   \n") || strings.Count(s, "\n") != 1 {
		t.Errorf("progress %q", s)
	}
	times := tr.Times()
	sum := 0.0
	for _, s := range times.Shares() {
		if s.Percent <= 0 {
			t.Errorf("%s, %s takes %v %%", s.Phase, s.Part, s.Percent)
		}
		sum += s.Percent
	}
	if math.Abs(sum-100) > 1e-9 {
		t.Errorf("the shares add up to %v %%", sum)
	}
	if tr.update.actor.times != (Times{}) || tr.update.critic.times != (Times{}) {
		t.Error("times are left over")
	}
	if busy := times.Loss + times.Backward; busy > 2*times.Update || times.Inference+times.Environment > 2*times.Rollout {
		t.Errorf("two workers worked %v in %v", busy, times.Update)
	}
}

// The controller acts as the mean of the policy, and keeps doing so when training
// goes on.
func TestPolicy(t *testing.T) {
	tr := mustNew(t, small(), nil)
	mustRun(t, tr)
	p, s := tr.Policy(), pendulum.State{Theta: 1, Omega: -4}
	o := s.Observe()
	want := 2 * naive(tr.actor, []float64{o[0], o[1], o[2] / 8})[0]
	if got := p(s); math.Abs(got-want) > 1e-12 {
		t.Errorf("torque %v, want %v", got, want)
	}
	clear(tr.actor.Params)
	if got := p(s); math.Abs(got-want) > 1e-12 {
		t.Errorf("later the torque is %v, want %v", got, want)
	}
}
