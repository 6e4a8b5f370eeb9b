package sim

import (
	"cmp"
	"errors"
	"io"
	"os"

	"etch/ir"
	"etch/sim/choose"
	"etch/sim/internal/interp"
	"etch/sim/internal/program"
	"etch/sim/internal/switches"
)

// Sim is a running design. It is not safe for concurrent use.
type Sim struct {
	p      *program.Program
	st     interp.State
	dirty  bool // combinational values are out of date
	looked bool // the signals of the view are up to date all the same
	boxed  bool // inputs and outputs of black boxes are up to date all the same
	// pending: registers may not show an asynchronous reset yet
	pending bool
	moved   uint64 // changes of state by others than machine code
	version uint64 // counts changes of inputs and state
	born    uint64 // version at power-up

	engine
	timeline
	log
	tracers   []Tracer
	recording *Recording // nil: nobody asked for one

	beforeFall func() // a Player's: called before registers move at a falling edge
	bulk       bulk
	err        error

	told  rising // the clocks last given to tracers
	set   []byte // scratch: a set of clocks
	top   []Signal
	names map[*ir.Module]*scopeNames
}

type config struct {
	seed    uint64
	seeded  bool
	output  io.Writer
	models  []program.ModelOption
	plain   bool
	policy  *choose.Policy // of machine code; nil: the standard one, or that of Lockstep
	engine  Engine
	lenient bool // see engine
	pack    int  // slots from which a memory is large
	limit   int  // bytes of large memories

	workers int // of Lanes
	lanes   LaneChoice
}

// Option is an option of New; nil has no effect.
type Option func(*config)

// configure applies options to the defaults.
func configure(opts []Option) config {
	c := config{output: os.Stdout, workers: 1, pack: cmp.Or(switches.Packing(), defaultPacking), limit: defaultLimit}
	for _, o := range opts {
		if o != nil {
			o(&c)
		}
	}
	if c.output == nil {
		c.output = io.Discard
	}
	return c
}

// WithSeed starts registers, read data and memories without initial value at random instead of
// 0; packed memories (see WithPacking) only up to 16 MiB. A register or memory of one full name
// and width starts equally for equal seeds, in any Sim. State inside black boxes starts as 0
// nonetheless: their own Verilog decides on its start.
func WithSeed(seed uint64) Option {
	return func(c *config) { c.seed, c.seeded = seed, true }
}

// WithOutput sends the text of print statements to w instead of os.Stdout, or nowhere if w is
// nil. Each statement is one Write, in order; all are done when the call that ran the cycles
// returns. Machine code may be ahead meanwhile: in a Write, Cycles and Time are those of the
// statement, but signals may have values of a later cycle.
func WithOutput(w io.Writer) Option { return func(c *config) { c.output = w } }

// WithModel gives the behaviour of a black box: make is called for each of its instances, and
// again by Restart. module is the name of the ir module, or of the Verilog module it stands for.
// A Model takes precedence over a body.
func WithModel(module string, make func() program.Model) Option {
	return func(c *config) { c.models = append(c.models, program.ModelOption{Module: module, Make: make}) }
}

var errNoDesign = errors.New("sim: there is no design: it is nil, or has no top")

// New makes a simulator of d, in its state at power-up. The design must pass [ir.Verify].
// Errors: there is no design; a combinational loop, with its path; a clock that is not a clock
// input of the top; a black box without behaviour; a hierarchy or memories larger than MaxNodes,
// MaxWords or MaxLarge.
func New(d *ir.Design, opts ...Option) (*Sim, error) {
	if d == nil || d.Top == nil {
		return nil, errNoDesign
	}

	c := configure(opts)
	p, models, err := program.Compile(d, c.models, c.pack)
	if err != nil {
		return nil, err
	}
	return newSim(p, models, c)
}

// newSim makes a simulator that runs a program.
func newSim(p *program.Program, models []program.Model, c config) (*Sim, error) {
	s := &Sim{p: p, st: interp.State{P: p, Models: models, Seed: c.seed, Seeded: c.seeded}, names: map[*ir.Module]*scopeNames{}}
	if err := s.st.OpenLarge(c.limit); err != nil {
		return nil, err
	}

	s.allocate(0)
	s.st.Begin()

	s.set = make([]byte, p.EdgeCount())
	s.timeline = newTimeline(len(p.Clocks))
	s.log.output = c.output
	s.plain, s.policy = c.plain, c.policy

	if err := s.choose(c.engine, c.lenient); err != nil {
		return nil, err
	}
	for i, port := range p.Design.Top.Ports {
		s.top = append(s.top, s.signal(0, port.Node, int32(i)))
	}
	s.powerUp()
	return s, nil
}

// Design returns the design given to New. If it has nets, s runs the design that package ir/pads
// makes of it.
func (s *Sim) Design() *ir.Design { return s.p.Source }

// Err returns the first error of writing prints or of a tracer, which is detached by it; nil
// without one.
func (s *Sim) Err() error { return s.err }
