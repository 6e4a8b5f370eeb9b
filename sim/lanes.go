package sim

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"etch/ir"
	"etch/sim/choose"
	"etch/sim/internal/nets"
	"etch/sim/internal/program"
	"etch/sim/lanes"
)

// Lanes runs many instances of a design side by side, all in the same cycles, each with its own
// inputs and state. An instance is a lane, numbered from 0. Lanes are processed in groups: a
// vector holds one bit, or part of one word, of all lanes of a group, so one instruction
// computes a gate for hundreds of lanes. The results equal those of a Sim at a small part of its
// cost per lane.
//
// Lanes often share a control state, like processors with one program and similar data. Over
// long runs such states get code of their own. Lanes whose control states diverge are run one after
// the other if that is measured to be faster: many cycles each, in the code of a Sim shared by all.
//
// Handles of signals and memories are those of one design: get them from Signal, Mem and Top.
// Trace writes the waves of a lane, Copy moves its state into a Sim. A design with black boxes
// that a Model runs, or one that is too large, is interpreted lane by lane.
//
// Lanes is not safe for concurrent use; with WithWorkers, Step itself uses several goroutines.
type Lanes struct {
	n      int
	closed bool
	one    *Sim // provides names, and interprets a lane
	output io.Writer
	seed   uint64
	seeded bool
	edges  []byte // all clocks
	heard  bool   // statements of groups may have results to collect
	cycles uint64
	engine string // its name

	laneForm
	target lanes.Target
	groups []*laneGroup
	study  *laneStudy // of the event of all clocks; nil: nothing to study
	outs   []nets.LaneOut
	outAt  map[uint32]int // by slot of an output word: its number in the layout
	worker []*lanes.Worker
	mu     sync.Mutex // guards one while groups run

	sims   []*Sim // simulators of single lanes, instead of groups
	traced []tracedLane

	failures []LaneFailure
	stops    []LaneStop
	failed   uint64
	err      error
}

// laneGroup is the lanes of one vector.
type laneGroup struct {
	*lanes.Group
	first int  // first lane
	stale bool // outputs and asynchronous resets are out of date
	log   laneLog

	before, after []uint64 // for refresh: registers with asynchronous reset
}

// WithWorkers lets Lanes use up to k goroutines, each for groups of its own; 0 is one per
// processor. New ignores it. Results do not depend on it.
func WithWorkers(k int) Option {
	return func(c *config) {
		if c.workers = k; k <= 0 {
			c.workers = runtime.GOMAXPROCS(0)
		}
	}
}

// MaxLanes is the largest number of lanes.
const MaxLanes = 1 << 20

// NewLanes makes n instances of d, all at power-up. With WithSeed(s), lane i starts like a Sim
// with WithSeed(s + i); without, all lanes start alike. Printed lines begin with the lane's
// number. WithEngine(Native) runs lanes one after the other in shared machine code,
// WithEngine(Interpreter) interprets them. Errors: those of New; n is not in 1 to MaxLanes; the
// memories of all lanes exceed MaxWords.
func NewLanes(d *ir.Design, n int, opts ...Option) (*Lanes, error) {
	c := configure(opts)
	if n < 1 || n > MaxLanes {
		return nil, fmt.Errorf("sim: %d lanes: 1 to %d can be made", n, MaxLanes)
	}
	l := &Lanes{n: n, output: c.output, seed: c.seed, seeded: c.seeded}

	// One simulator serves all lanes: it resolves names and interprets the lanes that machine code
	// cannot run. Its own output and engine are of no use.
	one, err := New(d, append(opts[:len(opts):len(opts)], WithOutput(io.Discard), WithEngine(Interpreter))...)
	if err != nil {
		return nil, err
	}

	l.one = one
	l.edges = l.none()
	for k := range one.p.Clocks {
		l.edges[k] = 1
	}
	if err := l.room(); err != nil {
		return nil, err
	}
	for range c.workers {
		l.worker = append(l.worker, lanes.NewWorker())
	}

	// Groups have no pages for large memories: each lane becomes a simulator.
	large := one.st.Large.Any()
	if c.engine == Auto && !large {
		if err := l.compile(c); err != nil {
			return nil, err
		}
	}

	l.engine = l.target.Name
	if l.groups == nil {
		if c.engine == Auto {
			c.engine = Interpreter
			if large && one.native() {
				c.engine = Native
			}
		}
		l.engine = c.engine.String()
		c.seeded = l.seeded
		if l.sims, err = l.singly(c); err != nil {
			return nil, err
		}
	}

	l.Restart()
	c.lanes.impose(l)
	return l, nil
}

// room checks the size of the state of all lanes.
func (l *Lanes) room() error {
	words := int(l.one.p.Leaves)
	for i := range l.one.p.Mems {
		words += l.one.p.Mems[i].Room()
	}
	if words > program.MaxWords/l.n {
		return fmt.Errorf("sim: %d lanes of %s would take more than %d words of state", l.n, l.one.p.Design.Top.Name, program.MaxWords)
	}
	return nil
}

// compile makes the groups, and programs for the outputs and for an event of all clocks, in the
// cheapest form. groups stays nil for designs that must be interpreted.
func (l *Lanes) compile(c config) error {
	l.outs = l.one.laneOuts()

	// A net without clocks computes the outputs alone, for reading between events.
	n, err := nets.ForLanes(l.one.p, nil, l.outs)
	if err != nil {
		return nil // black boxes, or ops that engines do not take: interpreted
	}
	step, err := nets.ForLanes(l.one.p, l.all(), l.outs)
	if err != nil {
		return nil
	}

	// Try every form; if none fits, the sliced one alone.
	l.target = c.lanes.target()
	for _, layout := range c.lanes.layouts(step.Net, step.Roms) {
		l.try(n, step, layout)
	}
	if l.look == nil {
		l.try(n, step, lanes.NewLayout(step.Net, step.Roms, lanes.Sliced))
	}
	if l.look == nil {
		return nil
	}

	// Registers of the net come in the order of the layout, and the outputs are its last ones.
	l.outAt = map[uint32]int{}
	for k, o := range l.outs {
		l.outAt[o.Slot] = len(n.Regs) - len(l.outs) + k
	}
	l.groups = l.newGroups(l.layout)
	l.study = l.newLaneStudy(step, cmp.Or(c.policy, choose.Standard()))
	return nil
}

// maxLaneBytes bounds the state of all groups, whose vectors are always full. Package lanes
// needs less than 2 GB per group.
const maxLaneBytes = 8 * program.MaxWords

// try compiles both nets in one layout, and keeps them if they are the cheapest so far. It skips
// layouts that cannot be compiled.
func (l *Lanes) try(n, step *nets.Netlist, layout *lanes.Layout) {
	if !l.holds(layout) {
		return
	}

	// Both nets must fit; the cost of the event decides.
	look, err := lanes.Compile(n.Net, layout, l.target)
	if err != nil {
		return
	}
	event, err := lanes.Compile(step.Net, layout, l.target)
	if err != nil {
		look.Close()
		return
	}

	all := string(l.all())
	if l.look != nil {
		if worse := l.events[all].Cost() <= event.Cost(); worse {
			look.Close()
			event.Close()
			return
		}

		l.look.Close()
		l.events[all].Close()
	}

	l.laneForm = laneForm{layout, look, map[string]*lanes.Program{all: event}}
}

// all is the set of all clocks. It must not be changed.
func (l *Lanes) all() []byte { return l.edges }

// none is the empty set of edges.
func (l *Lanes) none() []byte { return make([]byte, l.one.p.EdgeCount()) }

// errManyClocks is the reason why an event of a further clock set is interpreted.
var errManyClocks = errors.New("sim: lanes have programs for enough sets of clocks")

// event returns the program for an event of the clocks marked in on.
func (l *Lanes) event(on []byte) (*lanes.Program, error) {
	// Programs are compiled at the first event of their set, up to a bound that keeps memory small.
	if p, ok := l.events[string(on)]; ok {
		return p, nil
	}
	if len(l.events) >= maxBodies {
		return nil, errManyClocks
	}

	n, err := nets.ForLanes(l.one.p, on, l.outs)
	if err != nil {
		return nil, err
	}
	p, err := lanes.Compile(n.Net, l.layout, l.target)
	if err != nil {
		return nil, err
	}
	l.events[string(on)] = p
	return p, nil
}

// Len returns the number of lanes.
func (l *Lanes) Len() int { return l.n }

// Design returns the design that l runs.
func (l *Lanes) Design() *ir.Design { return l.one.p.Source }

// Signal returns the port or named node with a full name, like Sim.Signal.
func (l *Lanes) Signal(path string) (Signal, error) { return l.one.Signal(path) }

// Top returns the ports of the top, in the order of its Ports.
func (l *Lanes) Top() []Signal { return l.one.Top() }

// NodeOf returns node id of the instance at a path, like Sim.NodeOf.
func (l *Lanes) NodeOf(instance string, id ir.ID) (Signal, error) { return l.one.NodeOf(instance, id) }

// Engine returns the name of the engine: "avx2", "avx512", "neon" on arm64, "portable" for
// vector code executed in Go, or the name of an Engine if every lane is a simulator of its own.
func (l *Lanes) Engine() string {
	return l.engine
}

// Err returns the first error of writing prints, of a tracer, or of large memories over their
// limit; nil without one.
func (l *Lanes) Err() error {
	// Tracers and lanes that are simulators keep errors of their own.
	for _, tr := range l.traced {
		if l.err == nil {
			l.err = tr.sim.Err()
		}
	}
	for lane, s := range l.sims {
		if err := s.st.Large.Err; l.err == nil && err != nil {
			l.err = fmt.Errorf("lane %d: %w", lane, err)
		}
	}
	return l.err
}

// Close frees machine code. Only Failures and Err may be called afterwards.
func (l *Lanes) Close() error {
	var first error

	// The first error is kept; everything is closed.
	keep := func(err error) {
		if first == nil {
			first = err
		}
	}

	// A study owns the home form and the bodies' form, and the present form is one of the two:
	// closing the form itself would free programs twice.
	if l.study != nil {
		l.study.home.close(keep)
		l.study.bodies.close(keep)
	} else {
		l.laneForm.close(keep)
	}
	for _, s := range l.sims {
		keep(s.Close())
	}
	for _, tr := range l.traced {
		keep(tr.sim.Close())
	}

	l.err = l.Err()
	l.laneForm, l.study, l.groups, l.sims, l.traced, l.closed = laneForm{}, nil, nil, nil, nil, true
	return first
}
