package sim

import (
	"cmp"
	"errors"
	"fmt"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/internal/nets"
	"etch/sim/native"
	"etch/sim/native/cpu"
)

// Engine is an implementation that runs a design.
type Engine uint8

// The engines. Results, failures, coverage and waves do not depend on the choice.
const (
	// Auto takes Native where it is supported and pays, else Interpreter.
	Auto Engine = iota
	// Interpreter is the reference: it runs everywhere.
	Interpreter
	// Native compiles to machine code before the first cycle. New fails where it cannot.
	Native
	// Lockstep runs Native and Interpreter over the same cycles and compares their states: Err
	// returns the first Difference. It finds faults of etch itself.
	Lockstep
)

var engineNames = [...]string{"auto", "interpreter", "native", "lockstep"}

// String is "auto", "interpreter", "native" or "lockstep".
func (e Engine) String() string {
	if int(e) >= len(engineNames) {
		return fmt.Sprintf("engine(%d)", uint8(e))
	}
	return engineNames[e]
}

// WithEngine chooses the engine; Auto without it.
func WithEngine(e Engine) Option { return func(c *config) { c.engine = e } }

// WithoutSpecialisation keeps the native engine from adapting to the states of the design: one
// body of machine code runs all cycles.
func WithoutSpecialisation() Option { return func(c *config) { c.plain = true } }

// WithPolicy replaces the tunables of adaptive code: by those of choose.Eager or choose.EagerParts,
// for example, tests reach code that a short run does not get. Results do not depend on it.
func WithPolicy(p *choose.Policy) Option { return func(c *config) { c.policy = p } }

// features are the processor features that the native engine may use; tests mask them.
var features = cpu.Host()

// engine is the native side of a simulator. Both engines work on one state, laid out by the
// program, so either continues where the other stopped. The interpreter runs the cycles before
// there is code, cycles of clock sets without code, and cycles in which an assertion may fail
// (loud.go). It also computes signals for which there is no code. Models of black boxes are called
// between pieces of machine code (boxes.go).
type engine struct {
	kind    Engine
	lenient bool           // Native was not asked for: without it, the interpreter goes on
	plain   bool           // one body for all states
	policy  *choose.Policy // nil: by the kind of engine
	block   []uint64       // scratch words, slots, memories, cover counters, journal, tables
	base    int            // index of slot 0 in block
	roms    [][]uint64     // tables behind the state
	fixed   int            // the number of changes to shared.fixed that the state has
	*shared
	journal []uint64
	view    *view
	views   []*native.Code // code for Watches and black boxes
	boxes   *boxes         // code for black boxes, once it is wanted
	refuse  error          // why there is no native code, or nil
	broken  error          // the first panic while compiling
}

// standard is the Policy of simulators without one of their own.
var standard = choose.Standard()

// tunables is the Policy that holds for package sim. That of machine code differs under Lockstep.
func (e *engine) tunables() *choose.Policy { return cmp.Or(e.policy, standard) }

// shared is the part of an engine that a simulator and its twins have in common: the machine code
// for events, and what it needs beside the state. The last of them to be closed frees it.
type shared struct {
	users  int              // simulators that are not closed
	plans  map[string]*plan // by set of clocks, one byte per edge
	asked  uint64           // calls of planFor, for the age of plans
	bodies map[string]*body // by set of clocks
	room   room
}

// room is the memory that machine code needs beside the state: scratch words before it, tables
// behind it. Lists of tables are always prefixes of one another.
type room struct {
	scratch int
	roms    [][]uint64
	fixed   []nets.FixedPort // inputs of a class's instances that never change
	changes int              // of fixed
	own     int              // number of the scratch words of the body being compiled
	effects effects          // of the body being compiled
}

func newShared() *shared {
	return &shared{users: 1, plans: map[string]*plan{}, bodies: map[string]*body{}}
}

// body is the native code for the events of one set of edges.
type body struct {
	run     native.Runner
	failed  bool
	used    int // events of late: halved whenever bodies are compared
	running int // calls that have not returned
	pace    pace
	loud    loud

	// For code that lasts (native.Lasting): the simulator whose state it has run, and the state's
	// number of changes by others then; effects tells whose events disturb it.
	of      *Sim
	mark    uint64
	own     int // number of its scratch words, from 1 (native.Options.First)
	effects effects
	beside  map[*body]beside
}

// allocate allocates the memory of the state, or moves the state to a larger one.
func (s *Sim) allocate(scratch int) {
	p := s.p
	at, covers, end := p.StateWords()
	total := int(p.Behind())
	for _, r := range s.roms {
		total += len(r)
	}

	// Scratch words come first, a multiple of 8, so that the state stays aligned.
	old, oldBase := s.block, s.base
	s.base = (scratch + 7) &^ 7
	s.block = make([]uint64, s.base+total)
	words := s.block[s.base:]
	if old != nil {
		copy(words[:end], old[oldBase:])
	}

	// The parts of the block, and addresses of large memories.
	s.st.V = words[:p.Words:p.Words]
	s.st.Mems = make([][]uint64, len(p.Mems))
	for i := range p.Mems {
		if b := s.st.Large.Of(int32(i)); b != nil {
			words[at[i]] = uint64(b.Addr())
			continue
		}
		n := p.Mems[i].Depth * p.Mems[i].Words
		s.st.Mems[i] = words[at[i]:][:n:n]
	}

	s.covered = words[covers:][:p.Covers:p.Covers]
	s.journal = words[end:p.Behind()]
	rest := words[p.Behind():]
	for _, r := range s.roms {
		rest = rest[copy(rest, r):]
	}
}

// choose decides on the engine when the simulator is made.
func (s *Sim) choose(e Engine, lenient bool) error {
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
	case !native.Supported(features):
		s.refuse = native.ErrUnsupported
	case e == Lockstep && len(s.p.Boxes) > 0:
		s.refuse = fmt.Errorf("sim: the design has black boxes that a Model runs, which cannot take part twice in an event")
	}
	if e == Native && s.refuse != nil && !lenient {
		return s.refuse
	}
	return nil
}

// Engine returns the engine that runs the design: Interpreter until machine code exists, then
// Native or Lockstep.
func (s *Sim) Engine() Engine {
	switch {
	case !s.compiled():
		return Interpreter
	case s.kind == Lockstep:
		return Lockstep
	}
	return Native
}

// compiled reports whether there is machine code for any set of clocks.
func (s *Sim) compiled() bool {
	for _, b := range s.bodies {
		if b.run != nil {
			return true
		}
	}
	return false
}

// CodeBytes returns the size of all machine code of s.
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

	// The last user of shared machine code frees it; views and bulk code belong to this simulator
	// alone.
	if s.users--; s.users == 0 {
		errs = append(errs, s.closeBodies()...)
	}
	s.shared = newShared()
	if s.view != nil && s.view.code != nil {
		errs = append(errs, s.view.code.Close())
	}
	for _, c := range s.views {
		errs = append(errs, c.Close())
	}
	errs = append(errs, s.closeBulk())
	s.view, s.views, s.boxes = nil, nil, nil
	return errors.Join(errs...)
}

func (s *Sim) closeBodies() (errs []error) {
	for _, b := range s.bodies {
		errs = append(errs, b.close())
	}
	clear(s.bodies)
	return errs
}

// close frees the code.
func (b *body) close() error {
	var errs []error
	if b.run != nil {
		errs = append(errs, b.run.Close())
	}
	if b.loud.code != nil {
		errs = append(errs, b.loud.code.Close())
	}
	b.run, b.loud = nil, loud{}
	return errors.Join(errs...)
}

// fast lets native code run up to n events of plan p, at times t. It returns the number run, 0
// if the interpreter must run the next event.
func (s *Sim) fast(p *plan, n int, t times) int {
	if s.refuse != nil || len(s.tracers) > 0 || n == 0 {
		return 0
	}

	b := s.bodyFor(p, n)
	if b == nil {
		return 0
	}

	// Asynchronous resets that are pending act before the first event.
	s.resetNow()
	b.running++
	defer func() { b.running-- }()
	switch {
	case s.kind == Lockstep:
		return s.lockstep(p, b.run, n, t)
	case len(s.p.Boxes) > 0:
		return s.boxedEvents(p, b, n, t)
	}
	done := s.call(b, n, t)
	s.passed(p, done)
	return done
}

// fastEdge runs one event of plan p by native code, with tracers. It returns false if the
// interpreter must run it. Values before the event need not be settled.
func (s *Sim) fastEdge(p *plan) bool {
	if s.refuse != nil || s.kind == Lockstep {
		return false
	}
	b := s.bodyFor(p, 1)
	if b == nil {
		return false
	}
	b.running++
	defer func() { b.running-- }()
	if len(s.p.Boxes) > 0 {
		return s.boxedEvent(p, b, times{first: s.now})
	}
	if s.call(b, 1, times{first: s.now}) == 0 {
		return false
	}
	s.passed(p, 1)
	return true
}

// bodyFor returns the code of plan p, or nil if there is none yet. n events are wanted now.
func (s *Sim) bodyFor(p *plan, n int) *body {
	b := s.bodies[p.key]
	if b == nil {
		if b = s.warm(p, n); b == nil {
			return nil
		}
		s.bodies[p.key] = b
	}

	// Compiling has failed: the interpreter runs the events.
	if b.run == nil {
		return nil
	}
	b.used += n

	// Code compiled since, for a twin or another set of clocks, may need more room than this state
	// has.
	s.furnish()
	return b
}

// passed records that native code has run events of plan p.
func (s *Sim) passed(p *plan, done int) {
	if done == 0 {
		return
	}
	s.count(p, done)
	s.touchOutside()
	s.pending = false // the code has applied the asynchronous resets of its edges
}

// warm compiles the code of plan p once that pays or is required, and makes room for it by closing
// the least used code. It returns nil before.
func (s *Sim) warm(p *plan, n int) *body {
	warm := &s.tunables().Warm
	crowded := len(s.bodies) >= warm.Bodies
	if (s.kind == Auto || crowded) && p.waited+n < warm.Events {
		p.waited++
		return nil
	}

	// More sets than bodies: the new one must have been wanted more often than the least used body
	// was used of late. Halving the counts forgets the past.
	if crowded {
		key, least := s.leastUsed()
		for _, b := range s.bodies {
			b.used /= 2
		}
		if least == nil || p.waited+n <= least.used {
			p.waited++
			return nil
		}
		least.close()
		delete(s.bodies, key)
	}
	p.waited = 0

	// The body is kept even if it cannot be compiled, so that this is not tried again.
	b := &body{}
	s.room.effects = effects{}
	if run, err := s.compileBody(p); err == nil {
		b.run, b.effects, b.own = run, s.room.effects, s.room.own
	} else {
		b.failed = true
	}
	return b
}

// leastUsed is the body that was used least of late; of several, the first by its set of clocks.
// Bodies that run at present are left out: a print may have led here.
func (s *Sim) leastUsed() (key string, least *body) {
	for k, b := range s.bodies {
		if b.running == 0 && (least == nil || b.used < least.used || b.used == least.used && k < key) {
			key, least = k, b
		}
	}
	return key, least
}

// compileBody makes the code of plan p, and room for it: shared by a class if there is one, else
// for the flat net.
func (s *Sim) compileBody(p *plan) (run native.Runner, err error) {
	err = s.guarded(func() (err error) {
		run, err = s.makeBody(p)
		return err
	})
	return run, err
}

// makeBody is compileBody, which may panic.
func (s *Sim) makeBody(p *plan) (native.Runner, error) {
	n, err := nets.For(s.p, p.on)
	if err != nil {
		return nil, err
	}

	// Dead nodes go first, so that effects and classes do not count them.
	n.CompactInPlace()
	s.room.effects = effectsOf(n.Net)
	s.room.own = s.freeScratch()
	o := native.Options{Features: features, Plain: s.plain, Policy: s.policy, Recover: s.recovers(), First: s.room.own * native.PartScratch}
	if s.kind == Lockstep && s.policy == nil { // it tests code: the more of it the better
		o.Policy = choose.Eager()
	}
	if s.plain {
		return s.fitted(n, o)
	}

	// Machines that are instances of one module share their code. If that form does not compile,
	// the flat net does.
	if c, roms, fixed := nets.ForClass(s.p, p.on, n); c != nil {
		if run, err := native.NewClass(c, o); err == nil {
			s.room.fixed = fixed
			s.room.changes++
			s.fit(run.Scratch(), append(n.Roms, roms...))
			return run, nil
		}
	}
	return s.fitted(n, o)
}

// fitted makes the code of a net, and room for it.
func (s *Sim) fitted(n *nets.Netlist, o native.Options) (native.Runner, error) {
	run, err := native.New(n.Net, o)
	if err != nil {
		return nil, err
	}
	s.fit(run.Scratch(), n.Roms)
	return run, nil
}

// fixedPorts writes the constant inputs of a class's instances.
func (s *Sim) fixedPorts() {
	for _, f := range s.room.fixed {
		s.st.V[f.Slot] = f.Value
	}
	s.fixed = s.room.changes
}

// fit reserves room for code that needs scratch words and tables.
func (s *Sim) fit(scratch int, roms [][]uint64) {
	if len(roms) > len(s.room.roms) {
		s.room.roms = roms
	}
	s.room.scratch = max(s.room.scratch, scratch)
	s.furnish()
}

// furnish moves the state if the reserved room exceeds its own.
func (s *Sim) furnish() {
	if s.fixed != s.room.changes {
		s.fixedPorts()
	}
	if s.room.scratch <= s.base && len(s.room.roms) <= len(s.roms) {
		return
	}
	s.roms = s.room.roms
	s.allocate(s.room.scratch)
}

// baseOf is the address of slot 0.
func (s *Sim) baseOf() unsafe.Pointer { return unsafe.Pointer(&s.block[s.base]) }
