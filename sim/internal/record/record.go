package record

import (
	"errors"

	"etch/sim"
)

// Encoder writes one format.
type Encoder interface {
	// Begin comes first, with the design's scopes and nets, and the time of the first values. A
	// Change for each net follows, in order.
	Begin(root *Scope, nets []Net, t uint64) error
	// Time says that the following changes happen at t, which is later than all times before.
	Time(t uint64)
	// Change gives net number net a value, as little-endian words.
	Change(net int, value []uint64)
	// Done ends a moment and returns the first error of writing. The Recorder's Value returns
	// the values told so far.
	Done() error
}

// Columnar is an Encoder whose Writer is a [sim.Columnar]: machine code appends to its columns.
type Columnar interface {
	Encoder
	// Events says that n events have happened whose changes are in the columns already. The
	// Encoder adds their times, which are half a cycle apart from t on, two for each event, and
	// the levels of clocks, which rise at the first and fall at the second of these times.
	Events(t uint64, n int, clocks []int)
}

// Recorder follows a simulator and tells an Encoder the changes. It does the work of a
// sim.Tracer for a Writer.
type Recorder struct {
	enc     Encoder
	s       *sim.Sim // nil before Start and after End
	used    bool
	watch   *sim.Watch
	values  [][]uint64 // by net
	clocks  []clock
	falls   bool    // a signal changes when a clock falls
	now     uint64  // the time told last
	shift   uint64  // added to the simulator's time
	changed []int32 // scratch
	rising  []int   // likewise
}

// clock is a net that carries a clock.
type clock struct {
	sig   int // its Sim net
	net   int
	level []uint64 // one word
}

// ErrUsed is a Writer's answer to a second Start; ErrNothing is its answer to a Close without a
// Start.
var (
	ErrUsed    = errors.New("a Writer traces one simulator, once")
	ErrNothing = errors.New("nothing was traced")
)

// Start tells enc the hierarchy of s and all values. It comes once.
func (r *Recorder) Start(s *sim.Sim, enc Encoder) error {
	root, nets := Hierarchy(s)
	r.used, r.s, r.enc = true, s, enc

	// The watch numbers the signals like the nets.
	signals := make([]sim.Signal, len(nets))
	for i, n := range nets {
		signals[i] = n.Signal
	}

	// Values are views of the watch's memory: they change without a copy. A clock has a word of
	// its own.
	r.watch = s.Watch(signals...)
	for i, sig := range signals {
		value := r.watch.Value(i)
		if sig.IsClock() {
			value = make([]uint64, 1)
			r.clocks = append(r.clocks, clock{sig.Net(), i, value})
			r.falls = r.falls || s.Falls(sig)
		}
		r.values = append(r.values, value)
	}
	r.now = s.Time()
	if err := enc.Begin(root, nets, r.now); err != nil {
		return err
	}

	for i, value := range r.values {
		enc.Change(i, value)
	}
	return enc.Done()
}

// Sample tells the changes of a moment.
func (r *Recorder) Sample(m sim.Moment) error {
	if r.s == nil {
		return nil // at its end
	}
	t := m.Time + r.shift
	if t < r.now { // the simulator went back: keep the record's time
		r.shift += r.now - t
		t = r.now
	}

	// Only a design with latches or falling edges has changes when a clock falls.
	if m.Phase != sim.Fall || r.falls {
		r.changed = r.watch.Changed(r.changed[:0])
		if len(r.changed) > 0 {
			r.at(t)
		}
		for _, net := range r.changed {
			r.enc.Change(int(net), r.values[net])
		}
	}

	// The level of a clock comes after the values that its edge changes.
	if m.Phase == sim.After || m.Phase == sim.Fall {
		for _, clk := range m.Clocks {
			r.level(clk.Net(), m.Phase == sim.After, t)
		}
	}
	return r.enc.Done()
}

// Watching returns the watch whose changes SampleChanges takes instead of Sample; nil: Sample is
// needed.
func (r *Recorder) Watching() *sim.Watch {
	if r.s == nil || r.falls {
		return nil
	}
	return r.watch
}

// SampleChanges tells the changes of many events, each a rise and a fall of the clocks half a
// cycle apart.
func (r *Recorder) SampleChanges(c *sim.Changes) error {
	t := c.Time + r.shift
	if enc, ok := r.enc.(Columnar); ok {
		return r.events(enc, t, c)
	}

	for range c.Events {
		// Changed values first, then the clocks, which fall half a cycle later.
		changed := c.Next()
		if len(changed) > 0 {
			r.at(t)
		}
		for _, net := range changed {
			r.enc.Change(int(net), r.values[net])
		}
		for _, clk := range c.Clocks {
			r.level(clk.Net(), true, t)
		}
		if err := r.enc.Done(); err != nil {
			return err
		}
		t += sim.CycleTime / 2
		for _, clk := range c.Clocks {
			r.level(clk.Net(), false, t)
		}
		if err := r.enc.Done(); err != nil {
			return err
		}
		t += sim.CycleTime / 2
	}
	return nil
}

// events is SampleChanges for a Columnar: machine code has the changes of all events but the
// last in the columns. The last one is told in the way of Sample.
func (r *Recorder) events(enc Columnar, t uint64, c *sim.Changes) error {
	// The clocks of the events as nets, by which the Encoder knows them.
	r.rising = r.rising[:0]
	for _, clk := range c.Clocks {
		for i := range r.clocks {
			if r.clocks[i].sig == clk.Net() {
				r.rising = append(r.rising, r.clocks[i].net)
			}
		}
	}
	enc.Events(t, c.Events-1, r.rising)

	// The last event.
	t += uint64(c.Events-1) * sim.CycleTime
	for _, high := range [2]bool{true, false} {
		for _, clk := range c.Clocks {
			r.level(clk.Net(), high, t)
		}
		if err := enc.Done(); err != nil {
			return err
		}
		t += sim.CycleTime / 2
	}
	return nil
}

// level tells that a clock is high or low, where it was not.
func (r *Recorder) level(sig int, high bool, t uint64) {
	to := uint64(0)
	if high {
		to = 1
	}
	for i := range r.clocks {
		// One signal may be the clock of several nets.
		if c := &r.clocks[i]; c.sig == sig && c.level[0] != to {
			c.level[0] = to
			r.at(t)
			r.enc.Change(c.net, c.level)
		}
	}
}

// at tells the time, once.
func (r *Recorder) at(t uint64) {
	if t != r.now {
		r.now = t
		r.enc.Time(t)
	}
}

// Value returns the value of a net that was told last, as little-endian words.
func (r *Recorder) Value(net int) []uint64 { return r.values[net] }

// Started reports whether there was a Start.
func (r *Recorder) Started() bool { return r.used }

// End ends the record at a time of the simulator; later calls tell nothing.
func (r *Recorder) End(t uint64) {
	if r.s == nil {
		return
	}
	r.s = nil

	// A time before the last one told adds nothing.
	if t += r.shift; t > r.now {
		r.at(t)
	}
}

// EndNow ends the record at the time that the simulator has reached.
func (r *Recorder) EndNow() {
	if r.s != nil {
		r.End(r.s.Time())
	}
}
