package rl_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	learner "etch/designs/learner"
	learnermodel "etch/designs/learner/model"
	replay "etch/designs/replay/model"
	"etch/designs/rl"
	"etch/designs/rl/host"
	"etch/designs/rl/model"
	"etch/testbench"
	"etch/testbench/axi"
)

// bench is a system with its driver and its model, both of the same random weights.
type bench struct {
	*testbench.Bench
	system rl.System[rl.Values]
	p      rl.Ports
	host   *host.DQN
	model  *model.DQN
	r      *rand.Rand
}

func newBench(t *testing.T, s rl.System[rl.Values], e replay.Exponents, options ...testbench.Option) *bench {
	t.Helper()
	r := rand.New(rand.NewPCG(5, uint64(s.Capacity)))
	c := s.Learner.Config
	net := learnermodel.NewNet(c.Sizes...)
	net.Init(r, c.Weight)
	m, err := model.NewDQN(c.Model(), net, model.MemoryConfig{Params: s.Params, Exponents: e, Seed: 1 << 40})
	require.NoError(t, err)

	tb, p := testbench.New(t, s, options...)
	bus, err := axi.NewMaster(tb.Sim, "s_axi")
	require.NoError(t, err)
	bus.StepBy(func() { tb.Step(1) })
	d := host.NewDQN(bus, s)
	unit := func(x uint32) float64 { return float64(x) / (1 << 16) }
	require.NoError(t, d.Set(host.Settings{Alpha: unit(e.Alpha), Beta: unit(e.Beta), Epsilon: unit(e.Epsilon), Tau: c.Tau}))
	require.NoError(t, d.Seed(1<<40))
	require.NoError(t, d.Load(m.Online, m.Target))
	return &bench{tb, s, p, d, m, r}
}

// transition draws one; most follow another.
func (b *bench) transition(after []int64) learnermodel.Transition {
	c := b.system.Learner.Config
	raw := func() int64 { return c.Activation.Raw(2*b.r.Float64() - 1) }
	t := learnermodel.Transition{State: after, Next: make([]int64, c.Sizes[0]), Action: b.r.IntN(c.Sizes[len(c.Sizes)-1]), Reward: raw(), Discount: 64881}
	for i := range t.Next {
		t.Next[i] = raw()
	}
	if after == nil || b.r.IntN(5) == 0 {
		t.State = make([]int64, c.Sizes[0])
		for i := range t.State {
			t.State[i] = raw()
		}
		t.Discount = 0
	}
	return t
}

// expect compares both networks and the memory's count.
func (b *bench) expect(t *testing.T, when string) {
	t.Helper()
	online, err := b.host.Online()
	require.NoError(t, err)
	require.Equal(t, b.model.Online, online, "%s: online network", when)
	target, err := b.host.Target()
	require.NoError(t, err)
	want := b.model.Target.View
	if b.system.Learner.Tau > 0 {
		want = b.model.Target.Exact
	}
	require.Equal(t, want, target, "%s: target network", when)
}

// run inserts, acts and learns on both sides, and compares all weights and all answers
// after every step.
func (b *bench) run(t *testing.T, fill, steps int) {
	t.Helper()
	var last []int64
	insert := func() {
		x := b.transition(last)
		b.model.Insert(x)
		b.host.Insert(x)
		last = x.Next
	}
	for range fill {
		insert()
	}
	for n := range steps {
		for range 1 + n%3 {
			insert()
		}
		require.NoError(t, b.model.Step(n%4 == 2))
		require.NoError(t, b.host.Step(n%4 == 2), "step %d", n)
		b.expect(t, fmt.Sprintf("step %d", n))
		x := b.transition(last)
		values, action := b.model.Act(x.State)
		gotValues, gotAction := b.host.Act(x.State)
		require.Equal(t, values, gotValues)
		require.Equal(t, action, gotAction)
	}
}

func exponents() replay.Exponents {
	return replay.Exponents{Alpha: replay.Fixed(0.6), Beta: replay.Fixed(0.4), Epsilon: replay.Fixed(0.01)}
}

// small is a system of few cycles.
func small() rl.System[rl.Values] {
	return rl.System[rl.Values]{
		Learner: rl.Values{Config: learner.Config{Sizes: []int{3, 8, 2}, Tiles: []int{3, 2, 2, 2}, Step: learnermodel.Step{Formats: learnermodel.Wide(), Batch: 8, Clip: 1}, Rate: 3, DP: 1}},
		Memory:  rl.Memory{Params: replay.Params{Capacity: 32, Leaf: 16, Fraction: 12}, K: 4, Read: 1, Seed: 1},
	}
}

// TestSmall: the system is its model, bit for bit, step by step, with a memory that wraps,
// soft targets, samples side by side, a memory with registers behind it.
func TestSmall(t *testing.T) {
	for name, change := range map[string]func(s *rl.System[rl.Values]){
		"plain":  func(*rl.System[rl.Values]) {},
		"soft":   func(s *rl.System[rl.Values]) { s.Learner.Tau = 3000 },
		"lanes":  func(s *rl.System[rl.Values]) { s.Learner.DP = 4; s.Learner.Tiles = []int{3, 4, 4, 1} },
		"read 2": func(s *rl.System[rl.Values]) { s.Read, s.K, s.Capacity = 2, 2, 21 },
		"double": func(s *rl.System[rl.Values]) { s.Learner.Double = true; s.Learner.Batch = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			s := small()
			change(&s)
			newBench(t, s, exponents()).run(t, 20, 30)
		})
	}
}

// TestCycles: a step takes as many cycles as the formula says, phase by phase; that of the
// system for CartPole, with a beat of 32 cycles, at most 1,250.
func TestCycles(t *testing.T) {
	deep := small()
	deep.Read, deep.K, deep.Capacity, deep.Learner.Batch = 2, 2, 1000, 16
	for _, s := range []rl.System[rl.Values]{rl.CartPole(32), small(), deep} {
		b := newBench(t, s, exponents())
		for range 100 {
			x := b.transition(nil)
			b.model.Insert(x)
			b.host.Insert(x)
		}
		b.Step(100)
		require.NoError(t, b.host.ClearCounters())
		const steps = 3
		require.NoError(t, b.host.Steps(steps))
		for range steps {
			require.NoError(t, b.model.Step(false))
		}
		b.expect(t, "after steps on end")
		c, err := b.host.Counters()
		require.NoError(t, err)
		draw, learn, update := s.StepCycles()
		t.Logf("draw %d, learn %d, update %d cycles: %d", draw, learn, update, draw+learn+update)
		require.Equal(t, host.Counters{Steps: steps, Draw: uint32(steps * draw), Learn: uint32(steps * learn), Update: uint32(steps * update)}, c)
		require.LessOrEqual(t, draw+learn+update, 1250)
	}
}

// TestEmpty: steps without a transition are given up with an error, and nothing changes.
func TestEmpty(t *testing.T) {
	b := newBench(t, small(), exponents())
	require.ErrorContains(t, b.host.Step(false), "a draw from an empty memory")
	require.ErrorContains(t, b.host.Step(false), "a draw from an empty memory") // it stays
	b = newBench(t, small(), exponents())
	bus, err := axi.NewMaster(b.Sim, "s_axi")
	require.NoError(t, err)
	require.NoError(t, bus.Write(b.system.Registers().Address("step"), 3))
	b.Step(1000)
	require.False(t, b.High(b.p.Busy))
	b.expect(t, "after no step")
}

// TestVerilog: the emitted Verilog does the same.
func TestVerilog(t *testing.T) {
	if testing.Short() {
		t.Skip("two simulators are compiled")
	}
	s := small()
	s.Learner.Sizes, s.Learner.Batch, s.Capacity = []int{3, 4, 2}, 4, 8
	newBench(t, s, exponents(), testbench.CoSim()).run(t, 6, 2)
}
