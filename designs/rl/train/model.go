package train

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	learner "etch/designs/learner/model"
	"etch/designs/rl/env"
	"etch/designs/rl/loop"
	"etch/designs/rl/model"
	"etch/designs/rl/policy"
)

// agent is a learner in some engine.
type agent interface {
	loop.Agent
	policy() *policy.Policy
	save() (json.RawMessage, error)
	restore(json.RawMessage) error
	close() error
}

// codes brings numbers into the format of activations, and counts the misfits, which
// saturate.
type codes struct {
	learner.Number
	cut uint64
}

func (c *codes) raw(x float64) int64 {
	if low, high := c.Range(); x >= high+math.Ldexp(1, -c.Frac) || x < low {
		c.cut++
	}
	return c.Raw(x)
}

func (c *codes) raws(xs []float64) []int64 {
	out := make([]int64, len(xs))
	for i, x := range xs {
		out[i] = c.raw(x)
	}
	return out
}

// transition brings a transition into the format. Its discount is rounded to 2^-16.
func (c *codes) transition(t loop.Transition) learner.Transition {
	x := learner.Transition{State: c.raws(t.State), Next: c.raws(t.Next), Action: t.Action.Number, Reward: c.raw(t.Reward)}

	if t.Action.Amounts != nil {
		x.Actions = c.raws(t.Action.Amounts)
	}
	x.Discount = int64(float64(t.Discount*learner.One) + 0.5)
	return x
}

// modelDQN trains the bit-exact model, without a simulation.
type modelDQN struct {
	c Config
	codes
	m *model.DQN
}

func newModelDQN(c Config, start *policy.Policy) (*modelDQN, error) {
	n, err := begin(c.DQN.Sizes, c.DQN.Weights(), start, rand.New(rand.NewPCG(c.Seed, 1)))
	if err != nil {
		return nil, err
	}

	m, err := model.NewDQN(c.DQN.Model(), n, c.memory())
	return &modelDQN{c, codes{Number: c.DQN.Activations()}, m}, err
}

// begin is a network of given weights, or random ones.
func begin(sizes []int, f learner.Number, start *policy.Policy, r *rand.Rand) (*learner.Net, error) {
	if start != nil {
		return start.Net(f, sizes)
	}
	n := learner.NewNet(sizes...)
	n.Init(r, f)
	return n, nil
}

func (a *modelDQN) Act(observation []float64) (env.Action, error) {
	_, action := a.m.Act(a.raws(observation))
	return env.Action{Number: action}, nil
}

func (a *modelDQN) Insert(t loop.Transition) error {
	a.m.Insert(a.transition(t))
	return nil
}

func (a *modelDQN) End() error {
	a.m.End()
	return nil
}

func (a *modelDQN) Step(synchronise bool) error { return a.m.Step(synchronise) }

func (a *modelDQN) policy() *policy.Policy {
	return policy.Of(policy.DQN, a.c.Loop.Scale, a.m.Online, a.c.DQN.Formats)
}

func (a *modelDQN) close() error { return nil }

// saved is a learner in a file: all networks, in the order of the learner, and the memory.
type saved struct {
	Nets   [][][]int64       `json:"nets"`
	Steps  int               `json:"steps"`
	Memory model.MemoryState `json:"memory"`
}

// put gives networks their values. The file's shapes must equal the networks'.
func (s *saved) put(nets ...*learner.Net) error {
	if len(s.Nets) != len(nets) {
		return fmt.Errorf("%d networks, not %d", len(s.Nets), len(nets))
	}
	for i, n := range nets {
		words := n.Words()
		if len(s.Nets[i]) != len(words) {
			return fmt.Errorf("network %d has %d parts, not %d", i, len(s.Nets[i]), len(words))
		}
		for k, w := range words {
			if len(s.Nets[i][k]) != len(w) {
				return fmt.Errorf("network %d, part %d has %d weights, not %d", i, k, len(s.Nets[i][k]), len(w))
			}
			// Words shares its slices with the network: the copy changes the weights.
			copy(w, s.Nets[i][k])
		}
	}
	return nil
}

// check refuses transitions of another shape than the environment's.
func (s *saved) check(observation, actions, amounts int) error {
	for i, t := range s.Memory.All() {
		if len(t.State) != observation || len(t.Next) != observation || t.Action < 0 || t.Action >= max(1, actions) || len(t.Actions) != amounts {
			return fmt.Errorf("transition %d is none of the environment", i)
		}
	}
	return nil
}

func words(nets ...*learner.Net) (all [][][]int64) {
	for _, n := range nets {
		all = append(all, n.Words())
	}
	return all
}

func (a *modelDQN) nets() []*learner.Net {
	return []*learner.Net{a.m.Online, a.m.Target.Exact, a.m.Target.View}
}

func (a *modelDQN) save() (json.RawMessage, error) {
	return json.Marshal(saved{words(a.nets()...), a.m.Steps, a.m.State()})
}

func (a *modelDQN) restore(text json.RawMessage) error {
	var s saved
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	if err := s.check(a.c.DQN.Sizes[0], a.c.DQN.Sizes[len(a.c.DQN.Sizes)-1], 0); err != nil {
		return err
	}

	// put refuses networks of other sizes before the memory changes.
	a.m.Steps = s.Steps
	if err := s.put(a.nets()...); err != nil {
		return err
	}
	return a.m.Restore(s.Memory)
}

// modelDDPG trains the bit-exact model, without a simulation.
type modelDDPG struct {
	c Config
	codes
	m *model.DDPG
}

func newModelDDPG(c Config, start *policy.Policy) (*modelDDPG, error) {
	r := rand.New(rand.NewPCG(c.Seed, 1))
	actor, err := begin(c.DDPG.Model().ActorSizes(), c.DDPG.Weights(), start, r)
	if err != nil {
		return nil, err
	}
	// start is an actor: the critic's first weights are random in any case. Without start both
	// come from one generator, the actor's first.
	critic, _ := begin(c.DDPG.Model().CriticSizes(), c.DDPG.Weights(), nil, r)
	m, err := model.NewDDPG(c.DDPG.Model(), actor, critic, c.memory())
	return &modelDDPG{c, codes{Number: c.DDPG.Activations()}, m}, err
}

func (a *modelDDPG) Act(observation []float64) (x env.Action, err error) {
	for _, v := range a.m.Act(a.raws(observation)) {
		x.Amounts = append(x.Amounts, a.Value(v))
	}
	return x, nil
}

func (a *modelDDPG) Insert(t loop.Transition) error {
	a.m.Insert(a.transition(t))
	return nil
}

func (a *modelDDPG) End() error {
	a.m.End()
	return nil
}

func (a *modelDDPG) Step(synchronise bool) error {
	err := a.m.Step()
	if err == nil && synchronise {
		a.m.Synchronise()
	}
	return err
}

func (a *modelDDPG) policy() *policy.Policy {
	return policy.Of(policy.DDPG, a.c.Loop.Scale, a.m.Actor, a.c.DDPG.Formats)
}

func (a *modelDDPG) close() error { return nil }

func (a *modelDDPG) nets() []*learner.Net {
	// The order of the file; each target as its exact weights and as the view in the format.
	m := a.m
	return slices.Concat([]*learner.Net{m.Actor, m.Critic}, []*learner.Net{m.ActorTarget.Exact, m.ActorTarget.View, m.CriticTarget.Exact, m.CriticTarget.View})
}

func (a *modelDDPG) save() (json.RawMessage, error) {
	return json.Marshal(saved{words(a.nets()...), a.m.Steps, a.m.State()})
}

func (a *modelDDPG) restore(text json.RawMessage) error {
	var s saved
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	if err := s.check(a.c.DDPG.Observation, 0, a.c.DDPG.Actions); err != nil {
		return err
	}

	a.m.Steps = s.Steps
	if err := s.put(a.nets()...); err != nil {
		return err
	}
	return a.m.Restore(s.Memory)
}
