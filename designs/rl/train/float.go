package train

import (
	"encoding/json"
	"fmt"

	"etch/designs/mlp"
	"etch/designs/rl/baseline"
	"etch/designs/rl/env"
	"etch/designs/rl/loop"
	"etch/designs/rl/policy"
)

// floatAgent is the part that both baselines in float64 share: the memory, and the list of
// networks to save.
type floatAgent struct {
	c      Config
	memory *baseline.Memory
	nets   []*mlp.Net[float64] // in the order of the file
}

func newFloatAgent(c Config) *floatAgent {
	m := baseline.MemoryConfig{Capacity: c.Memory.Capacity, Alpha: c.Alpha, Beta: c.Beta, Epsilon: c.Epsilon, Plain: c.Plain, Seed: c.Seed}

	// p^0 = 1: uniform draws, and weights of 1.
	if c.Uniform {
		m.Alpha, m.Beta = 0, 0
	}
	return &floatAgent{c: c, memory: baseline.NewMemory(m)}
}

// Insert stores a transition in the replay memory; it never fails.
func (a *floatAgent) Insert(t loop.Transition) error {
	a.memory.Insert(t)
	return nil
}

func (a *floatAgent) close() error { return nil }

// inFloats is a policy's network in floats; its sizes must equal the given sizes.
func inFloats[F mlp.Float](p *policy.Policy, sizes []int) (*mlp.Net[F], error) {
	if fmt.Sprint(p.Sizes) != fmt.Sprint(sizes) {
		return nil, fmt.Errorf("weights of a network %v for one of %v", p.Sizes, sizes)
	}

	// A policy has a row for each output, package mlp one slice for all rows.
	n := mlp.New[F](mlp.ReLU, 0, sizes...)
	for i, l := range n.Layers {
		for o, row := range p.Layers[i].Weight {
			for k, w := range row {
				l.Weight[o*l.In+k] = F(w)
			}
			l.Bias[o] = F(p.Layers[i].Bias[o])
		}
	}
	return n, nil
}

// outOfFloats is the policy of a network, with copies of its weights.
func outOfFloats(kind string, scale []float64, n *mlp.Net[float64]) *policy.Policy {
	p := &policy.Policy{Kind: kind, Scale: scale, Sizes: n.Sizes()}

	for _, l := range n.Layers {
		x := policy.Layer{Bias: append([]float64(nil), l.Bias...)}
		for o := range l.Out {
			x.Weight = append(x.Weight, append([]float64(nil), l.Weight[o*l.In:(o+1)*l.In]...))
		}
		p.Layers = append(p.Layers, x)
	}
	return p
}

// savedFloats is a baseline in a file: the parameters of all networks, and the memory.
type savedFloats struct {
	Nets   [][]float64          `json:"nets"`
	Memory baseline.MemoryState `json:"memory"`
}

func (a *floatAgent) save() (json.RawMessage, error) {
	memory, err := a.memory.State()
	if err != nil {
		return nil, err
	}

	s := savedFloats{Memory: memory}
	for _, n := range a.nets {
		s.Nets = append(s.Nets, n.Params)
	}
	return json.Marshal(s)
}

// restore takes the text of save, and refuses a file of other shapes.
func (a *floatAgent) restore(text json.RawMessage) error {
	var s savedFloats
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}

	// Networks of the sizes of this run.
	if len(s.Nets) != len(a.nets) {
		return fmt.Errorf("%d networks, not %d", len(s.Nets), len(a.nets))
	}
	for i, n := range a.nets {
		if len(s.Nets[i]) != len(n.Params) {
			return fmt.Errorf("network %d has %d weights, not %d", i, len(s.Nets[i]), len(n.Params))
		}
		copy(n.Params, s.Nets[i])
	}

	// A transition of another shape would fail only when it is drawn, deep in a pass.
	spec := a.c.Shape()
	for i, t := range s.Memory.Transitions {
		if len(t.State) != spec.Observation || len(t.Next) != spec.Observation || len(t.Action.Amounts) != len(spec.Low) ||
			t.Action.Number < 0 || t.Action.Number >= max(1, spec.Actions) {
			return fmt.Errorf("transition %d is none of the environment", i)
		}
	}

	return a.memory.Restore(s.Memory)
}

// floatDQN is DQN in float64. It begins with the weights that the model of the same seed
// begins with.
type floatDQN struct {
	*floatAgent
	d *baseline.DQN[float64]
}

func newFloatDQN(c Config, start *policy.Policy) (*floatDQN, error) {
	if start == nil {
		m, err := newModelDQN(c, nil)
		if err != nil {
			return nil, err
		}
		start = m.policy()
	}

	n, err := inFloats[float64](start, c.DQN.Sizes)
	if err != nil {
		return nil, err
	}

	a := &floatDQN{newFloatAgent(c), baseline.NewDQN(c.DQN.Model(), n)}
	a.nets = []*mlp.Net[float64]{a.d.Online, a.d.Target}
	return a, nil
}

func (a *floatDQN) Act(observation []float64) (env.Action, error) {
	return env.Action{Number: a.d.Act(observation)}, nil
}

func (a *floatDQN) Step(synchronise bool) error {
	err := a.memory.Step(a.c.DQN.Batch, a.d.Learn)
	if err == nil && synchronise {
		a.d.Synchronise()
	}
	return err
}

func (a *floatDQN) policy() *policy.Policy {
	return outOfFloats(policy.DQN, a.c.Loop.Scale, a.d.Online)
}

// floatDDPG is DDPG in float64. Its first weights too are the model's of the same seed.
type floatDDPG struct {
	*floatAgent
	d *baseline.DDPG[float64]
}

func newFloatDDPG(c Config, start *policy.Policy) (*floatDDPG, error) {
	m, err := newModelDDPG(c, nil)
	if err != nil {
		return nil, err
	}

	// start holds an actor only: the first critic is the model's in any case.
	if start == nil {
		start = m.policy()
	}

	actor, err := inFloats[float64](start, c.DDPG.Model().ActorSizes())
	if err != nil {
		return nil, err
	}
	critic, err := inFloats[float64](policy.Of(policy.DDPG, nil, m.m.Critic, c.DDPG.Formats), c.DDPG.Model().CriticSizes())
	if err != nil {
		return nil, err
	}

	a := &floatDDPG{newFloatAgent(c), baseline.NewDDPG(c.DDPG.Model(), actor, critic)}
	a.nets = []*mlp.Net[float64]{a.d.Actor, a.d.Critic, a.d.ActorTarget, a.d.CriticTarget}
	return a, nil
}

func (a *floatDDPG) Act(observation []float64) (env.Action, error) {
	return env.Action{Amounts: a.d.Act(observation)}, nil
}

func (a *floatDDPG) Step(synchronise bool) error {
	err := a.memory.Step(a.c.DDPG.Batch, a.d.Learn)
	if err == nil && synchronise {
		a.d.Synchronise()
	}
	return err
}

func (a *floatDDPG) policy() *policy.Policy {
	return outOfFloats(policy.DDPG, a.c.Loop.Scale, a.d.Actor)
}
