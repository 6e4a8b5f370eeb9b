package ppo

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestLogDensityIntegratesToOne(t *testing.T) {
	for _, logDev := range []float64{-1, 0, 0.7} {
		sum, entropy := 0.0, 0.0
		const h = 1e-3
		for a := -30.0; a < 30; a += h {
			l := logDensity(a, 0.3, logDev)
			sum += math.Exp(l) * h
			entropy -= math.Exp(l) * l * h
		}
		if math.Abs(sum-1) > 1e-9 || math.Abs(entropy-math.Log(2*math.Pi*math.E)/2-logDev) > 1e-9 {
			t.Errorf("log deviation %v: integral %v, entropy %v", logDev, sum, entropy)
		}
	}
}

// The derivatives are those of the objective by its definition, in all four cases of
// sign and side.
func TestObjective(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	o := objective{0.2}
	clipped := 0
	for range 2000 {
		a, mean, logDev, advantage := r.NormFloat64(), r.NormFloat64(), 0.3*r.NormFloat64(), r.NormFloat64()
		old := logDensity(a, mean, logDev) + 0.4*r.NormFloat64()
		loss := func(mean, logDev float64) float64 {
			ratio := math.Exp(logDensity(a, mean, logDev) - old)
			return -math.Min(ratio*advantage, math.Max(0.8, math.Min(1.2, ratio))*advantage)
		}
		s := o.step(a, old, advantage, mean, logDev)
		const h = 1e-6
		if math.Abs(s.ratio-0.8) < 1e-4 || math.Abs(s.ratio-1.2) < 1e-4 {
			continue // a kink
		}
		byMean := (loss(mean+h, logDev) - loss(mean-h, logDev)) / (2 * h)
		byScale := (loss(mean, logDev+h) - loss(mean, logDev-h)) / (2 * h)
		if math.Abs(s.byMean-byMean) > 1e-5*(1+math.Abs(byMean)) || math.Abs(s.byScale-byScale) > 1e-5*(1+math.Abs(byScale)) {
			t.Fatalf("derivatives %v, %v, want %v, %v", s.byMean, s.byScale, byMean, byScale)
		}
		if byMean == 0 {
			clipped++
		}
	}
	if clipped < 100 {
		t.Errorf("only %d of 2000 were clipped: the test sees too little", clipped)
	}
}

func TestStandardise(t *testing.T) {
	x := []float64{9, 1, 9, 3, 5, 9}
	out := make([]float64, 3)
	standardise(out, x, []int{1, 3, 4}, true) // 1, 3, 5: mean 3, deviation 2
	for i, want := range []float64{-1, 0, 1} {
		if math.Abs(out[i]-want) > 1e-7 {
			t.Errorf("%d: %v, want %v", i, out[i], want)
		}
	}
	standardise(out, x, []int{1, 3, 4}, false)
	if out[0] != 1 || out[1] != 3 || out[2] != 5 {
		t.Errorf("left alone: %v", out)
	}
	standardise(out[:1], x, []int{3}, true)
	if out[0] != 3 {
		t.Errorf("one alone becomes %v", out[0])
	}
}

// learnt is a small run's update after a rollout, with parameters moved so that
// ratios differ from 1.
func learnt(t *testing.T, change func(*Config)) (*Trainer, []int) {
	t.Helper()
	c := small()
	c.Hidden, c.Minibatch = []int{5, 4}, 16
	change(&c)
	tr := mustNew(t, c, nil)
	both(func(w int) { tr.rollout.collect(w, tr.actor, tr.critic, 0.1) })
	if _, err := tr.estimator.Estimate(tr.rollout.tracks, tr.rollout.outcome); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, 9))
	for _, params := range [][]float64{tr.actor.Params, tr.critic.Params} {
		for i := range params {
			params[i] += 0.1 * r.NormFloat64()
		}
	}
	return tr, r.Perm(len(tr.rollout.action))[:c.Minibatch]
}

// The gradient of the whole loss of a minibatch, through the network, the standardised
// advantages and the entropy bonus, by every parameter.
func TestActorGradient(t *testing.T) {
	for _, on := range []bool{false, true} {
		tr, at := learnt(t, func(c *Config) { c.StandardiseAdvantages, c.Entropy = on, 0.3 })
		u, r := tr.update, tr.rollout
		loss := func() (sum float64) {
			worth := make([]float64, len(at))
			standardise(worth, r.worth, at, on)
			logDev := tr.actor.Free()[0]
			for i, s := range at {
				mean := naive(tr.actor, r.seen[s*observations:(s+1)*observations])[0]
				ratio := math.Exp(logDensity(r.action[s], mean, logDev) - r.density[s])
				sum -= math.Min(ratio*worth[i], math.Max(0.8, math.Min(1.2, ratio))*worth[i]) / float64(len(at))
			}
			return sum - 0.3*(logDev+0.5*math.Log(2*math.Pi*math.E))
		}
		d := u.actorLoss(r, at)
		u.actor.Backward(u.actor.tape, len(at))
		slopes(t, tr.actor.Params, append([]float64(nil), u.actor.tape.Grads...), loss)
		if d.KL <= 0 || d.Clipped <= 0 || d.Clipped >= 1 {
			t.Errorf("divergence %+v: the test sees too little", d)
		}
	}
}

func TestCriticGradient(t *testing.T) {
	tr, at := learnt(t, func(*Config) {})
	u, r := tr.update, tr.rollout
	loss := func() (sum float64) {
		for _, s := range at {
			e := naive(tr.critic, r.seen[s*observations:(s+1)*observations])[0] - r.target[s]
			sum += 0.5 * e * e / float64(len(at))
		}
		return sum
	}
	if got, want := u.criticLoss(r, at), loss(); math.Abs(got-want) > 1e-12*want {
		t.Errorf("loss %v, want %v", got, want)
	}
	u.critic.Backward(u.critic.tape, len(at))
	slopes(t, tr.critic.Params, append([]float64(nil), u.critic.tape.Grads...), loss)
}
