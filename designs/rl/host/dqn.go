package host

import (
	"slices"

	learner "etch/designs/learner/model"
	"etch/designs/rl"
)

// DQN drives a system whose learner is [rl.Values]. It does what the model of
// designs/rl/model does, and can take its place in designs/rl/loop.
type DQN struct {
	driver
	system rl.System[rl.Values]
	state  []int64 // the observation in the circuit, nil: not known
	values []int64
}

// NewDQN is a driver for a system just reset.
func NewDQN(bus Bus, s rl.System[rl.Values]) *DQN {
	draw, learn, update := s.StepCycles()
	act := s.Learner.Schedule().ActCycles
	c := s.Learner
	return &DQN{
		driver: newDriver(bus, s.Registers(), draw+learn+update, act, c.Activation.Width), system: s,
		values: make([]int64, c.Sizes[len(c.Sizes)-1]),
	}
}

// see writes an observation, if it is another than the circuit has.
func (d *DQN) see(x []int64) {
	if !slices.Equal(d.state, x) {
		d.observe("state", x)
		d.state = slices.Clone(x)
	}
}

// Best is the best action for an observation, of several the first.
func (d *DQN) Best(observation []int64) int {
	d.see(observation)
	d.write("act", 1)
	d.wait(d.act)
	return int(d.read("best"))
}

// Act is [DQN.Best] with the values of all actions. The slice is good until the next call.
func (d *DQN) Act(observation []int64) (values []int64, action int) {
	action = d.Best(observation)
	for i := range d.values {
		d.write("select", uint32(i))
		d.values[i] = d.signed(d.read("value"))
	}
	return d.values, action
}

// Insert stores a transition.
func (d *DQN) Insert(t learner.Transition) {
	d.see(t.State)
	d.write("action", uint32(t.Action))
	d.insert(&t)
	d.state = slices.Clone(t.Next)
}

// Step makes a gradient step; with synchronise the target becomes the online network at
// its end.
func (d *DQN) Step(synchronise bool) error { return d.steps(1, synchronise) }

// Steps makes n gradient steps, 1 to 65535.
func (d *DQN) Steps(n int) error { return d.steps(n, false) }

// Load gives the system both networks; soft targets come with all their fraction bits.
func (d *DQN) Load(online *learner.Net, target *learner.Target) error {
	d.load(online, d.layout(), 0)
	if d.system.Learner.Tau > 0 {
		d.load(target.Exact, d.layout(), rl.PartTarget)
	} else {
		d.load(target.View, d.layout(), rl.PartTarget)
	}
	return d.err
}

// Online reads the online network.
func (d *DQN) Online() (*learner.Net, error) {
	n := d.fetch(d.layout(), 0, d.system.Learner.Weight.Width)
	return n, d.err
}

// Target reads the target network as it is stored: soft targets with all their fraction
// bits.
func (d *DQN) Target() (*learner.Net, error) {
	width := d.system.Learner.Weight.Width
	if d.system.Learner.Tau > 0 {
		width += d.system.Learner.Formats.Target
	}
	n := d.fetch(d.layout(), rl.PartTarget, width)
	return n, d.err
}

// layout is that of both networks.
func (d *DQN) layout() layout { return layout{d.system.Learner.Sizes, d.system.Learner.Tiles} }

// Err is the first error, which stays.
func (d *DQN) Err() error { return d.err }

// Forget has the driver write the next observation whatever the last one was.
func (d *DQN) Forget() { d.state = nil }
