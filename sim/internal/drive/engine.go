package drive

import (
	"cmp"
	"errors"
	"fmt"

	"etch/sim/choose"
	"etch/sim/native"
	"etch/sim/native/cpu"
)

// Features are the processor features that machine code may use; tests mask them.
var Features = cpu.Host()

// engine is the native side of a Stepper. The interpreter runs the cycles before there is code,
// cycles of clock sets without code, and cycles in which an assertion may fail (loud.go). It also
// computes signals for which there is no code. Models of black boxes are called between pieces of
// machine code (boxes.go).
type engine struct {
	kind    Kind
	lenient bool           // Native was not asked for: without it, the interpreter goes on
	plain   bool           // one body for all states
	policy  *choose.Policy // nil: by the kind of engine
	block   []uint64       // scratch words, slots, memories, cover counters, journal, tables
	base    int            // index of slot 0 in block
	roms    [][]uint64     // tables behind the state
	fixed   int            // the number of changes to room.fixed that the state has
	*shared
	journal []uint64       // records of prints, a part of block
	view    *view          // nil until a signal is read between events
	views   []*native.Code // code of OwnCode, for black boxes and for others
	boxes   *boxes         // code for black boxes, once it is wanted
	refuse  error          // why there is no native code, or nil
	broken  error          // the first panic while compiling
}

// standard is the Policy of Steppers without one of their own.
var standard = choose.Standard()

// Tunables is the Policy that holds for a Stepper and its user. That of machine code differs under
// Lockstep.
func (e *engine) Tunables() *choose.Policy { return cmp.Or(e.policy, standard) }

// shared is the part of an engine that a Stepper and its twins have in common: the machine code
// for events, and its needs beside the state. The last of them to be closed frees it.
type shared struct {
	users    int                  // Steppers that are not closed
	sets     map[string]*ClockSet // by set of clocks, one byte per edge
	asked    uint64               // calls of Stepper.ClockSet, for the age of sets
	compiled map[string]*compiled // by set of clocks
	room     room                 // that the code needs beside the state
}

func newShared() *shared {
	return &shared{users: 1, sets: map[string]*ClockSet{}, compiled: map[string]*compiled{}}
}

// choose decides on the engine when the Stepper is made.
func (s *Stepper) choose(e Kind, lenient bool) error {
	if e > Lockstep {
		return fmt.Errorf("sim: there is no %v", e)
	}

	// The environment replaces Auto only.
	if e == Auto {
		var pol *choose.Policy
		var err error
		if e, pol, err = engineFromEnv(); err != nil {
			return err
		}
		lenient, s.policy = true, cmp.Or(s.policy, pol)
	}

	s.kind, s.lenient = e, lenient
	if s.shared == nil {
		s.shared = newShared()
	}

	// Every reason against native code is recorded before the engine that insists on it is refused.
	switch {
	case e == Interpreter:
		s.refuse = fmt.Errorf("sim: the interpreter was asked for")
	case !native.Supported(Features):
		s.refuse = native.ErrUnsupported
	case e == Lockstep && len(s.P.Boxes) > 0:
		s.refuse = fmt.Errorf("sim: the design has black boxes that a Model runs, which cannot take part twice in an event")
	}
	if e == Native && s.refuse != nil && !lenient {
		return s.refuse
	}
	return nil
}

// Engine returns the engine that runs the design: Interpreter until machine code exists, then
// Native or Lockstep.
func (s *Stepper) Engine() Kind {
	switch {
	case !s.Compiled():
		return Interpreter
	case s.kind == Lockstep:
		return Lockstep
	}
	return Native
}

// Compiled reports whether there is machine code for any set of clocks.
func (s *Stepper) Compiled() bool {
	for _, b := range s.compiled {
		if b.run != nil {
			return true
		}
	}
	return false
}

// CodeBytes returns the bytes of the machine code for events and for values read between them.
func (s *Stepper) CodeBytes() int {
	n := 0
	for _, b := range s.compiled {
		if b.run != nil {
			n += b.run.Size()
		}
	}
	if s.view != nil && s.view.code != nil {
		n += s.view.code.Size()
	}
	return n
}

// Close frees machine code. The Stepper stays usable: the interpreter runs it.
func (s *Stepper) Close() error {
	s.refuse = fmt.Errorf("sim: the simulator is closed")
	var errs []error

	// The last user of shared machine code frees it; views belong to this Stepper alone.
	if s.users--; s.users == 0 {
		errs = append(errs, s.closeCompiled()...)
	}
	s.shared = newShared()
	if s.view != nil && s.view.code != nil {
		errs = append(errs, s.view.code.Close())
	}
	for _, c := range s.views {
		errs = append(errs, c.Close())
	}
	s.view, s.views, s.boxes = nil, nil, nil
	return errors.Join(errs...)
}
