// Package model is a learner with its replay memory, bit for bit, on Go integers: the
// buffer of transitions, prioritized draws, exponents, and gradient steps, in the order
// in which a circuit does them. A closed loop drives it as it drives the circuit, see
// designs/rl/loop.
//
// A step of B samples: B draws one after the other, each by the sum as it is then; their
// importance weights by the least priority among them; the gradient step; and B updates
// of priorities by the absolute TD errors, in the order of the draws, so that of a slot
// drawn twice the last one counts.
package model

import (
	"fmt"
	"math"
	"math/bits"

	learner "etch/designs/learner/model"
	replay "etch/designs/replay/model"
)

// Memory is a prioritized memory of transitions.
type Memory struct {
	MemoryConfig
	tree *replay.Tree
	data []learner.Transition
}

// MemoryConfig are the sizes and exponents of a memory.
type MemoryConfig struct {
	replay.Params
	replay.Exponents
	Plain   bool   // draws without strata
	Uniform bool   // all priorities are 1.0, and weights too
	Seed    uint64 // of the draws, not 0
}

// drawn is a sample on its way through a step.
type drawn struct {
	index      int
	generation uint8
	priority   uint64
}

// NewMemory makes an empty memory.
func NewMemory(c MemoryConfig) (*Memory, error) {
	tree, err := replay.New(c.Params, c.Seed)
	if err != nil {
		return nil, err
	}
	return &Memory{c, tree, make([]learner.Transition, c.Capacity)}, nil
}

// Count is the number of transitions held.
func (m *Memory) Count() int { return m.tree.Count() }

// Insert puts a transition in the place of the oldest, with the largest priority so
// far. It keeps the slices of t.
func (m *Memory) Insert(t learner.Transition) {
	index, _ := m.tree.InsertMax()
	m.data[index] = t
}

// draw takes n samples, a power of two if draws are stratified, and gives each its
// weight.
func (m *Memory) draw(n int) ([]learner.Sample, []drawn, error) {
	samples, places := make([]learner.Sample, n), make([]drawn, n)
	least := uint64(math.MaxUint64)
	for k := range places {
		d := m.tree.Sample
		if !m.Plain {
			d = func() replay.Drawn { return m.tree.Stratified(k, bits.TrailingZeros(uint(n))) }
		}
		got := d()
		if got.Empty {
			return nil, nil, fmt.Errorf("a draw from an empty memory")
		}
		places[k] = drawn{got.Index, got.Generation, got.Priority}
		least = min(least, got.Priority)
	}
	for k, p := range places {
		samples[k] = learner.Sample{Transition: m.data[p.index], Weight: int64(m.Weight(least, p.priority))}
	}
	return samples, places, nil
}

// update gives drawn samples new priorities by their TD errors, of the given number of
// fraction bits.
func (m *Memory) update(places []drawn, losses []learner.Loss, fraction int) {
	if m.Uniform {
		return
	}
	for k, p := range places {
		delta := losses[k].Delta
		if delta < 0 {
			delta = -delta
		}
		delta >>= fraction - replay.ErrorFraction
		m.tree.Update(p.index, p.generation, m.Priority(m.Params, uint32(min(delta, math.MaxUint32))))
	}
}

// DQN is a learner of values with its memory.
type DQN struct {
	*learner.DQN
	*Memory
	batch, fraction int
}

// NewDQN joins a learner and a memory.
func NewDQN(c learner.DQNConfig, online *learner.Net, memory MemoryConfig) (*DQN, error) {
	d, err := learner.NewDQN(c, online)
	if err != nil {
		return nil, err
	}
	m, err := NewMemory(memory)
	if err != nil {
		return nil, err
	}
	return &DQN{d, m, c.Batch, c.Activation.Frac + learner.Unit}, nil
}

// Step is a gradient step on a batch from the memory, with new priorities for it; with
// synchronise the target becomes the online network at its end.
func (d *DQN) Step(synchronise bool) error {
	if err := step(d.Memory, d.batch, d.fraction, d.Learn); err != nil {
		return err
	}
	if synchronise {
		d.Synchronise()
	}
	return nil
}

// DDPG is a learner of continuous actions with its memory.
type DDPG struct {
	*learner.DDPG
	*Memory
	batch, fraction int
}

// NewDDPG joins a learner and a memory.
func NewDDPG(c learner.DDPGConfig, actor, critic *learner.Net, memory MemoryConfig) (*DDPG, error) {
	d, err := learner.NewDDPG(c, actor, critic)
	if err != nil {
		return nil, err
	}
	m, err := NewMemory(memory)
	if err != nil {
		return nil, err
	}
	return &DDPG{d, m, c.Batch, c.Activation.Frac + learner.Unit}, nil
}

// Step is a gradient step on a batch from the memory, with new priorities for it.
func (d *DDPG) Step() error { return step(d.Memory, d.batch, d.fraction, d.Learn) }

func step(m *Memory, batch, fraction int, learn func([]learner.Sample) ([]learner.Loss, error)) error {
	samples, places, err := m.draw(batch)
	if err != nil {
		return err
	}
	losses, err := learn(samples)
	if err != nil {
		return err
	}
	m.update(places, losses, fraction)
	return nil
}

// MemoryState is all that a memory is, for a file.
type MemoryState struct {
	Tree        replay.State         `json:"tree"`
	Transitions []learner.Transition `json:"transitions"` // of the filled slots
}

// State is the memory's. It shares the transitions.
func (m *Memory) State() MemoryState { return MemoryState{m.tree.State(), m.data[:m.Count()]} }

// Restore gives the memory a state of the same sizes.
func (m *Memory) Restore(s MemoryState) error {
	if len(s.Transitions) != len(s.Tree.Leaves) {
		return fmt.Errorf("%d transitions for %d leaves", len(s.Transitions), len(s.Tree.Leaves))
	}
	if err := m.tree.Restore(s.Tree); err != nil {
		return err
	}
	copy(m.data, s.Transitions)
	return nil
}
