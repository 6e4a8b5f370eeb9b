package rl

import (
	"fmt"
	"math/bits"

	"etch/designs/learner"
	"etch/designs/replay"
	replaymodel "etch/designs/replay/model"
	"etch/hw"
)

// Memory is the size and shape of the replay memory.
type Memory struct {
	replaymodel.Params
	K    int    `help:"children of a node of the tree" range:"2..64, a power of two"`
	Read int    `help:"cycles of a memory read" range:"1..2"`
	Seed uint64 `help:"state of the draws' generator after reset" range:"1..2^32"`

	Horizon int `json:",omitempty" help:"transitions of a return: those of so many steps are joined to one; 0 and 1 keep each as it comes" range:"0..16"`
}

// mostHorizon is the largest Horizon.
const mostHorizon = 16

// System is a learner with its replay memory behind an AXI4-Lite port.
type System[L Learner] struct {
	Learner L
	Memory
}

// CartPole is the system that learns CartPole, with a beat of so many cycles, from 8 to 64
// and a power of two.
func CartPole(beat int) System[Values] {
	return System[Values]{
		Learner: Values{learner.CartPole(beat)},
		Memory:  Memory{Params: replaymodel.Params{Capacity: 4096, Leaf: 16, Fraction: 12}, K: 4, Read: 2, Seed: 1},
	}
}

// Pendulum is the system that learns the pendulum, with a beat of so many cycles, from 8 to
// 64 and a power of two.
func Pendulum(beat int) System[Actions] {
	s := System[Actions]{Learner: Actions{learner.Pendulum(beat)}, Memory: CartPole(beat).Memory}
	s.Capacity = 16384
	return s
}

// Validate refuses parameters that no system can have.
func (s System[L]) Validate() error {
	if err := s.Learner.Validate(); err != nil {
		return err
	}
	if s.Seed == 0 {
		return fmt.Errorf("seed 0 is not allowed: the generator would stay at 0")
	}
	if s.Horizon < 0 || s.Horizon > mostHorizon {
		return fmt.Errorf("returns of %d transitions; 0 to %d", s.Horizon, mostHorizon)
	}
	if s.joins() && s.Learner.floats() {
		return fmt.Errorf("returns of %d transitions are joined in fixed point: no learner.float with a horizon", s.Horizon)
	}
	for _, x := range s.Learner.unitOf().Word {
		if w := x.Width(); w > 32 {
			return fmt.Errorf("weights of soft targets have %d bits, and a register 32: fewer in learner.target", w)
		}
	}
	return s.tree().Validate()
}

// tree is the shape of the memory's tree: a batch has as many strata as samples.
func (s System[L]) tree() replay.Config {
	return replay.Config{Params: s.Params, K: s.K, Read: s.Read, Strata: max(2, s.Learner.batch())}
}

// flight is the number of inserts on their way to the tree at once. A host that writes a
// register every three cycles has at most six under way.
const flight = 8

func (s System[L]) buffer() replay.Buffer[Transition] {
	return replay.Buffer[Transition]{Config: s.tree(), Elem: s.Learner.transitionOf(), Flight: flight, Seed: s.Seed}
}

// indexBits is the width of a sample's number in its batch.
func (s System[L]) indexBits() int { return max(1, bits.Len(uint(s.Learner.batch()-1))) }

// Transition is a step of an environment as the memory keeps it.
type Transition struct {
	State, Next hw.Vec[hw.UInt] // observations, codes of activations
	Action      hw.Vec[hw.UInt] // the number of the action taken; of continuous actions their codes
	Reward      hw.UInt         // a code of an activation
	Discount    hw.UInt         // of the next value, U1.16
}
