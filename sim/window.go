package sim

import (
	"errors"
	"fmt"
)

// Window is a Tracer that passes part of a run to another Tracer: from a time or a trigger on,
// for a given number of events.
//
//	w, err := fst.Create("bug.fst")
//	err = s.Trace(&sim.Window{Tracer: w, Trigger: sim.Equals(full, 1), Before: 20, After: 100})
//
// The other Tracer starts when the window opens; its view is well formed, with all values at the
// start. When the window closes, End is called if the Tracer has a method End(time uint64)
// error, as in packages vcd and fst. The window opens once. An event is an edge of one clock, or
// of several at once.
type Window struct {
	Tracer Tracer
	// From and To bound the time: moments at From or later, and before To; 0 is no end.
	From, To uint64
	// Trigger is called before each event from time From on, with settled values, until it
	// returns true. It may read the simulator but not change it. nil opens the window at From.
	Trigger func(s *Sim) bool
	// Before is the number of events in the window before the trigger's event. They are kept in
	// memory until then, 16 bytes per change of a signal. The other Tracer sees ports and named
	// nodes, Time and Cycles as they were, but memories and nodes without name as they are now.
	Before int
	// After is the number of events in the window after the trigger's (or the first); 0 is no
	// end.
	After int

	s     *Sim
	stage windowStage
	left  int // events left before the end
	past  history
}

type windowStage uint8

const (
	waiting windowStage = iota
	recording
	over
)

// AtCycle is a trigger for event number n, as counted by Cycles.
func AtCycle(n uint64) func(s *Sim) bool { return func(s *Sim) bool { return s.Cycles() >= n } }

// Equals is a trigger that is true while a signal has the value v.
func Equals(sig Signal, v uint64) func(s *Sim) bool {
	var words []uint64
	return func(s *Sim) bool {
		// v fits in one word, so all others must be 0.
		words = s.AppendWords(words[:0], sig)
		for _, high := range words[1:] {
			if high != 0 {
				return false
			}
		}
		return words[0] == v
	}
}

// Failed is a trigger for the first failed assertion.
func Failed(s *Sim) bool { return s.FailureCount() > 0 }

// Start implements Tracer. Errors: there is no Tracer, or nothing to record; the Window is in
// use.
func (w *Window) Start(s *Sim) error {
	switch {
	case w.s != nil:
		return errors.New("sim: a Window traces one simulator, once")
	case w.Tracer == nil:
		return errors.New("sim: a Window without a Tracer")
	case w.To != 0 && w.To <= w.From:
		return fmt.Errorf("sim: a Window from time %d to %d", w.From, w.To)
	case w.Before < 0 || w.After < 0:
		return fmt.Errorf("sim: a Window of %d events before and %d after", w.Before, w.After)
	case w.Before > 0 && w.Trigger == nil:
		return errors.New("sim: a Window of events before a Trigger without one")
	}

	// Without a trigger, a window whose time has come opens at once.
	w.s = s
	w.past = history{s: s, limit: w.Before}
	if w.Trigger == nil && w.From <= s.Time() {
		w.left = w.After + 1 // the first event is yet to come
		return w.open()
	}
	return nil
}

// Sample implements Tracer.
func (w *Window) Sample(m Moment) error {
	switch {
	case w.stage == over:
		return nil
	case w.To != 0 && m.Time >= w.To:
		return w.end(w.To)
	// Each Before begins an event.
	case w.stage == recording:
		if m.Phase == Before && w.After > 0 {
			if w.left == 0 {
				return w.end(m.Time)
			}
			w.left--
		}
	case m.Time < w.From:
		w.past.follow(m)
		return nil
	case !w.opens(m):
		w.past.add(m)
		return nil
	default:
		w.left = w.After
		if err := w.open(); err != nil {
			return err
		}
	}
	return w.Tracer.Sample(m)
}

// opens reports whether sampling begins at m: where Trigger holds before an edge, or at once
// without one.
func (w *Window) opens(m Moment) bool {
	if w.Trigger == nil {
		return m.Phase != Fall // whose values are of an earlier time
	}
	return m.Phase == Before && w.Trigger(w.s)
}

// open starts the other Tracer with the kept past.
func (w *Window) open() error {
	w.stage = recording
	err := w.past.replay(w.Tracer)
	w.past = history{}
	return err
}

// end tells the other Tracer that the window has closed.
func (w *Window) end(t uint64) error {
	opened := w.stage == recording
	w.stage, w.past = over, history{}
	if e, ok := w.Tracer.(interface{ End(time uint64) error }); ok && opened {
		return e.End(t)
	}
	return nil
}
