package drive

import (
	"errors"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim/internal/interp"
	"etch/sim/internal/program"
)

// Stepper is a program with its state, that runs event by event.
type Stepper struct {
	P  *program.Program
	St interp.State
	// Err is the first error of writing prints, of an observer, of large memories over their limit,
	// or the Difference that lock step has found.
	Err error

	dirty  bool // combinational values are out of date
	looked bool // the signals of the view are up to date all the same
	boxed  bool // inputs and outputs of black boxes are up to date all the same
	// pending: registers may not show an asynchronous reset yet
	pending bool
	moved   uint64 // changes of state by others than machine code
	coming  int    // cycles that the running call wants behind the present one, if they run singly

	// Version counts changes of inputs and state; Born is its value at the last power-up.
	Version, Born uint64

	engine
	Timeline
	Statements

	// Recorder hears of everything that a replay needs, nil: nobody records. Observer samples around
	// each event, nil: nobody observes.
	Recorder Recorder
	Observer Observer
	// BeforeFall, if not nil, is called before registers move at a falling edge.
	BeforeFall func()

	// On is the set of edges of the next event, a byte for each edge. Its caller fills it.
	On  []byte
	top []Place // the ports of the top
}

// Place is the position of a value: its first slot, and its width in bits.
type Place struct {
	Slot  uint32
	Width int
}

// ErrNoDesign is the error for a design that is nil or has no top.
var ErrNoDesign = errors.New("sim: there is no design: it is nil, or has no top")

// Make compiles a design and makes a Stepper of it. Errors: those of New and of program.Compile;
// ErrNoDesign.
func Make(d *ir.Design, c Config) (*Stepper, error) {
	if d == nil || d.Top == nil {
		return nil, ErrNoDesign
	}
	p, models, err := program.Compile(d, c.Models, c.Pack)
	if err != nil {
		return nil, err
	}
	return New(p, models, c)
}

// New makes a Stepper of a program, in its state at power-up. models are those that compiling the
// program gave. Errors: the large memories do not fit; the engine cannot run the program.
func New(p *program.Program, models []program.Model, c Config) (*Stepper, error) {
	s := &Stepper{P: p, St: interp.State{P: p, Models: models, Seed: c.Seed, Seeded: c.Seeded}}
	if err := s.St.OpenLarge(c.Limit); err != nil {
		return nil, err
	}

	// The state without scratch words: code that needs some moves it to a larger block.
	s.allocate(0)
	s.St.Begin()

	s.On = make([]byte, p.EdgeCount())
	s.Timeline = newTimeline(len(p.Clocks))
	s.Output = c.Output
	s.plain, s.policy = c.Plain, c.Policy

	if err := s.choose(c.Engine, c.Lenient); err != nil {
		return nil, err
	}

	// The places of the top's ports, then initial values in all state.
	for _, port := range p.Design.Top.Ports {
		s.top = append(s.top, Place{p.SlotOf(program.Ref{ID: port.Node}), port.Width})
	}
	s.PowerUp()
	return s, nil
}

// Top is the places of the ports of the top, in the order of its Ports. It must not be changed.
func (s *Stepper) Top() []Place { return s.top }

// Value is the present value at a place, settled if it is out of date.
func (s *Stepper) Value(at Place) bits.Value {
	s.Refresh(at)
	return s.St.Value(at.Slot, at.Width)
}
