package learner_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/learner"
	"etch/designs/learner/model"
	"etch/hw"
	"etch/hw/fixed"
	"etch/testbench"
)

// bench is a learner with its model.
type bench struct {
	*testbench.Bench
	c learner.Config
	p learner.Ports
	m *model.DQN
	r *rand.Rand
}

// newBench makes both, with the same random weights, loud enough to saturate if wanted.
func newBench(t *testing.T, c learner.Config, loud float64, options ...testbench.Option) *bench {
	r := rand.New(rand.NewPCG(uint64(len(c.Sizes)), uint64(c.Batch)))
	net := model.NewNet(c.Sizes...)
	net.Init(r, c.Weight)
	for _, words := range net.Words() {
		for i := range words {
			words[i] = c.Weight.Raw(c.Weight.Float(words[i]) * loud)
		}
	}
	m, err := model.NewDQN(c.Model(), net)
	require.NoError(t, err)
	s, p := testbench.New(t, c, options...)
	b := &bench{s, c, p, m, r}
	for _, in := range []hw.Bit{p.Push, p.Start, p.Act, p.Host.Read, p.Host.Write} {
		s.Set(in, 0)
	}
	s.Set(p.Tau, int(c.Tau))
	b.load(m.Online, false)
	b.load(b.target(), true)
	return b
}

// target is the target network as the circuit stores it.
func (b *bench) target() *model.Net {
	if b.c.Tau > 0 {
		return b.m.Target.Exact
	}
	return b.m.Target.View
}

// raw sets codes.
func (b *bench) raw(x hw.UInt, v int64) { b.Set(x, int(uint64(v)&(1<<x.Width()-1))) }

// words visits the words of a network as the host sees them; at is the place of each
// value in weights or biases of the layer.
func (b *bench) words(visit func(l int, bias bool, word int, at []int)) {
	for l := range len(b.c.Sizes) - 1 {
		t := learner.Tile{In: b.c.Tiles[2*l], Out: b.c.Tiles[2*l+1]}
		in, out := b.c.Sizes[l], b.c.Sizes[l+1]
		for w := range in / t.In * (out / t.Out) {
			var at []int
			for o := range t.Out {
				for i := range t.In {
					at = append(at, (w/(in/t.In)*t.Out+o)*in+w%(in/t.In)*t.In+i)
				}
			}
			visit(l, false, w, at)
		}
		for w := range out / t.Out {
			var at []int
			for o := range t.Out {
				at = append(at, w*t.Out+o)
			}
			visit(l, true, w, at)
		}
	}
}

// values are the weights or biases of a layer.
func valuesOf(n *model.Net, l int, bias bool) []int64 {
	if bias {
		return n.Layers[l].B
	}
	return n.Layers[l].W
}

func flag(v bool) int {
	if v {
		return 1
	}
	return 0
}

// ask addresses a word.
func (b *bench) ask(l int, bias bool, word int, target bool) {
	h := b.p.Host
	b.Set(h.Layer, l)
	b.Set(h.Bias, flag(bias))
	b.Set(h.Word, word)
	b.Set(h.Target, flag(target))
}

func (b *bench) load(n *model.Net, target bool) {
	b.words(func(l int, bias bool, word int, at []int) {
		b.ask(l, bias, word, target)
		for i, k := range at {
			b.raw(b.p.Host.Data[i], valuesOf(n, l, bias)[k])
		}
		b.Set(b.p.Host.Write, 1)
		b.Step(1)
		b.Set(b.p.Host.Write, 0)
	})
}

// expect compares all words of a network.
func (b *bench) expect(t *testing.T, n *model.Net, target bool, f fixed.Format, what string) {
	t.Helper()
	b.words(func(l int, bias bool, word int, at []int) {
		b.ask(l, bias, word, target)
		b.Set(b.p.Host.Read, 1)
		b.Step(1)
		b.Set(b.p.Host.Read, 0)
		b.Step(1)
		for i, k := range at {
			got := int64(b.Get(b.p.Word[i])) << (64 - f.Width) >> (64 - f.Width)
			require.Equal(t, valuesOf(n, l, bias)[k], got, "%s: layer %d, bias %v, word %d, value %d", what, l, bias, word, i)
		}
	})
}

// sample draws a transition; scale is the range of what is in it.
func (b *bench) sample(scale float64) model.Sample {
	raw := func() int64 { return b.c.Activation.Raw((2*b.r.Float64() - 1) * scale) }
	in, out := b.c.Sizes[0], b.c.Sizes[len(b.c.Sizes)-1]
	s := model.Sample{Transition: model.Transition{State: make([]int64, in), Next: make([]int64, in), Action: b.r.IntN(out), Reward: raw(), Discount: []int64{0, 64881, model.One}[b.r.IntN(3)]}, Weight: int64(b.r.IntN(model.One + 1))}
	for i := range s.State {
		s.State[i], s.Next[i] = raw(), raw()
	}
	return s
}

func (b *bench) push(at int, s model.Sample) {
	p := b.p.Sample
	for i := range s.State {
		b.raw(p.State[i], s.State[i])
		b.raw(p.Next[i], s.Next[i])
	}
	b.Set(p.Action, s.Action)
	b.raw(p.Reward, s.Reward)
	b.raw(p.Discount, s.Discount)
	b.raw(p.Weight, s.Weight)
	b.Set(b.p.At, at)
	b.Set(b.p.Push, 1)
	b.Step(1)
	b.Set(b.p.Push, 0)
}

// step makes a gradient step in both and compares losses and cycles.
func (b *bench) step(t *testing.T, scale float64, synchronise bool) {
	t.Helper()
	batch := make([]model.Sample, b.c.Batch)
	for i := range batch {
		batch[i] = b.sample(scale)
		b.push(i, batch[i])
	}
	want, err := b.m.Learn(batch)
	require.NoError(t, err)
	if synchronise {
		b.m.Synchronise()
	}
	b.Set(b.p.Synchronise, flag(synchronise))
	b.Set(b.p.Start, 1)
	b.Step(1)
	b.Set(b.p.Start, 0)
	cycles, losses := 0, 0
	for b.High(b.p.Busy) {
		if b.High(b.p.Losses.Valid) {
			for n, lane := range b.p.Losses.Lanes {
				w := want[losses+n]
				require.Equal(t, losses/b.c.DP, int(b.Get(b.p.Losses.Sample)))
				q := int64(b.Get(lane.Q)) << (64 - b.c.Activation.Width) >> (64 - b.c.Activation.Width)
				got := model.Loss{Q: q, Target: int64(b.Get(lane.Target.Raw)), Delta: int64(b.Get(lane.Delta.Raw))}
				require.Equal(t, w, got, "step %d, loss of sample %d", b.m.Steps, losses+n)
			}
			losses += b.c.DP
		}
		b.Step(1)
		if cycles++; cycles > 1_000_000 {
			t.Fatal("busy for ever")
		}
	}
	require.Equal(t, b.c.Batch, losses)
	require.Equal(t, b.c.Schedule().Cycles, cycles)
}

// act compares the values of an observation.
func (b *bench) act(t *testing.T, scale float64) {
	t.Helper()
	s := b.sample(scale)
	values, best := b.m.Act(s.State)
	for i, x := range s.State {
		b.raw(b.p.Observation[i], x)
	}
	b.Set(b.p.Act, 1)
	b.Step(1)
	b.Set(b.p.Act, 0)
	cycles := 0
	for ; b.High(b.p.Busy); cycles++ {
		b.Step(1)
	}
	require.Equal(t, b.c.Schedule().ActCycles, cycles)
	for i, v := range values {
		require.Equal(t, v, int64(b.Get(b.p.Values[i]))<<(64-b.c.Activation.Width)>>(64-b.c.Activation.Width), "value %d", i)
	}
	require.Equal(t, best, int(b.Get(b.p.Best)))
}

// run makes steps and compares everything after each.
func (b *bench) run(t *testing.T, steps int, scale float64) {
	t.Helper()
	for n := range steps {
		b.step(t, scale, n%3 == 1)
		b.expect(t, b.m.Online, false, b.c.Weight, fmt.Sprintf("step %d, online", n))
		f := b.c.Weight
		if b.c.Tau > 0 {
			f.Width += b.c.Formats.Target
		}
		b.expect(t, b.target(), true, f, fmt.Sprintf("step %d, target", n))
		b.act(t, scale)
	}
}

// TestVerilog: the emitted Verilog does the same, with all options and without.
func TestVerilog(t *testing.T) {
	for _, c := range []learner.Config{
		{Sizes: []int{4, 8, 2}, Tiles: []int{4, 2, 2, 2}, Step: model.Step{Formats: model.Wide(), Batch: 8, Clip: 1}, Rate: 4, DP: 1},
		{Sizes: []int{2, 6, 4, 3}, Tiles: []int{1, 2, 6, 1, 2, 1}, Step: model.Step{Formats: model.Small(4), Batch: 4, Clip: 2, Tau: 9000}, Rate: 2, DP: 2, Double: true},
	} {
		newBench(t, c, 3, testbench.CoSim()).run(t, 3, 4)
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
		newBench(t, c, 1).run(t, 2, 2) // the model knows no DP
	}
}

// TestRefused: each shape that does not fit has its own words.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(c *learner.Config){
		"a layer of 0": func(c *learner.Config) { c.Sizes = []int{4, 0, 2} },
		"tiles are 3 numbers for 2 layers of weights, want two for each": func(c *learner.Config) { c.Tiles = c.Tiles[:3] },
		"layer 0: a tile of 3 inputs does not divide 4":                  func(c *learner.Config) { c.Tiles[0] = 3 },
		"layer 1: a tile of 4 outputs does not divide 2":                 func(c *learner.Config) { c.Tiles[3] = 4 },
		"layer 1: a tile of 16 inputs behind one of 6 outputs":           func(c *learner.Config) { c.Sizes[1] = 48; c.Tiles[1], c.Tiles[2] = 6, 16 },
		"DP = 3, want a power of two up to the batch of 32":              func(c *learner.Config) { c.DP = 3 },
		"DP = 64, want a power of two up to the batch of 32":             func(c *learner.Config) { c.DP = 64 },
		"a learning rate of 2^-33":                                       func(c *learner.Config) { c.Rate = 33 },
	} {
		c := learner.CartPole(32)
		change(&c)
		require.ErrorContains(t, c.Validate(), want)
	}
}

// TestCartPole: the learner of CartPole with beats of 32 and 8 cycles is the model, bit
// for bit, and takes as many cycles as its schedule says.
func TestCartPole(t *testing.T) {
	for _, beat := range []int{32, 8} {
		t.Run(fmt.Sprint(beat), func(t *testing.T) {
			c := learner.CartPole(beat)
			b := newBench(t, c, 1)
			b.run(t, 4, 2)
			s := c.Schedule()
			require.Equal(t, beat, s.Beat)
			t.Logf("%d cycles a step, %d to act, %d multipliers", s.Cycles, s.ActCycles, c.Multipliers())
		})
	}
}

// shape draws a configuration: any depth, widths, tiles, formats, with and without DP,
// Double and soft targets.
func shape(r *rand.Rand) learner.Config {
	pick := func(of ...int) int { return of[r.IntN(len(of))] }
	c := learner.Config{DP: pick(1, 1, 2, 4), Rate: r.IntN(6), Double: r.IntN(3) == 0}
	c.Formats = model.Wide()
	switch r.IntN(3) {
	case 0:
		c.Formats = model.Small(4)
	case 1:
		format := func() fixed.Format {
			width := 7 + r.IntN(14)
			return fixed.Format{Width: width, Frac: 3 + r.IntN(width-4)}
		}
		c.Formats = model.Formats{Weight: format(), Activation: format(), Gradient: format(), Target: r.IntN(12)}
	}
	c.Batch = max(c.DP, pick(1, 2, 4, 8, 16))
	c.Clip = []float64{0.5, 1, 2}[r.IntN(3)]
	if r.IntN(3) == 0 {
		c.Tau = int64(1 + r.IntN(model.One))
	}

	// Sizes that have many divisors; tiles that divide them and one another.
	layers := 1 + r.IntN(4)
	for range layers + 1 {
		c.Sizes = append(c.Sizes, pick(1, 2, 3, 4, 6, 8, 12))
	}
	for {
		c.Tiles = nil
		for l := range layers {
			c.Tiles = append(c.Tiles, 1+r.IntN(c.Sizes[l]), 1+r.IntN(c.Sizes[l+1]))
		}
		if c.Validate() == nil {
			return c
		}
		c.Rate = r.IntN(12) // formats may allow no shift of fewer
	}
}

// TestShapes: every weight of both networks after each step, every loss and every value
// of the model, and the cycles of the schedule, for random shapes; in some of them most
// values saturate.
func TestShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	saturated := 0
	for n := range 24 {
		c := shape(r)
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Logf("%+v", c)
			b := newBench(t, c, []float64{1, 3, 8}[n%3])
			b.run(t, 3, []float64{1, 8, 100}[n%3])
			if b.m.Saturated() != (model.Saturations{}) {
				saturated++
			}
		})
	}
	require.NotZero(t, saturated)
	t.Logf("values saturated in %d shapes", saturated)
}
