package view

import (
	"errors"
	"fmt"

	"etch/ir"
	"etch/sim"
	"etch/sim/replay"
)

// mostForks bounds the forks of a view: each has a simulator and a replay of its own.
const mostForks = 32

// newFork is a live run that goes on from a cycle of a recorded run, with the state and the
// inputs that it has there. It has a replay of its own, since several forks stand at different cycles.
// Error: a black box of the run has no outputs behind the recording.
func newFork(run *replay.Run, cycle uint64) (*live, error) {
	p, err := run.On(run.Sim().Design())
	if err != nil {
		return nil, err
	}
	l := &live{s: p.Sim(), before: replay.New(p), every: firstEvery}
	return l, l.begin(cycle)
}

// begin makes the fork go on from a cycle of the recorded run, without sets.
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

// fork makes a live run of a recorded one, from a cycle on. The recorded run stays, as do earlier
// forks: a page's address has the number of the fork that it shows.
func (v *View) fork(q query) (any, error) {
	r, ok := v.run.(recorded)
	if !ok {
		return nil, errors.New("only a recorded run is forked: this one goes on from any cycle at which an input is set")
	}
	if len(v.runs) > mostForks {
		return nil, fmt.Errorf("this run has %d forks already: go on in one of them", mostForks)
	}
	if err := v.at(q); err != nil {
		return nil, err
	}

	// The fork begins with the state of the cycle that the view shows, moved there above.
	l, err := newFork(r.Run, v.run.Cycle())
	if err != nil {
		return nil, err
	}

	v.runs = append(v.runs, l)
	v.shown = len(v.runs) - 1
	v.see(l)
	return struct {
		span
		Fork int `json:"fork"`
	}{v.span(), v.shown}, nil
}

// choose shows the run that a request is about: 0 is the first one, others are its forks. A request
// without a number is about the last one that was shown.
func (v *View) choose(q query) error {
	number, err := q.number("fork", uint64(v.shown))
	if err != nil || v.runs == nil || number == uint64(v.shown) {
		return err
	}
	if number >= uint64(len(v.runs)) {
		return fmt.Errorf("the address names fork %d of the run, which this server does not have: it has %d; fork again, or leave fork=%d out of the address", number, len(v.runs)-1, number)
	}
	v.shown = int(number)
	v.see(v.runs[v.shown])
	return nil
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
