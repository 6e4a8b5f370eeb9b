package sim

import (
	"errors"

	"etch/sim/choose"
	"etch/sim/internal/drive"
)

// Engine is an implementation that runs a design.
type Engine uint8

// The engines. Results, failures, coverage and waves do not depend on the choice.
const (
	// Auto takes Native where it is supported and pays, else Interpreter.
	Auto = Engine(drive.Auto)
	// Interpreter is the reference: it runs everywhere.
	Interpreter = Engine(drive.Interpreter)
	// Native compiles to machine code before the first cycle. New fails where it cannot.
	Native = Engine(drive.Native)
	// Lockstep runs Native and Interpreter over the same cycles and compares their states: Err
	// returns the first Difference. It finds faults of etch itself.
	Lockstep = Engine(drive.Lockstep)
)

// String is "auto", "interpreter", "native" or "lockstep".
func (e Engine) String() string { return drive.Kind(e).String() }

// Difference is a disagreement between native code and the interpreter in lock step: a fault of etch.
type Difference = drive.Difference

// WithEngine chooses the engine; Auto without it.
func WithEngine(e Engine) Option { return func(c *drive.Config) { c.Engine = drive.Kind(e) } }

// WithoutSpecialisation keeps the native engine from adapting to the states of the design: one
// body of machine code runs all cycles.
func WithoutSpecialisation() Option { return func(c *drive.Config) { c.Plain = true } }

// WithPolicy replaces the tunables of adaptive code: by those of choose.Eager or choose.EagerParts,
// for example, tests reach code that a short run does not get. Results do not depend on it.
func WithPolicy(p *choose.Policy) Option { return func(c *drive.Config) { c.Policy = p } }

// Engine returns the engine that runs the design: Interpreter until machine code exists, then
// Native or Lockstep.
func (s *Sim) Engine() Engine { return Engine(s.m.Engine()) }

// CodeBytes returns the size of all machine code of s.
func (s *Sim) CodeBytes() int { return s.m.CodeBytes() }

// Close frees machine code. The simulator stays usable: the interpreter runs it.
func (s *Sim) Close() error {
	err := s.m.Close()
	return errors.Join(err, s.closeBulk())
}
