package record

import (
	"errors"

	"etch/sim"
)

// Encoder writes a format.
type Encoder interface {
	// Begin comes first: what there is, and the time of the values that follow,
	// one for each net in order.
	Begin(root *Scope, nets []Net, t uint64) error
	// Time says that what follows happens at t, later than all before.
	Time(t uint64)
	// Change gives net number net a value, as little-endian words.
	Change(net int, value []uint64)
	// Done says that a moment is over, and returns the first error of writing.
	// What Value gives is what was told.
	Done() error
}

// Columnar is an Encoder whose Writer is a [sim.Columnar].
type Columnar interface {
	Encoder
	// Events tells of n events whose changes it has: of the times, from t on half a
	// cycle apart, two for each event, and of nets that are clocks, which rise at the
	// first of the two and fall at the second.
	Events(t uint64, n int, clocks []int)
}

// Recorder follows a simulator and tells an Encoder what changes. It does the
// work of a sim.Tracer.
type Recorder struct {
	enc     Encoder
	s       *sim.Sim // nil before Start and after End
	used    bool
	watch   *sim.Watch
	values  [][]uint64 // by net
	clocks  []clock
	falls   bool    // something moves when a clock falls
	now     uint64  // the time that was last told
	shift   uint64  // of the record's time against the simulator's
	changed []int32 // scratch
	rising  []int   // likewise
}

// clock is a net that carries a clock.
type clock struct {
	sig   int // its Sim net
	net   int
	level []uint64 // one word
}

// ErrUsed is what a Writer says to a second Start, ErrNothing what it says to a
// Close without a Start.
var (
	ErrUsed    = errors.New("a Writer traces one simulator, once")
	ErrNothing = errors.New("nothing was traced")
)

// Start tells enc what s has and all values. It comes once.
func (r *Recorder) Start(s *sim.Sim, enc Encoder) error {
	root, nets := Hierarchy(s)
	r.used, r.s, r.enc = true, s, enc
	signals := make([]sim.Signal, len(nets))
	for i, n := range nets {
		signals[i] = n.Signal
	}
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

// Sample tells what a moment brings.
func (r *Recorder) Sample(m sim.Moment) error {
	if r.s == nil {
		return nil // at its end
	}
	t := m.Time + r.shift
	if t < r.now { // the simulator went back
		r.shift += r.now - t
		t = r.now
	}
	if m.Phase != sim.Fall || r.falls {
		r.changed = r.watch.Changed(r.changed[:0])
		if len(r.changed) > 0 {
			r.at(t)
		}
		for _, net := range r.changed {
			r.enc.Change(int(net), r.values[net])
		}
	}
	if m.Phase == sim.After || m.Phase == sim.Fall {
		for _, clk := range m.Clocks {
			r.level(clk.Net(), m.Phase == sim.After, t)
		}
	}
	return r.enc.Done()
}

// Watching is what SampleChanges may take the place of Sample for; nil: nothing.
func (r *Recorder) Watching() *sim.Watch {
	if r.s == nil || r.falls {
		return nil
	}
	return r.watch
}

// SampleChanges tells what many events bring.
func (r *Recorder) SampleChanges(c *sim.Changes) error {
	t := c.Time + r.shift
	if enc, ok := r.enc.(Columnar); ok {
		return r.events(enc, t, c)
	}
	for range c.Events {
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

// events is SampleChanges for a Columnar: the last event is told as Sample does.
func (r *Recorder) events(enc Columnar, t uint64, c *sim.Changes) error {
	r.rising = r.rising[:0]
	for _, clk := range c.Clocks {
		for i := range r.clocks {
			if r.clocks[i].sig == clk.Net() {
				r.rising = append(r.rising, r.clocks[i].net)
			}
		}
	}
	enc.Events(t, c.Events-1, r.rising)
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

// level tells that a clock is high or low.
func (r *Recorder) level(sig int, high bool, t uint64) {
	to := uint64(0)
	if high {
		to = 1
	}
	for i := range r.clocks {
		if c := &r.clocks[i]; c.sig == sig && c.level[0] != to {
			c.level[0] = to
			r.at(t)
			r.enc.Change(c.net, c.level)
		}
	}
}

// at tells the time unless it is told.
func (r *Recorder) at(t uint64) {
	if t != r.now {
		r.now = t
		r.enc.Time(t)
	}
}

// Value returns the last value told of a net, as little-endian words.
func (r *Recorder) Value(net int) []uint64 { return r.values[net] }

// Started reports whether there was a Start.
func (r *Recorder) Started() bool { return r.used }

// End ends the record at a time of the simulator; nothing is told any more.
func (r *Recorder) End(t uint64) {
	if r.s == nil {
		return
	}
	r.s = nil
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
