// Package model is a learner with its replay memory, bit for bit, on Go integers: the
// buffer of transitions, prioritized draws, exponents, and gradient steps, in the order
// in which a circuit does them. A closed loop drives it as it drives the circuit, see
// designs/rl/loop.
//
// A step of B samples: B draws one after the other, each by the sum as it is then; their
// importance weights by the least priority among them; the gradient step; and B updates
// of priorities by the absolute TD errors, in the order of the draws, so that of a slot
// drawn twice the last one counts. With prefetch the draws are those of the next step: the
// first step draws twice.
package model

import (
	"fmt"
	"math"
	"math/bits"

	learner "etch/designs/learner/model"
	replay "etch/designs/replay/model"
	"etch/hw/fixed"
)

// Memory is a prioritized memory of transitions.
type Memory struct {
	MemoryConfig
	tree    *replay.Tree
	data    []learner.Transition
	pending []learner.Transition // whose returns wait for more
	ahead   *batch               // of the next step, with Prefetch
}

// MemoryConfig are the sizes and exponents of a memory.
type MemoryConfig struct {
	replay.Params
	replay.Exponents
	Plain   bool   // draws without strata
	Uniform bool   // all priorities are 1.0, and weights too
	Seed    uint64 // of the draws, not 0

	// Prefetch draws the batch of the next step before a step's new priorities are there.
	Prefetch bool
	// Horizon transitions are joined to the one that is stored, see [Memory.Insert]; 0 and 1
	// store each as it comes. Rewards have the format Reward.
	Horizon int
	Reward  fixed.Format
}

// batch is a batch with the places of its samples.
type batch struct {
	Samples []learner.Sample `json:"samples"`
	Places  []place          `json:"places"`
}

// place is where a sample lies.
type place struct {
	Index      int   `json:"index"`
	Generation uint8 `json:"generation"`
}

// NewMemory makes an empty memory.
func NewMemory(c MemoryConfig) (*Memory, error) {
	tree, err := replay.New(c.Params, c.Seed)
	if err != nil {
		return nil, err
	}

	return &Memory{MemoryConfig: c, tree: tree, data: make([]learner.Transition, c.Capacity)}, nil
}

// Count is the number of transitions held.
func (m *Memory) Count() int { return m.tree.Count() }

// Insert puts a transition in the place of the oldest, with the largest priority so
// far. It keeps the slices of t.
//
// With a Horizon of n it waits for the n−1 that follow it, and is stored with the return of
// all, r₀ + d₀·(r₁ + d₁·(r₂ + …)), the product of their discounts, and the last one's next
// observation. Sums and products are rounded half up each time, from the newest on; one
// beyond its format becomes the format's bound.
func (m *Memory) Insert(t learner.Transition) {
	if m.Horizon < 2 {
		m.store(t)
		return
	}
	m.pending = append(m.pending, t)
	if len(m.pending) == m.Horizon {
		m.join()
	}
}

// Clear forgets all transitions, those that wait and those drawn ahead among them.
func (m *Memory) Clear() {
	m.tree.Clear()
	m.pending, m.ahead = nil, nil
}

// End says that an episode is over: the waiting transitions are stored with the shorter returns
// that they have.
func (m *Memory) End() {
	for len(m.pending) > 0 {
		m.join()
	}
}

// join stores the oldest transition that waits, with the return of all.
func (m *Memory) join() {
	// Horner's scheme from the newest on, rounded at each step as the circuit rounds.
	last := len(m.pending) - 1
	reward, discount := m.pending[last].Reward, m.pending[last].Discount
	for i := last - 1; i >= 0; i-- {
		t := m.pending[i]
		reward = m.Reward.FitInt(t.Reward<<learner.Unit+t.Discount*reward, m.Reward.Frac+learner.Unit, fixed.HalfUp, fixed.Saturate)
		discount = min((t.Discount*discount+learner.One/2)>>learner.Unit, 2*learner.One-1)
	}

	// It is stored with the last one's next observation.
	t := m.pending[0]
	t.Reward, t.Discount, t.Next = reward, discount, m.pending[last].Next
	m.pending = m.pending[1:]
	m.store(t)
}

func (m *Memory) store(t learner.Transition) {
	index, _ := m.tree.InsertMax()
	m.data[index] = t
}

// draw takes n samples, a power of two if draws are stratified, and gives each its
// weight.
func (m *Memory) draw(n int) (*batch, error) {
	// Draws, and the least priority of them.
	b := &batch{make([]learner.Sample, n), make([]place, n)}
	priorities, least := make([]uint64, n), uint64(math.MaxUint64)
	for k := range b.Places {
		// A stratum a draw, in order.
		d := m.tree.Sample
		if !m.Plain {
			d = func() replay.Drawn { return m.tree.Stratified(k, bits.TrailingZeros(uint(n))) }
		}
		got := d()
		if got.Empty {
			return nil, fmt.Errorf("a draw from an empty memory")
		}

		b.Places[k], priorities[k] = place{got.Index, got.Generation}, got.Priority
		least = min(least, got.Priority)
	}

	// Transitions as they are now, with their weights.
	for k, p := range b.Places {
		b.Samples[k] = learner.Sample{Transition: m.data[p.Index], Weight: int64(m.Weight(least, priorities[k]))}
	}
	return b, nil
}

// update gives drawn samples new priorities by their TD errors, of the given number of
// fraction bits.
func (m *Memory) update(places []place, losses []learner.Loss, fraction int) {
	if m.Uniform {
		return
	}
	for k, p := range places {
		// |δ| with the exponent unit's fraction bits, the others cut off; past 32 bits the largest.
		delta := losses[k].Delta
		if delta < 0 {
			delta = -delta
		}

		delta >>= fraction - replay.ErrorFraction
		m.tree.Update(p.Index, p.Generation, m.Priority(m.Params, uint32(min(delta, math.MaxUint32))))
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
	return &DQN{d, m, c.Batch, c.Activations().Frac + learner.Unit}, nil
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
	return &DDPG{d, m, c.Batch, c.Activations().Frac + learner.Unit}, nil
}

// Step is a gradient step on a batch from the memory, with new priorities for it.
func (d *DDPG) Step() error { return step(d.Memory, d.batch, d.fraction, d.Learn) }

func step(m *Memory, size, fraction int, learn func([]learner.Sample) ([]learner.Loss, error)) (err error) {
	// The batch, which the step before may have drawn; then, with prefetch, the next one.
	now := m.ahead
	if now == nil {
		if now, err = m.draw(size); err != nil {
			return err
		}
	}
	if m.Prefetch {
		if m.ahead, err = m.draw(size); err != nil {
			return err
		}
	}

	// The step, and new priorities.
	losses, err := learn(now.Samples)
	if err != nil {
		return err
	}
	m.update(now.Places, losses, fraction)
	return nil
}

// MemoryState is all that a memory is, for a file.
type MemoryState struct {
	Tree        replay.State         `json:"tree"`
	Transitions []learner.Transition `json:"transitions"` // of the filled slots
	Pending     []learner.Transition `json:"pending,omitempty"`
	Ahead       *batch               `json:"ahead,omitempty"`
}

// State is the memory's. It shares the transitions.
func (m *Memory) State() MemoryState {
	return MemoryState{m.tree.State(), m.data[:m.Count()], m.pending, m.ahead}
}

// All are the transitions of a state, with those that wait and those drawn ahead.
func (s MemoryState) All() []learner.Transition {
	// The cap keeps append from writing into the memory's own list.
	all := append(s.Transitions[:len(s.Transitions):len(s.Transitions)], s.Pending...)
	if s.Ahead != nil {
		for _, x := range s.Ahead.Samples {
			all = append(all, x.Transition)
		}
	}
	return all
}

// Restore gives the memory a state of the same sizes.
func (m *Memory) Restore(s MemoryState) error {
	// Everything is checked before anything changes.
	if len(s.Transitions) != len(s.Tree.Leaves) {
		return fmt.Errorf("%d transitions for %d leaves", len(s.Transitions), len(s.Tree.Leaves))
	}

	if n := max(1, m.Horizon); len(s.Pending) >= n {
		return fmt.Errorf("%d transitions wait for returns of %d", len(s.Pending), n)
	}
	if err := m.checkAhead(s.Ahead); err != nil {
		return err
	}
	if err := m.tree.Restore(s.Tree); err != nil {
		return err
	}

	copy(m.data, s.Transitions)
	m.pending, m.ahead = s.Pending, s.Ahead
	return nil
}

// checkAhead refuses a batch that no draw gives.
func (m *Memory) checkAhead(b *batch) error {
	switch {
	case b == nil:
		return nil
	case !m.Prefetch:
		return fmt.Errorf("a batch is drawn ahead, without prefetch")
	case len(b.Samples) != len(b.Places):
		return fmt.Errorf("%d samples at %d places", len(b.Samples), len(b.Places))
	}

	// Slots that exist, and weights that a draw can give.
	for _, p := range b.Places {
		if p.Index < 0 || p.Index >= m.Capacity {
			return fmt.Errorf("a sample of slot %d of %d", p.Index, m.Capacity)
		}
	}
	for i, x := range b.Samples {
		if x.Weight < 0 || x.Weight > learner.One {
			return fmt.Errorf("sample %d has a weight of %d; 0 to %d", i, x.Weight, learner.One)
		}
	}
	return nil
}
