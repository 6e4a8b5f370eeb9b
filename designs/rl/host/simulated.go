package host

import (
	"etch/designs/rl"
	"etch/hw"
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
