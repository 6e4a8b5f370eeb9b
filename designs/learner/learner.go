package learner

import "etch/hw"

// Sample is a transition with its importance weight.
type Sample struct {
	State, Next word // observations, codes of activations
	Action      hw.UInt
	Outcome
}

// Ports take samples, begin a gradient step or an action, and give losses, values and words of weights.
type Ports struct {
	// Push stores a sample of the coming step as number At. It is ignored with Start or Act
	// and, without Prefetch, while Busy is high.
	Push   hw.Bit  `dir:"in"`
	At     hw.UInt `dir:"in"`
	Sample Sample  `dir:"in"`

	// Start begins a gradient step, while Busy is low; with Synchronise the target
	// network becomes the online one at its end.
	Start       hw.Bit  `dir:"in"`
	Synchronise hw.Bit  `dir:"in"`
	Tau         hw.UInt `dir:"in"` // rate of soft targets, U1.16; not read if there are none
	Losses      Losses  `dir:"out"`

	// Act runs the online network on an observation, which stays until Busy is low
	// again; then Values and Best are there until the next use.
	Act         hw.Bit  `dir:"in"`
	Observation word    `dir:"in"`
	Values      word    `dir:"out"`
	Best        hw.UInt `dir:"out"`

	Busy hw.Bit `dir:"out"`
	Host Host   `dir:"in"`
	Word word   `dir:"out"` // read by the host, three cycles after it has asked

	Saturated Saturated `dir:"out"`
}

// ModuleName is learner: config is a word of Verilog.
func (c Config) ModuleName() string { return "learner" }

func (c Config) Ports() Ports {
	t, host := c.net(), hostOf(c.net())
	observation, action := t.codes(Activation, c.Sizes[0]), hw.AddressOf(t.outputs())
	return Ports{
		At: hw.AddressOf(c.Batch), Sample: Sample{observation, observation, action, t.outcomeOf()},
		Tau: hw.Unsigned(unitBits), Losses: t.lossesOf(),
		Observation: observation, Values: t.codes(Activation, t.outputs()), Best: action,
		Host: host, Word: host.Data, Saturated: saturatedOf(),
	}
}

// Build describes the body: memories, the walks of all stages, and the work of each stage.
func (c Config) Build(m *hw.Module, p Ports) {
	// Steps, the batch's memories, and the network.
	t, s := c.net(), c.Schedule()
	b := newCore(m, t.common, options{c.Count, c.Prefetch}, s.Timing, commands{p.Start, p.Act, p.Synchronise}, p.Host, p.Tau)
	p.Busy.Set(b.busy)
	actions := batch(b, p.Push, p.At, p.Sample.State, p.Sample.Next, p.Sample.Action, p.Sample.Outcome)
	x := newStack(b, "", t, s.Passes, 0)

	// Double runs the online network on next states too, with the words that it
	// reads for states.
	w, out := x.forwards(false, func(w walk) streams {
		now, next := b.observations(w, p.Observation)
		if c.Double {
			return streams{now, next, next}
		}
		return streams{now: now, next: next}
	})
	v := valuation{c, x, w, out}
	v.kept(p.Values)
	v.losses(actions, p.Losses, p.Best)

	// Back from the action taken.
	x.backwards(descent{
		inputs: func(w walk) lanes {
			return w.observed(b.states.read("backward", w.sample.At(0)))
		},
		hot: func(w walk) (hot hw.Vec[hw.Vec[hw.Bit]]) {
			for _, action := range actions.read("backward", w.sample.At(0)) {
				hot = append(hot, t.hot(action, w.output.At(1)))
			}
			return hot
		},
	})
	b.hostRead(p.Word, x.online, x.target)
	b.tally.total(m, p.Saturated)
}
