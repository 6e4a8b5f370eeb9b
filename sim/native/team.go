package native

import (
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// Team is engines for independent machines of one net: each has bodies for its own states,
// because the combinations of all states are too many. In a cycle, the part that belongs to no
// machine runs first, on old values, and stores the values that machines need of each other.
// Then each machine runs its part and keeps its next body.
type Team struct {
	flat    *net.Net
	o       Options
	members []*Engine
	top     *schedule.Code
	inputs  int32 // scratch words stored by top, behind the next bodies
	limit   int32 // scratch words
	code    *Code
	tops    []int         // by member: offset of its dispatch in the code
	done    emit.Label    // label in the code being written
	stale   bool          // the code lacks new bodies of members
	looking bool          // members review their bodies now
	took    choose.Effort // of making the code
	stops   int
	contest
}

// mostParts is the largest number of machines.
const mostParts = 64

// newTeam divides a net into machines; nil if that does not pay.
func newTeam(n *net.Net, o Options) *Team {
	pol := o.policy()
	if tooLarge(n, pol) {
		return nil
	}

	// A register that addresses a memory counts as control: bodies may assume the word it selects.
	marked := choose.ControlRegisters(n)
	for r, is := range choose.AddressRegisters(n) {
		marked[r] = marked[r] || is
	}

	t := &Team{flat: n, o: o, contest: contest{diary: diary{shield: o.Recover}, pol: pol, trialAt: pol.FirstTrial}}

	// The values that machines need of each other get scratch words behind the next bodies. A
	// scratch word is below the state, so its slot is negative.
	parts := n.Parts(marked, pol.LeastPart, func(k int) uint32 {
		t.inputs = max(t.inputs, int32(k)+1)
		return uint32(-(emit.FirstPrivate + mostParts + int32(k) + 1))
	})
	if parts == nil || len(parts.Part) > mostParts {
		return nil
	}

	// One dominant machine gains nothing from a team.
	all, most := 0.0, 0.0
	for i := range parts.Part {
		c := 0.0
		for k := range parts.Part[i].Net.N {
			c += float64(parts.Part[i].Net.N[k].Cost())
		}
		all, most = all+c, max(most, c)
	}
	if all-most < pol.LeastOther*all {
		return nil
	}

	// A body of a machine must not assume its inputs: Top stores new ones in each cycle.
	for i := range parts.Part {
		p := &parts.Part[i]
		e := engineFor(p.Net, choose.ControlRegisters(p.Net), choose.AddressRegisters(p.Net), o)
		e.team, e.turn, e.flat = t, i, n
		e.g.first = emit.FirstPrivate + mostParts + t.inputs
		e.g.pool = e.t.Registers(emit.InBodies)
		for r, is := range p.Inputs {
			e.g.Volatile[r] = e.g.Volatile[r] || is
		}
		t.members = append(t.members, e)
	}

	// The common part is scheduled in the first member's reusable arrays, for the registers of all
	// members.
	e := t.members[0]
	t.top = schedule.Prepare(&e.g.sched, parts.Top, net.Assume{}, e.g.first)
	t.top.Allocate(&e.g.alloc, e.g.pool)
	return t
}

// start makes the general bodies and the first code.
func (t *Team) start() error {
	// All members spill to the same scratch words, so the neediest sets the limit for all.
	for _, e := range t.members {
		e.begin(t.top.Scratch)
		t.limit = max(t.limit, e.g.limit)
	}

	err := t.emit()
	for _, e := range t.members {
		e.g.limit = t.limit
		e.firstPlan = choose.Effort(t.pol.FirstShare * t.pol.StartNode * float64(len(e.n.N)))
	}
	return err
}

// emit makes the machine code of all members: the common part, then one chain of bodies per
// member.
func (t *Team) emit() error {
	e := t.members[0]
	w := emit.NewCycles(e.t.Writer(e.f))

	// A cycle begins with the common part, and then jumps to the next body of the first member.
	w.Enter()
	cycle := w.Declare()
	w.Entry(cycle)
	w.Body(t.top)
	w.GoOn(emit.FirstPrivate)

	// Each chain ends in stubs, which keep the member's next body and jump to that of the next
	// member. The last member jumps to done.
	t.done = w.Declare()
	var chains []*chain
	for _, e := range t.members {
		c := newChain(e, w)
		c.bodies()
		c.stubs()
		chains = append(chains, c)
	}

	w.Define(t.done)
	w.Count(true, cycle)
	w.Define(w.Exit)
	w.Leave()
	text, err := w.Text()
	if err != nil {
		return err
	}

	// The old code goes only when the new code exists: a refusal by the system leaves a team that
	// runs.
	code, err := newCode(text, int(t.limit), len(t.flat.N))
	if err != nil {
		return err
	}
	if t.code != nil {
		t.code.Close()
	}

	// Offsets of the dispatch are known only after the text: labels get their places there.
	t.code, t.tops = code, t.tops[:0]
	for _, c := range chains {
		t.tops = append(t.tops, w.OffsetOf(c.top))
	}
	return nil
}

// keep writes the end of a member's cycle: keep l as its next body, go on with the next member.
func (t *Team) keep(c *chain, l emit.Label) {
	c.KeepIn(emit.FirstPrivate+int32(c.e.turn), l)
	if c.e.turn+1 < len(t.members) {
		c.GoOn(emit.FirstPrivate + int32(c.e.turn) + 1)
	} else {
		c.Jump(t.done)
	}
}

// call runs the code. Every member dispatches anew, because callers may have changed the state.
func (t *Team) call(base unsafe.Pointer, cycles uint64) (left uint64) {
	for i, at := range t.tops {
		*(*uint64)(unsafe.Add(base, -8*(emit.FirstPrivate+i+1))) = uint64(t.code.mem.Addr()) + uint64(at)
	}

	left = t.code.Run(base, cycles)
	t.total += cycles - left
	for _, e := range t.members {
		e.total += cycles - left
	}
	return left
}

// Run runs up to cycles cycles. It returns the number of cycles left when the net stopped, else
// 0.
func (t *Team) Run(base unsafe.Pointer, cycles uint64) (left uint64) {
	for t.plain == nil {
		// The contest with plain code runs cycles of this call by both kinds of code.
		if t.total >= t.trialAt && cycles >= t.pol.TrialCycles && !t.postpone() {
			done, stopped := t.trial(base, cycles)
			if cycles -= done; stopped || cycles == 0 {
				return cycles
			}
			continue
		}

		// A net that stops after few cycles each time gets plain code: bodies cannot pay.
		left = t.call(base, cycles)
		if left > 0 && cycles-left < fewCycles {
			if t.stops++; t.stops > t.pol.MostStops && t.members[0].plan == nil {
				t.settle()
				return left
			}
		}
		if left == cycles { // top has not run, so the members' inputs are stale
			return left
		}

		// Members account for the call and ask for reviews; the code is renewed once for all.
		for _, e := range t.members {
			e.ran(cycles - left)
		}
		t.guard(func() {
			t.looking = t.looks()
			for _, e := range t.members {
				e.watch(base)
			}
			if t.stale {
				t.renew()
			}
		}, func() {
			for _, e := range t.members {
				e.fixed = true
			}
		})
		return left
	}
	return t.plain.Run(base, cycles)
}

// looks reports whether a review of the members' bodies is due: one of them asks for it, and all
// together have lost enough to pay for new code, which is always compiled for all members.
func (t *Team) looks() bool {
	wasted, asked := choose.Effort(0), false

	// A member asks by its own patience. The sum must pay for code of all members.
	for _, e := range t.members {
		if e.plan != nil && !e.fixed {
			w := e.wasted()
			wasted, asked = wasted+w, asked || w >= e.patience
		}
	}
	return asked && wasted >= choose.Effort(t.pol.LookShare)*t.took
}

// renew makes machine code of the members' bodies, like Engine's.
func (t *Team) renew() {
	w := watch()
	t.stale = false
	if err := t.emit(); err != nil {
		for _, e := range t.members {
			e.fixed = true
		}
	}
	t.took = choose.Effort(t.pol.EmitByte * float64(t.code.size))

	// The estimate follows from the size: only then is the size known.
	w.compare(&t.diary, "code of a team", t.took)
}

// postpone is Engine's, for any of the members.
func (t *Team) postpone() bool {
	wait := false
	for _, e := range t.members {
		// Every member is asked, without a short cut: postpone counts the delays of each.
		wait = !e.fixed && e.postpone() || wait
	}
	if wait {
		t.trialAt = t.total + t.pol.FirstTrial
	}
	return wait
}

// trial is Engine's.
func (t *Team) trial(base unsafe.Pointer, cycles uint64) (done uint64, stopped bool) {
	plain, done, stopped := t.hold(base, cycles, t.compilePlain, t.call)
	if plain != nil {
		t.takeOver(plain)
	}
	return done, stopped
}

// settle gives up: plain code runs everything.
func (t *Team) settle() {
	if plain, err := t.compilePlain(); err == nil {
		t.takeOver(plain)
	}
}

func (t *Team) takeOver(plain *Code) {
	t.code.Close()

	// Gates may take over from plain code. They get no room of their own to last in, because the
	// caller was told Scratch before.
	o := t.o
	o.First = 0 // no room was asked for
	t.code, t.plain = nil, withGates(t.flat, o, plain, t.Scratch())
}

func (t *Team) compilePlain() (*Code, error) { return plainWithin(t.flat, t.o.Features, t.Scratch()) }

// Scratch is the number of words below the state that the code uses.
func (t *Team) Scratch() int { return int(t.limit) + plainRoom }

// Size is the number of bytes of machine code at present.
func (t *Team) Size() int {
	if t.plain != nil {
		return t.plain.Size()
	}
	return t.code.Size()
}

// CycleEffort is Pacer's.
func (t *Team) CycleEffort() float64 {
	if t.plain != nil {
		return t.plain.CycleEffort()
	}
	all := t.pol.Cycle(choose.StaticCost(t.top.N))
	for _, e := range t.members {
		all += choose.Effort(e.CycleEffort())
	}
	return float64(all)
}

// Bodies is the number of specialised bodies at present.
func (t *Team) Bodies() (k int) {
	for _, e := range t.members {
		k += len(e.bodies)
	}
	return k
}

// RunOn is Keeper's, like Engine's.
func (t *Team) RunOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	if t.plain == nil {
		return t.Run(base, cycles)
	}
	return t.runOn(base, cycles, again)
}

// Close frees the code.
func (t *Team) Close() error {
	if t.plain != nil {
		return t.plain.Close()
	}
	return t.code.Close()
}
