package learner_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/learner"
	"etch/designs/learner/model"
	"etch/hw/fixed"
	"etch/testbench"
)

// TestVerilog: the emitted Verilog does the same, with all options and without.
func TestVerilog(t *testing.T) {
	for _, c := range []learner.Config{
		{Sizes: []int{4, 8, 2}, Tiles: []int{4, 2, 2, 2}, Step: model.Step{Formats: model.Wide(), Batch: 8, Clip: 1}, Rate: 4, DP: 1},
		{Sizes: []int{2, 6, 4, 3}, Tiles: []int{1, 2, 6, 1, 2, 2}, Step: model.Step{Formats: model.Small(4), Batch: 4, Clip: 2, Tau: 9000}, Rate: 2, DP: 2, Double: true},
	} {
		newDQN(t, c, 3, testbench.CoSim()).run(t, 3, 4)
	}
	newDQN(t, halfDQN(), 3, testbench.CoSim()).run(t, 2, 100)
	newDDPG(t, halfDDPG(), 2, testbench.CoSim()).run(t, 2, 2)
	newDDPG(t, learner.DDPG{
		Observation: 3, Actions: 2, ActorHidden: []int{6}, CriticHidden: []int{8, 5}, ActorTiles: []int{2, 2, 4, 1}, CriticTiles: []int{4, 2, 2, 5, 5, 1},
		Step: model.Step{Formats: model.Wide(), Batch: 4, Clip: 4, Tau: 9000}, ActorRate: 2, CriticRate: 3, DP: 2,
	}, 2, testbench.CoSim()).run(t, 3, 2)
}

// halfDQN and halfDDPG are learners of half precision, small and with all options.
func halfDQN() learner.Config {
	s := model.Step{Formats: model.Half(), Batch: 4, Clip: 2, Tau: 9000}
	return learner.Config{Sizes: []int{3, 5, 3}, Tiles: []int{2, 2, 2, 2}, Step: s, Rate: 2, DP: 2, Double: true}
}

func halfDDPG() learner.DDPG {
	return learner.DDPG{
		Observation: 3, Actions: 1, ActorHidden: []int{4}, CriticHidden: []int{4}, ActorTiles: []int{3, 1, 2, 1}, CriticTiles: []int{4, 1, 2, 1},
		Step: model.Step{Formats: model.Half(), Batch: 4, Clip: 4, Tau: 9000}, ActorRate: 2, CriticRate: 3, DP: 1,
	}
}

// TestFloat: floating point of other widths by the same units: what rounds, underflows and
// saturates is that of the model, and tiles and samples side by side change no bit.
func TestFloat(t *testing.T) {
	for _, format := range []string{"fp16", "e5m2", "e4m3fn", "e4m6"} {
		for _, loud := range []float64{1, 30} {
			c, d := halfDQN(), halfDDPG()
			c.Float, d.Float, c.DP = format, format, 1
			if loud > 1 {
				c.Tau, d.DP, c.Tiles = 0, 2, []int{1, 1, 5, 3}
			}
			newDQN(t, c, loud).run(t, 3, 40*loud)
			newDDPG(t, d, loud).run(t, 3, loud)
		}
	}
}

// TestSplit: tiles and samples side by side change no bit and cost no cycle more than
// expected: with half as many beats a step is shorter by half of them.
func TestSplit(t *testing.T) {
	for _, dp := range []int{1, 2, 4, 8} {
		c := learner.Config{Sizes: []int{4, 8, 2}, Tiles: []int{4, 1, 1, 2}, Step: model.Step{Formats: model.Wide(), Batch: 8, Clip: 1}, Rate: 4, DP: dp}
		one := c
		one.DP = 1
		require.Equal(t, (8-8/dp)*8, one.Schedule().Cycles-c.Schedule().Cycles)
		newDQN(t, c, 1).run(t, 2, 2) // the model knows no DP

		d := learner.Pendulum(16)
		d.ActorHidden, d.CriticHidden, d.Batch, d.DP = []int{8}, []int{8}, 8, dp
		newDDPG(t, d, 1).run(t, 2, 2)
	}
}

// TestRefused: each shape that does not fit has its own words.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(c *learner.Config){
		"a layer of 0": func(c *learner.Config) { c.Sizes = []int{4, 0, 2} },
		"tiles are 3 numbers for 2 layers of weights, want two for each": func(c *learner.Config) { c.Tiles = c.Tiles[:3] },
		"layer 0: a tile of 5 inputs for 4":                              func(c *learner.Config) { c.Tiles[0] = 5 },
		"layer 1: a tile of 4 outputs for 2":                             func(c *learner.Config) { c.Tiles[3] = 4 },
		"layer 1: a tile of 16 inputs behind one of 6 outputs":           func(c *learner.Config) { c.Sizes[1] = 48; c.Tiles[1], c.Tiles[2] = 6, 16 },
		"DP = 3, want a power of two up to the batch of 32":              func(c *learner.Config) { c.DP = 3 },
		"DP = 64, want a power of two up to the batch of 32":             func(c *learner.Config) { c.DP = 64 },
		"a learning rate of 2^-33":                                       func(c *learner.Config) { c.Rate = 33 },
	} {
		c := learner.CartPole(32)
		change(&c)
		require.ErrorContains(t, c.Validate(), want)
	}
	for want, change := range map[string]func(c *learner.DDPG){
		"actor: layer 0: a tile of 4 inputs for 3":             func(c *learner.DDPG) { c.ActorTiles[0] = 4 },
		"critic: tiles are 2 numbers for 2 layers of weights":  func(c *learner.DDPG) { c.CriticTiles = c.CriticTiles[:2] },
		"critic: layer 1: a tile of 2 outputs for 1":           func(c *learner.DDPG) { c.CriticTiles[3] = 2 },
		"DP = 3, want a power of two up to the batch of 64":    func(c *learner.DDPG) { c.DP = 3 },
		"critic: a learning rate of 2^-33; the formats allow":  func(c *learner.DDPG) { c.CriticRate = 33 },
		"activations of 18 bits with 17 of fraction have no 1": func(c *learner.DDPG) { c.Activation.Frac = 17; c.CriticRate, c.ActorRate = 0, 0 },
	} {
		c := learner.Pendulum(32)
		change(&c)
		require.ErrorContains(t, c.Validate(), want)
	}
}

// TestTasks: the learners of CartPole and of the pendulum with beats of 32 and 8 cycles
// are the model, bit for bit, and take as many cycles as their schedules say.
func TestTasks(t *testing.T) {
	for _, beat := range []int{32, 8} {
		t.Run(fmt.Sprint("cartpole", beat), func(t *testing.T) {
			c := learner.CartPole(beat)
			newDQN(t, c, 1).run(t, 4, 2)
			s := c.Schedule()
			require.Equal(t, beat, s.Beat)
			t.Logf("%d cycles a step, %d to act, %d multipliers", s.Cycles, s.ActCycles, c.Multipliers())
		})
		t.Run(fmt.Sprint("pendulum", beat), func(t *testing.T) {
			c := learner.Pendulum(beat)
			newDDPG(t, c, 1).run(t, 3, 2)
			s := c.Schedule()
			require.Equal(t, beat, s.Beat)
			t.Logf("%d cycles a step, %d to act, %d multipliers", s.Cycles, s.ActCycles, c.Multipliers())
		})
	}
}

func pick(r *rand.Rand, of ...int) int { return of[r.IntN(len(of))] }

// step draws formats, batch, clip and targets; least is the integer bits of an
// activation, its sign included.
func step(r *rand.Rand, dp, least int) (s model.Step) {
	s.Formats = model.Wide()
	switch r.IntN(4) {
	case 3:
		s.Formats = model.Formats{Float: []string{"fp16", "e4m7", "e5m3"}[r.IntN(3)], Target: r.IntN(12)}
	case 0:
		s.Formats = model.Small(4)
	case 1:
		format := func(integer int) fixed.Format {
			width := 7 + r.IntN(14)
			return fixed.Format{Width: width, Frac: min(3+r.IntN(width-4), width-integer)}
		}
		s.Formats = model.Formats{Weight: format(1), Activation: format(least), Gradient: format(1), Target: r.IntN(12)}
	}
	s.Batch = max(dp, pick(r, 1, 2, 4, 8, 16))
	s.Clip = []float64{0.5, 1, 2}[r.IntN(3)]
	if r.IntN(3) == 0 {
		s.Tau = int64(1 + r.IntN(model.One))
	}
	return s
}

// sizes draws hidden layers, tiles what divides any of a network's layers or does not.
func sizes(r *rand.Rand, n int) (s []int) {
	for range n {
		s = append(s, pick(r, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13))
	}
	return s
}

func tiles(r *rand.Rand, sizes []int) (tiles []int) {
	for l := range len(sizes) - 1 {
		tiles = append(tiles, 1+r.IntN(sizes[l]), 1+r.IntN(sizes[l+1]))
	}
	return tiles
}

// dqn draws a configuration: any depth, widths, tiles, formats, with and without DP,
// Double and soft targets.
func dqn(r *rand.Rand) learner.Config {
	c := learner.Config{DP: pick(r, 1, 1, 2, 4), Rate: r.IntN(6), Double: r.IntN(3) == 0}
	c.Step = step(r, c.DP, 1)
	c.Sizes = sizes(r, 2+r.IntN(4))
	for {
		c.Tiles = tiles(r, c.Sizes)
		if c.Validate() == nil {
			return c
		}
		c.Rate = r.IntN(12) // formats may allow no shift of fewer
	}
}

// ddpg draws a configuration like [dqn].
func ddpg(r *rand.Rand) learner.DDPG {
	c := learner.DDPG{Observation: 1 + r.IntN(5), Actions: 1 + r.IntN(4), DP: pick(r, 1, 1, 2, 4)}
	c.Step = step(r, c.DP, 2)
	c.ActorHidden, c.CriticHidden = sizes(r, r.IntN(3)), sizes(r, r.IntN(4))
	for {
		c.ActorTiles, c.CriticTiles = tiles(r, c.Model().ActorSizes()), tiles(r, c.Model().CriticSizes())
		if c.Validate() == nil {
			return c
		}
		c.ActorRate, c.CriticRate = r.IntN(12), r.IntN(12)
	}
}

// TestShapes: every weight of all networks after each step, every loss, action and value
// of the model, and the cycles of the schedule, for random shapes; in some of them most
// values saturate. The emitted Verilog has the simulator's outputs in every cycle: that of all
// shapes with ETCH_SLOW=1, else of a few loud ones in fixed point, as the wide sums of floating
// point take iverilog long.
func TestShapes(t *testing.T) {
	slow, most := os.Getenv("ETCH_SLOW") != "", 5
	if testing.Short() {
		most = 3
	}

	r := rand.New(rand.NewPCG(17, 1))
	saturated, judged, loud := 0, 0, 0 // shapes; those whose Verilog ran; those of them that saturated
	run := func(name string, n int, c any, float string, start func(t *testing.T, loud float64, options ...testbench.Option) *bench) {
		t.Run(fmt.Sprint(name, n), func(t *testing.T) {
			t.Logf("%+v", c)
			var options []testbench.Option
			judge := slow || judged < most && n%3 > 0 && float == ""
			if judge {
				judged++
				options = append(options, testbench.CoSim("iverilog"))
				if testing.Short() && os.Getenv("ETCH_COSIM") == "" { // CoSim by itself sits -short out
					t.Setenv("ETCH_COSIM", "iverilog")
				}
			}
			b := start(t, []float64{1, 3, 8}[n%3], options...)
			b.run(t, 3, []float64{1, 8, 100}[n%3])
			if b.saturated() != (model.Saturations{}) {
				saturated++
				if judge {
					loud++
				}
			}
		})
	}
	for n := range 27 {
		c, d := dqn(r), ddpg(r)
		run("dqn", n, c, c.Float, func(t *testing.T, loud float64, options ...testbench.Option) *bench {
			return newDQN(t, c, loud, options...)
		})
		run("ddpg", n, d, d.Float, func(t *testing.T, loud float64, options ...testbench.Option) *bench {
			return newDDPG(t, d, loud, options...)
		})
	}
	require.NotZero(t, saturated)
	t.Logf("values saturated in %d shapes, in %d of the %d whose Verilog ran", saturated, loud, judged)
}
