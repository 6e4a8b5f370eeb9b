// Package model is the exact sequential object of a prioritized replay memory:
// leaves with priorities, their sum, and operations one after the other. A
// circuit is right if each of its responses is this object's, in the order in
// which operations were accepted.
//
// Priorities are unsigned codes, in LSBs of 2^-Fraction; sums are integers, so
// nothing drifts. The package imports the standard library only.
package model

import (
	"errors"
	"fmt"
	"math/bits"
)

// Params are the sizes of a tree.
type Params struct {
	Capacity int `help:"transitions held, not necessarily a power of two" range:"1..2^20"`
	Leaf     int `help:"bits of a priority" range:"1..32"`
	Fraction int `help:"bits of a priority behind the point, fewer than it has: 1.0 is a priority" range:"0..31"`
}

// Validate refuses sizes that no tree has.
func (p Params) Validate() error {
	switch {
	case p.Capacity < 1 || p.Capacity > 1<<20:
		return fmt.Errorf("capacity %d is not 1 to %d", p.Capacity, 1<<20)
	case p.Leaf < 1 || p.Leaf > 32:
		return fmt.Errorf("leaf of %d bits is not 1 to 32", p.Leaf)
	case p.Fraction < 0 || p.Fraction >= p.Leaf:
		return fmt.Errorf("fraction of %d bits is not 0 to %d: 1.0 must be a priority of %d bits", p.Fraction, p.Leaf-1, p.Leaf)
	}
	return nil
}

// IndexBits is the width of a leaf's number.
func (p Params) IndexBits() int { return bits.Len(uint(p.Capacity - 1)) }

// SumBits is the width of the sum of all leaves.
func (p Params) SumBits() int { return p.Leaf + p.IndexBits() }

// DrawBits is the number of random bits of a draw: 12 more than the sum has, so
// that a leaf of 1 LSB is drawn with a relative error below 2^-12, and at most 48.
func (p Params) DrawBits() int { return min(p.SumBits()+12, 48) }

// Drop says why an update had no effect.
type Drop uint8

const (
	Kept     Drop = iota // it had its effect
	Unfilled             // no transition is in that slot since the last clear
	Stale                // another transition took the slot since
)

// Drawn is the response of a draw. Where Empty or OutOfRange is set, Index,
// Generation and Priority are 0.
type Drawn struct {
	Index      int
	Generation uint8
	Priority   uint64
	Sum        uint64 // of all leaves when the operation was accepted
	Empty      bool   // the sum was 0
	OutOfRange bool   // Find's target was not below the sum
}

// Tree is the sequential object.
type Tree struct {
	p     Params
	sums  []uint64 // node i has children 2i and 2i+1; leaf i is at len/2+i
	count int
	head  int
	lap   uint8
	pmax  uint64
	state uint64 // of xorshift64
}

// New makes an empty tree whose generator begins at seed, which is not 0.
func New(p Params, seed uint64) (*Tree, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if seed == 0 {
		return nil, errors.New("seed 0 is not allowed: the generator would stay at 0")
	}
	return &Tree{p: p, sums: make([]uint64, 2<<p.IndexBits()), pmax: 1 << p.Fraction, state: seed}, nil
}

// Sum is the sum of all leaves.
func (t *Tree) Sum() uint64 { return t.sums[1] }

// Count is the number of filled slots.
func (t *Tree) Count() int { return t.count }

// Max is the largest priority since the last clear, at least 1.0.
func (t *Tree) Max() uint64 { return t.pmax }

// Leaf is the priority of a slot, 0 if it is unfilled.
func (t *Tree) Leaf(i int) uint64 { return t.sums[len(t.sums)/2+i] }

// Generation is the lap, mod 256, in which a slot was last filled. It follows
// from head and lap and needs no memory.
func (t *Tree) Generation(i int) uint8 {
	if i < t.head {
		return t.lap
	}
	return t.lap - 1
}

// Insert puts a transition with priority p in the oldest slot and returns the
// slot's number and generation.
func (t *Tree) Insert(p uint64) (index int, generation uint8) {
	index, generation = t.head, t.lap
	t.set(index, p)

	// The generation is that of the lap the slot belongs to, taken before the
	// head wraps.
	t.count = min(t.count+1, t.p.Capacity)
	t.head++
	if t.head == t.p.Capacity {
		t.head = 0
		t.lap++
	}
	return index, generation
}

// InsertMax inserts at the largest priority so far.
func (t *Tree) InsertMax() (index int, generation uint8) { return t.Insert(t.pmax) }

// Update gives the transition of a slot and generation another priority.
func (t *Tree) Update(i int, generation uint8, p uint64) Drop {
	switch {
	case i < 0 || i >= t.count:
		return Unfilled
	case generation != t.Generation(i):
		return Stale
	}
	t.set(i, p)
	return Kept
}

// Clear empties the tree. The generator keeps its state; the lap goes on, so
// that updates of before are stale.
func (t *Tree) Clear() {
	clear(t.sums)
	t.count, t.head, t.pmax = 0, 0, 1<<t.p.Fraction
	t.lap++
}

// Sample draws a slot with a probability in proportion to its priority, from
// one step of the generator.
func (t *Tree) Sample() Drawn {
	return t.draw(t.step(), t.p.DrawBits())
}

// Stratified draws from stratum j of 2^b, 0 ≤ j < 2^b and b ≤ 16.
func (t *Tree) Stratified(j, b int) Drawn {
	u := t.p.DrawBits()
	return t.draw(uint64(j)<<u+t.step(), u+b)
}

// Find is the least slot whose running sum, it included, is above x.
func (t *Tree) Find(x uint64) Drawn {
	d := Drawn{Sum: t.Sum(), Empty: t.Sum() == 0}
	if d.OutOfRange = !d.Empty && x >= d.Sum; d.Empty || d.OutOfRange {
		return d
	}

	// Invariant: x is below the sum of node i, so that the descent ends at a
	// leaf that is not 0 and therefore filled.
	i := 1
	for i < len(t.sums)/2 {
		i *= 2
		if x >= t.sums[i] {
			x -= t.sums[i]
			i++
		}
	}

	d.Index = i - len(t.sums)/2
	d.Generation, d.Priority = t.Generation(d.Index), t.sums[i]
	return d
}

// draw finds the top of a fraction r/2^drop of the sum as it is now.
func (t *Tree) draw(r uint64, drop int) Drawn {
	// The product may have more than 64 bits; the quotient is below the sum.
	hi, lo := bits.Mul64(r, t.Sum())
	return t.Find(hi<<(64-drop) | lo>>drop)
}

// step is the top DrawBits of the next state of xorshift64.
func (t *Tree) step() uint64 {
	t.state ^= t.state << 13
	t.state ^= t.state >> 7
	t.state ^= t.state << 17
	return t.state >> (64 - t.p.DrawBits())
}

// set gives a leaf a priority, a code of Leaf bits, and its ancestors the
// difference mod 2^64.
func (t *Tree) set(i int, p uint64) {
	diff := p - t.Leaf(i)
	for n := len(t.sums)/2 + i; n > 0; n /= 2 {
		t.sums[n] += diff
	}
	t.pmax = max(t.pmax, p)
}

// State is all that a tree is, for a file.
type State struct {
	Leaves    []uint64 `json:"leaves"` // of the filled slots
	Head      int      `json:"head"`
	Lap       uint8    `json:"lap"`
	Max       uint64   `json:"max"`
	Generator uint64   `json:"generator"`
}

// State copies the tree, priorities of unfilled slots left out, for [Tree.Restore].
func (t *Tree) State() State {
	s := State{Head: t.head, Lap: t.lap, Max: t.pmax, Generator: t.state}
	for i := range t.count {
		s.Leaves = append(s.Leaves, t.Leaf(i))
	}
	return s
}

// Restore gives the tree a state; one that no tree of its size has is an error and changes nothing.
func (t *Tree) Restore(s State) error {
	n, most := len(s.Leaves), uint64(1)<<t.p.Leaf-1
	switch {
	case n > t.p.Capacity || s.Head < 0 || s.Head >= t.p.Capacity || n < t.p.Capacity && s.Head != n:
		return fmt.Errorf("%d leaves with the head at %d for a capacity of %d", n, s.Head, t.p.Capacity)
	case s.Generator == 0 || s.Max > most:
		return fmt.Errorf("generator %d, largest priority %d", s.Generator, s.Max)
	}

	for i, p := range s.Leaves {
		if p > s.Max {
			return fmt.Errorf("leaf %d is %d, above the largest, %d", i, p, s.Max)
		}
	}

	// The sums follow from the leaves.
	clear(t.sums)
	for i, p := range s.Leaves {
		t.set(i, p)
	}
	t.count, t.head, t.lap, t.pmax, t.state = n, s.Head, s.Lap, s.Max, s.Generator
	return nil
}
