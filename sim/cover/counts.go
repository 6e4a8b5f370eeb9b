package cover

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// Counts is the counts of a run, or of several.
type Counts struct {
	Version int      `json:"version"`
	Name    string   `json:"name"`   // of the test
	Design  string   `json:"design"` // the name of the top
	Cycles  uint64   `json:"cycles"`
	Lines   []Line   `json:"lines"`             // by file, line, kind, module and name
	Toggles []Toggle `json:"toggles,omitempty"` // by module and name
}

// Kind is the sort of a count.
type Kind string

// The kinds of counts.
const (
	Set        Kind = "set"        // a statement that gives a value, or writes, prints or stops
	True       Kind = "true"       // a condition that held where it mattered
	False      Kind = "false"      // one that did not
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
	Name   string `json:"name,omitempty"` // phase.idle of a state, phase.idle → run of a transition
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
const version = 2

// Of is Count of all parts.
func Of(r *sim.Recording, d *ir.Design) (*Counts, error) { return Count(r, d, All) }

// Recorded is a recorded run, as [sim.Recording] or [sim.Player].
type Recorded interface {
	PlayerOn(d *ir.Design) (*sim.Player, error)
}

// Count replays a run of a design, and counts the given parts. Errors: it cannot be replayed from its
// begin.
func Count(r Recorded, d *ir.Design, parts Parts) (*Counts, error) {
	total := newSum()
	stage := Parts{Toggles: true, settled: map[signal]bool{}}
	end := uint64(firstEnd)
	if !parts.Toggles {
		stage, end = parts, math.MaxUint64
	}

	// Bits that have risen and fallen need no watch, and most do so early: the run's begin is replayed
	// with all watches, then ever longer with those that are left. The last replay is of the whole run
	// and counts the branches.
	for {
		c, whole, err := part(r, d, stage, end)
		if err != nil {
			return nil, err
		}
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
		if end *= longer; whole || end > lastEnd {
			stage.Branches, stage.Toggles, end = parts.Branches, !whole, math.MaxUint64
		}
	}
}

// The replays of a run's begin: the cycles of the first and at most those of the last, each so many
// times longer than the one before.
const (
	firstEnd = 512
	lastEnd  = 1 << 17
	longer   = 16
)

// part replays a run up to an end, whole if it is not longer.
func part(r Recorded, d *ir.Design, parts Parts, end uint64) (_ *Counts, whole bool, err error) {
	plan := New(d, parts)
	p, err := r.PlayerOn(plan.Design)
	if err != nil {
		return nil, false, err
	}
	s := p.Sim()
	defer s.Close()

	// The counters are read before they can have wrapped around twice.
	t := plan.Total(s)
	at, last := p.Cycles()
	for end = min(end, last); at < end; {
		at = min(at+readEvery, end)
		if err := p.Forward(at); err != nil {
			return nil, false, err
		}
		if err := t.Read(); err != nil {
			return nil, false, err
		}
	}
	c, err := t.Counts()
	return c, end == last, err
}

// readEvery is the number of cycles between readings. A cycle has at most one edge of a clock, or of
// a derived one.
const readEvery = 1 << (counterBits - 1)

// Simulator is a simulator of a plan's design after its run.
type Simulator interface {
	Cycles() uint64
	NodeOf(instance string, id ir.ID) (sim.Signal, error)
	GetBits(sig sim.Signal) bits.Value
}

// Lane is one lane of simulators in lock step as a [Simulator].
type Lane struct {
	*sim.Lanes
	At int
}

// GetBits reads the lane.
func (l Lane) GetBits(sig sim.Signal) bits.Value { return l.Lanes.GetBits(sig, l.At) }

// Total adds up the counters of a simulator of the plan's Design.
func (p *Plan) Total(s Simulator) *Total {
	return &Total{plan: p, s: s, last: map[reading]uint32{}, sum: make([]uint64, len(p.counters))}
}

// Total is the counts of a run. Counters have 32 bits: Read is called at least every 2^31 cycles.
type Total struct {
	plan *Plan
	s    Simulator
	last map[reading]uint32
	sum  []uint64 // by counter
}

// reading is a counter in an instance.
type reading struct {
	counter int
	path    string
}

// Read adds the counts since the last call. Error: the simulator is one of
// another design.
func (t *Total) Read() error {
	for k, c := range t.plan.counters {
		if c.reg == ir.None {
			t.sum[k] = t.s.Cycles() * uint64(len(t.plan.instances[c.mod]))
			continue
		}
		for _, of := range t.plan.instances[c.mod] {
			sig, err := t.s.NodeOf(of.path, c.reg)
			if err != nil {
				return fmt.Errorf("cover: %w", err)
			}
			now, at := uint32(t.s.GetBits(sig).Uint64()), reading{k, of.path}
			t.sum[k] += uint64(now - t.last[at])
			t.last[at] = now
		}
	}
	return nil
}

// Counts is the counts up to now. Error: that of Read.
func (t *Total) Counts() (*Counts, error) {
	if err := t.Read(); err != nil {
		return nil, err
	}
	c := &Counts{Version: version, Design: t.plan.top, Cycles: t.s.Cycles(), Lines: t.plan.lines(t.sum)}
	var err error
	c.Toggles, err = t.plan.changed(t.s)
	return c, err
}

// lines adds up the counters by line.
func (p *Plan) lines(by []uint64) (list []Line) {
	at := map[Line]int{}
	for _, q := range p.points {
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

// changed reads the watches of all instances. A change at the last edge is not yet in rose and fell:
// it is the difference between prev and the value.
func (p *Plan) changed(s Simulator) (list []Toggle, err error) {
	for _, t := range p.toggles {
		width := t.mod.Width(t.id)
		rose, fell := bits.Zero(width), bits.Zero(width)
		look := func(path string, of *toggle) {
			read := func(id ir.ID) bits.Value {
				sig, e := s.NodeOf(path, id)
				if e != nil {
					err = fmt.Errorf("cover: %w", e)
					return bits.Zero(of.mod.Width(id))
				}
				return s.GetBits(sig)
			}
			now, prev := read(of.id), read(of.by.prev)
			rose, fell = rose.Or(read(of.by.rose)), fell.Or(read(of.by.fell))
			if !read(of.by.begun).IsZero() {
				rose, fell = rose.Or(now.And(prev.Not())), fell.Or(prev.And(now.Not()))
			}
		}
		// A port without registers of its own has those of the signals that drive it.
		for _, from := range t.same {
			look(from.path, &p.toggles[from.toggle])
		}
		if t.same == nil {
			for _, at := range p.instances[t.mod] {
				look(at.path, &t)
			}
		}
		if err != nil {
			return nil, err
		}

		l := Toggle{Module: t.mod.Name, Name: t.name, Width: width, Rose: rose.String(), Fell: fell.String()}
		if files := t.mod.Src.AllPortable(t.pos); len(files) > 0 {
			l.File, l.Line, l.Path = files[0].File, files[0].Line, t.mod.Src.All(t.pos)[0].File
		}
		list = append(list, l)
	}
	slices.SortStableFunc(list, compareToggles)
	return list, nil
}

// places finds the instances of each module.
func (p *Plan) places() {
	p.instances = map[*ir.Module][]*place{}
	var visit func(at *place) *place
	visit = func(at *place) *place {
		p.instances[at.mod] = append(p.instances[at.mod], at)
		for i, inst := range at.mod.Insts {
			path := inst.Name
			if at.path != "" {
				path = at.path + "." + path
			}
			at.down = append(at.down, visit(&place{mod: inst.Mod, path: path, up: at, at: i}))
		}
		return at
	}
	visit(&place{mod: p.Design.Top})
}

// compare orders lines by file, line, kind, module and name.
func compare(a, b Line) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Module, b.Module), cmp.Compare(a.Name, b.Name))
}

func compareToggles(a, b Toggle) int {
	return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Name, b.Name))
}
