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
	missesAt  = iota // cycles that the general body has done
	ringAt           // entries in the ring
	ringFirst        // the ring of missed states
)

// special is the code for one tuple of control values.
type special struct {
	values []int64 // by register: assumed value or -1
	checks []check // words of memories that are assumed
	root   *tree
	weight float64
}

// Engine runs a net and specialises it while it runs: a tracing compiler for
// hardware. It samples the control registers, compiles a body of one cycle for
// each frequent combination of their values with these as constants, and chains
// bodies directly; states that no body is for are done by a general body, which
// keeps some of them so that the next plan knows. An Engine belongs to one state
// at a time: its code holds nothing of the state, but it adapts to what it sees.
type Engine struct {
	n       *net.Net
	f       cpu.Features
	flat    *net.Net // all of the state
	plain   Keeper   // of flat, when specialisation does not pay: *Code or *Gated
	kept    bool     // plain code has kept part of the state
	class   *Class   // nil: the net is all there is
	top     *code    // of a class
	topAt   int      // where its instances look for their bodies
	control []bool
	address []bool
	reader  *reader
	lo, hi  uint32 // the state words of all registers: from slot lo up to but not including hi

	g       grower
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

	sampling  bool
	room      []uint64 // for snapshots
	snaps     []snapshot
	reads     [][]uint64 // parallel to snaps
	past      history
	total     uint64  // cycles run
	misses    float64 // of the general body since the last plan
	lastPlan  uint64
	lastDrain uint64
	nextOK    time.Duration // of running, when the next plan may be made
	trialAt   uint64        // cycle of the next trial
	postponed int
	seen      int
	stops     int // cycles that could not be sampled
	plans     int
	running   time.Duration
	compiling time.Duration
	random    uint64
}

const forever = time.Duration(1<<63 - 1)

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
	if o.Features.AVX2 {
		if k, rest := findPacks(n, narrowFrom); k != nil && k.share > mostWork {
			return compilePacked(k, rest, o.Features)
		}
	}
	if o.Plain {
		return Compile(n, o.Features)
	}
	e := newEngine(n, o)
	if !here.adapts() || e == nil {
		return compileGated(n, o.Features)
	}
	e.flat, e.g.pool = n, x86Pool
	return e, e.start(0)
}

// newEngine returns an engine for n, nil when n has no control state, or is too
// large.
func newEngine(n *net.Net, o Options) *Engine {
	control, address := controlRegisters(n), addressRegisters(n)
	if !slices.Contains(control, true) && !slices.Contains(address, true) || len(n.Regs) > maxAdaptRegs || len(n.N) > maxAdaptNodes {
		return nil
	}
	n = n.Gather()
	e := &Engine{n: n, f: o.Features, control: control, address: address, reader: newReader(n), sampling: true, trialAt: firstTrial, memo: map[uint64][]memoEntry{}}
	e.lo, e.hi = n.Regs[0].Slot, n.Regs[0].Slot+1
	for i := range n.Regs { // those of a class are not always in order
		e.lo, e.hi = min(e.lo, n.Regs[i].Slot), max(e.hi, n.Regs[i].Slot+1)
	}
	e.entry = int(e.hi - e.lo)
	return e
}

// start makes the general body and the first code; scratch words are used
// otherwise.
func (e *Engine) start(scratch int32) error {
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
	e.g.limit = max(firstPrivate+1024, e.general.scratch()+512, scratch)
	e.seenWords = make([]uint64, ringFirst+e.entry*e.entries)
	return e.emit()
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
	left := e.plain.RunOn(base, cycles, again && e.kept)
	e.kept = true
	return left
}

// GiveBack is Keeper's.
func (e *Engine) GiveBack(base unsafe.Pointer) {
	if e.kept {
		e.plain.GiveBack(base)
		e.kept = false
	}
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
	return e.copyOf(unsafe.Slice((*uint64)(unsafe.Add(base, 8*int(e.lo))), e.hi-e.lo))
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
		if e.sampling {
			done, stopped := e.sample(base, cycles)
			if cycles -= done; stopped {
				return cycles
			}
			if len(e.snaps) >= firstSnaps {
				e.replan()
			}
			continue
		}
		if e.total >= e.trialAt && cycles >= trialCycles && !e.postpone() {
			done, stopped := e.trial(base, cycles)
			if cycles -= done; stopped {
				return cycles
			}
			continue
		}
		before := e.seenWords[missesAt]
		var left uint64
		if cycles < leastTimed { // looking at the clock would take longer
			left = e.call(base, cycles)
		} else {
			start := time.Now()
			left = e.call(base, cycles)
			e.running += time.Since(start)
		}
		e.misses += float64(e.seenWords[missesAt] - before)
		e.watch(base)
		return left
	}
	return 0
}
