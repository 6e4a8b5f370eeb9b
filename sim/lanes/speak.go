package lanes

import (
	"cmp"
	"fmt"
	"slices"

	"etch/sim"
)

// Failure is an assertion or assumption that failed in one lane.
type Failure struct {
	Lane int
	sim.Failure
}

// Error is the failure in one line, with its lane.
func (f Failure) Error() string { return fmt.Sprintf("lane %d: %s", f.Lane, f.Failure.Error()) }

// Failures returns the first sim.MaxFailures failures, ordered by cycle, then by lane.
func (l *Lanes) Failures() []Failure { return l.failures }

// FailureCount returns the number of all failures, kept or not.
func (l *Lanes) FailureCount() uint64 { return l.failed }

// printed is the text that a lane printed in one cycle.
type printed struct {
	cycle uint64
	lane  int
	text  []byte
}

// results is the results of statements in some lanes.
type results struct {
	failures []Failure // the first ones
	failed   uint64    // all failures
	stops    []Stop
	prints   []printed
}

// add collects the results of a lane's statements from its simulator, and the text it printed.
func (g *results) add(lane int, cycle uint64, s *sim.Sim, text []byte) {
	for _, f := range s.Failures() {
		// Failures beyond the limit are counted, not kept.
		if len(g.failures) < sim.MaxFailures {
			g.failures = append(g.failures, Failure{lane, f})
		}
	}

	g.failed += s.FailureCount()
	if stop, ok := s.Stopped(); ok {
		g.stops = append(g.stops, Stop{lane, stop})
	}
	if len(text) > 0 {
		g.prints = append(g.prints, printed{cycle, lane, text})
	}
}

// take moves the results of another log to this one.
func (g *results) take(more *results) {
	g.failures = append(g.failures, more.failures...)
	g.failed += more.failed
	g.stops = append(g.stops, more.stops...)
	g.prints = append(g.prints, more.prints...)
	*more = results{}
}

func (g *results) empty() bool { return g.failed == 0 && len(g.stops) == 0 && len(g.prints) == 0 }

// Coverage returns all cover statements with their counts in one lane, parents first. Counts
// wrap around at 2^40.
func (l *Lanes) Coverage(lane int) []sim.CoverPoint {
	l.check(lane)
	return l.engine.coverage(lane)
}

// collect gathers the results of all lanes, in an order that does not depend on the workers.
func (l *Lanes) collect() {
	all := l.engine.takeLog()
	if all.empty() { // mostly, and this is called after each event
		return
	}

	// By cycle, then by lane.
	slices.SortStableFunc(all.failures, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(a.Cycle, b.Cycle), cmp.Compare(a.Lane, b.Lane))
	})
	slices.SortStableFunc(all.prints, func(a, b printed) int {
		return cmp.Or(cmp.Compare(a.cycle, b.cycle), cmp.Compare(a.lane, b.lane))
	})
	slices.SortStableFunc(all.stops, func(a, b Stop) int {
		return cmp.Or(cmp.Compare(a.Cycle, b.Cycle), cmp.Compare(a.Lane, b.Lane))
	})

	l.stops = firstStops(l.stops, all.stops)
	l.failures = append(l.failures, all.failures[:min(len(all.failures), sim.MaxFailures-len(l.failures))]...)
	l.failed += all.failed
	for _, p := range all.prints {
		if _, err := fmt.Fprintf(l.output, "lane %d: %s", p.lane, p.text); err != nil && l.err == nil {
			l.err = fmt.Errorf("sim: print in lane %d: %w", p.lane, err)
		}
	}
}
