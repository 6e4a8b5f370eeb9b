// Package paper is the resource and latency model of Zhang, Kuppannagari and Prasanna's replay
// accelerator (§3.2.3, §3.3, Table 2), with the exploration that the paper describes.
//
// A stage of the pipeline is a tensor unit with multipliers in proportion to its
// multiply-adds: r·f of them, the largest unit P, at most 32 (Table 2, "max. TU
// parallelism"). With a batch of B samples, DP pipelines and PI = ⌈B/DP⌉:
//
//	T           = ⌈largest stage / P⌉                  cycles of a beat
//	T_pipeline  = (PI + stages − 1)·T
//	T_WU        = DP·weights/8                         eight banks of weights
//	multipliers = DP·P·(all stages / largest stage)
//	DSP         = 5 a multiplier of fp32
//
// With that Table 2 comes out exactly. Two things are not in the paper's text: the eight
// banks, and for DDPG the number of stages, here that of the longer chain, the actor's.
// LUT, FF and SRAM are not modelled: the paper gives no rule for them.
package paper

import (
	"fmt"
	"strconv"
	"strings"
)

// Net is a network of two layers of weights: inputs, hidden units, outputs.
type Net struct{ In, Hidden, Out int }

// ParseNet reads 8-64-4.
func ParseNet(text string) (n Net, err error) {
	parts := strings.Split(text, "-")
	sizes := []*int{&n.In, &n.Hidden, &n.Out}
	if len(parts) != len(sizes) {
		return n, fmt.Errorf("net %q: want inputs-hidden-outputs, as 8-64-4", text)
	}
	for i, p := range parts {
		if *sizes[i], err = strconv.Atoi(p); err != nil || *sizes[i] < 1 || *sizes[i] > 1<<14 {
			return n, fmt.Errorf("net %q: %q is no number from 1 to 16384", text, p)
		}
	}
	return n, nil
}

// String is in-hidden-out.
func (n Net) String() string { return fmt.Sprintf("%d-%d-%d", n.In, n.Hidden, n.Out) }

func (n Net) first() int   { return n.In * n.Hidden }
func (n Net) second() int  { return n.Hidden * n.Out }
func (n Net) weights() int { return n.first() + n.second() }

// Algorithm is the work of a learner's gradient step.
type Algorithm struct {
	Name    string
	Ops     []int // multiply-adds a sample of each stage
	Weights int   // that one gradient step updates
	Stages  int   // that a sample passes one after the other
}

// DQN has the online and the target network in parallel, and one way back.
func DQN(q Net) Algorithm {
	return Algorithm{
		Name: "dqn " + q.String(),
		Ops: []int{
			q.first(), q.second(), // forward
			q.first(), q.second(), // target
			q.second(),            // backward
			q.first(), q.second(), // gradients of the weights
		},
		Weights: q.weights(),
		Stages:  5, // two forward, loss, backward, gradients: PI + 2L − 2 beats
	}
}

// DDPG has an actor, and a critic of its inputs and outputs with one value, each with a
// target.
func DDPG(actor Net) Algorithm {
	critic := Net{actor.In + actor.Out, actor.Hidden, 1}
	return Algorithm{
		Name: "ddpg " + actor.String() + " / " + critic.String(),
		Ops: []int{
			// The critic's chain.
			actor.first(), actor.second(), critic.first(), critic.second(), // targets
			critic.first(), critic.second(), // forward
			critic.second(),                 // backward
			critic.first(), critic.second(), // gradients
			// The actor's chain.
			actor.first(), actor.second(), critic.first(), critic.second(), // forward
			critic.second(), actor.Out * actor.Hidden, // backward to the action
			actor.second(),                // backward
			actor.first(), actor.second(), // gradients
		},
		Weights: actor.weights() + critic.weights(),
		Stages:  8, // four forward, three backward, gradients
	}
}

// Limits bound a design.
type Limits struct {
	DSP     int // in all
	MaxUnit int // multipliers of one unit; 0: no bound
}

// The model's constants.
const (
	dspPerMultiplier = 5 // fp32
	weightBanks      = 8 // words of weights that the update reaches in a cycle
)

// Point is a design.
type Point struct {
	Batch       int `json:"batch"`
	DP          int `json:"dp"`       // pipelines
	PI          int `json:"pi"`       // samples a pipeline
	Unit        int `json:"max_unit"` // multipliers of the largest unit, P
	Beat        int `json:"t"`        // T, cycles
	Multipliers int `json:"multipliers"`
	DSP         int `json:"dsp"`
	Cycles      int `json:"cycles"` // of a gradient step
}

// At is the design with dp pipelines and p multipliers in the largest unit.
func (a Algorithm) At(batch, dp, p int) Point {
	all, largest := 0, 0
	for _, ops := range a.Ops {
		all += ops
		largest = max(largest, ops)
	}

	// The formulas of the package's documentation.
	out := Point{Batch: batch, DP: dp, PI: ceil(batch, dp), Unit: p, Beat: ceil(largest, p)}
	out.Multipliers = dp * ceil(p*all, largest)
	out.DSP = out.Multipliers * dspPerMultiplier
	out.Cycles = (out.PI+a.Stages-1)*out.Beat + ceil(dp*a.Weights, weightBanks)

	return out
}

func ceil(a, b int) int { return (a + b - 1) / b }

// Explore lists all designs within the limits: DP divides the batch, P from 1 up.
func (a Algorithm) Explore(batch int, l Limits) (list []Point) {
	// The largest product of a layer bounds the multipliers of a unit.
	largest := 0
	for _, ops := range a.Ops {
		largest = max(largest, ops)
	}

	for dp := 1; dp <= batch; dp++ {
		if batch%dp != 0 {
			continue
		}

		// More multipliers than the largest layer has operations cannot be used.
		for p := 1; p <= largest && (l.MaxUnit == 0 || p <= l.MaxUnit); p++ {
			x := a.At(batch, dp, p)
			if x.DSP > l.DSP {
				break // more of p takes more
			}
			list = append(list, x)
		}
	}

	return list
}

// Best is the design of the fewest cycles, of these that of the fewest DSP. It fails
// where nothing fits, with the resource and by how much.
func (a Algorithm) Best(batch int, l Limits) (best Point, err error) {
	all := a.Explore(batch, l)
	if len(all) == 0 {
		least := a.At(batch, 1, 1)
		return best, fmt.Errorf("%s: needs %d DSP at least, the device has %d (%d too many)", a.Name, least.DSP, l.DSP, least.DSP-l.DSP)
	}

	// A tie in cycles goes to fewer DSP.
	best = all[0]
	for _, x := range all[1:] {
		if x.Cycles < best.Cycles || x.Cycles == best.Cycles && x.DSP < best.DSP {
			best = x
		}
	}
	return best, nil
}
