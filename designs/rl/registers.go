package rl

import (
	"fmt"

	"etch/hw"
	"etch/hw/axi"
)

// Bits of the register part: which weights are meant.
const (
	PartBias   = 1 << iota // biases, else weights
	PartTarget             // the target network, else the online one
)

// Bits of the register status.
const (
	StatusBusy    = 1 << iota // a step, an act or an insert is under way
	StatusWaiting             // steps are left
	StatusEmpty               // a draw found no transition; the steps were given up
)

// saturated are the registers of a learner that counts its saturations.
var saturated = [...]string{"saturated_weight", "saturated_activation", "saturated_gradient"}

// Registers are the words of the host port. After reset α is 0.6, β 0.4 and ε 0.01.
//
// A command that comes at the wrong time has no effect and counts as lost: state while the
// learner acts; state, next, action and insert while an insert waits; act, step, store and
// fetch while an act or a step is under way. With a Horizon an insert takes longer, see
// [System.InsertCycles], and act, too, is lost while it waits.
func (s System[L]) Registers() axi.Map {
	// Widths come from the learner: codes, numbers of layers and words.
	t, u := s.Learner.transitionOf(), s.Learner.unitOf()
	layers, words := s.Learner.places()

	// A learner of values says which is the best.
	code := t.Reward.Width()
	answers := axi.Map{{Name: "value", Access: axi.Status, Bits: code, Doc: "the answer to act at select, a code"}}
	if len(u.Best) > 0 {
		answers = append(axi.Map{{Name: "best", Access: axi.Status, Bits: u.Best[0].Width(), Doc: "the answer to act: the action of the greatest value, of several the first"}}, answers...)
	}

	// Observation and transition; commands; weights; settings of the memory; counters.
	regs := axi.Map{
		{Name: "status", Access: axi.Status, Bits: 3, Doc: "bit 0: an act, a step or an insert is under way; 1: steps are left; 2: a draw found no transition, since clear_counters"},
		{Name: "state", Access: axi.Command, Doc: fmt.Sprintf("the next element of the observation, a code of %d bits; the first one first", code)},
		{Name: "next", Access: axi.Command, Doc: "the next element of the next observation"},
		{Name: "action", Access: axi.Command, Doc: fmt.Sprintf("the next of %d elements of the action taken, of %d bits", len(t.Action), t.Action[0].Width())},
		{Name: "reward", Access: axi.Setting, Bits: code, Doc: "of the transition, a code"},
		{Name: "discount", Access: axi.Setting, Bits: t.Discount.Width(), Doc: "of the next value in units of 2^-16: γ, 0 where the episode terminated"},
		{Name: "insert", Access: axi.Command, Doc: "stores the transition with the largest priority so far; the next observation becomes the present one"},
		{Name: "act", Access: axi.Command, Doc: "runs the online network on the observation"},
		{Name: "step", Access: axi.Command, Doc: "makes so many gradient steps, up to 65535"},
		{Name: "synchronise", Access: axi.Command, Doc: "the target becomes the online network at the end of the next step to begin"},
		{Name: "select", Access: axi.Setting, Bits: 12, Doc: "which element value and weight_out show"},
		{Name: "layer", Access: axi.Setting, Bits: hw.AddressOf(layers).Width(), Doc: "of weights, the first is 0; a critic's come behind the actor's"},
		{Name: "word", Access: axi.Setting, Bits: hw.AddressOf(words).Width(), Doc: "of the layer: tile of outputs · tiles of inputs + tile of inputs; of biases tile of outputs"},
		{Name: "part", Access: axi.Setting, Bits: 2, Doc: "bit 0: biases; 1: of the target network"},
		{Name: "weight", Access: axi.Command, Doc: fmt.Sprintf("the next of %d codes of a word of weights", len(u.Word))},
		{Name: "store", Access: axi.Command, Doc: "writes the word of weights"},
		{Name: "fetch", Access: axi.Command, Doc: "reads a word of weights"},
		{Name: "weight_out", Access: axi.Status, Bits: u.Word[0].Width(), Doc: "of the word, the code at select"},
		{Name: "plain", Access: axi.Setting, Bits: 1, Doc: "draws without strata"},
		{Name: "alpha", Access: axi.Setting, Bits: 17, Reset: 39322, Doc: "α, 0 to 1 in units of 2^-16"},
		{Name: "beta", Access: axi.Setting, Bits: 17, Reset: 26214, Doc: "β, 0 to 1 in units of 2^-16"},
		{Name: "epsilon", Access: axi.Setting, Bits: 32, Reset: 655, Doc: "ε in units of 2^-16"},
		{Name: "tau", Access: axi.Setting, Bits: u.Tau.Width(), Doc: "rate of soft targets in units of 2^-16; not read if there are none"},
		{Name: "clear", Access: axi.Command, Doc: "forgets all transitions"},
		{Name: "seed_high", Access: axi.Setting, Bits: 32, Doc: "high word of the draws' generator"},
		{Name: "seed", Access: axi.Command, Doc: "low word of the generator, which is set with it; 0 in both words has no effect"},
		{Name: "clear_counters", Access: axi.Command, Doc: "sets the counters to 0"},
		{Name: "count", Access: axi.Status, Bits: hw.UpTo(s.Capacity).Width(), Doc: "transitions held"},
		{Name: "steps", Access: axi.Counter, Doc: "gradient steps"},
		{Name: "inserted", Access: axi.Counter, Doc: "inserts"},
		{Name: "stale", Access: axi.Counter, Doc: "new priorities dropped, for another transition had taken the place"},
		{Name: "lost", Access: axi.Counter, Doc: "commands that came at the wrong time"},
		{Name: "cycles_draw", Access: axi.Counter, Doc: "cycles of steps: draws"},
		{Name: "cycles_learn", Access: axi.Counter, Doc: "cycles of steps: the learner"},
		{Name: "cycles_update", Access: axi.Counter, Doc: "cycles of steps: what is left of new priorities"},
		{Name: "cycles_act", Access: axi.Counter, Doc: "cycles of acting"},
	}
	regs = append(regs, answers...)

	// At the end, so that the addresses above are equal in every system.
	if s.joins() {
		regs = append(regs, axi.Register{Name: "end", Access: axi.Command, Doc: "the episode is over: stores the transitions whose returns wait for more, with what they have"})
	}
	if s.Learner.counts() {
		for i, kind := range []string{"weights and biases", "activations", "gradients"} {
			regs = append(regs, axi.Register{Name: saturated[i], Access: axi.Status, Bits: 32, Doc: kind + " beyond the range of their format since the reset, modulo 2^32; complete while status.0 is low"})
		}
	}
	return regs
}
