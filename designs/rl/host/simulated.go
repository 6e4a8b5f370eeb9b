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

// Wait makes cycles.
func (b simBus) Wait(cycles int) { b.sim.Step(cycles) }

// SimulateDQN builds a system and resets it. Close it when it is done with.
func SimulateDQN(s rl.System[rl.Values], options ...sim.Option) (*SimulatedDQN, error) {
	d, _, err := hw.Build(s)
	if err != nil {
		return nil, err
	}
	run, err := sim.New(d, options...)
	if err != nil {
		return nil, err
	}
	run.Reset()
	bus, err := axi.NewMaster(run, "s_axi")
	if err != nil {
		run.Close()
		return nil, err
	}
	return &SimulatedDQN{NewDQN(simBus{bus, run}, s), run}, nil
}

// Close frees the simulator.
func (s *SimulatedDQN) Close() error { return s.Sim.Close() }

// Equal compares both networks with the circuit's memories, which takes no cycles; the
// error names the first weight that differs.
func (s *SimulatedDQN) Equal(online *learner.Net, target *learner.Target) error {
	c := s.system.Learner
	if err := s.equal("online", online, c.Weight.Width); err != nil {
		return err
	}
	if c.Tau > 0 {
		return s.equal("target", target.Exact, c.Weight.Width+c.Formats.Target)
	}
	return s.equal("target", target.View, c.Weight.Width)
}

func (s *SimulatedDQN) equal(network string, n *learner.Net, width int) (err error) {
	mems := map[string]sim.Mem{}
	s.layout().words(func(w word) {
		name := fmt.Sprintf("learner.%s_%d_weights", network, w.layer)
		if w.bias {
			name = fmt.Sprintf("learner.%s_%d_bias", network, w.layer)
		}
		if err != nil {
			return
		}
		m, known := mems[name]
		if !known {
			if m, err = s.Sim.Mem(name); err != nil {
				return
			}
			mems[name] = m
		}
		got, values := m.Read(w.number), w.values(n)
		for i, at := range w.at {
			if x := bits.FromInt(width, values[at]); !got.Slice(i*width, width).Equal(x) && err == nil {
				err = fmt.Errorf("%s network, layer %d, word %d, value %d: the circuit has %v, the model %v", network, w.layer, w.number, i, got.Slice(i*width, width), x)
			}
		}
	})
	return err
}
