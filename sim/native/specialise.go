package native

import (
	"slices"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/pack"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// plainRoom is the number of scratch words for plain code that may take over, beyond those of
// bodies.
const plainRoom = 1 << 15

// special is a body for one tuple of control values.
type special struct {
	values []int64        // by register: assumed value or -1
	checks []choose.Check // assumed words of memories
	root   *tree
	weight float64
	depth  int // largest depth of its tree
}

// Engine runs a net and specialises it meanwhile: a tracing compiler for hardware. It samples
// the control registers, and compiles a body of one cycle for each frequent combination of their
// values, with these values as constants. Bodies jump to each other directly. A general body
// runs the states without a body, and keeps some of them for the next plan. An Engine belongs to
// one state at a time: its code holds none of the state, but it adapts to the states it sees.
type Engine struct {
	n       *net.Net
	t       emit.Target
	f       cpu.Features
	flat    *net.Net       // the net of the whole state
	class   *emit.Class    // nil for a whole net, or a part
	team    *Team          // the team of which the net is a part, or nil
	turn    int            // number in the team
	top     *schedule.Code // of a class: the code before the instances
	topAt   int            // offset in the code at which dispatch begins
	control []bool
	address []bool
	reader  *choose.Reader
	lo, hi  uint32 // the slots of all registers, half open, compared as signed numbers

	g       grower
	living  emit.Residents // of the present code
	crowded *choose.Plan   // the last plan whose bodies had no registers to spare for residents
	general *tree
	plan    *choose.Plan
	bodies  []*special
	memo    map[uint64][]memoEntry

	memoBytes int // of memo, about
	code      *Code
	// Counters of the code, and states it keeps between calls: memory of its own, since other
	// code may use the scratch words.
	seenWords []uint64
	entry     int // words of a ring entry
	entries   int

	fixed bool              // the bodies are final
	room  []uint64          // unused memory for snapshots
	snaps []choose.Snapshot // sampled states without a body since the last review
	reads [][]uint64        // parallel to snaps
	seen  int               // number of states that snaps samples
	past  choose.History
	// Since the last review:
	misses   float64   // cycles in states without a body
	generals float64   // of these, cycles in the general body
	counted  [2]uint64 // the code's two counters when last read

	// Sampled states of any kind; weigh uses only the ones that have a body.
	hits    choose.History
	peeked  int    // number of states that hits samples
	nextHit uint64 // cycle

	contest
	lastLook  uint64        // cycle of the last review
	lastDrain uint64        // cycle
	firstPlan choose.Effort // running at which the first plan may be made
	patience  choose.Effort // loss that triggers the next review
	sincePlan choose.Effort // loss between the last plan and the last review
	planTook  choose.Effort // by the last plan
	planAt    uint64        // cycle of the last plan
	planDue   choose.Effort // running at which another plan may be made without need
	adding    choose.Effort // spent on compiling bodies
	added     int           // bodies compiled
	perCycle  choose.Effort // of a general cycle of one instance
	rest      choose.Effort // of a cycle besides the instances
	postponed int
	stops     int           // calls before the first plan that stopped early
	running   choose.Effort // by all cycles so far: the virtual clock
	compiling choose.Effort
	random    lcg
}

// memoNode is the bytes of a remembered body, per node: of its net, and of its code before and
// after the split by conditions.
const memoNode = 160

type memoEntry struct {
	n      *net.Net
	values []int64
	depth  int
	root   *tree
}

// Options configure New.
type Options struct {
	Features cpu.Features
	Plain    bool           // no specialisation
	Policy   *choose.Policy // nil: Standard
	Recover  bool           // a panic while compiling is noted in the Report, and the present code goes on
	// First is the first of PartScratch scratch words that no other code on the same state uses; 0:
	// there are none. With them, code with parts may go on where its last call ended ([Lasting]).
	First int
}

// policy is the Policy that holds.
func (o *Options) policy() *choose.Policy {
	if o.Policy == nil {
		return choose.Standard()
	}
	return o.Policy
}

// Runner is machine code that advances a state.
type Runner interface {
	// Run runs up to cycles cycles, at least 1, on the state at base. It returns the number of
	// cycles left when the net stopped, else 0.
	Run(base unsafe.Pointer, cycles uint64) (left uint64)
	// Scratch is the number of words below base that the code uses.
	Scratch() int
	// Size is the number of bytes of machine code at present.
	Size() int
	// CycleEffort estimates a cycle at present, in machine cycles. Callers bound calls by it.
	CycleEffort() float64
	// Close frees the code.
	Close() error
}

// New compiles a net: packed where most work repeats, adaptive where there is control state,
// else plain. Errors: those of Compile.
func New(n *net.Net, o Options) (Runner, error) {
	if !Supported(o.Features) {
		return nil, ErrUnsupported
	}

	// Packs come first: a net whose work is mostly repetition has no use for bodies.
	if emit.Here.Vectors(o.Features) {
		if k, rest := pack.Find(n, pack.NarrowFrom); k != nil && k.Share > pack.MostWork {
			return compilePacked(k, rest, o.Features)
		}
	}

	if o.Plain {
		return Compile(n, o.Features)
	}

	// Independent machines need bodies of their own, because their states multiply.
	if t := newTeam(n, o); t != nil {
		return t, t.start()
	}
	e := newEngine(n, o)
	if e == nil {
		return compileGated(n, o)
	}

	// A single engine. Large nets try parts before bodies.
	e.flat, e.g.pool = n, e.t.Registers(emit.InBodies)
	if err := e.start(0); err != nil || len(n.N) < o.policy().LeastParted {
		return e, err
	}
	return newScout(n, e, o)
}

// newEngine returns an engine for n, or nil if n has no control state or is too large.
func newEngine(n *net.Net, o Options) *Engine {
	if tooLarge(n, o.policy()) {
		return nil
	}
	control, address := choose.ControlRegisters(n), choose.AddressRegisters(n)
	if !slices.Contains(control, true) && !slices.Contains(address, true) {
		return nil
	}
	return engineFor(n, control, address, o)
}

func tooLarge(n *net.Net, pol *choose.Policy) bool {
	return len(n.Regs) > pol.MostRegs || len(n.N) > pol.MostNodes
}

// engineFor returns an engine for n, which has registers, some of them marked.
func engineFor(n *net.Net, control, address []bool, o Options) *Engine {
	// Gathering keeps the numbers of registers, so the marks still hold.
	n = n.Gather()
	e := &Engine{n: n, t: emit.Here, f: o.Features, control: control, address: address, reader: choose.NewReader(n), contest: contest{diary: diary{shield: o.Recover}, pol: o.policy(), trialAt: o.policy().FirstTrial}, memo: map[uint64][]memoEntry{}}

	// The span of slots that holds all registers: a snapshot copies it whole.
	lo, hi := int32(n.Regs[0].Slot), int32(n.Regs[0].Slot)
	for i := range n.Regs { // slots of a class are in any order, and inputs of a part lie below the state
		lo, hi = min(lo, int32(n.Regs[i].Slot)), max(hi, int32(n.Regs[i].Slot))
	}
	e.lo, e.hi, e.entry = uint32(lo), uint32(hi+1), int(hi+1-lo)

	// Values that the Host writes between calls are unknown to every body.
	e.g.first, e.g.Pol = emit.FirstPrivate, e.pol
	e.g.Volatile = make([]bool, len(n.Regs))
	for r := range n.Regs {
		e.g.Volatile[r] = n.Regs[r].Host
	}
	return e
}

// start makes the general body and the first code. scratch is the number of scratch words used
// by others.
func (e *Engine) start(scratch int32) error {
	w := watch()
	e.begin(scratch)
	err := e.emit()
	first := choose.Effort(e.pol.StartNode * float64(len(e.n.N)))
	e.firstPlan = choose.Effort(e.pol.FirstShare) * first
	w.compare(&e.diary, "the general body", first)
	return err
}

// begin makes the general body, which forks over all control registers, and sets up the
// counters.
func (e *Engine) begin(scratch int32) {
	n := e.n

	// A ring holds as many states as fit in its words.
	e.entries = min(ringEntries, ringWords/e.entry)
	e.g.Ratio, e.g.depth, e.g.limit = e.pol.GeneralRatio, e.pol.GeneralReach, 1<<20

	// The general body splits by conditions on all control registers. It has no limit of scratch
	// words: it must exist.
	for r, is := range e.control {
		if is {
			e.g.Dec = append(e.g.Dec, int32(r))
		}
	}
	e.general = e.g.grow(n, net.NewAssume(len(n.Regs)), 0)

	// Estimated efforts of a cycle drive the virtual clock.
	e.perCycle = e.pol.Cycle(choose.StaticCost(n))
	if e.class != nil {
		e.rest = e.pol.Cycle(choose.StaticCost(e.class.Top))
	}

	// From now on code is for special bodies. They may use some more scratch words than the general
	// body does, and a body that needs more is given up.
	e.g.Ratio, e.g.Dec = e.pol.SplitRatio, nil
	e.g.limit = max(e.g.first+1024, e.general.scratch()+512, scratch)

	// The code keeps the state of the first miss, then of one in EveryAt.
	e.seenWords = make([]uint64, emit.RingFirst+e.entry*e.entries)
	e.seenWords[emit.UntilAt], e.seenWords[emit.EveryAt] = 1, e.pol.SaveEvery
}

// scratch is the number of scratch words that a tree uses.
func (t *tree) scratch() int32 {
	if t.yes == nil {
		return t.c.Scratch
	}
	return max(t.c.Scratch, t.yes.scratch(), t.no.scratch())
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

// RunOn is Keeper's: only plain code keeps part of the state; bodies have nothing to keep.
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

// call runs the code and counts its cycles.
func (e *Engine) call(base unsafe.Pointer, cycles uint64) (left uint64) {
	e.restart(base)
	left = e.code.Run(base, cycles)
	e.total += cycles - left
	return left
}

// snap copies the registers at base.
func (e *Engine) snap(base unsafe.Pointer) choose.Snapshot {
	return e.copyOf(unsafe.Slice((*uint64)(unsafe.Add(base, 8*int(int32(e.lo)))), e.hi-e.lo))
}

// take returns n words, allocated in batches.
func (e *Engine) take(n int) []uint64 {
	// Snapshots have one size, and are many: allocate 64 at once.
	if len(e.room) < n {
		e.room = make([]uint64, 64*n)
	}
	s := e.room[:n:n]
	e.room = e.room[n:]
	return s
}

// copyOf extracts the registers from state words lo to hi.
func (e *Engine) copyOf(words []uint64) choose.Snapshot {
	s := choose.Snapshot(e.take(len(e.n.Regs)))
	for r := range s {
		s[r] = words[e.n.Regs[r].Slot-e.lo]
	}
	return s
}

// Run runs up to cycles cycles. It returns the number of cycles left when the net stopped, else
// 0.
func (e *Engine) Run(base unsafe.Pointer, cycles uint64) (left uint64) {
	for cycles > 0 {
		if e.plain != nil {
			return e.plain.Run(base, cycles)
		}

		// The contest with plain code uses up cycles of this call.
		if e.total >= e.trialAt && cycles >= e.pol.TrialCycles && !e.postpone() {
			var done uint64
			var stopped bool
			e.guard(func() { done, stopped = e.trial(base, cycles) }, func() { e.trialAt = 1 << 63 })
			if cycles -= done; stopped {
				return cycles
			}
			continue
		}

		left = e.countedCall(base, cycles)
		if e.plan == nil && left > 0 && cycles-left < fewCycles {
			if e.stops++; e.stops > e.pol.MostStops { // it stops all the time: bodies cannot pay
				e.settle()
				return left
			}
		}
		e.guard(func() { e.watch(base) }, func() { e.fixed = true })
		return left
	}
	return 0
}

// countedCall runs the code and advances the virtual clock.
func (e *Engine) countedCall(base unsafe.Pointer, cycles uint64) (left uint64) {
	left = e.call(base, cycles)
	e.ran(cycles - left)
	return left
}

// ran accounts for a call. General cycles cost their full estimate. Cycles in bodies cost the
// part of it that the plan expects with all deciding registers known.
func (e *Engine) ran(cycles uint64) {
	// The code's counters only grow, so the differences since the last call are this call's.
	general := float64(e.seenWords[emit.GeneralAt] - e.counted[1])
	e.misses += float64(e.seenWords[emit.MissesAt] - e.counted[0])
	e.generals += general
	e.counted = [2]uint64{e.seenWords[emit.MissesAt], e.seenWords[emit.GeneralAt]}

	// Without a plan all cycles are general, whatever was counted.
	all := float64(cycles) * float64(e.instances())
	if e.plan == nil || len(e.plan.Costs) == 0 {
		general = all
	}
	e.running += choose.Effort(general)*e.perCycle + choose.Effort(all-general)*e.perBody() + choose.Effort(cycles)*e.rest
}

// perBody is the effort of a cycle in a body.
func (e *Engine) perBody() choose.Effort {
	if e.plan == nil || len(e.plan.Costs) == 0 {
		return e.perCycle
	}
	return e.pol.Cycle(e.plan.Costs[len(e.plan.Costs)-1])
}

// CycleEffort is Pacer's. Before there are bodies it is that of general cycles, and afterwards a
// mean by the plan's expectation.
func (e *Engine) CycleEffort() float64 {
	if e.plain != nil {
		return e.plain.CycleEffort()
	}

	// The expectation covers bodies and misses, each by its share of the cycles.
	cycle := e.perCycle
	if e.plan != nil && e.plan.Expect > 0 {
		cycle = e.pol.Cycle(e.plan.Expect)
	}
	return float64(cycle)*float64(e.instances()) + float64(e.rest)
}
