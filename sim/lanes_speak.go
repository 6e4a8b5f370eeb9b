package sim

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"etch/sim/internal/nets"
)

// LaneFailure is an assertion or assumption that failed in one lane.
type LaneFailure struct {
	Lane int
	Failure
}

// Error is the failure in one line, with its lane.
func (f LaneFailure) Error() string { return fmt.Sprintf("lane %d: %s", f.Lane, f.Failure.Error()) }

// Failures returns the first MaxFailures failures, ordered by cycle, then by lane.
func (l *Lanes) Failures() []LaneFailure { return l.failures }

// FailureCount returns the number of all failures, kept or not.
func (l *Lanes) FailureCount() uint64 { return l.failed }

// lanePrint is the text that a lane printed in one cycle.
type lanePrint struct {
	cycle uint64
	lane  int
	text  []byte
}

// laneLog is the results of a group's statements.
type laneLog struct {
	failures []LaneFailure
	failed   uint64
	stops    []LaneStop
	prints   []lanePrint
}

// laneState is the state of a lane.
type laneState struct {
	lane    int // index in its group
	words   []uint64
	mems    [][]uint64
	covered []uint64 // increments of the cover counters by the event
}

func (s laneState) restore(g *laneGroup) { g.SetLane(s.lane, s.words, s.mems) }

// words is the inputs and state of the interpreter.
func (l *Lanes) words() []uint64 { return l.one.st.V[l.one.p.Inputs.Lo:l.one.p.State.Hi] }

// wordOf is the number of a slot in the layout.
func (l *Lanes) wordOf(slot uint32) int { return int(slot - l.one.p.Inputs.Lo) }

// load copies a lane into the interpreter.
func (l *Lanes) load(g *laneGroup, lane int) {
	g.Lane(lane, l.words(), l.one.st.Mems)
	l.one.touch()
}

// store copies the interpreter's state back to a lane.
func (l *Lanes) store(g *laneGroup, lane int) {
	g.SetLane(lane, l.words(), l.one.st.Mems)
	g.stale = true
}

// speak interprets an event of one lane and returns the state after it. The lane itself is not
// changed.
func (l *Lanes) speak(g *laneGroup, lane int, on []byte, cycle uint64) laneState {
	// Only one goroutine at a time may use the shared interpreter.
	l.mu.Lock()
	defer l.mu.Unlock()
	l.load(g, lane)
	l.interpretEvent(g, lane, on, cycle)

	s := laneState{lane: lane, words: slices.Clone(l.words()), covered: slices.Clone(l.one.covered)}
	for _, m := range l.one.st.Mems {
		s.mems = append(s.mems, slices.Clone(m))
	}
	return s
}

// count adds to the cover counters of a lane.
func (l *Lanes) count(g *laneGroup, lane int, covered []uint64) {
	for i, k := range covered {
		if k > 0 {
			g.SetWord(l.coverAt(i), lane, (g.Word(l.coverAt(i), lane)+k)&(1<<nets.CoverBits-1))
		}
	}
}

// coverAt is the number of a cover statement's counter in the layout.
func (l *Lanes) coverAt(cover int) int { return l.wordOf(l.one.p.State.Hi) + cover }

// Coverage returns all cover statements with their counts in one lane, parents first. Counts
// wrap around at 2^40.
func (l *Lanes) Coverage(lane int) []CoverPoint {
	l.check(lane)
	if l.sims != nil {
		return l.sims[lane].Coverage()
	}
	g, at := l.group(lane)
	return coverage(l.one.p, func(cover int32) uint64 { return g.Word(l.coverAt(int(cover)), at) })
}

// interpretEvent runs an event in the interpreter, which holds the lane's state.
func (l *Lanes) interpretEvent(g *laneGroup, lane int, on []byte, cycle uint64) {
	// Empty the results of the shared simulator, so that afterwards it has those of this event
	// alone.
	var text bytes.Buffer
	s := l.one

	s.log.output, s.failures, s.failed, s.stop = &text, nil, 0, nil
	clear(s.covered)
	copy(s.set, on)
	p := s.planFor()

	// Time follows from the cycle. Rising edges are in its middle, falling ones at its end.
	s.cycles, s.now = cycle, cycle*CycleTime
	if !p.falls {
		s.now += CycleTime / 2
	}
	s.resetNow()
	s.interpret(p)

	g.log.add(g.first+lane, cycle, s, text.Bytes())
	l.heard = true
}

// add collects the results of a lane's statements from its simulator, and the text it printed.
func (g *laneLog) add(lane int, cycle uint64, s *Sim, text []byte) {
	for _, f := range s.failures {
		// Failures beyond the limit are counted, not kept.
		if len(g.failures) < MaxFailures {
			g.failures = append(g.failures, LaneFailure{lane, f})
		}
	}
	g.failed += s.failed
	if s.stop != nil {
		g.stops = append(g.stops, LaneStop{lane, *s.stop})
	}
	if len(text) > 0 {
		g.prints = append(g.prints, lanePrint{cycle, lane, text})
	}
}

// collect gathers the results of all groups, in an order that does not depend on the workers.
func (l *Lanes) collect() {
	// Most events have nothing to say, and this is called after each.
	if !l.heard && l.sims == nil {
		return
	}
	l.heard = false
	var all laneLog

	// take moves the results out of a group or a simulator.
	take := func(g *laneLog) {
		all.failures = append(all.failures, g.failures...)
		all.failed += g.failed
		all.stops = append(all.stops, g.stops...)
		all.prints = append(all.prints, g.prints...)
		*g = laneLog{}
	}

	for _, g := range l.groups {
		take(&g.log)
	}
	for lane, s := range l.sims {
		g := s.takeLog(lane)
		take(&g)
	}

	// By cycle, then by lane.
	slices.SortStableFunc(all.failures, func(a, b LaneFailure) int {
		return cmp.Or(cmp.Compare(a.Cycle, b.Cycle), cmp.Compare(a.Lane, b.Lane))
	})
	slices.SortStableFunc(all.prints, func(a, b lanePrint) int {
		return cmp.Or(cmp.Compare(a.cycle, b.cycle), cmp.Compare(a.lane, b.lane))
	})
	slices.SortStableFunc(all.stops, func(a, b LaneStop) int {
		return cmp.Or(cmp.Compare(a.Cycle, b.Cycle), cmp.Compare(a.Lane, b.Lane))
	})

	l.stops = firstStops(l.stops, all.stops)
	l.failures = append(l.failures, all.failures[:min(len(all.failures), MaxFailures-len(l.failures))]...)
	l.failed += all.failed
	for _, p := range all.prints {
		if _, err := fmt.Fprintf(l.output, "lane %d: %s", p.lane, p.text); err != nil && l.err == nil {
			l.err = fmt.Errorf("sim: print in lane %d: %w", p.lane, err)
		}
	}
}
