package lanes

import (
	"fmt"
	"io"
	"runtime"

	"etch/ir"
	"etch/sim"
	"etch/sim/internal/drive"
	"etch/sim/internal/program"
	"etch/sim/lanes/internal/code"
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
// Handles of signals and memories belong to one design: get them from Signal, Mem and Top.
// Trace writes the waves of a lane, Copy moves its state into a Sim. A design with black boxes
// that a Model runs, or one that is too large, is interpreted lane by lane.
//
// Lanes is not safe for concurrent use; with WithWorkers, Step itself uses several goroutines.
type Lanes struct {
	*common
	closed bool
	output io.Writer // of prints
	name   string    // of the engine

	failures []Failure // the first sim.MaxFailures
	stops    []Stop    // the first of each lane
	failed   uint64    // all failures
	err      error     // the first of prints, tracers, memories
}

// WithWorkers lets Lanes use up to k goroutines, each for groups of its own; 0 is one per
// processor. sim.New ignores it. Results do not depend on it.
func WithWorkers(k int) sim.Option {
	return func(c *drive.Config) {
		if c.Workers = k; k <= 0 {
			c.Workers = runtime.GOMAXPROCS(0)
		}
	}
}

// Max is the largest number of lanes.
const Max = 1 << 20

// New makes n instances of d, all at power-up. With sim.WithSeed(s), lane i starts like a Sim with
// seed s + i; without, all lanes start alike. Printed lines begin with the lane's number.
// sim.WithEngine(sim.Native) runs lanes one after the other in shared machine code,
// sim.WithEngine(sim.Interpreter) interprets them. Errors: those of sim.New; n is not in 1 to Max;
// the state of all lanes exceeds sim.MaxWords.
func New(d *ir.Design, n int, opts ...sim.Option) (*Lanes, error) {
	c := drive.Configure(opts)
	if n < 1 || n > Max {
		return nil, fmt.Errorf("sim: %d lanes: 1 to %d can be made", n, Max)
	}
	l := &Lanes{common: &common{n: n, seed: c.Seed, seeded: c.Seeded}, output: c.Output}

	// One simulator serves all lanes: it resolves names and interprets the lanes that machine code
	// cannot run. Its own output and engine are of no use.
	alone := c
	alone.Output, alone.Engine = io.Discard, drive.Interpreter
	m, err := drive.Make(d, alone)
	if err != nil {
		return nil, err
	}

	l.one, l.m = sim.Of(m), m
	l.edges = l.none()
	for k := range l.m.P.Clocks {
		l.edges[k] = 1
	}
	if err := l.room(); err != nil {
		return nil, err
	}
	for range c.Workers {
		l.worker = append(l.worker, code.NewWorker())
	}
	if err := l.start(c); err != nil {
		return nil, err
	}

	l.Restart()
	if g, ok := l.engine.(*grouped); ok {
		choiceOf(c).impose(g)
	}
	return l, nil
}

// start chooses and makes the engine.
func (l *Lanes) start(c drive.Config) error {
	// Groups have no pages for large memories: each lane becomes a simulator.
	large := l.m.St.Large.Any()
	if c.Engine == drive.Auto && !large {
		if g := newGrouped(l.common, c); g != nil {
			l.engine, l.name = g, g.target.Name
			return nil
		}
	}

	// One by one, machine code is for large memories, and where the compiler of groups failed.
	if c.Engine == drive.Auto {
		c.Engine = drive.Interpreter
		if (large || l.faults > 0 && len(l.m.P.Boxes) == 0) && drive.Supported() {
			c.Engine, c.Lenient = drive.Native, true
		}
	}
	c.Seeded = l.seeded
	sims, err := l.singly(c)
	if err != nil {
		return err
	}
	l.engine, l.name = &singles{common: l.common, sims: sims}, c.Engine.String()
	return nil
}

// room checks the size of the state of all lanes.
func (l *common) room() error {
	words := int(l.m.P.Leaves)
	for i := range l.m.P.Mems {
		words += l.m.P.Mems[i].Room()
	}
	if words > program.MaxWords/l.n {
		return fmt.Errorf("sim: %d lanes of %s would take more than %d words of state", l.n, l.m.P.Design.Top.Name, program.MaxWords)
	}
	return nil
}

// Len returns the number of lanes.
func (l *Lanes) Len() int { return l.n }

// Design returns the design as given, nets included.
func (l *Lanes) Design() *ir.Design { return l.m.P.Source }

// Signal returns the port or named node with a full name, like Sim.Signal.
func (l *Lanes) Signal(path string) (sim.Signal, error) { return l.one.Signal(path) }

// Top returns the ports of the top, in the order of its Ports.
func (l *Lanes) Top() []sim.Signal { return l.one.Top() }

// NodeOf returns node id of the instance at a path, like Sim.NodeOf.
func (l *Lanes) NodeOf(instance string, id ir.ID) (sim.Signal, error) {
	return l.one.NodeOf(instance, id)
}

// Engine returns the name of the engine: "avx2", "avx512", "neon" on arm64, "portable" for
// vector code executed in Go, or the name of a sim.Engine if every lane is a simulator of its own.
func (l *Lanes) Engine() string { return l.name }

// Err returns the first error of writing prints, of a tracer, or of large memories over their
// limit; nil without one.
func (l *Lanes) Err() error {
	// Tracers and lanes that are simulators keep errors of their own.
	for _, tr := range l.traced {
		if l.err == nil {
			l.err = tr.Err()
		}
	}
	if l.err == nil && !l.closed {
		l.err = l.engine.failure()
	}
	return l.err
}

// Close frees machine code. Only Failures and Err may be called afterwards.
func (l *Lanes) Close() error {
	var first error
	if l.closed {
		return nil
	}

	// The first error is kept; everything is closed.
	keep := func(err error) {
		if first == nil {
			first = err
		}
	}
	l.err = l.Err()
	l.engine.close(keep)
	for _, tr := range l.traced {
		keep(tr.Close())
	}

	l.engine, l.traced, l.closed = nil, nil, true
	return first
}
