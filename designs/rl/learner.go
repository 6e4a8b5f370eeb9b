package rl

import (
	"etch/designs/learner"
	"etch/hw"
)

// Learner is a learner that a [System] can hold: [Values] or [Actions].
type Learner interface {
	Validate() error
	Multipliers() int // products in a cycle

	moduleName() string // of the system
	batch() int         // samples of a step
	lanes() int         // samples side by side
	transitionOf() Transition
	unitOf() unit           // shapes of the ports
	inst(m *hw.Module) unit // the ports of an instance
	timing() learner.Timing
	prefetches() bool            // takes a batch while it learns from another
	errorFraction() int          // fraction bits of a TD error
	places() (layers, words int) // of weights
	counts() bool                // saturations
	floats() bool                // values are floating-point numbers
}

// unit is the ports of a learner of any kind, seen from the system.
type unit struct {
	Push   hw.Bit
	At     hw.UInt
	Stored Transition
	Weight hw.UInt

	Start, Synchronise hw.Bit
	Tau                hw.UInt
	Losses             learner.Losses

	Act         hw.Bit
	Observation hw.Vec[hw.UInt]
	Answer      hw.Vec[hw.UInt] // values of all actions, or the actions
	Best        []hw.UInt       // the best action, if actions are numbered

	Busy hw.Bit
	Host learner.Host
	Word hw.Vec[hw.UInt]

	Saturated learner.Saturated
}

// Values is a learner of the values of numbered actions: DQN.
type Values struct{ learner.Config }

func (v Values) moduleName() string { return "rl" }
func (v Values) batch() int         { return v.Batch }
func (v Values) lanes() int         { return v.DP }
func (v Values) counts() bool       { return v.Count }
func (v Values) prefetches() bool   { return v.Prefetch }
func (v Values) floats() bool       { return v.Float != "" }

func (v Values) transitionOf() Transition {
	s := v.Config.Ports().Sample
	return Transition{s.State, s.Next, hw.Vec[hw.UInt]{s.Action}, s.Reward, s.Discount}
}

func (v Values) unitOf() unit { return unitOf(v.Config.Ports()) }

func (v Values) inst(m *hw.Module) unit {
	return unitOf(hw.Inst(m, "learner", v.Config, learner.Ports{}))
}

func unitOf(p learner.Ports) unit {
	s := p.Sample
	return unit{
		Push: p.Push, At: p.At, Stored: Transition{s.State, s.Next, hw.Vec[hw.UInt]{s.Action}, s.Reward, s.Discount}, Weight: s.Weight,
		Start: p.Start, Synchronise: p.Synchronise, Tau: p.Tau, Losses: p.Losses,
		Act: p.Act, Observation: p.Observation, Answer: p.Values, Best: []hw.UInt{p.Best},
		Busy: p.Busy, Host: p.Host, Word: p.Word, Saturated: p.Saturated,
	}
}

func (v Values) timing() learner.Timing { return v.Schedule().Timing }

func (v Values) errorFraction() int { return fractionOf(v.Config.Ports().Losses) }

func fractionOf(l learner.Losses) int { return l.Lanes[0].Delta.Format().Frac }

func (v Values) places() (layers, words int) { return placesOf(v.Sizes, v.Tiles) }

// placesOf is the number of layers and of the words of the largest.
func placesOf(sizes, tiles []int) (layers, words int) {
	for l := range len(sizes) - 1 {
		in, out, a, b := sizes[l], sizes[l+1], tiles[2*l], tiles[2*l+1]
		words = max(words, (in+a-1)/a*((out+b-1)/b))
	}
	return len(sizes) - 1, words
}

// Actions is a learner of continuous actions: DDPG.
type Actions struct{ learner.DDPG }

func (v Actions) moduleName() string { return "rl_ddpg" }
func (v Actions) batch() int         { return v.Batch }
func (v Actions) lanes() int         { return v.DP }
func (v Actions) counts() bool       { return v.Count }
func (v Actions) prefetches() bool   { return v.Prefetch }
func (v Actions) floats() bool       { return v.Float != "" }

func (v Actions) transitionOf() Transition { return v.unitOf().Stored }

func (v Actions) unitOf() unit { return actionsOf(v.DDPG.Ports()) }

func (v Actions) inst(m *hw.Module) unit {
	return actionsOf(hw.Inst(m, "learner", v.DDPG, learner.DDPGPorts{}))
}

func actionsOf(p learner.DDPGPorts) unit {
	s := p.Sample
	return unit{
		Push: p.Push, At: p.At, Stored: Transition{s.State, s.Next, s.Actions, s.Reward, s.Discount}, Weight: s.Weight,
		Start: p.Start, Synchronise: p.Synchronise, Tau: p.Tau, Losses: p.Losses,
		Act: p.Act, Observation: p.Observation, Answer: p.Values,
		Busy: p.Busy, Host: p.Host, Word: p.Word, Saturated: p.Saturated,
	}
}

func (v Actions) timing() learner.Timing { return v.Schedule().Timing }

func (v Actions) errorFraction() int { return fractionOf(v.DDPG.Ports().Losses) }

// places has the critic's layers behind the actor's.
func (v Actions) places() (layers, words int) {
	m := v.Model()
	a, x := placesOf(m.ActorSizes(), v.ActorTiles)
	c, y := placesOf(m.CriticSizes(), v.CriticTiles)
	return a + c, max(x, y)
}
