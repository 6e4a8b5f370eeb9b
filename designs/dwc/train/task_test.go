package train

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc/model"
	"etch/designs/mountaincar"
)

// shortRun is a run of a task that takes a second.
func shortRun(task Task, algorithm Algorithm) Config {
	c := DefaultFor(task, algorithm)
	c.Seed, c.Steps, c.Widths, c.N, c.Bits, c.ValidateStarts = 4, 700, []int{8, 6}, 3, 5, 20
	c.ValidateEvery = 300
	if algorithm == PPO {
		c.Horizon, c.Epochs = 256, 2
	}
	return c
}

// brokenRun makes a run in one go, and another that is saved after some steps and resumed. Both must
// end in the same model.
func brokenRun(t *testing.T, c Config, steps int) (straight, resumed *Trainer, m *model.Model) {
	straight, err := New(c)
	require.NoError(t, err)
	broken, err := New(c)
	require.NoError(t, err)
	require.NoError(t, straight.Run(t.Context(), nil))
	for broken.step < steps {
		require.NoError(t, broken.advance(nil))
	}

	var file bytes.Buffer
	require.NoError(t, broken.Save(&file))
	resumed, err = Resume(&file)
	require.NoError(t, err)
	require.NoError(t, resumed.Run(t.Context(), nil))
	want, err := straight.Model()
	require.NoError(t, err)
	m, err = resumed.Model()
	require.NoError(t, err)
	require.Equal(t, want, m)
	return straight, resumed, m
}

// Every task and algorithm: a run that is saved and resumed ends in the same model as one
// without a break, with the head of its algorithm.
func TestTasksResume(t *testing.T) {
	for _, c := range []Config{
		shortRun(MountainCar, SAC), shortRun(MountainCar, DDPG), shortRun(MountainCar, PPO), shortRun(Pendulum, PPO),
	} {
		straight, resumed, got := brokenRun(t, c, 601)
		require.Equal(t, straight.best.score, resumed.best.score)
		kind := map[Algorithm]model.HeadKind{"": model.SAC, DDPG: model.DDPG, PPO: model.PPO}[c.Algorithm]
		require.Equal(t, kind, got.Head.Kind)
	}
}

// The circuit's return over the validation starts is the best snapshot's, but for the DAC:
// heads, scales and names are exported as they were trained.
func TestTasksExport(t *testing.T) {
	for _, c := range []Config{shortRun(MountainCar, DDPG), shortRun(Pendulum, PPO), shortRun(MountainCar, PPO)} {
		trainer, err := New(c)
		require.NoError(t, err)
		require.NoError(t, trainer.Run(t.Context(), nil))
		m, err := trainer.Model()
		require.NoError(t, err)
		folded, err := m.Fold()
		require.NoError(t, err)
		eval, codes, word := model.NewEval(folded), make([]int, len(m.Obs)), make([]int, 1)
		obs, sum := make([]float64, len(m.Obs)), 0.0
		for _, e := range trainer.starts {
			e = e.clone()
			for over := false; !over; {
				e.observe(obs)
				for d, x := range obs {
					codes[d] = m.Quantise(d, x)
				}
				eval.Act(codes, word)
				reward, goal, late := e.step(m.Decode(0, word[0]) / trainer.task.greatest)
				sum += reward
				over = goal || late
			}
		}
		require.InEpsilon(t, trainer.best.score, sum/float64(len(trainer.starts)), 0.1, "%s, %s", c.Task, c.Algorithm)
		r, err := Judge(c.Task, m, 20)
		require.NoError(t, err)
		require.InDelta(t, r.Float, r.Circuit, 0.1*math.Abs(r.Float)+0.05)
		require.Greater(t, r.Gap(), 0.0)
	}
}

// A transition to the goal has no value to come; the wall of time changes nothing.
func TestGoalEndsValue(t *testing.T) {
	trainer, err := New(shortRun(MountainCar, SAC))
	require.NoError(t, err)
	trainer.env.(*car).State = mountaincar.State{Position: 0.449, Speed: 0.05}
	require.NoError(t, trainer.interact())
	trainer.env.(*car).Elapsed = mountaincar.Steps - 1
	require.NoError(t, trainer.interact())
	require.NoError(t, trainer.interact())
	require.Equal(t, []int16{terminated, truncated, 0}, trainer.mem.ends)
	require.Greater(t, trainer.mem.reward[0], float32(99))
	require.Len(t, trainer.recent, 2)
	s := trainer.sac
	s.load(rand.New(rand.NewPCG(1, 1)), trainer.encoder, &trainer.mem, false)
	for row, at := range s.which {
		want := []float64{0, 0.99, 0.99}[at]
		require.Equal(t, want, s.batch.discount[row])
	}
}

func TestTaskMistakes(t *testing.T) {
	for want, change := range map[string]func(*Config){
		`task: "chess" is not pendulum or mountaincar`:   func(c *Config) { c.Task = "chess" },
		"horizon: 100 is not a multiple of the batch":    func(c *Config) { c.Horizon = 100 },
		"epochs: 0 is not in 1..1000":                    func(c *Config) { c.Epochs = 0 },
		"clip: 0 is not in":                              func(c *Config) { c.Clip = 0 },
		"lambda: 2 is not in 0..1":                       func(c *Config) { c.Lambda = 2 },
		"deviation: 0 is not in 1e-06..10":               func(c *Config) { c.Deviation = 0 },
		"correlation: 1 is not in 0..0.999":              func(c *Config) { c.Correlation = 1 },
		`horizon, epochs, lambda and clip are of the al`: func(c *Config) { c.Algorithm = DDPG },
	} {
		c := shortRun(Pendulum, PPO)
		change(&c)
		_, err := New(c)
		require.ErrorContains(t, err, want)
	}
}
