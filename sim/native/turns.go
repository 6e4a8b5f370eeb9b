package native

import "etch/sim/internal/contest"

// turns is a measurement of two kinds of code, which take turns by blocks of steps.
type turns struct {
	step int // steps so far
	runs contest.Contest
}

// kind is the kind of code that runs the next step.
func (t *turns) kind(block int) contest.Kind { return contest.Kind(t.step / block % 2) }

// opens reports whether the next step opens a block, which finds cold caches.
func (t *turns) opens(block int) bool { return t.step%block == 0 }

// over reports whether both kinds have run so many blocks.
func (t *turns) over(block, blocks int) bool { return t.step >= 2*block*blocks }
