package drive

import (
	"errors"

	"etch/sim/internal/nets"
	"etch/sim/internal/stopwatch"
	"etch/sim/native"
	"etch/sim/net"
)

// Word is a watched word: up to 64 bits of a value.
type Word struct {
	Slot uint32
	Bits uint8
}

// Bulk is machine code that runs the events of one clock set and logs the changes of some words.
type Bulk struct {
	s      *Stepper
	set    *ClockSet
	words  []Word
	log    *native.Log // nil: there is no code yet
	waited int         // events that could have been in bulk, before there was code
	failed bool
	pace   pace
}

// errNoBulk: the program's events cannot be told in bulk.
var errNoBulk = errors.New("sim: no events in bulk")

// NewBulk is a Bulk without code, for events of p and changes of words.
func (s *Stepper) NewBulk(c *ClockSet, words []Word) *Bulk { return &Bulk{s: s, set: c, words: words} }

// For reports whether the code is that of a clock set; b may be nil.
func (b *Bulk) For(c *ClockSet) bool { return b != nil && b.set == c }

// CanBulk reports whether events may run in bulk at present: machine code may run, and nothing
// happens between two events.
func (s *Stepper) CanBulk() bool {
	return s.refuse == nil && s.kind != Lockstep && s.kind != Interpreter && len(s.P.Async)+len(s.P.Boxes) == 0 && len(s.High) == 0
}

// Ready compiles the code, once it has been wanted often enough. It reports whether there is code.
func (b *Bulk) Ready() bool {
	if b.log != nil || b.failed {
		return b.log != nil
	}
	s := b.s
	if b.waited++; b.waited < s.Tunables().Warm.Bulk {
		return false
	}

	// If compiling fails, it is not tried again for these words and this set of clocks.
	b.failed = true
	var log *native.Log
	var roms [][]uint64
	err := s.guarded(func() (err error) {
		l, tables, ok := s.logged(b.set, b.words)
		if !ok {
			return errNoBulk
		}
		roms = tables
		log, err = native.CompileLog(l, Features, s.Tunables())
		return err
	})
	if err != nil {
		return false
	}

	// The code may need more scratch words and tables than the state has room for, so that the
	// state may move here.
	s.fit(log.Scratch(), roms)
	b.log, b.failed = log, false
	return true
}

// Begin prepares a row of calls of Run.
func (b *Bulk) Begin() {
	if b.s.P.Journal.State != 0 {
		b.s.emptyJournal()
	}
}

// Run runs up to n events in one call of bounded time, and counts them. room says for how many of k
// events there is room. last is the values of the words at the end. It returns the number of events
// tried, and how many of these were left because a statement stops before them.
func (b *Bulk) Run(n int, last []uint64, room func(k int) int) (tried, left int) {
	s, calls := b.s, &b.s.Tunables().Calls
	tried = room(min(b.pace.next(b.log.CycleEffort(), calls), n, b.log.Most(), s.St.UntilCheck(s.Cycles)))
	watch := stopwatch.Start()
	left = b.log.Run(s.Base(), tried, last)
	b.pace.took(watch.Elapsed(), calls)
	s.passed(b.set, tried-left)
	s.Now += uint64(tried-left) * CycleTime
	return tried, left
}

// Print prints the records of the last call, which ran some events; b may be closed by now. It reports
// whether they had filled the journal, so that the call ended early for this reason.
func (b *Bulk) Print(ran int) (full bool) {
	s := b.s
	return s.P.Journal.State != 0 && s.hasJournal() && s.print(times{s.Now + CycleTime/2, CycleTime}, -ran)
}

// Changed calls f for each word that event number k of the last call has changed.
func (b *Bulk) Changed(k int, f func(word int32, value uint64)) { b.log.Changed(k, f) }

// Columns appends the changes of the last call's events, numbered from first on by twos, to
// columns.
func (b *Bulk) Columns(events int, last []uint64, columns []native.Column, first uint32) {
	b.log.Columns(events, last, columns, first)
}

// Close frees the code.
func (b *Bulk) Close() error {
	if b == nil || b.log == nil {
		return nil
	}
	log := b.log
	b.log, b.failed = nil, true
	return log.Close()
}

// logged describes the code: events of p, and the words that an event may change.
func (s *Stepper) logged(c *ClockSet, words []Word) (l *native.Logged, roms [][]uint64, ok bool) {
	// The event has the values before it as outputs; the view computes the same values from any
	// state.
	event, err := nets.NewBuilder(s.P)
	if err != nil {
		return nil, nil, false
	}
	event.OpenJournal()
	if event.Events(c.on) != nil {
		return nil, nil, false
	}
	view, err := nets.NewBuilder(s.P)
	if err != nil {
		return nil, nil, false
	}

	// State words come first; combinational words follow as outputs of both nets. Constant words
	// are left out.
	l = &native.Logged{}
	var values []int32 // combinational words
	for i, at := range words {
		value := at.Slot >= s.P.Leaves
		if value {
			if _, fixed := event.N.IsConst(event.At[at.Slot]); fixed {
				continue
			}
		} else if !s.P.State.Has(at.Slot) {
			continue
		}
		if value {
			values = append(values, int32(i))
		} else {
			l.State, l.Words = append(l.State, at.Slot), append(l.Words, int32(i))
		}
	}

	l.Words = append(l.Words, values...)
	for k, i := range values {
		slot, to := words[i].Slot, uint32(k)
		event.N.Outs = append(event.N.Outs, net.Out{Slot: int32(to), Node: event.At[slot]})
		view.N.Outs = append(view.N.Outs, net.Out{Slot: int32(to), Node: view.At[slot]})
	}
	for _, i := range l.Words {
		l.Bits = append(l.Bits, words[i].Bits)
	}

	l.Event, l.View = event.N.Compact(), view.N.Compact()

	// Lists of tables are prefixes of one another, so the longer list serves both nets.
	if roms = event.Roms; len(view.Roms) > len(roms) {
		roms = view.Roms
	}
	return l, roms, true
}
