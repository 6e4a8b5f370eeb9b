package model

import "fmt"

// DDPGConfig is a learner of continuous actions (Lillicrap et al. 2016): an actor, whose
// outputs end in tanh, and a critic of an observation followed by the actions.
type DDPGConfig struct {
	Observation, Actions int
	ActorHidden          []int
	CriticHidden         []int
	Step
	ActorRate  int `help:"learning rate of the actor 2^-rate"`
	CriticRate int `help:"learning rate of the critic 2^-rate"`
}

// DDPGPendulum is the network and the step that learn the pendulum.
func DDPGPendulum() DDPGConfig {
	return DDPGConfig{
		Observation: 3, Actions: 1, ActorHidden: []int{64}, CriticHidden: []int{64},
		Step: Step{Formats: Wide(), Batch: 64, Clip: 4, Tau: 328}, ActorRate: 3, CriticRate: 3,
	}
}

// ActorSizes are neurons by layer: the observation, the hidden layers, and an output per action.
func (c DDPGConfig) ActorSizes() []int {
	return append(append([]int{c.Observation}, c.ActorHidden...), c.Actions)
}

// CriticSizes are neurons by layer: observation and actions together, the hidden layers, and one
// value.
func (c DDPGConfig) CriticSizes() []int {
	return append(append([]int{c.Observation + c.Actions}, c.CriticHidden...), 1)
}

// Validate rejects layers, batches, rates and formats outside the ranges in which the arithmetic of
// the model is exact, and activations that have no 1.
func (c DDPGConfig) Validate() error {
	// Both networks as DQN's one.
	if err := c.validate(c.ActorSizes(), c.CriticSizes()); err != nil {
		return err
	}
	if err := c.validateRate(c.ActorRate); err != nil {
		return fmt.Errorf("actor: %w", err)
	}
	if err := c.validateRate(c.CriticRate); err != nil {
		return fmt.Errorf("critic: %w", err)
	}

	// The actor's own: byActions · (1 − a²), and 1 itself, are to be numbers.
	if n := c.Gradient.Width + 2*c.Activation.Frac + 1; c.Float == "" && n > limit {
		return fmt.Errorf("formats: the derivative of tanh takes %d bits, more than %d", n, limit)
	}
	if c := c.Exact(); c.Activation.Width-c.Activation.Frac < 2 {
		return fmt.Errorf("activations of %d bits with %d of fraction have no 1, which tanh can give", c.Activation.Width, c.Activation.Frac)
	}
	return nil
}

// DDPG is the learner's state.
type DDPG struct {
	engine
	c                         DDPGConfig
	Actor, Critic             *Net
	ActorTarget, CriticTarget *Target
	Steps                     int // gradient steps so far

	actorGrad, criticGrad *sums
	actor, critic         trace
}

// NewDDPG makes a learner whose networks are copies of the given ones.
func NewDDPG(c DDPGConfig, actor, critic *Net) (*DDPG, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}

	// Networks of other sizes are refused by name.
	for _, x := range []struct {
		name string
		n    *Net
		want []int
	}{{"actor", actor, c.ActorSizes()}, {"critic", critic, c.CriticSizes()}} {
		if got := fmt.Sprint(x.n.Sizes()); got != fmt.Sprint(x.want) {
			return nil, fmt.Errorf("%s: weights of a network %s for one of %v", x.name, got, x.want)
		}
	}

	// Two networks with a target each; the state is in exact values.
	a, q, more := actor.Clone(), critic.Clone(), c.Formats.Target
	c.Step = c.Step.Exact()
	e := newEngine(c.Step)
	return &DDPG{
		engine: e, c: c, Actor: a, Critic: q, ActorTarget: newTarget(a, more), CriticTarget: newTarget(q, more),
		actorGrad: e.newSums(a.Sizes()...), criticGrad: e.newSums(q.Sizes()...), actor: newTrace(a), critic: newTrace(q),
	}, nil
}

// Saturated counts the values that have saturated so far.
func (d *DDPG) Saturated() Saturations { return d.saturated }

// Synchronise copies the online networks to the targets.
func (d *DDPG) Synchronise() {
	d.ActorTarget.hard(d.Actor)
	d.CriticTarget.hard(d.Critic)
}

// Act gives the actor's actions, raw activations in [−1, 1]. The slice is good until the
// next call of a method.
func (d *DDPG) Act(observation []int64) []int64 { return d.act(d.Actor, observation) }

// act runs an actor; its trace stays in d.actor, with tanh at the end.
func (d *DDPG) act(n *Net, observation []int64) []int64 {
	copy(d.actor[0], observation)
	out := d.forward(n, d.actor)
	for i, z := range out {
		out[i] = d.tanh(z)
	}
	return out
}

// value runs a critic; its trace stays in d.critic.
func (d *DDPG) value(n *Net, observation, actions []int64) int64 {
	copy(d.critic[0], observation)
	copy(d.critic[0][d.c.Observation:], actions)
	return d.forward(n, d.critic)[0]
}

// Learn is a gradient step of critic and actor. Both go by the weights as they were
// before it: the actor's critic lags by its own update, and nothing is copied for it.
func (d *DDPG) Learn(batch []Sample) ([]Loss, error) {
	if err := d.check(batch); err != nil {
		return nil, err
	}
	losses := make([]Loss, len(batch))
	for k := range batch {
		losses[k] = d.learnCritic(&batch[k])
		d.learnActor(batch[k].State)
	}

	// Updates at the end of the batch, targets last.
	d.descend(d.Critic, d.criticGrad, d.c.CriticRate, d.c.log())
	d.descend(d.Actor, d.actorGrad, d.c.ActorRate, d.c.log())
	if d.c.Tau > 0 {
		d.soft(d.ActorTarget, d.Actor, d.c.Tau)
		d.soft(d.CriticTarget, d.Critic, d.c.Tau)
	}
	d.Steps++
	return losses, nil
}

// learnCritic adds the gradient of a sample's TD error to the batch's.
func (d *DDPG) learnCritic(s *Sample) Loss {
	// y = r + γ·Q'(s', π'(s')), by the targets.
	next := d.value(d.CriticTarget.View, s.Next, d.act(d.ActorTarget.View, s.Next))
	q := d.value(d.Critic, s.State, s.Actions)
	y := s.Reward<<Unit + next*s.Discount
	delta := y - q<<Unit
	d.backward(d.Critic, d.critic, []int64{d.delta(d.c.Step, delta, s.Weight)}, d.criticGrad, d.Critic.Layers[0].In)
	return Loss{Q: q, Target: y, Delta: delta}
}

// learnActor adds the gradient of Q(s, π(s)) by the actor's weights, which is to grow.
// It goes through the critic, whose own weights it leaves alone, to the actions, and
// through tanh, whose derivative is 1 − a².
func (d *DDPG) learnActor(state []int64) {
	// Forward: the actor's own actions, then the critic's hidden layers at them.
	actions := d.act(d.Actor, state)
	copy(d.critic[0], state)
	copy(d.critic[0][d.c.Observation:], actions)
	for k := range len(d.Critic.Layers) - 1 { // the value itself is not wanted
		d.layer(d.Critic, k, d.critic)
	}

	// Back through the critic and through tanh, rounded once behind the product.
	byActions := d.backwardFromOne()
	delta := make([]int64, len(actions))
	one := int64(1) << (2 * d.Activation.Frac)
	for i, a := range actions {
		frac := d.Gradient.Frac + 2*d.Activation.Frac
		if d.grid != nil {
			delta[i] = d.grid.nearest(d.Gradient, product(byActions[i], one-a*a), frac, &d.saturated.Gradient)
			continue
		}
		delta[i] = d.fit(d.Gradient, byActions[i]*(one-a*a), frac, &d.saturated.Gradient)
	}

	d.backward(d.Actor, d.actor, delta, d.actorGrad, d.c.Observation)
}

// backwardFromOne is the gradient of the critic's value by its actions. The way back
// begins with the last layer's weights, masked by the rectifier: a product with 1 needs
// no multiplier.
func (d *DDPG) backwardFromOne() []int64 {
	// Without hidden layers the last one's inputs are the network's, and only the actions' weights
	// count.
	last := d.Critic.Layers[len(d.Critic.Layers)-1]
	below := &Net{d.Critic.Layers[:len(d.Critic.Layers)-1]}
	x := d.critic[len(d.critic)-2]
	first := 0
	if len(below.Layers) == 0 {
		first = d.c.Observation
	}

	delta := make([]int64, last.In)
	for i, w := range last.W[first:] {
		if len(below.Layers) == 0 || x[first+i] > 0 {
			delta[first+i] = d.fit(d.Gradient, w, d.Weight.Frac, &d.saturated.Gradient)
		}
	}

	if len(below.Layers) == 0 {
		return delta[first:]
	}
	return d.backward(below, d.critic[:len(d.critic)-1], delta, nil, d.c.Observation)
}

// check refuses a batch that is none.
func (d *DDPG) check(batch []Sample) error {
	if len(batch) != d.c.Batch {
		return fmt.Errorf("a batch of %d samples for a step of %d", len(batch), d.c.Batch)
	}
	// Actions come from the environment's host, so their range is checked too: tanh gives no others.
	one := int64(1) << d.Activation.Frac
	for i, s := range batch {
		if len(s.State) != d.c.Observation || len(s.Next) != d.c.Observation || len(s.Actions) != d.c.Actions {
			return fmt.Errorf("sample %d: observations of %d and %d numbers and %d actions, not %d, %d and %d",
				i, len(s.State), len(s.Next), len(s.Actions), d.c.Observation, d.c.Observation, d.c.Actions)
		}
		for _, a := range s.Actions {
			if a < -one || a > one {
				return fmt.Errorf("sample %d: action %v is outside of [-1, 1]", i, d.Activation.Float(a))
			}
		}
		if err := s.check(); err != nil {
			return fmt.Errorf("sample %d: %w", i, err)
		}
	}
	return nil
}
