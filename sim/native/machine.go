package native

import (
	"etch/sim/choose"
	"etch/sim/native/internal/emit"
	"etch/sim/net"
)

// machine is one machine of an [Engine]: what it is, the states that it passes through, its
// bodies, and what they have cost and saved.
type machine struct {
	in   *Engine
	turn int // number in a cycle
	subject
	sampler
	library
	ledger
}

// subject is the net of a machine, and the facts about it that do not change.
type subject struct {
	n       *net.Net
	control []bool // by register: it decides conditions
	address []bool // by register: it addresses a memory
	reader  *choose.Reader
	lo, hi  int32 // the slots of all registers, half open
}

// library is the bodies of a machine, and what writes them.
type library struct {
	g         grower
	general   *tree
	plan      *choose.Plan
	bodies    []*special
	fixed     bool // the bodies are final
	memo      map[uint64][]memoEntry
	memoBytes int           // of memo, about
	adding    choose.Effort // spent on compiling bodies
	added     int           // bodies compiled
}

// special is a body for one tuple of control values.
type special struct {
	values []int64        // by register: assumed value or -1
	checks []choose.Check // assumed words of memories
	root   *tree
	weight float64
	depth  int // largest depth of its tree
}

// memoNode is the bytes of a remembered body, per node: of its net, and of its code before and
// after the split by conditions.
const memoNode = 160

// memoEntry is a body that may be asked for again.
type memoEntry struct {
	n      *net.Net
	values []int64
	depth  int
	root   *tree
}

// ledger is the efforts of a machine: those of running drive the virtual clock, and decide when
// compiling pays.
type ledger struct {
	perCycle   choose.Effort // of a general cycle of one instance
	running    choose.Effort // by all cycles so far: the virtual clock
	compiling  choose.Effort
	firstPlan  choose.Effort // running at which the first plan may be made
	lastReview uint64        // cycle of the last review
	patience   choose.Effort // loss that triggers the next review
	sincePlan  choose.Effort // loss between the last plan and the last review
	planTook   choose.Effort // by the last plan
	planAt     uint64        // cycle of the last plan
	planDue    choose.Effort // running at which another plan may be made without need
	postponed  int           // contests put off
}

// join adds a machine for net n, which has registers, some of them marked.
func (e *Engine) join(n *net.Net, control, address []bool) *machine {
	// Gathering keeps the numbers of registers, so the marks still hold.
	n = n.Gather(&e.pol.Net.Banks)
	m := &machine{in: e, turn: len(e.machines), subject: subject{n: n, control: control, address: address, reader: choose.NewReader(n, e.pol)}}
	m.memo = map[uint64][]memoEntry{}

	// The span of slots that holds all registers: a snapshot copies it whole.
	lo, hi := n.Regs[0].Slot, n.Regs[0].Slot
	for i := range n.Regs { // slots of a class are in any order, and inputs of a part lie below the state
		lo, hi = min(lo, n.Regs[i].Slot), max(hi, n.Regs[i].Slot)
	}
	m.lo, m.hi = lo, hi+1
	m.sampler = sampler{pol: e.pol, entry: int(hi + 1 - lo)}

	// Values that the Host writes between calls are unknown to every body.
	m.g.sched.Costs = &e.pol.Branches
	m.g.first, m.g.Pol, m.g.pool = emit.FirstPrivate, e.pol, e.t.Registers(emit.InBodies)
	m.g.Volatile = make([]bool, len(n.Regs))
	for r := range n.Regs {
		m.g.Volatile[r] = n.Regs[r].Host
	}
	e.machines = append(e.machines, m)
	return m
}

// begin makes the general body, which forks over all control registers, and sets up the
// counters. scratch is the number of scratch words used by others.
func (m *machine) begin(scratch int32) {
	// The general body splits by conditions on all control registers. It has no limit of scratch
	// words: it must exist.
	m.g.Ratio, m.g.depth, m.g.limit = m.pol.GeneralRatio, m.pol.GeneralReach, 1<<20
	for r, is := range m.control {
		if is {
			m.g.Dec = append(m.g.Dec, int32(r))
		}
	}
	m.general = m.g.grow(m.n, net.NewAssume(len(m.n.Regs)), 0)

	// Estimated efforts of a cycle drive the virtual clock.
	m.perCycle = m.pol.Cycle(choose.StaticCost(m.n))

	// From now on code is for special bodies. They may use some more scratch words than the general
	// body does, and a body that needs more is given up.
	m.g.Ratio, m.g.Dec = m.pol.SplitRatio, nil
	if m.in.top == nil {
		m.mayOwe()
	}
	m.g.limit = max(m.g.first+m.pol.BodyRoom, m.general.scratch()+m.pol.BodySpare, scratch)
	m.makeRing()
}

// mayOwe lets special bodies leave additions to the end of a call. No body may assume the value of
// an accumulator then, since it is not up to date during a call.
func (m *machine) mayOwe() {
	m.g.sums = accumulators(m.n)
	for r, is := range m.g.sums {
		m.g.Volatile[r] = m.g.Volatile[r] || is
	}
}

// scratch is the number of scratch words that a tree uses.
func (t *tree) scratch() int32 {
	if t.yes == nil {
		return t.c.Scratch
	}
	return max(t.c.Scratch, t.yes.scratch(), t.no.scratch())
}

// ran accounts for a call. General cycles cost their full estimate. Cycles in bodies cost the
// part of it that the plan expects with all deciding registers known.
func (m *machine) ran(cycles uint64) {
	general := m.count()

	// Without a plan all cycles are general, whatever was counted.
	all := float64(cycles) * float64(m.in.instances())
	if m.plan == nil || len(m.plan.Costs) == 0 {
		general = all
	}
	m.running += choose.Effort(general)*m.perCycle + choose.Effort(all-general)*m.perBody()
	if m.in.class != nil {
		m.running += choose.Effort(cycles) * m.in.common
	}
}

// perBody is the effort of a cycle in a body.
func (m *machine) perBody() choose.Effort {
	if m.plan == nil || len(m.plan.Costs) == 0 {
		return m.perCycle
	}
	return m.pol.Cycle(m.plan.Costs[len(m.plan.Costs)-1])
}

// cycleEffort is the effort of a cycle of one instance: before there are bodies that of a general
// cycle, and afterwards a mean by the plan's expectation, which covers bodies and misses, each by
// its share of the cycles.
func (m *machine) cycleEffort() choose.Effort {
	if m.plan != nil && m.plan.Expect > 0 {
		return m.pol.Cycle(m.plan.Expect)
	}
	return m.perCycle
}
