package host

import (
	"fmt"

	circuit "etch/designs/learner"
	learner "etch/designs/learner/model"
	"etch/hw"
	"etch/ir"
	"etch/sim"
)

// Learner is a learner by itself in cycle-accurate simulation, without a memory of transitions: the
// caller pushes the samples of a step. Close it after use.
type Learner struct {
	Sim *sim.Sim

	step   learner.Step
	timing circuit.Timing
	dp     int
	ports  map[string]sim.Signal
	count  bool
}

// LearnerDQN is a [Learner] of the values of discrete actions.
type LearnerDQN struct {
	Learner
	net layout
}

// LearnerDDPG is a learner of continuous actions.
type LearnerDDPG struct {
	Learner
	actor, critic layout
}

// SimulateLearnerDQN builds a learner and gives it the weights of the model.
func SimulateLearnerDQN(c circuit.Config, m *learner.DQN, options ...sim.Option) (*LearnerDQN, error) {
	d, _, err := hw.Build(c)
	if err != nil {
		return nil, err
	}

	// Ports at rest, then the weights through the host's port.
	l := &LearnerDQN{Learner{step: c.Step, timing: c.Schedule().Timing, dp: c.DP, count: c.Count}, layout{sizes: c.Sizes, tiles: c.Tiles}}
	if err := l.start(d, options); err != nil {
		return nil, err
	}
	l.load(l.net, m.Online, false, c.Weights())
	l.load(l.net, stored(m.Target, c.Step), true, targets(c.Step))
	return l, nil
}

// SimulateLearnerDDPG builds a learner and gives it the weights of the model.
func SimulateLearnerDDPG(c circuit.DDPG, m *learner.DDPG, options ...sim.Option) (*LearnerDDPG, error) {
	d, _, err := hw.Build(c)
	if err != nil {
		return nil, err
	}

	// Actor and critic lie one behind the other in the host's numbers.
	x := c.Model()
	l := &LearnerDDPG{
		Learner{step: c.Step, timing: c.Schedule().Timing, dp: c.DP, count: c.Count},
		layout{sizes: x.ActorSizes(), tiles: c.ActorTiles}, layout{sizes: x.CriticSizes(), tiles: c.CriticTiles, first: len(c.ActorTiles) / 2},
	}
	if err := l.start(d, options); err != nil {
		return nil, err
	}

	weights, slow := c.Weights(), targets(c.Step)
	l.load(l.actor, m.Actor, false, weights)
	l.load(l.critic, m.Critic, false, weights)
	l.load(l.actor, stored(m.ActorTarget, c.Step), true, slow)
	l.load(l.critic, stored(m.CriticTarget, c.Step), true, slow)
	return l, nil
}

// start makes the simulator, with all inputs at rest.
func (l *Learner) start(d *ir.Design, options []sim.Option) (err error) {
	if l.Sim, err = sim.New(d, options...); err != nil {
		return err
	}

	// Ports by name; commands low before the reset.
	l.ports = map[string]sim.Signal{}
	for _, x := range l.Sim.Top() {
		l.ports[x.Name()] = x
	}
	for _, name := range []string{"push", "start", "act", "host_read", "host_write"} {
		l.set(name, 0)
	}
	l.set("tau", l.step.Tau)
	l.Sim.Reset()
	return nil
}

// Close frees the simulator.
func (l *Learner) Close() error { return l.Sim.Close() }

// set drives an input with the low bits of v.
func (l *Learner) set(name string, v int64) {
	x := l.ports[name]
	l.Sim.Set(x, uint64(v)&(1<<x.Width()-1))
}

// code is the code of an activation.
func (l *Learner) code(v int64) int64 { return int64(l.step.Activations().Code(v)) }

func (l *Learner) vector(name string, values []int64) {
	for i, v := range values {
		l.set(fmt.Sprintf("%s_%d", name, i), l.code(v))
	}
}

// signed reads an output as a two's-complement number.
func (l *Learner) signed(name string) int64 {
	x := l.ports[name]
	return int64(l.Sim.Get(x)<<(64-x.Width())) >> (64 - x.Width())
}

func (l *Learner) high(name string) bool { return l.Sim.Get(l.ports[name]) != 0 }

func (l *Learner) flag(name string, is bool) {
	v := int64(0)
	if is {
		v = 1
	}
	l.set(name, v)
}

// pulse holds an input high for a cycle.
func (l *Learner) pulse(name string) {
	l.set(name, 1)
	l.Sim.Step(1)
	l.set(name, 0)
}

// load writes a network, a word a cycle.
func (l *Learner) load(x layout, n *learner.Net, target bool, f learner.Number) {
	x.words(func(w word) {
		l.set("host_layer", int64(x.first+w.layer))
		l.set("host_word", int64(w.number))
		l.flag("host_bias", w.bias)
		l.flag("host_target", target)

		// One port an element of the word.
		values := w.values(n)
		for i, at := range w.at {
			v := int64(0) // behind the end of a layer
			if at >= 0 {
				v = int64(f.Code(values[at]))
			}
			l.set(fmt.Sprintf("host_data_%d", i), v)
		}
		l.pulse("host_write")
	})
}

// learn makes a gradient step on a batch and gives its losses; with synchronise the targets
// become the online networks at its end. action sets that of a sample.
func (l *Learner) learn(batch []learner.Sample, synchronise bool, action func(learner.Sample)) ([]learner.Loss, error) {
	// The batch, a sample a cycle.
	for i, s := range batch {
		l.set("at", int64(i))
		l.vector("sample_state", s.State)
		l.vector("sample_next", s.Next)
		action(s)
		l.set("sample_reward", l.code(s.Reward))
		l.set("sample_discount", s.Discount)
		l.set("sample_weight", s.Weight)
		l.pulse("push")
	}

	// Losses come while the learner runs, in the order of the samples.
	l.flag("synchronise", synchronise)
	l.pulse("start")
	var losses []learner.Loss
	cycles := 0
	for ; l.high("busy"); cycles++ {
		if cycles > l.timing.Cycles {
			return nil, fmt.Errorf("the step is not over after %d cycles", l.timing.Cycles)
		}

		// All lanes have a loss in the same cycle.
		for lane := 0; lane < l.dp && l.high("losses_valid"); lane++ {
			at := fmt.Sprintf("losses_lanes_%d_", lane)
			losses = append(losses, learner.Loss{Q: l.step.Activations().Decode(l.Sim.Get(l.ports[at+"q"])), Target: l.signed(at + "target"), Delta: l.signed(at + "delta")})
		}
		l.Sim.Step(1)
	}

	// The length of a step is known, so another one is a fault of the circuit.
	if cycles != l.timing.Cycles || len(losses) != len(batch) {
		return nil, fmt.Errorf("the step took %d cycles and gave %d losses, not %d and %d", cycles, len(losses), l.timing.Cycles, len(batch))
	}
	return losses, nil
}

// Cycles is the number of cycles of a gradient step.
func (l *Learner) Cycles() int { return l.timing.Cycles }

// Saturated is how many values did not fit their formats since the reset, modulo 2^32; a
// learner that does not count them gives false.
func (l *Learner) Saturated() (n learner.Saturations, counted bool) {
	if !l.count {
		return n, false
	}

	l.Sim.Step(2) // the counters are that much behind
	get := func(name string) uint64 { return l.Sim.Get(l.ports["saturated_"+name]) }
	return learner.Saturations{Weight: get("weight"), Activation: get("activation"), Gradient: get("gradient")}, true
}

// Learn makes a gradient step on a batch and gives its losses, sample by sample, of the
// weights before it; with synchronise the target becomes the online network at its end.
func (l *LearnerDQN) Learn(batch []learner.Sample, synchronise bool) ([]learner.Loss, error) {
	return l.learn(batch, synchronise, func(s learner.Sample) { l.set("sample_action", int64(s.Action)) })
}

// Learn is [LearnerDQN.Learn] of actor and critic.
func (l *LearnerDDPG) Learn(batch []learner.Sample, synchronise bool) ([]learner.Loss, error) {
	return l.learn(batch, synchronise, func(s learner.Sample) { l.vector("sample_actions", s.Actions) })
}

// Equal compares both networks with the circuit's memories; the error names the first
// weight that differs.
func (l *LearnerDQN) Equal(m *learner.DQN) error {
	if err := equal(l.Sim, l.net, "online", m.Online, l.step.Weights()); err != nil {
		return err
	}
	return equal(l.Sim, l.net, "target", stored(m.Target, l.step), targets(l.step))
}

// Equal compares all networks, as [LearnerDQN.Equal] does.
func (l *LearnerDDPG) Equal(m *learner.DDPG) error {
	return equalDDPG(l.Sim, "", l.actor, l.critic, m, l.step)
}
