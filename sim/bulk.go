package sim

import (
	"math/bits"

	"etch/sim/internal/drive"
	"etch/sim/native"
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
	changed []int32  // scratch of Next
}

// Next advances to the next event and returns the signals that it changed, like [Watch.Changed];
// [Watch.Value] then gives their new values. Call it Events times; a Columnar does not call it.
// The list is valid until the next call.
func (c *Changes) Next() []int32 {
	w, marks := c.b.watch, c.marks
	c.b.code.Changed(c.told, func(word int32, value uint64) {
		w.last[word] = value
		sig := w.of[word]
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
	code    *drive.Bulk
	watch   *Watch // the code compares the signals of this Watch
	columns bool   // the code writes columns
	told    int    // events reported in bulk so far
	changes Changes
}

// inBulk runs up to n cycles of p and reports them to the single tracer in bulk. It returns the
// number of cycles run, 0 if they must be reported one by one. Nothing may have changed since
// the last event.
func (s *Sim) inBulk(c *drive.ClockSet, n int) (done int) {
	if len(s.tracers) != 1 || n < 2 || !s.m.CanBulk() {
		return 0
	}
	t, ok := s.tracers[0].(Bulk)
	if !ok {
		return 0
	}
	w := t.Watching()
	if w == nil || w.s != s || w.seen != s.m.Version || !s.bulkCode(c, t, w) {
		return 0
	}

	b := &s.bulk
	code := b.code
	code.Begin()
	for done < n && len(s.tracers) > 0 && !s.m.PassedLimit(0) {
		ran, left := s.bulkPiece(c, t, n-done)
		done += ran
		b.told += ran

		// Prints come out after their piece. A writer may change anything, and the tracer may
		// have closed the simulator: then bulk ends.
		full := code.Print(ran)
		if left > 0 && !full || w.seen != s.m.Version || b.code != code {
			break
		}
	}
	return done
}

// bulkPiece runs up to n events and reports them. It returns the number run, and how many more were
// tried and left because a statement stops before them.
func (s *Sim) bulkPiece(c *drive.ClockSet, t Bulk, n int) (ran, left int) {
	b, w := &s.bulk, s.bulk.watch
	b.changes.told = 0
	b.changes.Time, b.changes.Clocks = s.m.Now+CycleTime/2, s.clocksAt(c.Clocks)

	// A Columnar says for how many events its columns have room.
	var columns []Column
	var first uint32
	tried, left := b.code.Run(n, w.last, func(k int) int {
		if b.columns {
			columns, k, first = t.(Columnar).Columns(k)
		}
		return k
	})
	if ran = tried - left; b.columns {
		b.code.Columns(ran, w.last, columns, first)
	}

	// The simulator's time has advanced, so that the tracer may look at it. All events may have
	// been left over: then there is nothing to report.
	b.changes.Events, w.seen = ran, s.m.Version
	if ran > 0 {
		if err := t.SampleChanges(&b.changes); err != nil {
			s.keepTracers(nil)
			if s.m.Err == nil {
				s.m.Err = err
			}
		}
	}
	return ran, left
}

// bulkCode reports whether there is code for events of p and changes of w.
func (s *Sim) bulkCode(c *drive.ClockSet, t Bulk, w *Watch) bool {
	// Another set of clocks or another Watch starts over.
	b := &s.bulk
	if b.watch != w || !b.code.For(c) {
		b.code.Close()
		*b = bulk{watch: w, told: b.told, code: s.m.NewBulk(c, w.words)}
		b.changes = Changes{b: b, marks: make([]uint64, (len(w.first)+63)/64)}
		_, b.columns = t.(Columnar)
	}
	return b.code.Ready()
}

// closeBulk frees the code.
func (s *Sim) closeBulk() error {
	code := s.bulk.code
	s.bulk = bulk{}
	return code.Close()
}
