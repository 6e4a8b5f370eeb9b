package replay

import (
	"slices"

	"etch/ir"
	"etch/sim"
)

// Run is a recorded run that stands at a cycle.
type Run struct {
	p     *sim.Player
	marks []*sim.Mark // by rising cycle, from the first on
	every uint64      // cycles between marks
}

const (
	// mostMarks bounds the checkpoints: each holds the whole state.
	mostMarks = 128
	// firstEvery is the distance of checkpoints in a short run, in cycles. Machine code takes
	// less than a restored state to replay so many in most designs.
	firstEvery = 64
)

// Of opens the run that a simulator is recording, up to now. Later cycles are not part of it.
// Error: it cannot be replayed.
func Of(r *sim.Recording) (*Run, error) {
	p, err := r.Player()
	if err != nil {
		return nil, err
	}
	return New(p), nil
}

// New returns the run of a player at its first cycle.
func New(p *sim.Player) *Run {
	return &Run{p: p, marks: []*sim.Mark{p.Mark()}, every: firstEvery}
}

// Sim returns the simulator, to read any signal at the present cycle. It must not be changed.
func (r *Run) Sim() *sim.Sim { return r.p.Sim() }

// On returns a player of the run at its first cycle, on its own design or on one with the same inputs,
// as the design with further statements. Errors: those of [sim.Recording.PlayerOn].
func (r *Run) On(d *ir.Design) (*sim.Player, error) { return r.p.PlayerOn(d) }

// Cycle returns the present cycle: the number of edges before.
func (r *Run) Cycle() uint64 { return r.Sim().Cycles() }

// Cycles returns the first and the last cycle. The first is over 0 if the recording began late,
// or became too long and has dropped its begin.
func (r *Run) Cycles() (first, last uint64) { return r.p.Cycles() }

// Go goes to a cycle. Errors: the run does not have it; the recording is damaged.
func (r *Run) Go(cycle uint64) error {
	// Restore the last checkpoint that is not behind the cycle, unless the way from here is
	// shorter.
	if first, _ := r.Cycles(); cycle >= first {
		i, found := slices.BinarySearchFunc(r.marks, cycle, func(m *sim.Mark, c uint64) int {
			return int(int64(m.Cycle() - c))
		})
		if !found {
			i--
		}
		// A run that is past the cycle must go back, and a checkpoint ahead of it saves a part of the way.
		if now := r.Cycle(); now > cycle || now < r.marks[i].Cycle() {
			r.p.Back(r.marks[i])
		}
	}

	// Replay in pieces, with a checkpoint behind each that leads on from the last one.
	for {
		now, last := r.Cycle(), r.marks[len(r.marks)-1].Cycle()
		next := last + r.every
		if cycle < next || now > next || now < last {
			return r.p.Forward(cycle)
		}
		if err := r.p.Forward(next); err != nil {
			return err
		}
		r.mark()
	}
}

// mark adds a checkpoint at the present cycle, and drops every other one if there are too many.
func (r *Run) mark() {
	r.marks = append(r.marks, r.p.Mark())
	if len(r.marks) < mostMarks {
		return
	}

	// With every other checkpoint, the first among them, the distance is twice as long.
	kept := r.marks[:0]
	for i, m := range r.marks {
		if i%2 == 0 {
			kept = append(kept, m)
		}
	}

	// The dropped ones hold whole states, which are freed.
	clear(r.marks[len(kept):])
	r.marks = kept
	r.every *= 2
}
