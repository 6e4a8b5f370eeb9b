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
	near  []*sim.Mark // before moments where the run has been lately, the oldest first
}

const (
	// mostMarks bounds the checkpoints: each holds the whole state.
	mostMarks = 64
	// leastEvery is the least distance of checkpoints, in cycles. Machine code takes less than a
	// restored state to replay so many in most designs.
	leastEvery = 64
	// mostNear bounds the checkpoints before moments where the run has been.
	mostNear = 16
	// leastNear is the number of cycles that are replayed without one.
	leastNear = 32
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
	first, last := p.Cycles()
	return &Run{p: p, marks: []*sim.Mark{p.Mark()}, every: max(leastEvery, (last-first)/mostMarks)}
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
		m := r.before(cycle)
		if now := r.Cycle(); now > cycle || now < m.Cycle() {
			r.p.Back(m)
			if now > cycle {
				return r.approach(cycle)
			}
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
		r.marks = append(r.marks, r.p.Mark())
	}
}

// before returns the last checkpoint that is not behind a cycle of the run.
func (r *Run) before(cycle uint64) *sim.Mark {
	i, found := slices.BinarySearchFunc(r.marks, cycle, func(m *sim.Mark, c uint64) int {
		return int(int64(m.Cycle() - c))
	})
	if !found {
		i--
	}

	best := r.marks[i]
	for _, m := range r.near {
		if c := m.Cycle(); c <= cycle && c > best.Cycle() {
			best = m
		}
	}
	return best
}

// approach replays from a checkpoint to a cycle that the run has gone back to. Whoever goes back
// goes on so, cycle by cycle or in growing steps: new checkpoints are left on the way, each at
// three quarters of the rest, from which the next cycles back are reached.
func (r *Run) approach(cycle uint64) error {
	for cycle-r.Cycle() >= leastNear {
		if err := r.p.Forward(cycle - (cycle-r.Cycle())/4); err != nil {
			return err
		}

		// The oldest gives way.
		if len(r.near) == mostNear {
			r.near = slices.Delete(r.near, 0, 1)
		}
		r.near = append(r.near, r.p.Mark())
	}
	return r.p.Forward(cycle)
}
