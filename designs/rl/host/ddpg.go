package host

import (
	learner "etch/designs/learner/model"
	"etch/designs/rl"
)

// DDPG drives a system whose learner is [rl.Actions].
type DDPG struct {
	driver
	system        rl.System[rl.Actions]
	actor, critic layout
}

// NewDDPG is a driver for a system just reset.
func NewDDPG(bus Bus, s rl.System[rl.Actions]) *DDPG {
	// The critic's layers are numbered behind the actor's.
	draw, learn, update := s.StepCycles()
	c, m := s.Learner, s.Learner.Model()
	actor := layout{sizes: m.ActorSizes(), tiles: c.ActorTiles}
	critic := layout{sizes: m.CriticSizes(), tiles: c.CriticTiles, first: len(c.ActorTiles) / 2}
	return &DDPG{newDriver(bus, s.Registers(), draw+learn+update, c.Schedule().ActCycles, insertion(s.Memory, s.InsertCycles(s.Horizon)), c.Activations(), c.Actions, actor, critic), s, actor, critic}
}

// Act gives the actor's actions. The slice is good until the next call.
func (d *DDPG) Act(observation []int64) []int64 {
	d.ask(observation)
	return d.answer()
}

// Insert stores a transition.
func (d *DDPG) Insert(t learner.Transition) {
	d.see(t.State)
	d.observe("action", t.Actions)
	d.insert(&t)
}

// Step makes a gradient step; with synchronise the targets become the online networks at
// its end.
func (d *DDPG) Step(synchronise bool) error { return d.steps(1, synchronise) }

// Steps makes n gradient steps, 1 to 65535.
func (d *DDPG) Steps(n int) error { return d.steps(n, false) }

// Load gives the system all networks of a learner.
func (d *DDPG) Load(m *learner.DDPG) error {
	// Targets are written as they are stored: soft ones with all their fraction bits.
	s := d.system.Learner.Step
	w, t := s.Weights(), targets(s)
	d.load(m.Actor, d.actor, 0, w)
	d.load(m.Critic, d.critic, 0, w)
	d.load(stored(m.ActorTarget, s), d.actor, rl.PartTarget, t)
	d.load(stored(m.CriticTarget, s), d.critic, rl.PartTarget, t)
	return d.err
}

// Networks reads actor and critic, then their targets as they are stored.
func (d *DDPG) Networks() (nets [4]*learner.Net, err error) {
	w, t := d.system.Learner.Weights(), targets(d.system.Learner.Step)
	nets = [4]*learner.Net{d.fetch(d.actor, 0, w), d.fetch(d.critic, 0, w), d.fetch(d.actor, rl.PartTarget, t), d.fetch(d.critic, rl.PartTarget, t)}
	return nets, d.err
}
