package sim

import (
	"time"

	"etch/sim/native"
)

// Bulk is a Tracer that takes many events in one call, which costs less than
// Samples of each. It is told so only of what comes by Step, or by Tick or TickAll
// in several cycles, while nothing but its own signals is looked at.
type Bulk interface {
	Tracer
	// Watching returns the Watch that it asks in Sample; nil: none, or there is
	// more to a Sample than what has changed.
	Watching() *Watch
	// SampleChanges takes the place of the Samples of each event.
	SampleChanges(c *Changes) error
}

// Changes is what some events in a row changed, of the signals of a Watch. At the
// first event of each clocks rise, and fall half a cycle later; inputs do not
// change in between.
type Changes struct {
	Time   uint64   // of the first event; CycleTime later comes the next
	Clocks []Signal // that rise and fall
	Events int

	w       *Watch
	entries []uint64
	changed []int32
}

// Next goes on to the next event and returns the signals that it changed, as
// [Watch.Changed] does; [Watch.Value] gives their values behind it. It is called
// Events times. The list is valid until the next call.
func (c *Changes) Next() []int32 {
	w := c.w
	list, end := c.changed[:0], uint64(len(w.words))
	e := c.entries
	for len(e) >= 2 && e[0] != end {
		w.last[e[0]] = e[1]
		if sig, n := int32(w.words[e[0]].signal), len(list); n == 0 || list[n-1] != sig {
			list = append(list, sig)
		}
		e = e[2:]
	}
	if len(e) >= 2 {
		e = e[2:]
	}
	c.entries, c.changed = e, list
	return list
}

// bulk is the machine code that goes with the Bulk that traces.
type bulk struct {
	log     *native.Log
	watch   *Watch // it compares what this one watches
	plan    *plan
	waited  int // events that could have been told of at once
	failed  bool
	told    int // events, at once, by this code or earlier one
	changes Changes
}

// bulkFrom is how many events a Bulk is told of one by one before there is code.
const bulkFrom = 256

// inBulk does up to n cycles of p and tells the one tracer of all of them at once.
// It returns how many it did: 0 when they have to be told one by one. Nothing has
// changed since the last event.
func (s *Sim) inBulk(p *plan, n int) (done int) {
	if len(s.tracers) != 1 || n < 2 || s.refuse != nil || s.kind == Lockstep || s.kind == Interpreter || len(s.p.async) > 0 || len(s.high) > 0 {
		return 0
	}
	t, ok := s.tracers[0].(Bulk)
	if !ok {
		return 0
	}
	w := t.Watching()
	if w == nil || w.s != s || w.seen != s.version || !s.bulkCode(p, w) {
		return 0
	}
	b := &s.bulk
	for piece := 2; done < n && len(s.tracers) > 0; {
		k := min(piece, n-done, b.log.Most())
		start := time.Now()
		entries, left := b.log.Run(s.baseOf(), k, w.last)
		switch took := time.Since(start); {
		case took > chunk && piece > 1:
			piece /= 2
		case took < chunk/2 && piece < b.log.Most():
			piece *= 2
		}
		b.changes.Time, b.changes.Clocks, b.changes.Events = s.now+CycleTime/2, p.clocks, k-left
		b.changes.w, b.changes.entries = w, entries
		s.passed(p, k-left)
		s.now += uint64(k-left) * CycleTime
		w.seen = s.version
		if k > left {
			if err := t.SampleChanges(&b.changes); err != nil {
				s.tracers = s.tracers[:0]
				if s.err == nil {
					s.err = err
				}
			}
		}
		done += k - left
		b.told += k - left
		if left > 0 {
			break
		}
	}
	return done
}

// bulkCode makes the code for events of p and changes of w, when it has been
// wanted for some time.
func (s *Sim) bulkCode(p *plan, w *Watch) bool {
	b := &s.bulk
	if b.watch != w || b.plan != p {
		if b.log != nil {
			b.log.Close()
		}
		*b = bulk{watch: w, plan: p, told: b.told}
	}
	if b.log != nil || b.failed {
		return b.log != nil
	}
	if b.waited++; b.waited < bulkFrom {
		return false
	}
	b.failed = true
	event, err := s.p.netFor(p.on)
	if err != nil {
		return false
	}
	var slots, view []uint32
	has := map[uint32]bool{}
	for _, at := range w.words {
		slots = append(slots, at.slot)
		if at.slot >= s.p.leaves && !has[at.slot] {
			has[at.slot] = true
			view = append(view, at.slot)
		}
	}
	n, err := s.p.netOf(view)
	if err != nil {
		return false
	}
	log, err := native.CompileLog(event.Compact(), n.Compact(), slots, features)
	if err != nil {
		return false
	}
	s.fit(log.Scratch(), n.roms)
	s.fit(log.Scratch(), event.roms)
	b.log, b.failed = log, false
	return true
}

// closeBulk frees the code.
func (s *Sim) closeBulk() error {
	log := s.bulk.log
	s.bulk = bulk{}
	if log == nil {
		return nil
	}
	return log.Close()
}
