package sim

import (
	"math/bits"
	"time"

	"etch/sim/native"
	"etch/sim/net"
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

// Columnar is a Bulk that wants the changes of each word by themselves, for which
// machine code puts them where they belong. SampleChanges is called all the same
// when that is done.
type Columnar interface {
	Bulk
	// Columns returns where changes of up to most events go, and for how many of
	// them, at least 1, there is room: a column for each word of the Watch, in the
	// order of signals, low words first. The first event is given that number, and
	// each one two more than the one before.
	Columns(most int) (columns []Column, events int, first uint32)
}

// Column is the changes of one word of a signal.
type Column = native.Column

// Changes is what some events in a row changed, of the signals of a Watch. At the
// first event of each clocks rise, and fall half a cycle later; inputs do not
// change in between.
type Changes struct {
	Time   uint64   // of the first event; CycleTime later comes the next
	Clocks []Signal // that rise and fall
	Events int

	b       *bulk
	told    int      // events that Next has given
	marks   []uint64 // by signal, a bit: it has changed
	changed []int32
}

// Next goes on to the next event and returns the signals that it changed, as
// [Watch.Changed] does; [Watch.Value] gives their values behind it. It is called
// Events times, not by a Columnar. The list is valid until the next call.
func (c *Changes) Next() []int32 {
	w, marks := c.b.watch, c.marks
	c.b.log.Changed(c.told, func(word int32, value uint64) {
		w.last[word] = value
		sig := w.words[word].signal
		marks[sig/64] |= 1 << (sig % 64)
	})
	c.told++
	list := c.changed[:0]
	for i, m := range marks {
		if m == 0 {
			continue
		}
		for ; m != 0; m &= m - 1 {
			list = append(list, int32(64*i+bits.TrailingZeros64(m)))
		}
		marks[i] = 0
	}
	c.changed = list
	return list
}

// bulk is the machine code that goes with the Bulk that traces.
type bulk struct {
	log     *native.Log
	watch   *Watch // it compares what this one watches
	plan    *plan
	columns bool // it makes columns
	waited  int  // events that could have been told of at once
	failed  bool
	told    int // events, at once, by this code or earlier one
	piece   int // events of a call, for it not to last too long
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
	if w == nil || w.s != s || w.seen != s.version || !s.bulkCode(p, t, w) {
		return 0
	}
	b, prints := &s.bulk, s.p.journal.state != 0
	if prints {
		s.emptyJournal()
	}
	for done < n && len(s.tracers) > 0 && !s.passedLimit(b.piece) {
		start := time.Now()
		k, left := s.runBulk(t, min(b.piece, n-done, b.log.Most()))
		switch took := time.Since(start); {
		case took > chunk && b.piece > 1:
			b.piece /= 2
		case took < chunk/2 && b.piece < b.log.Most() && k == b.piece:
			b.piece *= 2
		}
		b.changes.Time, b.changes.Clocks, b.changes.Events = s.now+CycleTime/2, s.clocksOf(p), k-left
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
		full := prints && s.hasJournal() && s.print(times{s.now + CycleTime/2, CycleTime}, left-k)
		if left > 0 && !full || w.seen != s.version || b.log == nil { // who is written to may do anything
			break
		}
	}
	return done
}

// runBulk does up to n events and returns how many it has tried, and how many of
// those are left because something has to be said before them.
func (s *Sim) runBulk(t Bulk, n int) (tried, left int) {
	b := &s.bulk
	b.changes.told = 0
	if !b.columns {
		return n, b.log.Run(s.baseOf(), n, b.watch.last)
	}
	columns, n, first := t.(Columnar).Columns(n)
	left = b.log.Run(s.baseOf(), n, b.watch.last)
	b.log.Columns(n-left, b.watch.last, columns, first)
	return n, left
}

// bulkCode makes the code for events of p and changes of w, when it has been
// wanted for some time.
func (s *Sim) bulkCode(p *plan, t Bulk, w *Watch) bool {
	b := &s.bulk
	if b.watch != w || b.plan != p {
		if b.log != nil {
			b.log.Close()
		}
		*b = bulk{watch: w, plan: p, told: b.told, piece: 2}
		_, b.columns = t.(Columnar)
	}
	if b.log != nil || b.failed {
		return b.log != nil
	}
	if b.waited++; b.waited < bulkFrom {
		return false
	}
	b.failed = true
	l, roms, ok := s.logged(p, w)
	if !ok {
		return false
	}
	log, err := native.CompileLog(l, features)
	if err != nil {
		return false
	}
	s.fit(log.Scratch(), roms)
	b.log, b.failed = log, false
	b.changes = Changes{b: b, marks: make([]uint64, (len(w.first)+63)/64)}
	return true
}

// logged is what the code does: events of p, and values of those words of w that
// an event may change.
func (s *Sim) logged(p *plan, w *Watch) (l *native.Logged, roms [][]uint64, ok bool) {
	event, err := s.p.netBuilder()
	if err != nil {
		return nil, nil, false
	}
	event.openJournal()
	if event.events(p.on) != nil {
		return nil, nil, false
	}
	view, err := s.p.netBuilder()
	if err != nil {
		return nil, nil, false
	}
	l = &native.Logged{}
	var values []int32 // words that are no state
	for i, at := range w.words {
		value := at.slot >= s.p.leaves
		if value {
			if _, fixed := event.n.IsConst(event.at[at.slot]); fixed {
				continue
			}
		} else if !s.p.state.has(at.slot) {
			continue
		}
		if value {
			values = append(values, int32(i))
		} else {
			l.State, l.Words = append(l.State, at.slot), append(l.Words, int32(i))
		}
	}
	l.Words = append(l.Words, values...)
	for k, i := range values {
		slot, to := w.words[i].slot, uint32(k)
		event.n.Outs = append(event.n.Outs, net.Out{Slot: to, Node: event.at[slot]})
		view.n.Outs = append(view.n.Outs, net.Out{Slot: to, Node: view.at[slot]})
	}
	for _, i := range l.Words {
		l.Bits = append(l.Bits, w.words[i].bits)
	}
	l.Event, l.View = event.n.Compact(), view.n.Compact()
	if roms = event.roms; len(view.roms) > len(roms) {
		roms = view.roms
	}
	return l, roms, true
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
