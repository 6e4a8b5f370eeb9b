package view

import (
	"fmt"
	"math"
	"slices"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/replay"
)

// timeline is a run that can stand at any of its cycles, as replay.Run.
type timeline interface {
	Sim() *sim.Sim
	Cycle() uint64
	Cycles() (first, last uint64)
	Go(cycle uint64) error
	// Again begins the run once more, on its design or on one with the same inputs.
	Again(d *ir.Design) (player, error)
}

// player makes a run again, forwards.
type player interface {
	Sim() *sim.Sim
	Forward(cycle uint64) error
}

// recorded is a recorded run as a timeline.
type recorded struct{ *replay.Run }

func (r recorded) Again(d *ir.Design) (player, error) { return r.On(d) }

var _ timeline = recorded{}

// live is a run that the page makes: a simulator, and the inputs that were set, by cycle. A fork
// of a recorded run goes on from one of its cycles (fork.go).
type live struct {
	s      *sim.Sim
	before *replay.Run // of a fork: has the cycles before that of the first mark, in the same simulator
	sets   []set       // by rising cycle
	last   uint64
	marks  []mark // by rising cycle, the first at cycle 0 or where the fork begins
	every  uint64

	changes int // calls of Set
}

// Again is a run of its own with the same sets. A set of a register that d has under another name is an
// error.
func (l *live) Again(d *ir.Design) (player, error) {
	if l.before != nil {
		return l.forkAgain(d)
	}
	s, err := sim.New(d, sim.WithOutput(nil))
	if err != nil {
		return nil, err
	}
	state, err := s.Snapshot()
	if err != nil {
		return nil, err
	}

	return l.on(s, mark{0, state})
}

// on is the run with the same sets in a simulator that stands at a mark, where the sets begin. It
// only goes forwards.
func (l *live) on(s *sim.Sim, at mark) (*live, error) {
	// The sets are made again by name: the other design has signals of its own.
	again := &live{s: s, marks: []mark{at}, every: math.MaxInt64, last: l.last}
	for _, x := range l.sets {
		sig, err := s.Signal(x.to.Name())
		if err != nil {
			return nil, err
		}
		again.sets = append(again.sets, set{x.cycle, sig, x.value})
	}
	return again, again.apply()
}

// Forward goes on to a cycle.
func (l *live) Forward(cycle uint64) error { return l.Go(cycle) }

// set gives an input, or a register, a value behind so many edges.
type set struct {
	cycle uint64
	to    sim.Signal
	value bits.Value
}

// mark is the state at a cycle, before the sets of that cycle.
type mark struct {
	cycle uint64
	state *sim.Snapshot
}

const (
	// firstEvery is the distance of a live run's checkpoints at first, in cycles; it doubles
	// whenever there are mostMarks of them.
	firstEvery = 64
	mostMarks  = 128
	// mostCycles bounds the cycles that one request may add to a live run.
	mostCycles = 1_000_000
)

// newLive makes a run of d whose resets are high in cycle 0. Errors are as in [sim.New], and: the
// state cannot be kept.
func newLive(d *ir.Design) (*live, error) {
	s, err := sim.New(d, sim.WithOutput(nil))
	if err != nil {
		return nil, err
	}
	state, err := s.Snapshot()
	if err != nil {
		return nil, err
	}
	l := &live{s: s, marks: []mark{{0, state}}, every: firstEvery}

	// The first cycle resets, as Sim.Reset does in a test.
	for _, p := range s.Top() {
		if k := p.Type().Kind; p.IsInput() && (k == ir.Reset || k == ir.AsyncReset) {
			l.sets = append(l.sets, set{0, p, bits.FromWords(1, []uint64{1})}, set{1, p, bits.FromWords(1, []uint64{0})})
		}
	}
	slices.SortStableFunc(l.sets, func(a, b set) int { return int(a.cycle) - int(b.cycle) })
	if len(l.sets) == 0 {
		return l, nil
	}
	if err := l.apply(); err != nil {
		return nil, err
	}
	return l, l.Extend(1)
}

func (l *live) Sim() *sim.Sim { return l.s }
func (l *live) Cycle() uint64 { return l.s.Cycles() }

// Cycles returns the first and the last cycle. The first is over 0 in a fork of a run whose
// recording begins late.
func (l *live) Cycles() (first, last uint64) {
	if l.before != nil {
		first, _ = l.before.Cycles()
	}
	return first, l.last
}

// Go goes to a cycle that the run has. Errors: it does not have it; the simulator's.
func (l *live) Go(cycle uint64) error {
	if first, last := l.Cycles(); cycle < first || cycle > last {
		return fmt.Errorf("cycle %d: the run has cycles %d to %d", cycle, first, last)
	}

	// What was recorded before a fork is replayed.
	if cycle < l.marks[0].cycle {
		return l.before.Go(cycle)
	}

	// The nearest checkpoint at or before the cycle.
	i, found := slices.BinarySearchFunc(l.marks, cycle, func(m mark, c uint64) int {
		return int(int64(m.cycle - c))
	})
	if !found {
		i--
	}

	// Going on from the present state is cheaper unless it lies behind the goal or before the
	// checkpoint. A checkpoint holds the state before the sets of its cycle.
	if now := l.Cycle(); now > cycle || now < l.marks[i].cycle {
		if err := l.s.Restore(l.marks[i].state); err != nil {
			return err
		}
		if err := l.apply(); err != nil {
			return err
		}
	}
	return l.forward(cycle)
}

// forward runs up to a cycle and leaves checkpoints behind the last one.
func (l *live) forward(cycle uint64) error {
	for l.Cycle() < cycle {
		// Run to the next set, the next checkpoint or the goal, the nearest of them.
		now := l.Cycle()
		stop := min(cycle, now-now%l.every+l.every)
		i, _ := slices.BinarySearchFunc(l.sets, now+1, func(s set, c uint64) int { return int(int64(s.cycle - c)) })
		if i < len(l.sets) {
			stop = min(stop, l.sets[i].cycle)
		}
		l.s.Step(int(stop - now))
		if err := l.s.Err(); err != nil {
			return err
		}

		if now = l.Cycle(); now%l.every == 0 && now > l.marks[len(l.marks)-1].cycle {
			if err := l.mark(); err != nil {
				return err
			}
		}
		if err := l.apply(); err != nil {
			return err
		}
	}
	return nil
}

// mark keeps the present state, and drops every other one if there are too many.
func (l *live) mark() error {
	state, err := l.s.Snapshot()
	if err != nil {
		return err
	}
	if l.marks = append(l.marks, mark{l.Cycle(), state}); len(l.marks) < mostMarks {
		return nil
	}

	// The first mark stays: it is where the run begins.
	l.every *= 2
	l.marks = append(l.marks[:1], slices.DeleteFunc(l.marks[1:], func(m mark) bool { return m.cycle%l.every != 0 })...)
	return nil
}

// apply sets the inputs of the present cycle.
func (l *live) apply() error {
	now := l.Cycle()
	for _, s := range l.sets {
		if s.cycle == now {
			if err := l.give(s.to, s.value); err != nil {
				return err
			}
		}
	}
	return nil
}

// give sets an input or changes a register.
func (l *live) give(to sim.Signal, v bits.Value) error {
	if to.IsInput() {
		return l.s.SetBits(to, v)
	}
	return l.s.Poke(to, v)
}

// Extend runs up to a cycle, which may be behind the last one. Errors: it is more than mostCycles
// behind it; the simulator's.
func (l *live) Extend(cycle uint64) error {
	if cycle > l.last+mostCycles {
		return fmt.Errorf("cycle %d: at most %d cycles are added at a time, the run has cycles 0 to %d", cycle, mostCycles, l.last)
	}

	// Errors of cycles that exist come before the run is called longer.
	if err := l.Go(min(cycle, l.last)); err != nil {
		return err
	}
	l.last = max(l.last, cycle)
	return l.forward(cycle)
}

// Set gives an input or a register a value at a cycle. Everything after that cycle is dropped: the
// run goes on from there. At a recorded cycle of a fork the fork begins anew.
func (l *live) Set(cycle uint64, to sim.Signal, v bits.Value) error {
	if cycle < l.marks[0].cycle {
		if err := l.begin(cycle); err != nil {
			return err
		}
	}
	if err := l.Go(cycle); err != nil {
		return err
	}
	if err := l.give(to, v); err != nil {
		return err
	}

	// The future depended on the old value: later sets and checkpoints go. The checkpoint at the
	// cycle itself stays, since it holds the state before the sets.
	l.sets = slices.DeleteFunc(l.sets, func(s set) bool { return s.cycle > cycle || s.cycle == cycle && s.to == to })
	l.sets = append(l.sets, set{cycle, to, v})
	l.marks = slices.DeleteFunc(l.marks, func(m mark) bool { return m.cycle > cycle })
	l.last = cycle
	l.changes++
	return nil
}
