package cover

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/lanes"
)

// Counts is the counts of a run, or of several.
type Counts struct {
	Version int      `json:"version"`
	Name    string   `json:"name"`   // of the test
	Design  string   `json:"design"` // the name of the top
	Cycles  uint64   `json:"cycles"`
	Lines   []Line   `json:"lines"`             // by file, line, kind, module and name
	Toggles []Toggle `json:"toggles,omitempty"` // by module and name

	// Ended is the time at which the file was written, in nanoseconds of Unix time.
	Ended int64 `json:"ended,omitempty"`
	// Sources has a digest of each source file as it was then, by its path.
	Sources map[string]string `json:"sources,omitempty"`
	// Uncounted is the tests whose benches could not be replayed, each with the reason.
	Uncounted []string `json:"uncounted,omitempty"`
}

// Kind is the sort of a count.
type Kind string

// The kinds of counts.
const (
	Set        Kind = "set"        // a statement that gives a value, or writes, prints or stops
	True       Kind = "true"       // a condition that held where it mattered
	False      Kind = "false"      // one that did not
	Arm        Kind = "arm"        // a case of a Choose, by its number or name, or its default
	Cover      Kind = "cover"      // a cover statement
	Assert     Kind = "assert"     // an assertion whose condition and premise held, so that it was put to the test
	State      Kind = "state"      // a register of an enumeration had a value
	Transition Kind = "transition" // it went from one value to another
)

// Line is the count of a line: cycles in which the statement acted, added up over the instances of
// its module and over the multiplexers that it made.
type Line struct {
	File   string `json:"file"` // package path and file name
	Path   string `json:"path"` // on the machine of the run
	Line   int    `json:"line"`
	Kind   Kind   `json:"kind"`
	Module string `json:"module"`
	Name   string `json:"name,omitempty"` // phase.idle of a state, phase.idle → run of a transition, the case of an arm
	Count  uint64 `json:"count"`
	First  string `json:"first,omitempty"` // of several runs: the first test in which it acted
}

// Toggle is the bits of a register or port that changed between two edges of its clock, in any
// instance of its module.
type Toggle struct {
	Module string `json:"module"`
	Name   string `json:"name"`
	File   string `json:"file"`
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Width  int    `json:"width"`
	Rose   string `json:"rose"` // as 8'hff
	Fell   string `json:"fell"`
}

// version is that of files.
const version = 3

// Of replays a run with counters and watches, and returns the counts.
func Of(r *sim.Recording, d *ir.Design) (*Counts, error) { return Count(r, d, All) }

// Recorded is a recorded run, as [sim.Recording] or [sim.Player].
type Recorded interface {
	PlayerOn(d *ir.Design) (*sim.Player, error)
}

// Count replays a run of a design, and counts the given kinds. Errors: it cannot be replayed from its
// begin.
func Count(r Recorded, d *ir.Design, kinds Kinds) (*Counts, error) {
	total := newSum()
	// The stages share the set of settled signals, which only grows.
	stage := Kinds{Toggles: true, settled: map[signal]bool{}, begin: map[signal]bits.Value{}}
	end := uint64(firstEnd)

	// Without toggles there is one replay, of the whole run. With them, the first cycles are sampled,
	// which settles most signals.
	length := uint64(0) // of the run, 0 before it is known
	if !kinds.Toggles {
		stage, end = kinds, math.MaxUint64
	} else if c, last, err := sampled(r, d, stage, end); err != nil {
		return nil, err
	} else if length = last; c != nil {
		if err := total.add(c); err != nil {
			return nil, err
		}
		end = next(end, last)
	}

	// Bits that have risen and fallen need no watch, and most do so early: the run's begin is replayed
	// with all watches, then a longer part with the watches that are left. The last replay is of the
	// whole run and counts the branches.
	for {
		if end == math.MaxUint64 {
			usual, err := usual(r, d, kinds, length)
			if err != nil {
				return nil, err
			}
			stage.Branches, stage.usual = kinds.Branches, usual
		}
		c, last, err := stretch(r, d, stage, end)
		if err != nil {
			return nil, err
		}
		length = last
		if err := total.add(c); err != nil {
			return nil, err
		}
		if end == math.MaxUint64 {
			all := total.Counts()
			all.Design, all.Cycles = c.Design, c.Cycles
			return all, nil
		}

		for s, t := range total.toggles {
			if t.rose.IsOnes() && t.fell.IsOnes() {
				stage.settled[signal{s.Module, s.Name}] = true
			}
		}
		if stage.Toggles = end < last; stage.Toggles {
			end = next(end, last)
		} else {
			end = math.MaxUint64
		}
	}
}

// next is the end of the replay after one, of a run that ends at last: the whole run once a longer
// replay of its begin would cost too large a part of it.
func next(end, last uint64) uint64 {
	if end *= longer; end > lastEnd || end > last/shortest {
		return math.MaxUint64
	}
	return end
}

// Replays of a run's begin: the cycles of the first, a bound for the last, the factor from each
// to the next, and how many times longer than any but the first the run is.
const (
	firstEnd = 512
	lastEnd  = 1 << 17
	longer   = 16
	shortest = 8
)

// stretch replays a run up to an end, or to its last cycle, which it returns.
func stretch(r Recorded, d *ir.Design, kinds Kinds, end uint64) (_ *Counts, last uint64, err error) {
	instrumented := New(d, kinds)
	p, err := r.PlayerOn(instrumented.Design)
	if err != nil {
		return nil, 0, err
	}
	s := p.Sim()
	defer s.Close()

	// The counters are read before they can have wrapped around twice.
	t := instrumented.Total(s)
	at, last := p.Cycles()
	for end = min(end, last); at < end; {
		at = min(at+readEvery, end)
		if err := p.Forward(at); err != nil {
			return nil, 0, err
		}
		if err := t.Read(); err != nil {
			return nil, 0, err
		}
	}

	c, err := t.Counts()
	return c, last, err
}

// readEvery is the number of cycles between readings. A cycle has at most one edge of a clock, or of
// a derived one.
const readEvery = 1 << (counterBits - 1)

// Simulator is a simulator of an instrumented design after its run.
type Simulator interface {
	Cycles() uint64
	NodeOf(instance string, id ir.ID) (sim.Signal, error)
	GetBits(sig sim.Signal) bits.Value
}

// Lane is one lane of simulators in lock step as a [Simulator].
type Lane struct {
	*lanes.Lanes
	At int
}

// GetBits implements [Simulator].
func (l Lane) GetBits(sig sim.Signal) bits.Value { return l.Lanes.GetBits(sig, l.At) }

// CountLanes adds up the counts of all lanes of the instrumented Design, which have run at most 2^31
// cycles. Error: they are of another design.
func (in *Instrumented) CountLanes(l *lanes.Lanes) (*Counts, error) {
	total := newSum()
	for lane := range l.Len() {
		c, err := in.Total(Lane{l, lane}).Counts()
		if err != nil {
			return nil, err
		}
		if err := total.add(c); err != nil {
			return nil, err
		}
	}
	all := total.Counts()
	all.Design = in.top
	return all, nil
}

// Total adds up the counters of a simulator of the instrumented Design.
func (in *Instrumented) Total(s Simulator) *Total {
	return &Total{instrumented: in, s: s, last: map[reading]uint64{}, reg: make([]uint64, len(in.counters)), sum: make([]uint64, len(in.counters))}
}

// Total is the counts of a run. Counters wrap around after 2^32 cycles: Read is called at least every 2^31 cycles.
type Total struct {
	instrumented *Instrumented
	s            Simulator
	last         map[reading]uint64
	reg          []uint64 // by counter: the edges that its registers have counted
	sum          []uint64 // by counter: the edges at which its conditions held
}

// reading is a counter in an instance.
type reading struct {
	counter int
	path    string
}

// Read adds the counts since the last call. Error: the simulator is one of
// another design.
func (t *Total) Read() error {
	for k, c := range t.instrumented.counters {
		edges := t.s.Cycles() * uint64(len(t.instrumented.instances[c.mod])) // with one clock
		switch {
		case c.every:
			t.sum[k] = edges
			continue
		case c.reg == ir.None:
			continue
		}

		// The number so far is in several registers: seen has the conditions that reg adds at the next edge.
		// The difference is taken modulo the counter's range, so that a wrap-around cancels.
		ids := append([]ir.ID{c.reg}, c.seen...)
		for _, of := range t.instrumented.instances[c.mod] {
			now, at := uint64(0), reading{k, of.path}
			for _, id := range ids {
				sig, err := t.s.NodeOf(of.path, id)
				if err != nil {
					return fmt.Errorf("cover: %w", err)
				}
				now += t.s.GetBits(sig).Uint64()
			}
			t.reg[k] += (now - t.last[at]) & (1<<c.mod.Width(c.reg) - 1)
			t.last[at] = now
		}

		// A counter of conditions that usually hold has counted the edges at which they do not.
		t.sum[k] = t.reg[k]
		if c.inverse > 0 {
			t.sum[k] = edges*uint64(c.inverse) - t.reg[k]
		}
	}
	return nil
}

// Counts is the counts up to now. Error: that of Read.
func (t *Total) Counts() (*Counts, error) {
	if err := t.Read(); err != nil {
		return nil, err
	}
	c := &Counts{Version: version, Design: t.instrumented.top, Cycles: t.s.Cycles(), Lines: t.instrumented.lines(t.sum)}
	var err error
	c.Toggles, err = t.instrumented.changed(t.s)
	return c, err
}

// lines adds up the counters by line.
func (in *Instrumented) lines(by []uint64) (list []Line) {
	at := map[Line]int{}
	for _, q := range in.points {
		n := uint64(0)
		for _, k := range q.plus {
			n += by[k]
		}
		for _, k := range q.minus {
			n -= by[k]
		}

		// A position may stand for several lines, one of which called the next.
		files := q.mod.Src.AllPortable(q.pos)
		for i, path := range q.mod.Src.All(q.pos) {
			l := Line{File: files[i].File, Path: path.File, Line: path.Line, Kind: q.kind, Module: q.mod.Name, Name: q.name}
			k, ok := at[l]
			if !ok {
				k = len(list)
				at[l] = k
				list = append(list, l)
			}
			list[k].Count += n
		}
	}

	slices.SortFunc(list, compare)
	return list
}

// changed reads the watches of all instances. A change at the last edge is not yet in their registers.
func (in *Instrumented) changed(s Simulator) (list []Toggle, err error) {
	for _, t := range in.toggles {
		width := t.mod.Width(t.id)
		rose, fell := bits.Zero(width), bits.Zero(width)

		// look adds the bits that one instance's watch has seen.
		look := func(path string, of *toggle) {
			read := func(id ir.ID) bits.Value {
				sig, e := s.NodeOf(path, id)
				if e != nil {
					err = fmt.Errorf("cover: %w", e)
					return bits.Zero(of.mod.Width(id))
				}
				return s.GetBits(sig)
			}
			now := read(of.id)
			if begin := of.by.begin; begin.Width() > 0 {
				// The last edge's value counts as in the registers; then bits by their direction.
				was, other := read(of.by.left), now.Xor(begin)
				back := read(of.by.back).Or(was.And(other.Not()))
				left := was.Or(other)
				rose = rose.Or(left.And(begin.Not())).Or(back.And(begin))
				fell = fell.Or(left.And(begin)).Or(back.And(begin.Not()))
				return
			}

			// A watch without a known begin: before the first edge, prev is no value of the signal.
			prev := read(of.by.prev)
			rose, fell = rose.Or(read(of.by.rose)), fell.Or(read(of.by.fell))
			if !read(of.by.begun).IsZero() {
				rose, fell = rose.Or(now.And(prev.Not())), fell.Or(prev.And(now.Not()))
			}
		}

		// A port without registers of its own is counted by the registers of the signals that drive
		// it.
		for _, from := range t.same {
			look(from.path, &in.toggles[from.toggle])
		}
		if t.same == nil {
			for _, at := range in.instances[t.mod] {
				look(at.path, &t)
			}
		}
		if err != nil {
			return nil, err
		}

		list = append(list, toggleOf(t.mod, t.name, t.pos, rose, fell))
	}
	slices.SortStableFunc(list, compareToggles)
	return list, nil
}

// toggleOf is the toggle of a signal of a module.
func toggleOf(m *ir.Module, name string, pos ir.Pos, rose, fell bits.Value) Toggle {
	l := Toggle{Module: m.Name, Name: name, Width: rose.Width(), Rose: rose.String(), Fell: fell.String()}
	if files := m.Src.AllPortable(pos); len(files) > 0 {
		l.File, l.Line, l.Path = files[0].File, files[0].Line, m.Src.All(pos)[0].File
	}
	return l
}

// findInstances finds the instances of each module.
func (in *Instrumented) findInstances() {
	in.instances = map[*ir.Module][]*instance{}
	var visit func(at *instance) *instance
	visit = func(at *instance) *instance {
		in.instances[at.mod] = append(in.instances[at.mod], at)
		for i, inst := range at.mod.Insts {
			path := inst.Name
			if at.path != "" {
				path = at.path + "." + path
			}
			at.down = append(at.down, visit(&instance{mod: inst.Mod, path: path, up: at, at: i}))
		}
		return at
	}
	visit(&instance{mod: in.Design.Top})
}

// compare orders lines by file, line, kind, module and name.
func compare(a, b Line) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Module, b.Module), cmp.Compare(a.Name, b.Name))
}

func compareToggles(a, b Toggle) int {
	return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Name, b.Name))
}
