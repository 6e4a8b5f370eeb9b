package host

import (
	"fmt"

	learner "etch/designs/learner/model"
	"etch/designs/rl"
	"etch/hw"
	"etch/ir/bits"
	"etch/sim"
	"etch/testbench/axi"
)

// SimulatedDQN is a system in cycle-accurate simulation, reached through its host port.
type SimulatedDQN struct {
	*DQN
	Sim *sim.Sim
}

// simBus is a bus whose time passes in a simulator.
type simBus struct {
	*axi.Master
	sim *sim.Sim
}

func (b simBus) Wait(cycles int) { b.sim.Step(cycles) }

// SimulatedDDPG is the same of continuous actions.
type SimulatedDDPG struct {
	*DDPG
	Sim *sim.Sim
}

// SimulateDQN builds a system and resets it. Close it when it is done with.
func SimulateDQN(s rl.System[rl.Values], options ...sim.Option) (*SimulatedDQN, error) {
	run, bus, err := simulate(s, options)
	if err != nil {
		return nil, err
	}
	return &SimulatedDQN{NewDQN(bus, s), run}, nil
}

// SimulateDDPG builds a system and resets it. Close it when it is done with.
func SimulateDDPG(s rl.System[rl.Actions], options ...sim.Option) (*SimulatedDDPG, error) {
	run, bus, err := simulate(s, options)
	if err != nil {
		return nil, err
	}
	return &SimulatedDDPG{NewDDPG(bus, s), run}, nil
}

func simulate(c hw.Component[rl.Ports], options []sim.Option) (*sim.Sim, Bus, error) {
	d, _, err := hw.Build(c)
	if err != nil {
		return nil, nil, err
	}
	run, err := sim.New(d, options...)
	if err != nil {
		return nil, nil, err
	}

	// The bus drives the ports from here on.
	run.Reset()
	bus, err := axi.NewMaster(run, "s_axi")
	if err != nil {
		run.Close()
		return nil, nil, err
	}
	return run, simBus{bus, run}, nil
}

// Close frees the simulator.
func (s *SimulatedDQN) Close() error { return s.Sim.Close() }

// Close frees the simulator.
func (s *SimulatedDDPG) Close() error { return s.Sim.Close() }

// Equal compares both networks with the circuit's memories, which takes no cycles; the
// error names the first weight that differs.
func (s *SimulatedDQN) Equal(online *learner.Net, target *learner.Target) error {
	c := s.system.Learner.Step
	if err := equal(s.Sim, s.net, "learner.online", online, c.Weights()); err != nil {
		return err
	}
	return equal(s.Sim, s.net, "learner.target", stored(target, c), targets(c))
}

// Equal compares all networks, as [SimulatedDQN.Equal] does.
func (s *SimulatedDDPG) Equal(m *learner.DDPG) error {
	c := s.system.Learner.Step
	return equalDDPG(s.Sim, "learner.", s.actor, s.critic, m, c)
}

// equalDDPG compares all networks; prefix is the path of the learner.
func equalDDPG(s *sim.Sim, prefix string, actor, critic layout, m *learner.DDPG, c learner.Step) error {
	for _, x := range []struct {
		net    layout
		name   string
		online *learner.Net
		target *learner.Target
	}{{actor, "actor", m.Actor, m.ActorTarget}, {critic, "critic", m.Critic, m.CriticTarget}} {
		if err := equal(s, x.net, prefix+x.name+"_online", x.online, c.Weights()); err != nil {
			return err
		}
		if err := equal(s, x.net, prefix+x.name+"_target", stored(x.target, c), targets(c)); err != nil {
			return err
		}
	}
	return nil
}

// equal compares a network, named by its path up to the number of a layer, with the
// circuit's memories.
func equal(s *sim.Sim, x layout, network string, n *learner.Net, f learner.Number) (err error) {
	// Words are compared element by element, up to the first difference; elements past the
	// end of a layer may be anything.
	mems, width := map[string]sim.Mem{}, f.Bits()
	x.words(func(w word) {
		name := fmt.Sprintf("%s_%d_weights", network, w.layer)
		if w.bias {
			name = fmt.Sprintf("%s_%d_bias", network, w.layer)
		}
		if err != nil {
			return
		}

		m, known := mems[name]
		if !known {
			if m, err = s.Mem(name); err != nil {
				return
			}
			mems[name] = m
		}

		// The code sign-extended to a word, as FromInt takes it.
		got, values := m.Read(w.number), w.values(n)
		for i, at := range w.at {
			if at < 0 {
				continue
			}
			if x := bits.FromInt(width, int64(f.Code(values[at])<<(64-width))>>(64-width)); !got.Slice(i*width, width).Equal(x) && err == nil {
				err = fmt.Errorf("%s network, layer %d, word %d, value %d: the circuit has %v, the model %v", network, w.layer, w.number, i, got.Slice(i*width, width), x)
			}
		}
	})
	return err
}
