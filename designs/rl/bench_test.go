package rl_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	learnermodel "etch/designs/learner/model"
	replay "etch/designs/replay/model"
	"etch/designs/rl"
	"etch/designs/rl/host"
	"etch/designs/rl/model"
	"etch/hw"
	hwaxi "etch/hw/axi"
	"etch/hw/fixed"
	"etch/testbench"
	"etch/testbench/axi"
)

// driver is what the drivers of both systems do.
type driver interface {
	Set(host.Settings) error
	Seed(uint64) error
	Insert(learnermodel.Transition)
	Step(synchronise bool) error
	Steps(n int) error
	Counters() (host.Counters, error)
	ClearCounters() error
	Saturated() (learnermodel.Saturations, error)
	Clear() error
	End() error
	Err() error
}

// bench is a system with its driver and its model, both of the same random weights.
type bench struct {
	*testbench.Bench
	learnermodel.Step
	p         rl.Ports
	registers hwaxi.Map
	cycles    func() (draw, learn, update int)
	host      driver
	r         *rand.Rand

	observation int
	prefetch    bool
	action      func(*learnermodel.Transition) // draws one

	// Of the model.
	insert    func(learnermodel.Transition)
	end       func()
	clear     func()
	step      func(synchronise bool) error
	saturated func() learnermodel.Saturations
	networks  func(t *testing.T) (circuit, model []*learnermodel.Net) // online ones, then targets as they are stored
	answer    func(t *testing.T, observation []int64)                 // of both
}

// newDQN makes a system of values.
func newDQN(t *testing.T, s rl.System[rl.Values], e replay.Exponents, options ...testbench.Option) *bench {
	t.Helper()
	c := s.Learner.Config
	b, bus := newBench(t, s, c.Step, s.Capacity, options)
	m, err := model.NewDQN(c.Model(), b.net(c.Sizes), memory(s.Memory, e, c.Prefetch, c.Activation))
	require.NoError(t, err)
	d := host.NewDQN(bus, s)

	b.host, b.registers, b.cycles, b.observation, b.prefetch = d, s.Registers(), s.StepCycles, c.Sizes[0], c.Prefetch
	b.action = func(x *learnermodel.Transition) { x.Action = b.r.IntN(c.Sizes[len(c.Sizes)-1]) }
	b.insert, b.end, b.clear, b.step, b.saturated = m.Insert, m.End, m.Clear, m.Step, m.Saturated
	b.networks = func(t *testing.T) (circuit, want []*learnermodel.Net) {
		online, err := d.Online()
		require.NoError(t, err)
		target, err := d.Target()
		require.NoError(t, err)
		return []*learnermodel.Net{online, target}, []*learnermodel.Net{m.Online, stored(c.Step, m.Target)}
	}
	b.answer = func(t *testing.T, x []int64) {
		values, action := m.Act(x)
		got, gotAction := d.Act(x)
		require.Equal(t, values, got)
		require.Equal(t, action, gotAction)
	}
	b.begin(t, e)
	require.NoError(t, d.Load(m.Online, m.Target))
	return b
}

// newDDPG makes a system of continuous actions.
func newDDPG(t *testing.T, s rl.System[rl.Actions], e replay.Exponents, options ...testbench.Option) *bench {
	t.Helper()
	c := s.Learner.DDPG
	b, bus := newBench(t, s, c.Step, s.Capacity, options)
	m, err := model.NewDDPG(c.Model(), b.net(c.Model().ActorSizes()), b.net(c.Model().CriticSizes()), memory(s.Memory, e, c.Prefetch, c.Activation))
	require.NoError(t, err)
	d := host.NewDDPG(bus, s)

	b.host, b.registers, b.cycles, b.observation, b.prefetch = d, s.Registers(), s.StepCycles, c.Observation, c.Prefetch
	b.action = func(x *learnermodel.Transition) {
		for range c.Actions {
			x.Actions = append(x.Actions, c.Activation.Raw(2*b.r.Float64()-1))
		}
	}
	b.insert, b.end, b.clear, b.saturated = m.Insert, m.End, m.Clear, m.Saturated
	b.step = func(synchronise bool) error {
		err := m.Step()
		if err == nil && synchronise {
			m.Synchronise()
		}
		return err
	}
	b.networks = func(t *testing.T) (circuit, want []*learnermodel.Net) {
		got, err := d.Networks()
		require.NoError(t, err)
		return got[:], []*learnermodel.Net{m.Actor, m.Critic, stored(c.Step, m.ActorTarget), stored(c.Step, m.CriticTarget)}
	}
	b.answer = func(t *testing.T, x []int64) { require.Equal(t, m.Act(x), d.Act(x)) }
	b.begin(t, e)
	require.NoError(t, d.Load(m.DDPG))
	return b
}

// newBench simulates a system.
func newBench(t *testing.T, s hw.Component[rl.Ports], c learnermodel.Step, capacity int, options []testbench.Option) (*bench, host.Bus) {
	t.Helper()
	tb, p := testbench.New(t, s, options...)
	bus, err := axi.NewMaster(tb.Sim, "s_axi")
	require.NoError(t, err)
	bus.StepBy(func() { tb.Step(1) })
	return &bench{Bench: tb, Step: c, p: p, r: rand.New(rand.NewPCG(5, uint64(capacity)))}, bus
}

// net is a random network.
func (b *bench) net(sizes []int) *learnermodel.Net {
	n := learnermodel.NewNet(sizes...)
	n.Init(b.r, b.Weights())
	return n
}

// stored is a target network as the circuit has it.
func stored(s learnermodel.Step, n *learnermodel.Target) *learnermodel.Net {
	if s.Tau > 0 {
		return n.Exact
	}
	return n.View
}

// generator is the state of the draws' generator.
const generator = 1 << 40

func memory(m rl.Memory, e replay.Exponents, prefetch bool, reward fixed.Format) model.MemoryConfig {
	return model.MemoryConfig{Params: m.Params, Exponents: e, Seed: generator, Prefetch: prefetch, Horizon: m.Horizon, Reward: reward}
}

// begin gives the circuit the memory's settings.
func (b *bench) begin(t *testing.T, e replay.Exponents) {
	t.Helper()
	unit := func(x uint32) float64 { return float64(x) / (1 << 16) }
	require.NoError(t, b.host.Set(host.Settings{Alpha: unit(e.Alpha), Beta: unit(e.Beta), Epsilon: unit(e.Epsilon), Tau: b.Tau}))
	require.NoError(t, b.host.Seed(generator))
}

// transition draws one; most follow another. scale is the range of what is in it.
func (b *bench) transition(after []int64, scale float64) learnermodel.Transition {
	raw := func() int64 { return b.Activation.Raw((2*b.r.Float64() - 1) * scale) }
	some := func() (x []int64) {
		for range b.observation {
			x = append(x, raw())
		}
		return x
	}
	t := learnermodel.Transition{State: after, Next: some(), Reward: raw(), Discount: 64881}
	b.action(&t)
	if after == nil || b.r.IntN(5) == 0 {
		t.State, t.Discount = some(), 0
	}
	return t
}

// both inserts a transition on both sides. Behind one without a value to come the episode is
// over, and so it is now and then elsewhere.
func (b *bench) both(x learnermodel.Transition) []int64 {
	b.insert(x)
	b.host.Insert(x)
	if x.Discount == 0 || b.r.IntN(7) == 0 {
		b.end()
		b.host.End()
	}
	return x.Next
}

// expect compares all networks.
func (b *bench) expect(t *testing.T, when string) {
	t.Helper()
	got, want := b.networks(t)
	for i := range want {
		require.Equal(t, want[i], got[i], "%s: network %d", when, i)
	}
}

// run inserts, acts and learns on both sides, and compares all weights and all answers
// after every step; scale is the range of observations and rewards.
func (b *bench) run(t *testing.T, fill, steps int, scale float64) {
	t.Helper()
	var last []int64
	for range fill {
		last = b.both(b.transition(last, scale))
	}
	for n := range steps {
		for range 1 + n%3 {
			last = b.both(b.transition(last, scale))
		}
		require.NoError(t, b.step(n%4 == 2))
		require.NoError(t, b.host.Step(n%4 == 2), "step %d", n)
		b.expect(t, fmt.Sprintf("step %d", n))
		b.answer(t, b.transition(last, scale).State)
	}
}
