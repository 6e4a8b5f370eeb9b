package rl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	learner "etch/designs/learner"
	learnermodel "etch/designs/learner/model"
	replay "etch/designs/replay/model"
	"etch/designs/rl"
	"etch/designs/rl/host"
	"etch/testbench"
	"etch/testbench/axi"
)

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

// smallActions is one of continuous actions: two of them, with soft targets.
func smallActions() rl.System[rl.Actions] {
	return rl.System[rl.Actions]{
		Learner: rl.Actions{DDPG: learner.DDPG{
			Observation: 3, Actions: 2, ActorHidden: []int{6}, CriticHidden: []int{8}, ActorTiles: []int{3, 2, 2, 1}, CriticTiles: []int{5, 2, 2, 1},
			Step: learnermodel.Step{Formats: learnermodel.Wide(), Batch: 8, Clip: 4, Tau: 3000}, ActorRate: 3, CriticRate: 3, DP: 1,
		}},
		Memory: small().Memory,
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

		"prefetch":          func(s *rl.System[rl.Values]) { s.Learner.Prefetch = true },
		"prefetch of one":   func(s *rl.System[rl.Values]) { s.Learner.Prefetch = true; s.Learner.Batch = 1 },
		"prefetch of a row": func(s *rl.System[rl.Values]) { s.Learner.Prefetch, s.Learner.DP = true, 8 },
		"returns":           func(s *rl.System[rl.Values]) { s.Horizon = 3 },
		"both":              func(s *rl.System[rl.Values]) { s.Learner.Prefetch = true; s.Horizon = 4; s.Read = 2 },
	} {
		t.Run(name, func(t *testing.T) {
			s := small()
			change(&s)
			newDQN(t, s, exponents()).run(t, 20, 30, 1)
		})
	}
	for name, change := range map[string]func(s *rl.System[rl.Actions]){
		"actions":        func(*rl.System[rl.Actions]) {},
		"actions, hard":  func(s *rl.System[rl.Actions]) { s.Learner.Tau = 0 },
		"actions, lanes": func(s *rl.System[rl.Actions]) { s.Learner.DP = 2; s.Read, s.Capacity = 2, 21 },
		"actions, both":  func(s *rl.System[rl.Actions]) { s.Learner.Prefetch = true; s.Learner.DP = 2; s.Horizon = 2 },
	} {
		t.Run(name, func(t *testing.T) {
			s := smallActions()
			change(&s)
			newDDPG(t, s, exponents()).run(t, 20, 20, 1)
		})
	}
}

// TestSaturated: the registers of saturations show what the model counts; those of both
// learners come after noisy transitions.
func TestSaturated(t *testing.T) {
	values, actions := small(), smallActions()
	values.Learner.Count, actions.Learner.Count = true, true
	for _, b := range []*bench{newDQN(t, values, exponents()), newDDPG(t, actions, exponents())} {
		b.run(t, 20, 15, 500)
		got, err := b.host.Saturated()
		require.NoError(t, err)
		require.Equal(t, b.saturated(), got)
		require.NotZero(t, got.Activation)
		require.NotZero(t, got.Gradient)
	}
	_, err := newDQN(t, small(), exponents()).host.Saturated()
	require.ErrorContains(t, err, "does not count")
}

// TestCycles: a step takes as many cycles as the formula says, phase by phase; that of the
// system for CartPole, with a beat of 32 cycles, at most 1,250.
func TestCycles(t *testing.T) {
	deep := small()
	deep.Read, deep.K, deep.Capacity, deep.Learner.Batch = 2, 2, 1000, 16
	wide := smallActions()
	wide.Learner.DP, wide.Learner.Batch, wide.Read = 4, 16, 2
	// A row of samples side by side has its errors at once, and new priorities end the step.
	row := small()
	row.Learner.DP = 8
	ahead, aheadPole, aheadRow, aheadWide := small(), rl.CartPole(32), row, wide
	ahead.Learner.Prefetch, aheadPole.Learner.Prefetch, aheadRow.Learner.Prefetch, aheadWide.Learner.Prefetch = true, true, true, true
	for _, b := range []*bench{
		newDQN(t, rl.CartPole(32), exponents()), newDQN(t, small(), exponents()), newDQN(t, deep, exponents()), newDQN(t, row, exponents()),
		newDDPG(t, rl.Pendulum(32), exponents()), newDDPG(t, smallActions(), exponents()), newDDPG(t, wide, exponents()),
		newDQN(t, ahead, exponents()), newDQN(t, aheadPole, exponents()), newDQN(t, aheadRow, exponents()), newDDPG(t, aheadWide, exponents()),
	} {
		for range 100 {
			b.both(b.transition(nil, 1))
		}
		b.Bench.Step(100)
		if b.prefetch {
			require.NoError(t, b.step(false))
			require.NoError(t, b.host.Step(false))
		}
		require.NoError(t, b.host.ClearCounters())
		const steps = 3
		require.NoError(t, b.host.Steps(steps))
		for range steps {
			require.NoError(t, b.step(false))
		}
		b.expect(t, "after steps on end")
		c, err := b.host.Counters()
		require.NoError(t, err)
		draw, learn, update := b.cycles()
		t.Logf("batch %d: draw %d, learn %d, update %d cycles: %d", b.Batch, draw, learn, update, draw+learn+update)
		require.Equal(t, host.Counters{Steps: steps, Draw: uint32(steps * draw), Learn: uint32(steps * learn), Update: uint32(steps * update)}, c)
	}
	draw, learn, update := rl.CartPole(32).StepCycles()
	require.LessOrEqual(t, draw+learn+update, 1250)
	draw, learn, update = aheadPole.StepCycles()
	require.LessOrEqual(t, draw+learn+update, 1100)
}

// TestEmpty: steps without a transition are given up with an error, and nothing changes.
func TestEmpty(t *testing.T) {
	b := newDQN(t, small(), exponents())
	require.ErrorContains(t, b.host.Step(false), "a draw from an empty memory")
	require.ErrorContains(t, b.host.Step(false), "a draw from an empty memory") // it stays
	b = newDQN(t, small(), exponents())
	bus, err := axi.NewMaster(b.Sim, "s_axi")
	require.NoError(t, err)
	require.NoError(t, bus.Write(b.registers.Address("step"), 3))
	b.Bench.Step(1000)
	require.False(t, b.High(b.p.Busy))
	b.expect(t, "after no step")
}

// TestVerilog: the emitted Verilog of both systems does the same, counters included.
func TestVerilog(t *testing.T) {
	if testing.Short() {
		t.Skip("two simulators are compiled")
	}
	values, actions := small(), smallActions()
	values.Learner.Sizes, values.Learner.Batch, values.Capacity = []int{3, 4, 2}, 4, 8
	actions.Learner.ActorHidden, actions.Learner.CriticHidden, actions.Learner.Batch, actions.Capacity = []int{4}, []int{4}, 4, 8
	values.Learner.Count, actions.Learner.Count = true, true
	values.Learner.Prefetch, values.Horizon = true, 2
	actions.Learner.Prefetch, actions.Horizon = true, 3
	for name, begin := range map[string]func(*testing.T) *bench{
		"dqn":  func(t *testing.T) *bench { return newDQN(t, values, exponents(), testbench.CoSim()) },
		"ddpg": func(t *testing.T) *bench { return newDDPG(t, actions, exponents(), testbench.CoSim()) },
	} {
		t.Run(name, func(t *testing.T) {
			b := begin(t)
			b.run(t, 6, 2, 100)
			got, err := b.host.Saturated()
			require.NoError(t, err)
			require.Equal(t, b.saturated(), got)
		})
	}
}

// TestStepBehindInsert: a step that is asked for while transitions are still being joined
// begins when their return has reached the tree.
func TestStepBehindInsert(t *testing.T) {
	s := small()
	s.Horizon = 4
	b := newDQN(t, s, exponents())
	var last []int64
	for range 9 {
		x := b.transition(last, 1)
		b.insert(x)
		b.host.Insert(x)
		last = x.Next
	}
	bus, err := axi.NewMaster(b.Sim, "s_axi")
	require.NoError(t, err)
	write := func(name string, v int64) {
		require.NoError(t, bus.Write(b.registers.Address(name), uint32(v)&(1<<18-1)))
	}

	// The same transition, register by register, and the step at once.
	x := b.transition(last, 1)
	x.State = last
	for _, v := range x.Next {
		write("next", v)
	}
	write("action", int64(x.Action))
	write("reward", x.Reward)
	write("discount", x.Discount)
	write("insert", 1)
	write("step", 1)
	b.Bench.Step(1000)
	b.insert(x)
	require.NoError(t, b.step(false))
	b.expect(t, "a step behind an insert")
}

// TestClear: a cleared system learns from what comes behind, not from a batch that was drawn
// before or from transitions that waited for their return.
func TestClear(t *testing.T) {
	s := small()
	s.Learner.Prefetch, s.Horizon = true, 3
	b := newDQN(t, s, exponents())
	b.run(t, 20, 3, 1)
	b.end()
	require.NoError(t, b.host.End())
	var last []int64
	for range 2 {
		x := b.transition(last, 1)
		b.insert(x)
		b.host.Insert(x)
		last = x.Next
	}
	b.clear()
	require.NoError(t, b.host.Clear())
	b.Bench.Step(100)
	for range 5 {
		last = b.both(b.transition(last, 1))
	}
	b.run(t, 3, 4, 1)
}

// TestInsertCycles: inserts and ends of episodes keep the system busy for as many cycles as
// the formula says.
func TestInsertCycles(t *testing.T) {
	s := small()
	s.Horizon = 5
	b := newDQN(t, s, exponents())
	bus, err := axi.NewMaster(b.Sim, "s_axi")
	require.NoError(t, err)
	busy := 0
	bus.StepBy(func() {
		b.Bench.Step(1)
		if b.High(b.p.Busy) {
			busy++
		}
	})
	command := func(name string) int {
		busy = 0
		require.NoError(t, bus.Write(b.registers.Address(name), 1))
		for range 100 {
			_, err := bus.Read(b.registers.Address("status"))
			require.NoError(t, err)
		}
		return busy
	}
	for k := range 9 {
		joined := 0
		if k >= 4 {
			joined = 5
		}
		require.Equal(t, s.InsertCycles(joined), command("insert"), "insert %d", k)
	}
	end := 0
	for held := 4; held > 0; held-- {
		end += s.InsertCycles(held)
	}
	require.Equal(t, end-3, command("end"))
	require.Equal(t, 1, command("end"))
}
