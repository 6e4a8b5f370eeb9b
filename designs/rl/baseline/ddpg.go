package baseline

import (
	"math"

	learner "etch/designs/learner/model"
	"etch/designs/mlp"
)

// DDPG is a learner of continuous actions (Lillicrap et al. 2016). The actor's actions are
// tanh of its outputs.
type DDPG[F mlp.Float] struct {
	Actor, Critic             *mlp.Net[F]
	ActorTarget, CriticTarget *mlp.Net[F]

	c              learner.DDPGConfig
	actor, critic  *mlp.Tape[F] // of a batch; critic's first holds the targets' pass, then the online one
	climb          *mlp.Tape[F] // the critic at the actor's own actions
	one            *mlp.Tape[F] // the actor at one observation, for Act
	rows           []int
	slope, actions []F // [batch×actions]
}

// NewDDPG makes a learner that starts from copies of actor and critic, whose sizes are c's;
// the targets start equal to them.
func NewDDPG[F mlp.Float](c learner.DDPGConfig, actor, critic *mlp.Net[F]) *DDPG[F] {
	d := &DDPG[F]{
		Actor: actor.Clone(), Critic: critic.Clone(), ActorTarget: actor.Clone(), CriticTarget: critic.Clone(), c: c,
		actor: mlp.NewTape(actor, c.Batch), critic: mlp.NewTape(critic, c.Batch), climb: mlp.NewTape(critic, c.Batch), one: mlp.NewTape(actor, 1),
		slope: make([]F, c.Batch*c.Actions), actions: make([]F, c.Batch*c.Actions),
	}

	// InputSlope is given the batch as a list of rows: here all of them.
	for k := range c.Batch {
		d.rows = append(d.rows, k)
	}
	return d
}

// Act gives the actor's actions, in [−1, 1].
func (d *DDPG[F]) Act(observation []float64) []float64 {
	fill(d.one.Input(), observation)
	d.Actor.Forward(d.one, 1)

	// The network ends in a linear layer; tanh brings its outputs into the range.
	actions := make([]float64, d.c.Actions)
	for i, z := range d.one.Output() {
		actions[i] = mlp.Tanh(float64(z))
	}
	return actions
}

// Synchronise copies the online networks to the targets.
func (d *DDPG[F]) Synchronise() {
	copy(d.ActorTarget.Params, d.Actor.Params)
	copy(d.CriticTarget.Params, d.Critic.Params)
}

// Learn is a gradient step of critic and actor on a batch of c.Batch samples, both by the
// weights before it. It returns the absolute TD errors.
func (d *DDPG[F]) Learn(batch []Sample) []float64 {
	errors := d.learnCritic(batch)
	d.learnActor(batch)

	// Both gradients are complete before the first weight moves.
	n := len(batch)
	mlp.Descend(d.Critic.Params, d.critic.Grads, rate[F](d.c.CriticRate, n))
	mlp.Descend(d.Actor.Params, d.actor.Grads, rate[F](d.c.ActorRate, n))

	// Targets follow the weights after the step.
	if d.c.Tau > 0 {
		d.ActorTarget.Follow(d.Actor, tau[F](d.c.Tau))
		d.CriticTarget.Follow(d.Critic, tau[F](d.c.Tau))
	}
	return errors
}

// learnCritic leaves the gradient of w·½δ², δ clipped, in the critic's tape.
func (d *DDPG[F]) learnCritic(batch []Sample) []float64 {
	// The goal y = r + γ·Q'(s', π'(s')), by both target networks.
	in := d.c.Observation + d.c.Actions
	d.act(d.ActorTarget, batch, true)
	for k, s := range batch {
		fill(d.critic.Input()[k*in:], s.Next)
		copy(d.critic.Input()[k*in+d.c.Observation:(k+1)*in], d.actions[k*d.c.Actions:])
	}
	d.CriticTarget.Forward(d.critic, len(batch))

	// The product is rounded before the sum: without the conversion the compiler may fuse the
	// two on some machines. The input's rows are then free for the pass of the online critic.
	goal := make([]float64, len(batch))
	for k, s := range batch {
		goal[k] = s.Reward + float64(s.Discount*float64(d.critic.Output()[k]))
		fill(d.critic.Input()[k*in:], s.State, s.Action.Amounts)
	}

	d.Critic.Forward(d.critic, len(batch))

	// The gradient by Q is −δ·w. The priority takes δ before it is clipped.
	errors := make([]float64, len(batch))
	for k, s := range batch {
		delta := goal[k] - float64(d.critic.Output()[k])
		errors[k] = math.Abs(delta)
		d.critic.OutputErr()[k] = F(-clipped(delta, d.c.Clip) * s.Weight)
	}
	d.Critic.Backward(d.critic, len(batch))
	return errors
}

// act runs an actor over the batch's states, or with next over the states that follow. It
// leaves the results in d.actions and the pass in d.actor, which learnActor goes back
// through.
func (d *DDPG[F]) act(n *mlp.Net[F], batch []Sample, next bool) {
	for k, s := range batch {
		x := s.State
		if next {
			x = s.Next
		}
		fill(d.actor.Input()[k*d.c.Observation:], x)
	}
	n.Forward(d.actor, len(batch))
	for i, z := range d.actor.Output()[:len(d.actions)] {
		d.actions[i] = F(mlp.Tanh(float64(z)))
	}
}

// learnActor leaves the gradient of −Q(s, π(s)) in the actor's tape: through the critic,
// whose weights it leaves alone, to the actions, and through tanh.
func (d *DDPG[F]) learnActor(batch []Sample) {
	in := d.c.Observation + d.c.Actions
	d.act(d.Actor, batch, false)
	for k, s := range batch {
		fill(d.climb.Input()[k*in:], s.State)
		copy(d.climb.Input()[k*in+d.c.Observation:(k+1)*in], d.actions[k*d.c.Actions:])
	}

	// The chain rule: ∂Q/∂a, times tanh' = 1 − a². Gradient ascent on Q is descent on −Q.
	d.Critic.Forward(d.climb, len(batch))
	d.Critic.InputSlope(d.climb, d.rows, d.c.Observation, d.slope)
	for i, a := range d.actions {
		d.actor.OutputErr()[i] = -F(d.slope[i] * (1 - F(a*a)))
	}
	d.Actor.Backward(d.actor, len(batch))
}
