package sim

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"etch/ir"
	"etch/sim/lanes"
)

// Lanes runs many instances of a design side by side: each has its inputs and its
// state, all make the same cycles. An instance is a lane, numbered from 0. A vector
// is one bit, or part of one word, of all lanes of a group, so that a gate is an
// instruction for hundreds of them; a cycle of one lane costs a small part of what it
// costs a Sim, and its results are equal.
//
// Where lanes are often in one control state, as processors with one program and like
// data are, and many cycles are made at a time, such states get code of their own,
// after some milliseconds. Where lanes have control states that each goes through in
// its own way, they are run one after the other if that is found to be faster, many
// cycles each, in the code of a Sim that all of them share.
//
// Handles of signals and memories are those of one design: get them from Signal,
// Mem and Top. Trace writes the waves of a lane, and its state goes into a Sim with
// Copy. A design with black boxes
// that a Model runs, or one that is too large, is interpreted lane by lane.
//
// Lanes is not safe for concurrent use; WithWorkers has Step use several
// goroutines itself.
type Lanes struct {
	n      int
	closed bool
	one    *Sim // its names, and the lane that is interpreted
	output io.Writer
	seed   uint64
	seeded bool
	edges  []byte // of all clocks
	heard  bool   // statements of groups may have left something behind
	cycles uint64
	engine string // its name

	laneForm
	target lanes.Target
	groups []*laneGroup
	study  *laneStudy // of the event of all clocks; nil: there is nothing to study
	outs   []laneOut
	outAt  map[uint32]int // number of an output word among the words of the layout
	worker []*lanes.Worker
	mu     sync.Mutex // of one, while groups run

	sims   []*Sim // of lanes one by one, in place of groups
	traced []tracedLane

	failures []LaneFailure
	stops    []LaneStop
	failed   uint64
	err      error
}

// laneGroup is the lanes of a vector.
type laneGroup struct {
	*lanes.Group
	first int  // lane
	stale bool // outputs, and what asynchronous resets hold, are out of date
	log   laneLog

	before, after []uint64 // of refresh: registers with asynchronous reset
}

// WithWorkers has Lanes use up to k goroutines, each for groups of lanes of its
// own; 0: as many as there are processors. New ignores it. Results do not depend
// on it.
func WithWorkers(k int) Option {
	return func(c *config) {
		if c.workers = k; k <= 0 {
			c.workers = runtime.GOMAXPROCS(0)
		}
	}
}

// MaxLanes is the largest number of lanes.
const MaxLanes = 1 << 20

// NewLanes makes n instances of d, all at power-up: with WithSeed(s), lane i starts
// as a Sim does with WithSeed(s + i), without it all start alike. Prints go out
// with the number of the lane before them. WithEngine(Native) runs
// lanes one after the other, in one machine code, WithEngine(Interpreter) interprets
// them. Errors: those of New; n is not in
// 1 to MaxLanes; the memories of all lanes together are larger than MaxWords.
func NewLanes(d *ir.Design, n int, opts ...Option) (*Lanes, error) {
	c := configure(opts)
	if n < 1 || n > MaxLanes {
		return nil, fmt.Errorf("sim: %d lanes: 1 to %d can be made", n, MaxLanes)
	}
	l := &Lanes{n: n, output: c.output, seed: c.seed, seeded: c.seeded}
	one, err := New(d, append(opts[:len(opts):len(opts)], WithOutput(io.Discard), WithEngine(Interpreter))...)
	if err != nil {
		return nil, err
	}
	l.one = one
	l.edges = l.none()
	for k := range one.p.clocks {
		l.edges[k] = 1
	}
	if err := l.room(); err != nil {
		return nil, err
	}
	for range c.workers {
		l.worker = append(l.worker, lanes.NewWorker())
	}
	large := one.large.any() // groups have no pages: each lane is a simulator
	if c.engine == Auto && !large {
		if err := l.compile(lanes.Best(features)); err != nil {
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
	return l, nil
}

// room checks the size of all lanes.
func (l *Lanes) room() error {
	words := int(l.one.p.leaves)
	for i := range l.one.p.mems {
		words += l.one.p.mems[i].room()
	}
	if words > MaxWords/l.n {
		return fmt.Errorf("sim: %d lanes of %s would take more than %d words of state", l.n, l.one.p.design.Top.Name, MaxWords)
	}
	return nil
}

// compile makes groups, and the programs of outputs and of an event of all clocks,
// in the form that is cheaper; it leaves groups nil for a design that has to be
// interpreted.
func (l *Lanes) compile(t lanes.Target) error {
	l.outs = l.one.laneOuts()
	n, err := l.one.p.laneNet(nil, l.outs)
	if err != nil {
		return nil // black boxes, and what engines do not take: interpreted
	}
	step, err := l.one.p.laneNet(l.all(), l.outs)
	if err != nil {
		return nil
	}
	l.target = t
	for _, layout := range layouts(step.Net, step.roms) {
		l.try(n, step, layout)
	}
	if l.look == nil {
		l.try(n, step, lanes.NewLayout(step.Net, step.roms, lanes.Sliced))
	}
	if l.look == nil {
		return nil
	}
	l.outAt = map[uint32]int{}
	for k, o := range l.outs {
		l.outAt[o.slot] = len(n.Regs) - len(l.outs) + k
	}
	l.groups = l.newGroups(l.layout)
	l.study = l.newLaneStudy(step)
	return nil
}

// maxLaneBytes bounds the state of all groups, whose lanes are there whether they
// are wanted or not. Package lanes takes less than 2 GB a group.
const maxLaneBytes = 8 * MaxWords

// try compiles the nets of outputs and of an event of all clocks in one layout, and
// takes it if it is the cheapest so far. What cannot be compiled is left.
func (l *Lanes) try(n, step *netlist, layout *lanes.Layout) {
	if !l.holds(layout) {
		return
	}
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

// all is the set of all clocks. It may not be changed.
func (l *Lanes) all() []byte { return l.edges }

// none is the set of no edges.
func (l *Lanes) none() []byte { return make([]byte, l.one.p.edgeCount()) }

// errManyClocks is why an event of yet another set of clocks is interpreted.
var errManyClocks = errors.New("sim: lanes have programs for enough sets of clocks")

// event returns the program of an event of the clocks that on marks.
func (l *Lanes) event(on []byte) (*lanes.Program, error) {
	if p, ok := l.events[string(on)]; ok {
		return p, nil
	}
	if len(l.events) >= maxBodies {
		return nil, errManyClocks
	}
	n, err := l.one.p.laneNet(on, l.outs)
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
func (l *Lanes) Design() *ir.Design { return l.one.p.source }

// Signal returns the port or named node of that full name, as Sim.Signal does.
func (l *Lanes) Signal(path string) (Signal, error) { return l.one.Signal(path) }

// Top returns the ports of the top, parallel to its Ports.
func (l *Lanes) Top() []Signal { return l.one.Top() }

// NodeOf returns node id of the instance of that path, as Sim.NodeOf does.
func (l *Lanes) NodeOf(instance string, id ir.ID) (Signal, error) { return l.one.NodeOf(instance, id) }

// Engine returns the name of what runs the lanes: "avx2", "avx512", "neon" on arm64,
// "portable" for vector code executed in Go, or the name of an Engine when every
// lane is a simulator of its own.
func (l *Lanes) Engine() string {
	return l.engine
}

// Err returns the first error of writing prints, of a tracer or of large memories that
// are over their limit, nil if there was none.
func (l *Lanes) Err() error {
	for _, tr := range l.traced {
		if l.err == nil {
			l.err = tr.sim.Err()
		}
	}
	for lane, s := range l.sims {
		if err := s.large.err; l.err == nil && err != nil {
			l.err = fmt.Errorf("lane %d: %w", lane, err)
		}
	}
	return l.err
}

// Close frees machine code. Nothing but Failures and Err may be called after it.
func (l *Lanes) Close() error {
	var first error
	keep := func(err error) {
		if first == nil {
			first = err
		}
	}
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
