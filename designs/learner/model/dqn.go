package model

import (
	"fmt"
	"math"
	"math/bits"
)

// Transition is a step of an environment. Observations, rewards and actions of DDPG are
// raw activations.
type Transition struct {
	State, Next []int64
	Action      int     // of DQN: which
	Actions     []int64 // of DDPG: how much of each, in [−1, 1]
	Reward      int64
	// Discount multiplies the value of Next, U1.16: γ, γ^n for returns of n steps, and 0
	// where the episode terminated; a truncated episode has a value to come.
	Discount int64
}

// Sample is a transition with its importance weight, U1.16.
type Sample struct {
	Transition
	Weight int64
}

// Loss is a sample's result before the step's update. Target and Delta have [Unit]
// fraction bits more than an activation.
type Loss struct {
	Q      int64 // value of the action taken
	Target int64 // reward + discount · value of the next state
	Delta  int64 // Target − Q, not clipped: the TD error
}

// Step is the part of a configuration that DQN and DDPG share.
type Step struct {
	Formats
	Batch int     `help:"samples of a step, a power of two" range:"1..4096"`
	Clip  float64 `help:"bound of the TD error's gradient, both signs" range:"0..1024"`
	Tau   int64   `help:"rate of soft targets, U1.16; 0 leaves them until they are synchronised" range:"0..65536"`
}

// validate checks it for networks of these sizes.
func (s Step) validate(nets ...[]int) error {
	// The widest layer bounds the sums.
	fan := 0
	for _, sizes := range nets {
		if err := validateSizes(sizes); err != nil {
			return err
		}
		for _, n := range sizes {
			fan = max(fan, n)
		}
	}

	// The mean over a batch is a shift.
	if s.Batch < 1 || s.Batch > 4096 || bits.OnesCount(uint(s.Batch)) != 1 {
		return fmt.Errorf("a batch of %d; a power of two up to 4096", s.Batch)
	}
	if s.Tau < 0 || s.Tau > One {
		return fmt.Errorf("tau %d; 0 to %d, which is 1", s.Tau, One)
	}

	// The clip is checked in the format of exact values, which for floating point is a derived one.
	if s.Float != "" {
		if err := s.validateFloat(fan); err != nil {
			return err
		}
		s = s.Exact()
	} else if err := s.Formats.validate(fan, s.Batch); err != nil {
		return err
	}

	// Written so that NaN is refused.
	if !(s.Clip > 0 && s.clip() >= 1 && s.Clip <= math.Ldexp(1, s.Activation.Width)) {
		return fmt.Errorf("clip %v is not a positive TD error", s.Clip)
	}
	return nil
}

// clip is the bound of the TD error as a raw value.
func (s Step) clip() int64 { return int64(math.Round(math.Ldexp(s.Clip, s.Activation.Frac+Unit))) }

// log is the binary logarithm of the batch.
func (s Step) log() int { return bits.TrailingZeros(uint(s.Batch)) }

// validateRate checks the shift that a learning rate of 2^-rate makes of a sum.
func (s Step) validateRate(rate int) error {
	// Of the batch's sum, as descend has it: at least one bit goes, or there would be nothing to round.
	s = s.Exact()
	shift := s.Activation.Frac + s.Gradient.Frac + rate + s.log() - s.Weight.Frac
	if rate < -16 || rate > 32 || shift < 1 || shift > 62 {
		return fmt.Errorf("a learning rate of 2^%d; the formats allow 2^%d to 2^-32", -rate, -(rate - shift + 1))
	}
	return nil
}

// delta gives the negative gradient of the loss w·½δ² with respect to the value: w·δ, with δ clipped.
// descend adds gradients to weights. Products are exact, rounded where they are stored.
func (e *engine) delta(s Step, delta, weight int64) int64 {
	// Clip, round to a gradient, weigh, round again.
	c := s.clip()
	g := e.fit(e.Gradient, min(c, max(-c, delta)), e.Activation.Frac+Unit, &e.saturated.Gradient)
	return e.fit(e.Gradient, g*weight, e.Gradient.Frac+Unit, &e.saturated.Gradient)
}

// DQNConfig is a learner of values of actions (Mnih et al. 2015).
type DQNConfig struct {
	Sizes []int // observations, hidden layers, actions
	Step
	Rate   int  `help:"learning rate 2^-rate"`
	Double bool `help:"the online network picks the next action (van Hasselt et al. 2016)"`
}

// DQN4x64x2 is the network and the step that learn CartPole.
func DQN4x64x2() DQNConfig {
	return DQNConfig{Sizes: []int{4, 64, 2}, Step: Step{Formats: Wide(), Batch: 32, Clip: 1}, Rate: 4}
}

// Validate rejects layers, batches, rates and formats outside the ranges in which the arithmetic of
// the model is exact.
func (c DQNConfig) Validate() error {
	if err := c.validate(c.Sizes); err != nil {
		return err
	}
	return c.validateRate(c.Rate)
}

// DQN is the learner's state.
type DQN struct {
	engine
	c      DQNConfig
	Online *Net
	Target *Target
	Steps  int // gradient steps so far

	grad              *sums
	now, next, chosen trace
}

// NewDQN makes a learner whose networks are copies of a given one.
func NewDQN(c DQNConfig, online *Net) (*DQN, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if got := fmt.Sprint(online.Sizes()); got != fmt.Sprint(c.Sizes) {
		return nil, fmt.Errorf("weights of a network %s for one of %v", got, c.Sizes)
	}

	// The state is in exact values from here on; targets have more bits than the step's formats say.
	n := online.Clone()
	c.Step = c.Step.Exact()
	e := newEngine(c.Step)
	return &DQN{
		engine: e, c: c, Online: n, Target: newTarget(n, c.Formats.Target), grad: e.newSums(c.Sizes...),
		now: newTrace(n), next: newTrace(n), chosen: newTrace(n),
	}, nil
}

// Saturated counts the values that have saturated so far.
func (d *DQN) Saturated() Saturations { return d.saturated }

// Synchronise copies the online network to the target.
func (d *DQN) Synchronise() { d.Target.hard(d.Online) }

// Act gives the values of all actions and the best one, of several the lowest. The slice
// is good until the next call of a method.
func (d *DQN) Act(observation []int64) (values []int64, action int) {
	copy(d.now[0], observation)
	values = d.forward(d.Online, d.now)
	return values, argmax(values)
}

func argmax(xs []int64) int {
	best := 0
	for i, x := range xs {
		if x > xs[best] {
			best = i
		}
	}
	return best
}

// Learn is a gradient step: it takes a batch and returns the losses, sample by sample,
// of the weights before it.
func (d *DQN) Learn(batch []Sample) ([]Loss, error) {
	if err := d.check(batch); err != nil {
		return nil, err
	}

	// Sample by sample, all by the weights of before: the sums take the gradients.
	losses := make([]Loss, len(batch))
	delta := make([]int64, d.c.Sizes[len(d.c.Sizes)-1])
	for k := range batch {
		s := &batch[k]
		losses[k] = d.loss(s)

		// Only the action taken has a gradient: the last layer's outer product has one
		// column.
		clear(delta)
		delta[s.Action] = d.delta(d.c.Step, losses[k].Delta, s.Weight)
		d.backward(d.Online, d.now, delta, d.grad, d.c.Sizes[0])
	}

	// Then the weights move, and soft targets after them.
	d.descend(d.Online, d.grad, d.c.Rate, d.c.log())
	if d.c.Tau > 0 {
		d.soft(d.Target, d.Online, d.c.Tau)
	}
	d.Steps++
	return losses, nil
}

// loss runs the forward passes of a sample; the online one's trace stays in now.
func (d *DQN) loss(s *Sample) Loss {
	// The next state's value: the target's greatest, or of Double DQN the target's at the online
	// network's choice.
	copy(d.next[0], s.Next)
	values := d.forward(d.Target.View, d.next)
	best := values[argmax(values)]
	if d.c.Double {
		copy(d.chosen[0], s.Next)
		best = values[argmax(d.forward(d.Online, d.chosen))]
	}

	// Discounts have Unit fraction bits, so target and delta have that many more than a value.
	copy(d.now[0], s.State)
	q := d.forward(d.Online, d.now)[s.Action]
	y := s.Reward<<Unit + best*s.Discount
	return Loss{Q: q, Target: y, Delta: y - q<<Unit}
}

// check refuses a batch that is none.
func (d *DQN) check(batch []Sample) error {
	if len(batch) != d.c.Batch {
		return fmt.Errorf("a batch of %d samples for a step of %d", len(batch), d.c.Batch)
	}
	// A mistake is told with its sample.
	in, out := d.c.Sizes[0], d.c.Sizes[len(d.c.Sizes)-1]
	for i, s := range batch {
		switch {
		case len(s.State) != in || len(s.Next) != in:
			return fmt.Errorf("sample %d: observations of %d and %d numbers, not %d", i, len(s.State), len(s.Next), in)
		case s.Action < 0 || s.Action >= out:
			return fmt.Errorf("sample %d: action %d of %d", i, s.Action, out)
		}
		if err := s.check(); err != nil {
			return fmt.Errorf("sample %d: %w", i, err)
		}
	}
	return nil
}

func (s *Sample) check() error {
	if s.Discount < 0 || s.Discount > One || s.Weight < 0 || s.Weight > One {
		return fmt.Errorf("discount %d and weight %d; both 0 to %d", s.Discount, s.Weight, One)
	}
	return nil
}
