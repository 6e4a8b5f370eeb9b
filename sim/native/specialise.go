package native

import (
	"slices"
	"time"
	"unsafe"

	"etch/sim/native/cpu"
	"etch/sim/net"
)

// plainRoom is scratch words for plain code that may take over, beyond those of
// bodies.
const plainRoom = 1 << 15

// Scratch words of adaptive code.
const (
	endWord = firstScratch + iota // of a class: the base behind the last instance's
	firstPrivate
)

// Places in seenWords.
const (
	missesAt  = iota // cycles in bodies that do not know all deciding registers
	generalAt        // those of them that the general body has done
	untilAt          // misses until one is kept
	everyAt          // misses from one that is kept to the next
	ringAt           // entries in the ring
	ringFirst        // the ring of missed states
)

// special is the code for one tuple of control values.
type special struct {
	values []int64 // by register: assumed value or -1
	checks []check // words of memories that are assumed
	root   *tree
	weight float64
	depth  int // of its tree at most
}

// Engine runs a net and specialises it while it runs: a tracing compiler for
// hardware. It samples the control registers, compiles a body of one cycle for
// each frequent combination of their values with these as constants, and chains
// bodies directly; states that no body is for are done by a general body, which
// keeps some of them so that the next plan knows. An Engine belongs to one state
// at a time: its code holds nothing of the state, but it adapts to what it sees.
type Engine struct {
	n       *net.Net
	t       target
	f       cpu.Features
	flat    *net.Net // all of the state
	class   *Class   // nil: the net is all there is, or a part
	team    *Team    // that it is a part of, or nil
	turn    int      // in it
	top     *code    // of a class
	topAt   int      // where its instances look for their bodies
	control []bool
	address []bool
	reader  *reader
	lo, hi  uint32 // the words of all registers: from slot lo up to but not including hi; signed numbers, as slots are

	g       grower
	crowded *plan // the last one whose bodies had no registers to spare for residents
	general *tree
	plan    *plan
	bodies  []*special
	memo    map[uint64][]memoEntry
	code    *Code
	// what code counts and keeps between calls: its own memory, as the scratch
	// words are everybody's
	seenWords []uint64
	entry     int // words of a ring entry
	entries   int

	eager bool
	fixed bool       // the bodies stay as they are
	room  []uint64   // for snapshots
	snaps []snapshot // states since the last look that no body was for
	reads [][]uint64 // parallel to snaps
	seen  int        // states that snaps is a sample of
	past  history
	// since the last look
	misses   float64   // cycles in states that no body was for
	generals float64   // those of them that the general body has done
	counted  [2]uint64 // of both counts of the code

	// states that there was a body for, and others: those are not counted
	hits    history
	peeked  int    // states that hits is a sample of
	nextHit uint64 // cycle

	contest
	lastLook  uint64        // cycle of the last look at the bodies
	lastDrain uint64        // cycle
	firstPlan time.Duration // of running, when the first plan may be made
	patience  time.Duration // that may be wasted before the next look
	sincePlan time.Duration // wasted between the last plan and the last look
	planTook  time.Duration
	planAt    uint64        // cycle of the last plan
	planDue   time.Duration // of running, when another one may be made without need
	adding    time.Duration // that compiling bodies took
	added     int           // bodies compiled
	slow      time.Duration // of running before the first plan
	timed     float64       // cycles in that time
	postponed int
	stops     int // cycles before the first plan that were not done
	running   time.Duration
	compiling time.Duration
	random    lcg
}

type memoEntry struct {
	n      *net.Net
	values []int64
	depth  int
	root   *tree
}

// Options of New.
type Options struct {
	Features cpu.Features
	Plain    bool // no specialisation
	Eager    bool // specialise soon and always, pay or not, by cycles and not by the clock: for tests
}

// Runner is machine code that advances a state.
type Runner interface {
	// Run does up to cycles cycles, at least 1, on the state at base and returns
	// how many are left: the net stops before them.
	Run(base unsafe.Pointer, cycles uint64) (left uint64)
	// Scratch is the number of words below base that the code uses.
	Scratch() int
	// Size is the number of bytes of machine code at present.
	Size() int
	// Close frees the code.
	Close() error
}

// New makes the code of a net: adaptive where the net has control state, plain
// elsewhere. Errors: those of Compile.
func New(n *net.Net, o Options) (Runner, error) {
	if !Supported(o.Features) {
		return nil, ErrUnsupported
	}
	if here.vectors(o.Features) {
		if k, rest := findPacks(n, narrowFrom); k != nil && k.share > mostWork {
			return compilePacked(k, rest, o.Features)
		}
	}
	if o.Plain {
		return Compile(n, o.Features)
	}
	if t := newTeam(n, o); t != nil {
		return t, t.start()
	}
	e := newEngine(n, o)
	if e == nil {
		return compileGated(n, o.Features)
	}
	e.flat, e.g.pool = n, e.t.registers(inBodies)
	return e, e.start(0)
}

// newEngine returns an engine for n, nil when n has no control state, or is too
// large.
func newEngine(n *net.Net, o Options) *Engine {
	if tooLarge(n) {
		return nil
	}
	control, address := controlRegisters(n), addressRegisters(n)
	if !slices.Contains(control, true) && !slices.Contains(address, true) {
		return nil
	}
	return engineFor(n, control, address, o)
}

func tooLarge(n *net.Net) bool { return len(n.Regs) > maxAdaptRegs || len(n.N) > maxAdaptNodes }

// engineFor returns an engine for n, which has registers; some are marked.
func engineFor(n *net.Net, control, address []bool, o Options) *Engine {
	n = n.Gather()
	e := &Engine{n: n, t: here, f: o.Features, control: control, address: address, reader: newReader(n), eager: o.Eager, contest: contest{trialAt: firstTrial}, memo: map[uint64][]memoEntry{}}
	lo, hi := int32(n.Regs[0].Slot), int32(n.Regs[0].Slot)
	for i := range n.Regs { // those of a class are not always in order, and inputs of a part lie below the state
		lo, hi = min(lo, int32(n.Regs[i].Slot)), max(hi, int32(n.Regs[i].Slot))
	}
	e.lo, e.hi, e.entry = uint32(lo), uint32(hi+1), int(hi+1-lo)
	e.g.first = firstPrivate
	e.g.volatile = make([]bool, len(n.Regs))
	for r := range n.Regs {
		e.g.volatile[r] = n.Regs[r].Host
	}
	return e
}

// start makes the general body and the first code; scratch words are used
// otherwise.
func (e *Engine) start(scratch int32) error {
	start := time.Now()
	e.begin(scratch)
	err := e.emit()
	e.firstPlan = firstShare * time.Since(start)
	return err
}

// begin makes the general body.
func (e *Engine) begin(scratch int32) {
	n := e.n
	e.entries = min(ringEntries, ringWords/e.entry)
	e.g.ratio, e.g.depth, e.g.limit = generalRatio, generalReach, 1<<20
	for r, is := range e.control {
		if is {
			e.g.dec = append(e.g.dec, int32(r))
		}
	}
	e.general = e.g.grow(n, net.NewAssume(len(n.Regs)), 0)
	e.g.ratio, e.g.dec = splitRatio, nil
	e.g.limit = max(e.g.first+1024, e.general.scratch()+512, scratch)
	e.seenWords = make([]uint64, ringFirst+e.entry*e.entries)
	e.seenWords[untilAt], e.seenWords[everyAt] = 1, saveEvery
	if e.eager {
		e.seenWords[everyAt] = 1
	}
}

// scratch is the number of scratch words that the code of a tree uses.
func (t *tree) scratch() int32 {
	if t.yes == nil {
		return t.c.scratch
	}
	return max(t.c.scratch, t.yes.scratch(), t.no.scratch())
}

// Scratch is the number of words below the state that the code uses.
func (e *Engine) Scratch() int { return int(e.g.limit) + plainRoom }

// Size is the number of bytes of machine code at present.
func (e *Engine) Size() int {
	if e.team != nil {
		return e.team.Size()
	}
	if e.plain != nil {
		return e.plain.Size()
	}
	return e.code.Size()
}

// RunOn is Keeper's: plain code keeps, bodies have nothing to keep.
func (e *Engine) RunOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	if e.plain == nil {
		return e.Run(base, cycles)
	}
	return e.runOn(base, cycles, again)
}

// Bodies is the number of specialised bodies at present.
func (e *Engine) Bodies() int { return len(e.bodies) }

// Close frees the code.
func (e *Engine) Close() error {
	if e.plain != nil {
		return e.plain.Close()
	}
	return e.code.Close()
}

// call runs the code and keeps count.
func (e *Engine) call(base unsafe.Pointer, cycles uint64) (left uint64) {
	e.restart(base)
	left = e.code.Run(base, cycles)
	e.total += cycles - left
	return left
}

// snap copies the registers, by number.
func (e *Engine) snap(base unsafe.Pointer) snapshot {
	return e.copyOf(unsafe.Slice((*uint64)(unsafe.Add(base, 8*int(int32(e.lo)))), e.hi-e.lo))
}

// take returns n words; many at a time are allocated.
func (e *Engine) take(n int) []uint64 {
	if len(e.room) < n {
		e.room = make([]uint64, 64*n)
	}
	s := e.room[:n:n]
	e.room = e.room[n:]
	return s
}

func (e *Engine) copyOf(words []uint64) snapshot {
	s := snapshot(e.take(len(e.n.Regs)))
	for r := range s {
		s[r] = words[e.n.Regs[r].Slot-e.lo]
	}
	return s
}

// Run does up to cycles cycles and returns how many are left because the net
// stopped before them.
func (e *Engine) Run(base unsafe.Pointer, cycles uint64) (left uint64) {
	for cycles > 0 {
		if e.plain != nil {
			return e.plain.Run(base, cycles)
		}
		if e.total >= e.trialAt && cycles >= trialCycles && !e.eager && !e.postpone() {
			done, stopped := e.trial(base, cycles)
			if cycles -= done; stopped {
				return cycles
			}
			continue
		}
		left = e.timedCall(base, cycles)
		if e.plan == nil && left > 0 && cycles-left < leastTimed {
			if e.stops++; e.stops > mostStops { // it speaks all the time: there is nothing to gain
				e.settle()
				return left
			}
		}
		e.watch(base)
		return left
	}
	return 0
}

// timedCall runs the code and keeps the counts by which the engine adapts.
func (e *Engine) timedCall(base unsafe.Pointer, cycles uint64) (left uint64) {
	var took time.Duration
	if cycles < leastTimed { // looking at the clock would take longer
		left = e.call(base, cycles)
	} else {
		start := time.Now()
		left = e.call(base, cycles)
		took = time.Since(start)
	}
	e.ran(cycles-left, took)
	return left
}

// ran notes what a call has done; took is 0 when nobody looked at the clock.
func (e *Engine) ran(cycles uint64, took time.Duration) {
	switch {
	case took == 0:
		e.running += time.Duration(float64(cycles) * e.perCycle())
	case e.plan == nil:
		e.slow += took
		e.timed += float64(cycles) * float64(e.instances())
		fallthrough
	default:
		e.running += took
	}
	e.misses += float64(e.seenWords[missesAt] - e.counted[0])
	e.generals += float64(e.seenWords[generalAt] - e.counted[1])
	e.counted = [2]uint64{e.seenWords[missesAt], e.seenWords[generalAt]}
}
