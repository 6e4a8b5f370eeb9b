package train

import (
	"etch/designs/mlp"
	"etch/designs/rl/baseline"
	"etch/designs/rl/loop"
	"etch/designs/rl/policy"
)

// Rival is an engine that makes gradient steps on one set of transitions, to be timed.
type Rival struct {
	Name string
	Step func() error
}

// learns is a gradient step of a baseline; it returns absolute TD errors.
type learns func([]baseline.Sample) []float64

// Rivals are the baseline in float32, first on one batch again and again without a memory, then with
// its memory; the baseline in float64 with its memory; the model; and the circuit in simulation,
// without the model beside it. All learn from data, which is scaled, with the weights that
// the seed begins with. done ends the simulation.
func Rivals(c Config, data []loop.Transition) (all []Rival, done func(), err error) {
	c.Engine = Circuit
	if err := c.Validate(c.Shape()); err != nil {
		return nil, nil, err
	}

	var circuit agent
	var narrow, wide learns
	var model, simulated func(synchronise bool) error

	// One pair of circuit and model serves both their rivals: the engine's own Step would run
	// them in lock step and compare weights, which is not to be timed.
	batch := c.DQN.Batch
	if c.Algorithm == DDPG {
		batch = c.DDPG.Batch
		x, err := newCircuitDDPG(c, nil)
		if err != nil {
			return nil, nil, err
		}
		circuit, model, simulated = x, x.modelDDPG.Step, x.SimulatedDDPG.Step

		// Every rival starts from the model's first weights.
		critic := policy.Of(policy.DDPG, nil, x.m.Critic, c.DDPG.Formats)
		narrow, wide = ddpgLearns[float32](c, x.modelDDPG.policy(), critic), ddpgLearns[float64](c, x.modelDDPG.policy(), critic)
	} else {
		x, err := newCircuitDQN(c, nil)
		if err != nil {
			return nil, nil, err
		}
		circuit, model, simulated = x, x.modelDQN.Step, x.SimulatedDQN.Step
		narrow, wide = dqnLearns[float32](c, x.modelDQN.policy()), dqnLearns[float64](c, x.modelDQN.policy())
	}

	// The same transitions go into every memory; the lone batch takes the first of them.
	small, large := newFloatAgent(c).memory, newFloatAgent(c).memory
	var again []baseline.Sample
	for i, x := range data {
		small.Insert(x)
		large.Insert(x)
		if err := circuit.Insert(x); err != nil { // circuit and model
			circuit.close()
			return nil, nil, err
		}
		if i < batch {
			again = append(again, baseline.Sample{Transition: &data[i], Weight: 1})
		}
	}

	return []Rival{
		{"float32, one batch again", func() error { narrow(again); return nil }},
		{"float32", func() error { return small.Step(batch, narrow) }},
		{"float64", func() error { return large.Step(batch, wide) }},
		{"model", func() error { return model(false) }},
		{"circuit, simulated", func() error { return simulated(false) }},
	}, func() { circuit.close() }, nil
}

func dqnLearns[F mlp.Float](c Config, start *policy.Policy) learns {
	n, _ := inFloats[F](start, c.DQN.Sizes) // its sizes are c's
	return baseline.NewDQN(c.DQN.Model(), n).Learn
}

func ddpgLearns[F mlp.Float](c Config, start, critic *policy.Policy) learns {
	m := c.DDPG.Model()
	// The sizes agree: both policies are of networks that c's sizes made.
	a, _ := inFloats[F](start, m.ActorSizes())
	q, _ := inFloats[F](critic, m.CriticSizes())
	return baseline.NewDDPG(m, a, q).Learn
}
