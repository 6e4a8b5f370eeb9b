package view

import (
	"errors"
	"fmt"

	"etch/ir"
	"etch/sim"
	"etch/sim/replay"
)

// newFork is a live run that goes on from a cycle of a recorded run, with the state and the
// inputs that it has there. The simulator is the replay's own: signals stay those that they were,
// and the recorded cycles before are replayed in it. Error: a black box of the run has no outputs
// behind the recording.
func newFork(run *replay.Run, cycle uint64) (*live, error) {
	l := &live{s: run.Sim(), before: run, every: firstEvery}
	return l, l.begin(cycle)
}

// begin makes a cycle of the recorded run the one from which the fork goes on, without sets.
func (l *live) begin(cycle uint64) error {
	if err := l.before.Go(cycle); err != nil {
		return err
	}
	state, err := l.s.Snapshot()
	if err != nil {
		return fmt.Errorf("this run has black boxes, of which it knows the recorded outputs only: it cannot be forked (%w)", err)
	}
	l.marks, l.sets, l.last = []mark{{cycle, state}}, nil, cycle
	l.changes++
	return nil
}

// fork makes a recorded run a live one from a cycle on. Its later cycles are in the file still,
// but no more in the view.
func (v *View) fork(q query) (any, error) {
	r, ok := v.run.(recorded)
	if !ok {
		return nil, errors.New("only a recorded run is forked: this one goes on from any cycle at which an input is set")
	}
	if err := v.at(q); err != nil {
		return nil, err
	}
	l, err := newFork(r.Run, v.run.Cycle())
	if err != nil {
		return nil, err
	}

	// Counts of coverage were those of the whole recording.
	v.run, v.counted = l, nil
	return v.span(), nil
}

// forkAgain is the fork once more, on its design or another one with the same inputs: the replay,
// and behind it the sets.
func (l *live) forkAgain(d *ir.Design) (player, error) {
	p, err := l.before.On(d)
	if err != nil {
		return nil, err
	}
	return &forkPlayer{Player: p, fork: l}, nil
}

// forkPlayer makes a fork again, forwards.
type forkPlayer struct {
	*sim.Player
	fork *live
	then *live // the part behind the recorded one, once it is reached
}

// Forward goes on to a cycle.
func (p *forkPlayer) Forward(cycle uint64) error {
	from := p.fork.marks[0].cycle
	if cycle < from {
		return p.Player.Forward(cycle)
	}

	// The sets of the fork's first cycle come when it is reached.
	if p.then == nil {
		err := p.Player.Forward(from)
		if err != nil {
			return err
		}
		if p.then, err = p.fork.on(p.Sim(), mark{cycle: from}); err != nil {
			return err
		}
	}
	return p.then.Go(cycle)
}
