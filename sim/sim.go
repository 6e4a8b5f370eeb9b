package sim

import (
	"io"

	"etch/ir"
	"etch/sim/internal/drive"
)

// Sim is a running design. It is not safe for concurrent use.
type Sim struct {
	m         *drive.Stepper // the design with its state: it runs all events
	results   results        // of statements
	tracers   []Tracer       // in the order of Trace
	bulk      bulk           // of the single tracer
	recording *Recording     // nil: nobody asked for one

	top    []Signal                   // its ports
	clocks []Signal                   // scratch of clocksAt: clocks of a moment
	names  map[*ir.Module]*scopeNames // made at the first look-up in a module
}

// Option is an option of New; nil has no effect.
type Option func(*drive.Config)

// WithSeed starts registers, read data and memories without initial value at random instead of
// 0; packed memories (see WithPacking) only up to 16 MiB. A register or memory of one full name
// and width starts equally for equal seeds, in any Sim. State inside black boxes starts as 0
// nonetheless: their own Verilog decides on its start.
func WithSeed(seed uint64) Option {
	return func(c *drive.Config) { c.Seed, c.Seeded = seed, true }
}

// WithOutput sends the text of print statements to w instead of os.Stdout, or nowhere if w is
// nil. Each statement is one Write, in order; all are done when the call that ran the cycles
// returns. Machine code may be ahead meanwhile: in a Write, Cycles and Time are those of the
// statement, but signals may have values of a later cycle.
func WithOutput(w io.Writer) Option { return func(c *drive.Config) { c.Output = w } }

// New makes a simulator of d, in its state at power-up. The design must pass [ir.Verify].
// Errors: there is no design; a combinational loop, with its path; a clock that is not a clock
// input of the top; a black box without behaviour; a hierarchy or memories larger than MaxNodes,
// MaxWords or MaxLarge.
func New(d *ir.Design, opts ...Option) (*Sim, error) {
	m, err := drive.Make(d, drive.Configure(opts))
	if err != nil {
		return nil, err
	}
	return Of(m), nil
}

// Design returns the design given to New. If it has nets, s runs the design that package ir/pads
// makes of it.
func (s *Sim) Design() *ir.Design { return s.m.P.Source }

// Err returns the first error of writing prints or of a tracer, which is detached by it; nil
// without one.
func (s *Sim) Err() error { return s.m.Err }
