package sim

import (
	"errors"
	"math/bits"

	"etch/sim/internal/nets"
	"etch/sim/internal/stopwatch"
	"etch/sim/native"
	"etch/sim/net"
)

// Bulk is a Tracer that takes many events in one call, which costs less than a Sample each. It
// gets events in bulk only during Step, or Tick and TickAll over several cycles, and only while
// nothing but its own signals is traced.
type Bulk interface {
	Tracer
	// Watching returns the Watch that Sample uses. nil means that there is none, or that Sample
	// needs more than changes; then there is no bulk.
	Watching() *Watch
	// SampleChanges replaces the Samples of several events.
	SampleChanges(c *Changes) error
}

// Columnar is a Bulk that takes the changes of each word separately. Machine code writes them
// directly to the columns; SampleChanges is called afterwards all the same.
type Columnar interface {
	Bulk
	// Columns returns the columns for the changes of up to most events, and the number of
	// events, at least 1, for which there is room. There is one column per word of the Watch, in
	// the order of its signals, low words first. The first event gets number first, and numbers
	// grow by two.
	Columns(most int) (columns []Column, events int, first uint32)
}

// Column is the changes of one word of a signal.
type Column = native.Column

// Changes is the changes of a Watch's signals over successive events. The clocks rise at the
// first event of each cycle and fall half a cycle later; inputs do not change in between.
type Changes struct {
	Time   uint64   // of the first event; each further event is CycleTime later
	Clocks []Signal // that rise and fall
	Events int

	b       *bulk
	told    int      // events returned by Next
	marks   []uint64 // a bit per signal: it has changed
	changed []int32
}

// Next advances to the next event and returns the signals that it changed, like [Watch.Changed];
// [Watch.Value] then gives their new values. Call it Events times; a Columnar does not call it.
// The list is valid until the next call.
func (c *Changes) Next() []int32 {
	w, marks := c.b.watch, c.marks
	c.b.log.Changed(c.told, func(word int32, value uint64) {
		w.last[word] = value
		sig := w.words[word].signal
		marks[sig/64] |= 1 << (sig % 64)
	})
	c.told++

	// Read the marks in order, so that the list is sorted.
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

// bulk is the machine code for the Bulk that traces.
type bulk struct {
	log     *native.Log
	watch   *Watch // the code compares the signals of this Watch
	plan    *plan
	columns bool // the code writes columns
	waited  int  // events that could have been in bulk, before there was code
	failed  bool
	told    int // events reported in bulk so far
	pace    pace
	changes Changes
}

// errNoBulk: the design's events cannot be told in bulk.
var errNoBulk = errors.New("sim: no events in bulk")

// inBulk runs up to n cycles of p and reports them to the single tracer in bulk. It returns the
// number of cycles run, 0 if they must be reported one by one. Nothing may have changed since
// the last event.
func (s *Sim) inBulk(p *plan, n int) (done int) {
	// Only plain runs qualify: one tracer, native code, no asynchronous resets, no black
	// boxes, no clock left high.
	if len(s.tracers) != 1 || n < 2 || s.refuse != nil || s.kind == Lockstep || s.kind == Interpreter || len(s.p.Async)+len(s.p.Boxes) > 0 || len(s.high) > 0 {
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

	b, prints, calls := &s.bulk, s.p.Journal.State != 0, &s.tunables().Calls
	if prints {
		s.emptyJournal()
	}
	for done < n && len(s.tracers) > 0 && !s.passedLimit(0) {
		piece := min(b.pace.next(b.log.CycleEffort(), calls), n-done, b.log.Most(), s.st.UntilCheck(s.cycles))
		watch := stopwatch.Start()
		k, left := s.runBulk(t, piece)
		b.pace.took(watch.Elapsed(), calls)

		// Advance the simulator's time before the tracer looks at it.
		b.changes.Time, b.changes.Clocks, b.changes.Events = s.now+CycleTime/2, s.clocksOf(p), k-left
		s.passed(p, k-left)
		s.now += uint64(k-left) * CycleTime
		w.seen = s.version

		// All k events may have been left over: then there is nothing to report.
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

		// Prints come out after their piece. A writer may change anything, so bulk ends if it
		// did.
		full := prints && s.hasJournal() && s.print(times{s.now + CycleTime/2, CycleTime}, left-k)
		if left > 0 && !full || w.seen != s.version || b.log == nil {
			break
		}
	}
	return done
}

// runBulk runs up to n events. It returns the number tried, and how many of these were left
// because a statement stops before them.
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

// bulkCode compiles the code for events of p and changes of w, once it has been wanted often
// enough. It reports whether there is code.
func (s *Sim) bulkCode(p *plan, t Bulk, w *Watch) bool {
	b := &s.bulk

	// Another set of clocks or another Watch starts over.
	if b.watch != w || b.plan != p {
		if b.log != nil {
			b.log.Close()
		}
		*b = bulk{watch: w, plan: p, told: b.told}
		_, b.columns = t.(Columnar)
	}

	if b.log != nil || b.failed {
		return b.log != nil
	}
	if b.waited++; b.waited < s.tunables().Warm.Bulk {
		return false
	}

	// If compiling fails, it is not tried again for this Watch and this set of clocks.
	b.failed = true
	var log *native.Log
	var roms [][]uint64
	err := s.guarded(func() (err error) {
		l, tables, ok := s.logged(p, w)
		if !ok {
			return errNoBulk
		}
		roms = tables
		log, err = native.CompileLog(l, features, s.tunables())
		return err
	})
	if err != nil {
		return false
	}

	// The code may need more scratch words and tables than the state has room for, so that the
	// state may move here.
	s.fit(log.Scratch(), roms)
	b.log, b.failed = log, false
	b.changes = Changes{b: b, marks: make([]uint64, (len(w.first)+63)/64)}
	return true
}

// logged describes the code: events of p, and the words of w that an event may change.
func (s *Sim) logged(p *plan, w *Watch) (l *native.Logged, roms [][]uint64, ok bool) {
	// The event has the values before it as outputs; the view computes the same values from any
	// state.
	event, err := nets.NewBuilder(s.p)
	if err != nil {
		return nil, nil, false
	}
	event.OpenJournal()
	if event.Events(p.on) != nil {
		return nil, nil, false
	}
	view, err := nets.NewBuilder(s.p)
	if err != nil {
		return nil, nil, false
	}

	// State words come first; combinational words follow as outputs of both nets. Constant words
	// are left out.
	l = &native.Logged{}
	var values []int32 // combinational words
	for i, at := range w.words {
		value := at.slot >= s.p.Leaves
		if value {
			if _, fixed := event.N.IsConst(event.At[at.slot]); fixed {
				continue
			}
		} else if !s.p.State.Has(at.slot) {
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
		event.N.Outs = append(event.N.Outs, net.Out{Slot: int32(to), Node: event.At[slot]})
		view.N.Outs = append(view.N.Outs, net.Out{Slot: int32(to), Node: view.At[slot]})
	}
	for _, i := range l.Words {
		l.Bits = append(l.Bits, w.words[i].bits)
	}

	l.Event, l.View = event.N.Compact(), view.N.Compact()

	// Lists of tables are prefixes of one another, so the longer list serves both nets.
	if roms = event.Roms; len(view.Roms) > len(roms) {
		roms = view.Roms
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
