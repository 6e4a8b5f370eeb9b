package sim

import (
	"errors"
	"fmt"
	"unsafe"

	"etch/sim/native"
	"etch/sim/native/cpu"
)

// Engine is what runs a design.
type Engine uint8

// The engines. Results, failures, coverage and waves do not depend on the choice.
const (
	// Auto takes Native where it can and it pays, Interpreter elsewhere.
	Auto Engine = iota
	// Interpreter is the reference: it runs everywhere and has no moving parts.
	Interpreter
	// Native compiles to machine code from the first cycle on. New fails where
	// it cannot.
	Native
	// Lockstep runs Native and Interpreter over the same cycles and compares all
	// state: Err returns the first Difference. It is for mistakes in etch.
	Lockstep

	eager // Native, but without an error where that cannot be
)

var engineNames = [...]string{"auto", "interpreter", "native", "lockstep", "eager"}

// String is "auto", "interpreter", "native" or "lockstep".
func (e Engine) String() string {
	if int(e) >= len(engineNames) {
		return fmt.Sprintf("engine(%d)", uint8(e))
	}
	return engineNames[e]
}

// WithEngine chooses the engine; Auto without it.
func WithEngine(e Engine) Option { return func(c *config) { c.engine = e } }

// WithoutSpecialisation keeps the native engine from adapting to the states that
// it sees: one body of machine code does all cycles.
func WithoutSpecialisation() Option { return func(c *config) { c.plain = true } }

// features is what the native engine may use; tests mask it.
var features = cpu.Host()

// engine is the native side of a simulator. Both engines work on one state, laid
// out by the program, so that each can go on where the other left off: the
// interpreter does cycles before there is code, those of clocks that engines do not
// take and those in which assertions seldom fail (loud.go), and computes signals that
// nobody asked the native code for.
type engine struct {
	kind    Engine
	plain   bool     // one body for all states
	block   []uint64 // scratch, values of slots, memories, cover counters, tables
	base    int      // of slot 0 in block
	bodies  map[*plan]*body
	roms    [][]uint64 // tables behind the state
	room    *room
	journal []uint64
	view    *view
	views   []*native.Code // of watches
	refuse  error          // why there is no native code
	shares  bool           // bodies and room are those of another simulator, which closes them
}

// room is what machine code wants besides the state: scratch words before it, and
// tables behind it. One list of tables is always the beginning of the other.
type room struct {
	scratch int
	roms    [][]uint64
}

// body is the code of the events of one set of edges.
type body struct {
	run    native.Runner
	waited int // events interpreted so far in hope that they soon end
	failed bool
	piece  int // cycles that one call may do, 0 if that is not known
	loud   loud
}

// allocate makes the state's memory, or moves it to a larger one.
func (s *Sim) allocate(scratch int) {
	p := s.p
	at, covers, end := p.stateWords()
	total := int(p.behind())
	for _, r := range s.roms {
		total += len(r)
	}
	old, oldBase := s.block, s.base
	s.base = (scratch + 7) &^ 7
	s.block = make([]uint64, s.base+total)
	words := s.block[s.base:]
	if old != nil {
		copy(words[:end], old[oldBase:])
	}
	s.v = words[:p.words:p.words]
	s.mems = make([][]uint64, len(p.mems))
	for i := range p.mems {
		if b := s.large.of(int32(i)); b != nil {
			words[at[i]] = uint64(b.Addr())
			continue
		}
		n := p.mems[i].depth * p.mems[i].words
		s.mems[i] = words[at[i]:][:n:n]
	}
	s.covered = words[covers:][:p.covers:p.covers]
	s.journal = words[end:p.behind()]
	rest := words[p.behind():]
	for _, r := range s.roms {
		rest = rest[copy(rest, r):]
	}
}

// choose decides on the engine when the simulator is made.
func (s *Sim) choose(e Engine) error {
	if e > Lockstep {
		return fmt.Errorf("sim: there is no %v", e)
	}
	e, err := engineFromEnv(e)
	if err != nil {
		return err
	}
	s.kind = e
	s.bodies, s.room = map[*plan]*body{}, &room{}
	switch {
	case e == Interpreter:
		s.refuse = fmt.Errorf("sim: the interpreter was asked for")
	case !native.Supported(features):
		s.refuse = native.ErrUnsupported
	case len(s.p.boxes) > 0:
		s.refuse = fmt.Errorf("sim: the design has black boxes that a Model runs: the native engine takes none")
	}
	if e == Native && s.refuse != nil {
		return s.refuse
	}
	return nil
}

// Engine returns what runs the design: Interpreter until machine code has been
// made, then Native or Lockstep.
func (s *Sim) Engine() Engine {
	switch {
	case !s.compiled():
		return Interpreter
	case s.kind == Lockstep:
		return Lockstep
	}
	return Native
}

// compiled reports whether there is machine code for some set of clocks.
func (s *Sim) compiled() bool {
	for _, b := range s.bodies {
		if b.run != nil {
			return true
		}
	}
	return false
}

// CodeBytes returns the size of all machine code that s has made.
func (s *Sim) CodeBytes() int {
	n := 0
	for _, b := range s.bodies {
		if b.run != nil {
			n += b.run.Size()
		}
	}
	if s.view != nil && s.view.code != nil {
		n += s.view.code.Size()
	}
	return n
}

// Close frees machine code. The simulator stays usable: the interpreter runs it.
func (s *Sim) Close() error {
	s.refuse = fmt.Errorf("sim: the simulator is closed")
	var errs []error
	if !s.shares {
		errs = append(errs, s.closeBodies()...)
	}
	if s.view != nil && s.view.code != nil {
		errs = append(errs, s.view.code.Close())
	}
	for _, c := range s.views {
		errs = append(errs, c.Close())
	}
	errs = append(errs, s.closeBulk())
	s.bodies, s.view, s.views = nil, nil, nil
	return errors.Join(errs...)
}

func (s *Sim) closeBodies() (errs []error) {
	for _, b := range s.bodies {
		if b.run != nil {
			errs = append(errs, b.run.Close())
		}
		if b.loud.code != nil {
			errs = append(errs, b.loud.code.Close())
		}
	}
	clear(s.bodies)
	return errs
}

// worth is how many events the interpreter does before code is compiled: about
// as many as it could do in the time that compiling takes.
const worth = 300

// fast lets native code do up to n events of plan p, at times t, and returns how
// many it did: 0 when the next one is for the interpreter.
func (s *Sim) fast(p *plan, n int, t times) int {
	if s.refuse != nil || len(s.tracers) > 0 || n == 0 {
		return 0
	}
	b := s.bodyFor(p, n)
	if b == nil {
		return 0
	}
	s.resetNow()
	if s.kind == Lockstep {
		return s.lockstep(p, b.run, n, t)
	}
	done := s.call(b, n, t)
	s.passed(p, done)
	return done
}

// fastEdge is one event of plan p by native code, among tracers; false when the
// interpreter must do it. The values that were there before it may not be
// settled.
func (s *Sim) fastEdge(p *plan) bool {
	if s.refuse != nil || s.kind == Lockstep {
		return false
	}
	b := s.bodyFor(p, 1)
	if b == nil || s.call(b, 1, times{first: s.now}) == 0 {
		return false
	}
	s.passed(p, 1)
	return true
}

// bodyFor returns the code of plan p, nil when there is none or not yet.
func (s *Sim) bodyFor(p *plan, n int) *body {
	b := s.bodies[p]
	if b == nil {
		if len(s.bodies) >= maxBodies {
			return nil
		}
		b = &body{}
		s.bodies[p] = b
	}
	if b.run == nil && !s.warm(b, p, n) {
		return nil
	}
	s.furnish()
	return b
}

// passed notes that native code has done events of plan p.
func (s *Sim) passed(p *plan, done int) {
	if done == 0 {
		return
	}
	s.count(p, done)
	s.touch()
	s.pending = false // the code has done the asynchronous resets of its edges
}

// maxBodies bounds the sets of clocks that have machine code.
const maxBodies = 16

// warm compiles the body when that pays, or has been asked for.
func (s *Sim) warm(b *body, p *plan, n int) bool {
	if b.failed {
		return false
	}
	if s.kind == Auto && b.waited+n < worth {
		b.waited++
		return false
	}
	run, err := s.compileBody(p)
	if err != nil {
		b.failed = true
		return false
	}
	b.run = run
	return true
}

// compileBody makes the code of plan p, and room for it.
func (s *Sim) compileBody(p *plan) (native.Runner, error) {
	n, err := s.p.netFor(p.on)
	if err != nil {
		return nil, err
	}
	n.CompactInPlace()
	o := native.Options{Features: features, Plain: s.plain, Eager: s.kind == Lockstep}
	if s.plain {
		return s.fitted(n, o)
	}
	if c, roms := s.p.classFor(p.on, n); c != nil {
		if run, err := native.NewClass(c, o); err == nil {
			s.fit(run.Scratch(), append(n.roms, roms...))
			s.fixedPorts()
			return run, nil
		}
	}
	return s.fitted(n, o)
}

// fitted makes the code of a net, and room for it.
func (s *Sim) fitted(n *netlist, o native.Options) (native.Runner, error) {
	run, err := native.New(n.Net, o)
	if err != nil {
		return nil, err
	}
	s.fit(run.Scratch(), n.roms)
	return run, nil
}

// fixedPorts writes the inputs of a class's instances that never change.
func (s *Sim) fixedPorts() {
	if s.p.class != nil {
		for _, slot := range s.p.class.fixed {
			s.v[slot] = s.p.image[slot]
		}
	}
}

// fit makes room for code that wants scratch words and tables.
func (s *Sim) fit(scratch int, roms [][]uint64) {
	if len(roms) > len(s.room.roms) {
		s.room.roms = roms
	}
	s.room.scratch = max(s.room.scratch, scratch)
	s.furnish()
}

// furnish gives s the room that the code there is wants.
func (s *Sim) furnish() {
	if s.room.scratch <= s.base && len(s.room.roms) <= len(s.roms) {
		return
	}
	s.roms = s.room.roms
	s.allocate(s.room.scratch)
	if s.shares {
		s.fixedPorts()
	}
}

// baseOf is the address of slot 0.
func (s *Sim) baseOf() unsafe.Pointer { return unsafe.Pointer(&s.block[s.base]) }
