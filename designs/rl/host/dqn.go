package host

import (
	learner "etch/designs/learner/model"
	"etch/designs/rl"
)

// DQN drives a system whose learner is [rl.Values]. Its results equal the model's,
// designs/rl/model.
type DQN struct {
	driver
	system rl.System[rl.Values]
	net    layout
}

// NewDQN is a driver for a system just reset.
func NewDQN(bus Bus, s rl.System[rl.Values]) *DQN {
	// The driver knows how long a step and an act take, and looks no sooner.
	draw, learn, update := s.StepCycles()
	c := s.Learner
	net := layout{sizes: c.Sizes, tiles: c.Tiles}
	return &DQN{newDriver(bus, s.Registers(), draw+learn+update, c.Schedule().ActCycles, insertion(s.Memory, s.InsertCycles(s.Horizon)), c.Activations(), c.Sizes[len(c.Sizes)-1], net), s, net}
}

// Best is the best action for an observation, of several the first.
func (d *DQN) Best(observation []int64) int {
	d.ask(observation)
	return int(d.read("best"))
}

// Act is [DQN.Best] with the values of all actions. The slice is good until the next call.
func (d *DQN) Act(observation []int64) (values []int64, action int) {
	action = d.Best(observation)
	return d.answer(), action
}

// Insert stores a transition.
func (d *DQN) Insert(t learner.Transition) {
	d.see(t.State)
	d.write("action", uint32(t.Action))
	d.insert(&t)
}

// Step makes a gradient step; with synchronise the target becomes the online network at
// its end.
func (d *DQN) Step(synchronise bool) error { return d.steps(1, synchronise) }

// Steps makes n gradient steps, 1 to 65535.
func (d *DQN) Steps(n int) error { return d.steps(n, false) }

// Load gives the system both networks; soft targets come with all their fraction bits.
func (d *DQN) Load(online *learner.Net, target *learner.Target) error {
	s := d.system.Learner.Step
	d.load(online, d.net, 0, s.Weights())
	d.load(stored(target, s), d.net, rl.PartTarget, targets(s))
	return d.err
}

// Online reads the online network.
func (d *DQN) Online() (*learner.Net, error) {
	n := d.fetch(d.net, 0, d.system.Learner.Weights())
	return n, d.err
}

// Target reads the target network as it is stored: soft targets with all their fraction
// bits.
func (d *DQN) Target() (*learner.Net, error) {
	n := d.fetch(d.net, rl.PartTarget, targets(d.system.Learner.Step))
	return n, d.err
}

// stored is a target network as the circuit has it.
func stored(t *learner.Target, s learner.Step) *learner.Net {
	if s.Tau > 0 {
		return t.Exact
	}
	return t.View
}

// targets is the format of its weights.
func targets(s learner.Step) learner.Number {
	if s.Tau > 0 {
		return s.Targets()
	}
	return s.Weights()
}
