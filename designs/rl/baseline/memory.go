package baseline

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"etch/designs/mlp"
	"etch/designs/rl/loop"
)

// MemoryConfig holds the size and the exponents of a prioritized memory (Schaul et al.
// 2016).
type MemoryConfig struct {
	Capacity int
	Alpha    float64 // priority (|δ|+ε)^α; 0: all are 1
	Beta     float64 // weight (p₀/p)^β, with the least priority p₀ of the batch
	Epsilon  float64
	Plain    bool // draws from the whole sum, without strata
	Seed     uint64
}

// Memory is a memory of transitions that are drawn in proportion to their priorities.
type Memory struct {
	MemoryConfig
	// sum[1] is the sum of all priorities, sum[i] that of sum[2i] and sum[2i+1]; the
	// priority of slot i is sum[leaves+i].
	sum    []float64
	leaves int
	data   []loop.Transition // of the filled slots
	head   int               // the slot that the next transition goes to
	top    float64           // the greatest priority so far, at first 1
	source *rand.PCG
	r      *rand.Rand
}

// Sample is a transition with its importance weight.
type Sample struct {
	*loop.Transition
	Weight float64
}

// NewMemory makes an empty memory for one transition and more.
func NewMemory(c MemoryConfig) *Memory {
	m := &Memory{MemoryConfig: c, leaves: 1, top: 1, source: rand.NewPCG(c.Seed, 0x64726177)}

	// A complete binary tree: the leaves are the capacity rounded up to a power of two.
	for m.leaves < c.Capacity {
		m.leaves *= 2
	}

	m.sum = make([]float64, 2*m.leaves)
	m.r = rand.New(m.source)
	return m
}

// Insert puts a transition in the place of the oldest, with the greatest priority so far. It
// keeps the slices of t.
func (m *Memory) Insert(t loop.Transition) {
	if len(m.data) < m.Capacity {
		m.data = append(m.data, t)
	} else {
		m.data[m.head] = t
	}

	// Greatest priority, so that every transition is likely to be learned once.
	m.set(m.head, m.top)
	m.head = (m.head + 1) % m.Capacity
}

// set gives a slot its priority. Sums are made anew from below, so they do not drift.
func (m *Memory) set(slot int, p float64) {
	i := m.leaves + slot
	m.sum[i] = p
	for i /= 2; i > 0; i /= 2 {
		m.sum[i] = m.sum[2*i] + m.sum[2*i+1]
	}
}

// find is the slot whose stretch of the sum of priorities holds x.
func (m *Memory) find(x float64) int {
	i := 1
	for i < m.leaves {
		i *= 2
		// Rounding may leave x a hair beyond the last slot that has a priority.
		if left := m.sum[i]; x >= left && m.sum[i+1] > 0 {
			x -= left
			i++
		}
	}
	return i - m.leaves
}

// draw takes n slots, each from a stretch of its own of the sum unless draws are plain.
func (m *Memory) draw(n int) (slots []int, samples []Sample) {
	// Draws first: the weights need the least priority of the batch.
	least := math.Inf(1)
	for k := range n {
		x := float64(m.r.Float64()) // a product, rounded before it is added
		if !m.Plain {
			x = (float64(k) + x) / float64(n)
		}
		slot := m.find(float64(x * m.sum[1]))
		slots = append(slots, slot)
		least = min(least, m.sum[m.leaves+slot])
	}

	// A weight is at most 1, for the transition of the least priority.
	for _, slot := range slots {
		samples = append(samples, Sample{&m.data[slot], power(least/m.sum[m.leaves+slot], m.Beta)})
	}
	return slots, samples
}

// power is x^y of a positive x.
func power(x, y float64) float64 {
	if y == 0 || x == 1 {
		return 1
	}
	return mlp.Exp(float64(y * mlp.Log(x)))
}

// Step draws a batch, has it learned, and gives the transitions their new priorities; of a
// slot that was drawn twice the last error counts. learn returns the absolute TD errors.
func (m *Memory) Step(batch int, learn func([]Sample) []float64) error {
	if len(m.data) == 0 {
		return errors.New("a draw from an empty memory")
	}

	slots, samples := m.draw(batch)
	for k, e := range learn(samples) {
		// The bound keeps a priority above 0 where δ and ε are both 0.
		p := power(max(e+m.Epsilon, 1e-9), m.Alpha)
		if math.IsNaN(p) || math.IsInf(p, 0) {
			return fmt.Errorf("a TD error of %v: the networks diverged", e)
		}

		m.set(slots[k], p)
		m.top = max(m.top, p)
	}
	return nil
}

// MemoryState is a memory in a file. Its configuration is not part of it.
type MemoryState struct {
	Transitions []loop.Transition `json:"transitions"`
	Priorities  []float64         `json:"priorities"`
	Head        int               `json:"head"`
	Top         float64           `json:"top"`
	Random      []byte            `json:"random"`
}

// State is the memory's state. It shares the transitions and the priorities.
func (m *Memory) State() (MemoryState, error) {
	random, err := m.source.MarshalBinary()
	return MemoryState{m.data, m.sum[m.leaves : m.leaves+len(m.data)], m.head, m.top, random}, err
}

// Restore gives an empty memory the state of one of the same capacity.
func (m *Memory) Restore(s MemoryState) error {
	if n := len(s.Transitions); n > m.Capacity || len(s.Priorities) != n || s.Head < 0 || s.Head >= m.Capacity || n < m.Capacity && s.Head != n {
		return fmt.Errorf("%d transitions, %d priorities and head %d in a memory of %d", n, len(s.Priorities), s.Head, m.Capacity)
	}

	// Negated, so that NaN is refused; set rebuilds the inner sums.
	for i, p := range s.Priorities {
		if !(p > 0 && p <= s.Top) {
			return fmt.Errorf("priority %d is %v, not above 0 and up to %v", i, p, s.Top)
		}
		m.set(i, p)
	}

	m.data, m.head, m.top = s.Transitions, s.Head, s.Top
	return m.source.UnmarshalBinary(s.Random)
}
