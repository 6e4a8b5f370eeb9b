package learner_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/learner"
	"etch/designs/learner/model"
	"etch/hw"
	"etch/testbench"
)

// network is one of a learner's, as the host sees it: its first layer is number first.
type network struct {
	sizes, tiles   []int
	first          int
	online, target *model.Net
}

// bench is a learner with its model: DQN or DDPG.
type bench struct {
	*testbench.Bench
	model.Step
	timing   learner.Timing
	dp       int
	networks []network
	r        *rand.Rand

	push, start, synchronise, act, busy hw.Bit
	at                                  hw.UInt
	state, next, observation, values    hw.Vec[hw.UInt]
	outcome                             learner.Outcome
	losses                              learner.Losses
	host                                learner.Host
	word                                hw.Vec[hw.UInt]
	counts                              learner.Saturated

	learn     func([]model.Sample) ([]model.Loss, error)
	copy      func() // of the online networks to the targets
	saturated func() model.Saturations
	draw      func(s *model.Sample)     // an action
	action    func(s model.Sample)      // sets that of the ports
	answer    func(observation []int64) // what the model does, compared with the ports
	told      []model.Loss
}

// loud draws weights, loud enough to saturate if wanted.
func loudNet(r *rand.Rand, f model.Number, loud float64, sizes []int) *model.Net {
	net := model.NewNet(sizes...)
	net.Init(r, f)
	for _, words := range net.Words() {
		for i := range words {
			words[i] = f.Raw(f.Value(words[i]) * loud)
		}
	}
	return net
}

func seeded(sizes []int, batch int) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(len(sizes)), uint64(batch)))
}

// newDQN makes a learner and its model with the same random weights.
func newDQN(t *testing.T, c learner.Config, loud float64, options ...testbench.Option) *bench {
	r := seeded(c.Sizes, c.Batch)
	m, err := model.NewDQN(c.Model(), loudNet(r, c.Weights(), loud, c.Sizes))
	require.NoError(t, err)
	s, p := testbench.New(t, c.Watched(), options...)
	b := &bench{
		Bench: s, Step: c.Exact(), timing: c.Schedule().Timing, dp: c.DP, r: r,
		networks: []network{{c.Sizes, c.Tiles, 0, m.Online, kept(c.Step, m.Target)}},
		push:     p.Push, start: p.Start, synchronise: p.Synchronise, act: p.Act, busy: p.Busy, at: p.At,
		state: p.Sample.State, next: p.Sample.Next, observation: p.Observation, values: p.Values,
		outcome: p.Sample.Outcome, losses: p.Losses, host: p.Host, word: p.Word, counts: p.Saturated,
		learn: m.Learn, copy: m.Synchronise, saturated: m.Saturated,
		draw:   func(x *model.Sample) { x.Action = r.IntN(c.Sizes[len(c.Sizes)-1]) },
		action: func(x model.Sample) { s.Set(p.Sample.Action, x.Action) },
	}
	b.answer = func(observation []int64) {
		values, best := m.Act(observation)
		b.compare(t, values, p.Values)
		require.Equal(t, best, int(b.Get(p.Best)))
	}
	b.begin(p.Tau)
	return b
}

// newDDPG makes a learner and its model with the same random weights.
func newDDPG(t *testing.T, c learner.DDPG, loud float64, options ...testbench.Option) *bench {
	x := c.Model()
	r := seeded(x.ActorSizes(), c.Batch)
	m, err := model.NewDDPG(x, loudNet(r, c.Weights(), loud, x.ActorSizes()), loudNet(r, c.Weights(), loud, x.CriticSizes()))
	require.NoError(t, err)
	s, p := testbench.New(t, c.Watched(), options...)
	b := &bench{
		Bench: s, Step: c.Exact(), timing: c.Schedule().Timing, dp: c.DP, r: r,
		networks: []network{
			{x.ActorSizes(), c.ActorTiles, 0, m.Actor, kept(c.Step, m.ActorTarget)},
			{x.CriticSizes(), c.CriticTiles, len(x.ActorSizes()) - 1, m.Critic, kept(c.Step, m.CriticTarget)},
		},
		push: p.Push, start: p.Start, synchronise: p.Synchronise, act: p.Act, busy: p.Busy, at: p.At,
		state: p.Sample.State, next: p.Sample.Next, observation: p.Observation, values: p.Values,
		outcome: p.Sample.Outcome, losses: p.Losses, host: p.Host, word: p.Word, counts: p.Saturated,
		learn: m.Learn, copy: m.Synchronise, saturated: m.Saturated,
	}
	b.draw = func(x *model.Sample) {
		activation := c.Activations()
		one := int64(1) << activation.Frac
		for range c.Actions {
			x.Actions = append(x.Actions, activation.Raw(activation.Value(r.Int64N(2*one+1)-one)))
		}
	}
	b.action = func(x model.Sample) { b.raws(p.Sample.Actions, x.Actions) }
	b.answer = func(observation []int64) { b.compare(t, m.Act(observation), p.Values) }
	b.begin(p.Tau)
	return b
}

// kept is a target network as the circuit stores it.
func kept(s model.Step, target *model.Target) *model.Net {
	if s.Tau > 0 {
		return target.Exact
	}
	return target.View
}

// begin sets the ports to rest and loads all weights.
func (b *bench) begin(tau hw.UInt) {
	for _, in := range []hw.Bit{b.push, b.start, b.act, b.host.Read, b.host.Write} {
		b.Set(in, 0)
	}
	b.Set(tau, int(b.Tau))
	for _, n := range b.networks {
		b.load(n, n.online, false)
		b.load(n, n.target, true)
	}
}

// bits sets the low bits of a port. raw sets a code, of a format, get reads that of an activation.
func (b *bench) bits(x hw.UInt, v int64) { b.Set(x, int(uint64(v)&(1<<x.Width()-1))) }

func (b *bench) raw(x hw.UInt, f model.Number, v int64) { b.Set(x, int(f.Code(v))) }

func (b *bench) get(x hw.UInt) int64 { return b.Activations().Decode(uint64(b.Get(x))) }

func (b *bench) raws(x hw.Vec[hw.UInt], v []int64) {
	for i := range v {
		b.raw(x[i], b.Activations(), v[i])
	}
}

func (b *bench) compare(t *testing.T, want []int64, got hw.Vec[hw.UInt]) {
	t.Helper()
	for i, v := range want {
		require.Equal(t, v, b.get(got[i]), "value %d", i)
	}
}

// place is a word of weights or biases: at is where each value lies in the layer, -1 past
// its end.
type place struct {
	layer int
	bias  bool
	word  int
	at    []int
}

// words visits the words of a network as the host sees them.
func (n network) words(visit func(place)) {
	for l := range len(n.sizes) - 1 {
		t := learner.Tile{In: n.tiles[2*l], Out: n.tiles[2*l+1]}
		in, out := n.sizes[l], n.sizes[l+1]
		across, down := (in+t.In-1)/t.In, (out+t.Out-1)/t.Out
		for w := range across * down {
			p := place{layer: l, word: w}
			for o := w / across * t.Out; o < w/across*t.Out+t.Out; o++ {
				for i := w % across * t.In; i < w%across*t.In+t.In; i++ {
					if o >= out || i >= in {
						p.at = append(p.at, -1)
						continue
					}
					p.at = append(p.at, o*in+i)
				}
			}
			visit(p)
		}
		for w := range down {
			p := place{layer: l, bias: true, word: w}
			for o := w * t.Out; o < min(out, w*t.Out+t.Out); o++ {
				p.at = append(p.at, o)
			}
			visit(p)
		}
	}
}

// of are the weights or biases that a place is in.
func (p place) of(n *model.Net) []int64 {
	if p.bias {
		return n.Layers[p.layer].B
	}
	return n.Layers[p.layer].W
}

func flag(v bool) int {
	if v {
		return 1
	}
	return 0
}

// ask addresses a word.
func (b *bench) ask(n network, p place, target bool) {
	b.Set(b.host.Layer, n.first+p.layer)
	b.Set(b.host.Bias, flag(p.bias))
	b.Set(b.host.Word, p.word)
	b.Set(b.host.Target, flag(target))
}

// load writes all words; what lies past the end of a layer is noise.
func (b *bench) load(n network, values *model.Net, target bool) {
	n.words(func(p place) {
		b.ask(n, p, target)
		for i := range b.host.Data {
			b.bits(b.host.Data[i], b.r.Int64())
		}
		for i, k := range p.at {
			if k >= 0 {
				b.raw(b.host.Data[i], b.stored(target), p.of(values)[k])
			}
		}
		b.Set(b.host.Write, 1)
		b.Bench.Step(1)
		b.Set(b.host.Write, 0)
	})
}

// stored is the format of a network's weights.
func (b *bench) stored(target bool) model.Number {
	if target && b.Tau > 0 {
		return b.Targets()
	}
	return b.Weights()
}

// expect compares all words of all networks.
func (b *bench) expect(t *testing.T, when string) {
	t.Helper()
	for _, n := range b.networks {
		for _, target := range []bool{false, true} {
			values, format := n.online, b.stored(target)
			if target {
				values = n.target
			}
			n.words(func(p place) {
				b.ask(n, p, target)
				b.Set(b.host.Read, 1)
				b.Bench.Step(1)
				b.Set(b.host.Read, 0)
				b.Bench.Step(2)
				for i, k := range p.at {
					if k < 0 {
						continue
					}
					got := format.Decode(uint64(b.Get(b.word[i])) & (1<<format.Bits() - 1))
					require.Equal(t, p.of(values)[k], got, "%s, target %v: network from layer %d: %+v, value %d", when, target, n.first, p, i)
				}
			})
		}
	}
}

// sample draws a transition; scale is the range of what is in it.
func (b *bench) sample(scale float64) model.Sample {
	raw := func() int64 { return b.Activations().Raw((2*b.r.Float64() - 1) * scale) }
	s := model.Sample{Weight: int64(b.r.IntN(model.One + 1))}
	s.Reward, s.Discount = raw(), []int64{0, 64881, model.One}[b.r.IntN(3)]
	for range b.state {
		s.State, s.Next = append(s.State, raw()), append(s.Next, raw())
	}
	b.draw(&s)
	return s
}

func (b *bench) store(at int, s model.Sample) {
	b.raws(b.state, s.State)
	b.raws(b.next, s.Next)
	b.action(s)
	b.raw(b.outcome.Reward, b.Activations(), s.Reward)
	b.bits(b.outcome.Discount, s.Discount)
	b.bits(b.outcome.Weight, s.Weight)
	b.Set(b.at, at)
	b.Set(b.push, 1)
	b.Bench.Step(1)
	b.Set(b.push, 0)
}

// gradientStep makes a step in both and compares losses and cycles.
func (b *bench) gradientStep(t *testing.T, scale float64, synchronise bool) {
	t.Helper()
	batch := make([]model.Sample, b.Batch)
	for i := range batch {
		batch[i] = b.sample(scale)
		b.store(i, batch[i])
	}
	want, err := b.learn(batch)
	require.NoError(t, err)
	if synchronise {
		b.copy()
	}
	b.Set(b.synchronise, flag(synchronise))
	b.Set(b.start, 1)
	b.Bench.Step(1)
	b.Set(b.start, 0)
	losses := 0
	cycles := b.while(t, func() {
		if !b.High(b.losses.Valid) {
			return
		}
		require.Equal(t, losses/b.dp, int(b.Get(b.losses.Sample)))
		for _, lane := range b.losses.Lanes {
			got := model.Loss{Q: b.get(lane.Q), Target: int64(b.Get(lane.Target.Raw)), Delta: int64(b.Get(lane.Delta.Raw))}
			require.Equal(t, want[losses], got, "loss of sample %d", losses)
			losses++
		}
	})
	require.Equal(t, b.Batch, losses)
	require.Equal(t, b.timing.Cycles, cycles)
	b.counted(t)
}

// while counts the cycles in which the learner is busy.
func (b *bench) while(t *testing.T, each func()) (cycles int) {
	t.Helper()
	for b.High(b.busy) {
		each()
		b.Bench.Step(1)
		if cycles++; cycles > 1_000_000 {
			t.Fatal("busy for ever")
		}
	}
	return cycles
}

// ask compares what both do with an observation.
func (b *bench) actOnce(t *testing.T, scale float64) {
	t.Helper()
	s := b.sample(scale)
	b.raws(b.observation, s.State)
	b.Set(b.act, 1)
	b.Bench.Step(1)
	b.Set(b.act, 0)
	require.Equal(t, b.timing.ActCycles, b.while(t, func() {}))
	b.answer(s.State)
	b.counted(t)
}

// counted compares the counts of what saturated.
func (b *bench) counted(t *testing.T) {
	t.Helper()
	b.Bench.Step(2)
	got := model.Saturations{Activation: uint64(b.Get(b.counts.Activation)), Gradient: uint64(b.Get(b.counts.Gradient)), Weight: uint64(b.Get(b.counts.Weight))}
	require.Equal(t, b.saturated(), got, "saturated values")
}

// run makes steps and compares everything after each.
func (b *bench) run(t *testing.T, steps int, scale float64) {
	t.Helper()
	b.expect(t, "loaded")
	b.actOnce(t, scale)
	for n := range steps {
		b.gradientStep(t, scale, n%3 == 1)
		b.expect(t, fmt.Sprintf("step %d", n))
		b.actOnce(t, scale)
	}
}
