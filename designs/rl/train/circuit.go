package train

import (
	"encoding/json"
	"fmt"
	"slices"

	"etch/designs/rl/env"
	"etch/designs/rl/host"
	"etch/designs/rl/loop"
	"etch/designs/rl/policy"
)

// circuitDQN is the circuit in simulation, with the model beside it.
type circuitDQN struct {
	*modelDQN
	*host.SimulatedDQN
}

func newCircuitDQN(c Config, start *policy.Policy) (*circuitDQN, error) {
	m, err := newModelDQN(c, start)
	if err != nil {
		return nil, err
	}

	h, err := host.SimulateDQN(c.system())
	if err != nil {
		return nil, err
	}

	a := &circuitDQN{m, h}
	// An error of Set or Seed stays in the driver, and later calls return it.
	h.Set(c.settings(c.DQN.Tau))
	h.Seed(c.Seed)
	if err := h.Load(m.m.Online, m.m.Target); err != nil {
		h.Close()
		return nil, err
	}
	return a, a.check()
}

// Act has the circuit act, and compares.
func (a *circuitDQN) Act(observation []float64) (env.Action, error) {
	x := a.raws(observation)
	got := a.Best(x)
	if _, want := a.m.Act(x); got != want {
		return env.Action{}, fmt.Errorf("observation %v: the circuit's action is %d, the model's %d", x, got, want)
	}
	return env.Action{Number: got}, a.Err()
}

// Insert gives both the transition.
func (a *circuitDQN) Insert(t loop.Transition) error {
	x := a.transition(t)
	a.m.Insert(x)
	a.SimulatedDQN.Insert(x)
	return a.Err()
}

// End ends the episode in both, so that no return spans two episodes.
func (a *circuitDQN) End() error {
	a.m.End()
	return a.SimulatedDQN.End()
}

// Step has both learn, and compares all weights.
func (a *circuitDQN) Step(synchronise bool) error {
	if err := a.m.Step(synchronise); err != nil {
		return err
	}
	if err := a.SimulatedDQN.Step(synchronise); err != nil {
		return err
	}
	return a.check()
}

// check compares every word of both networks in the circuit's memories with the model.
func (a *circuitDQN) check() error { return a.Equal(a.m.Online, a.m.Target) }

func (a *circuitDQN) close() error { return a.Close() }

func (a *circuitDQN) save() (json.RawMessage, error) { return saveCircuit(a.modelDQN, a.Sim) }

func (a *circuitDQN) restore(text json.RawMessage) error {
	if err := restoreCircuit(a.modelDQN, a.Sim, text); err != nil {
		return err
	}
	a.Forget()
	return a.check()
}

// circuitDDPG is the circuit of DDPG in simulation, with the model beside it.
type circuitDDPG struct {
	*modelDDPG
	*host.SimulatedDDPG
}

func newCircuitDDPG(c Config, start *policy.Policy) (*circuitDDPG, error) {
	m, err := newModelDDPG(c, start)
	if err != nil {
		return nil, err
	}

	h, err := host.SimulateDDPG(c.actions())
	if err != nil {
		return nil, err
	}

	a := &circuitDDPG{m, h}
	// An error of Set or Seed stays in the driver here too.
	h.Set(c.settings(c.DDPG.Tau))
	h.Seed(c.Seed)
	if err := h.Load(m.m.DDPG); err != nil {
		h.Close()
		return nil, err
	}
	return a, a.check()
}

// Act has the circuit act, and compares.
func (a *circuitDDPG) Act(observation []float64) (env.Action, error) {
	x := a.raws(observation)
	got := a.SimulatedDDPG.Act(x)
	if want := a.m.Act(x); !slices.Equal(want, got) {
		return env.Action{}, fmt.Errorf("observation %v: the circuit's actions are %d, the model's %d", x, got, want)
	}

	var y env.Action
	for _, v := range got {
		y.Amounts = append(y.Amounts, a.Value(v))
	}
	return y, a.Err()
}

// Insert gives both the transition.
func (a *circuitDDPG) Insert(t loop.Transition) error {
	x := a.transition(t)
	a.m.Insert(x)
	a.SimulatedDDPG.Insert(x)
	return a.Err()
}

// End ends the episode in both.
func (a *circuitDDPG) End() error {
	a.m.End()
	return a.SimulatedDDPG.End()
}

// Step has both learn, and compares all weights.
func (a *circuitDDPG) Step(synchronise bool) error {
	if err := a.modelDDPG.Step(synchronise); err != nil {
		return err
	}
	if err := a.SimulatedDDPG.Step(synchronise); err != nil {
		return err
	}
	return a.check()
}

func (a *circuitDDPG) check() error { return a.Equal(a.m.DDPG) }

func (a *circuitDDPG) close() error { return a.Close() }

func (a *circuitDDPG) save() (json.RawMessage, error) { return saveCircuit(a.modelDDPG, a.Sim) }

func (a *circuitDDPG) restore(text json.RawMessage) error {
	if err := restoreCircuit(a.modelDDPG, a.Sim, text); err != nil {
		return err
	}
	a.Forget()
	return a.check()
}
