package rl

import (
	"etch/designs/learner"
	"etch/hw"
)

// Learner is a learner that a [System] can hold: [Values].
type Learner interface {
	Validate() error
	Multipliers() int // products in a cycle

	moduleName() string // of the system
	batch() int         // samples of a step
	lanes() int         // samples side by side
	transitionOf() Transition
	unitOf() unit                // shapes of the ports
	inst(m *hw.Module) unit      // the ports of an instance
	cycles() (learn, act int)    // of a step, of acting
	errorFraction() int          // fraction bits of a TD error
	places() (layers, words int) // of weights
	host(h learner.Host, c hostCommand) learner.Host
}

// unit is the ports of a learner, of whatever kind, seen from the system.
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
}

// Values is a learner of the values of numbered actions: DQN.
type Values struct{ learner.Config }

func (v Values) moduleName() string { return "rl" }
func (v Values) batch() int         { return v.Batch }
func (v Values) lanes() int         { return v.DP }

func (v Values) transitionOf() Transition {
	s := v.Config.Ports().Sample
	return Transition{s.State, s.Next, hw.Vec[hw.UInt]{s.Action}, s.Reward, s.Discount}
}

func (v Values) unitOf() unit { return unitOf(v.Config.Ports()) }

func (v Values) inst(m *hw.Module) unit {
	p := hw.Inst(m, "learner", v.Config, learner.Ports{})
	hw.Unused(m, p.Saturated)
	return unitOf(p)
}

func unitOf(p learner.Ports) unit {
	s := p.Sample
	return unit{
		Push: p.Push, At: p.At, Stored: Transition{s.State, s.Next, hw.Vec[hw.UInt]{s.Action}, s.Reward, s.Discount}, Weight: s.Weight,
		Start: p.Start, Synchronise: p.Synchronise, Tau: p.Tau, Losses: p.Losses,
		Act: p.Act, Observation: p.Observation, Answer: p.Values, Best: []hw.UInt{p.Best},
		Busy: p.Busy, Host: p.Host, Word: p.Word,
	}
}

func (v Values) cycles() (learn, act int) {
	s := v.Schedule()
	return s.Cycles, s.ActCycles
}

func (v Values) errorFraction() int { return v.Config.Ports().Losses.Lanes[0].Delta.Format().Frac }

func (v Values) places() (layers, words int) {
	for l := range len(v.Sizes) - 1 {
		in, out := v.Tiles[2*l], v.Tiles[2*l+1]
		words = max(words, (v.Sizes[l]+in-1)/in*((v.Sizes[l+1]+out-1)/out))
	}
	return len(v.Sizes) - 1, words
}

// hostCommand is what the host wants of weights.
type hostCommand struct {
	store, fetch      hw.Bit
	part, layer, word hw.UInt
	data              hw.Vec[hw.UInt]
}

func (v Values) host(_ learner.Host, c hostCommand) learner.Host {
	return learner.Host{
		Write: c.store, Read: c.fetch, Bias: c.part.Bit(0), Target: c.part.Bit(1), Layer: c.layer, Word: c.word, Data: c.data,
	}
}
