package train

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// rolled is a run of PPO with a whole rollout in its memory.
func rolled(t *testing.T, task Task) *Trainer {
	t.Helper()
	c := shortRun(task, PPO)
	c.Deviation = 0.7
	trainer, err := New(c)
	require.NoError(t, err)
	for range c.Horizon {
		require.NoError(t, trainer.interact())
	}
	return trainer
}

// Advantages and returns are the sums that define them, with ends of both kinds.
func TestPPOEstimate(t *testing.T) {
	trainer := rolled(t, Pendulum)
	p, mem, c := trainer.ppo, &trainer.mem, trainer.cfg
	mem.ends[40] = terminated
	require.EqualValues(t, truncated, mem.ends[199])
	p.estimate(trainer.encoder, mem, trainer.sac)
	value := func(codes []int16) float64 {
		z := make([]float32, len(codes))
		trainer.encoder.normalise(z, codes)
		return denseFloat64(p.value, widen(p.value.params), widen(z))[0]
	}
	delta := func(i int) float64 {
		before, after, _, reward := mem.at(i)
		next := c.Discount * value(after)
		if mem.ends[i] == terminated {
			next = 0
		}
		return float64(reward)*c.RewardScale + next - value(before)
	}
	for _, i := range []int{0, 30, 40, 41, 150, 199, 200, 255} {
		want, factor := 0.0, 1.0
		for k := i; k < c.Horizon; k++ {
			want += factor * delta(k)
			factor *= c.Discount * c.Lambda
			if mem.ends[k] != 0 {
				break
			}
		}
		before, _, _, _ := mem.at(i)
		require.InDelta(t, want, p.worth[i], 1e-4)
		require.InDelta(t, want+value(before), p.target[i], 1e-4)
	}
}

// The gradient of a minibatch by the head's outputs and by the deviation is that of the
// clipped objective with standardised advantages.
func TestPPOGradient(t *testing.T) {
	trainer := rolled(t, MountainCar)
	p, mem, s := trainer.ppo, &trainer.mem, trainer.sac
	p.estimate(trainer.encoder, mem, s)
	which := make([]int, trainer.cfg.Batch)
	for i := range which {
		which[i] = (i * 37) % trainer.cfg.Horizon
	}
	for i := range p.old {
		p.old[i] += 0.4 * math.Sin(float64(i)) // ratios on either side of the clip
	}
	mean, scale := p.spread(which)
	logDev := float64(p.logDev[0])

	// y and deviation before the step, which moves both.
	p.load(trainer.encoder, mem, s, which, false)
	ys := make([]float64, len(which))
	for _, b := range s.now.blocks {
		s.policy.forward(b)
	}
	for row := range which {
		ys[row] = s.mean(row)
	}
	rho := trainer.cfg.Correlation
	require.Positive(t, rho)
	objective := func(row int, y, logDev float64) float64 {
		at := which[row]
		_, _, action, _ := mem.at(at)
		z := ((float64(action[0])-y)/math.Exp(logDev) - rho*p.before[at]) / math.Sqrt(1-rho*rho)
		ratio := math.Exp(-z*z/2 - logDev - p.old[at])
		worth := (p.worth[at] - mean) * scale
		clipped := math.Max(0.8, math.Min(1.2, ratio))
		return -math.Min(ratio*worth, clipped*worth) / float64(len(which))
	}
	p.minibatch(nil, trainer.encoder, mem, s, which, 1)
	flat, sum := 0, 0.0
	for row := range which {
		want := slopeOf(func(y float64) float64 { return objective(row, y, logDev) }, ys[row])
		near(t, "by y", s.errs.y[row/lanes][0][row%lanes], want, 1e-5)
		sum += slopeOf(func(d float64) float64 { return objective(row, ys[row], d) }, logDev)
		if want == 0 {
			flat++
		}
	}
	require.InDelta(t, 0.1*sum, float64(p.devAdam.m[0]), 1e-6) // Adam's first moment after a step
	require.Positive(t, flat)
	require.Less(t, flat, len(which)/2)
}

// Before each action stands the noise of the one before, and what that leaves of an action's
// noise is standard normal, whatever the correlation.
func TestPPONoise(t *testing.T) {
	trainer := rolled(t, MountainCar)
	p, mem, s := trainer.ppo, &trainer.mem, trainer.sac
	p.estimate(trainer.encoder, mem, s)
	square, n := 0.0, trainer.cfg.Horizon
	for at := 0; at < n; at += trainer.cfg.Batch {
		which := make([]int, trainer.cfg.Batch)
		for row := range which {
			which[row] = at + row
		}
		p.load(trainer.encoder, mem, s, which, false)
		for _, b := range s.now.blocks {
			s.policy.forward(b)
		}
		for row := range which {
			_, _, action, _ := mem.at(at + row)
			unit, fresh := p.noise(at+row, float64(action[0]), s.mean(row), float64(p.logDev[0]))
			square += fresh * fresh / float64(n)
			if at+row+1 < n {
				require.InDelta(t, p.before[at+row+1], unit, 1e-4) // actions are float32
			}
		}
	}
	require.InDelta(t, 1, square, 5*math.Sqrt(2/float64(n)))
}

// The critic comes nearer to the returns; an update at the end of a rollout forgets it.
func TestPPOLearns(t *testing.T) {
	trainer := rolled(t, Pendulum)
	p := trainer.ppo
	p.estimate(trainer.encoder, &trainer.mem, trainer.sac)
	misfit := func() (sum float64) {
		for i := range p.target {
			codes, _, _, _ := trainer.mem.at(i)
			trainer.encoder.normalise(p.tape.input()[:3], codes)
			p.value.forward(p.tape)
			sum += math.Pow(float64(p.tape.output()[0])-p.target[i], 2)
		}
		return sum
	}
	before := misfit()
	which := make([]int, trainer.cfg.Batch)
	for step := range 400 {
		for row := range which {
			which[row] = (step*len(which) + row) % len(p.target)
		}
		p.load(trainer.encoder, &trainer.mem, trainer.sac, which, false)
		p.learnValue(which, 1)
	}
	require.Less(t, misfit(), before/2)
	c := shortRun(Pendulum, PPO)
	run, err := New(c)
	require.NoError(t, err)
	for range c.Horizon + 3 {
		require.NoError(t, run.advance(nil))
	}
	require.Equal(t, 3, run.mem.len())
	require.Len(t, run.mem.ends, 3)
}
