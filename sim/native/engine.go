package native

import (
	"slices"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// Engine runs a net and specialises it meanwhile: a tracing compiler for hardware. It samples
// the control registers, and compiles a body of one cycle for each frequent combination of their
// values, with these values as constants. Bodies jump to each other directly. A general body
// runs the states without a body, and keeps some of them for the next plan. An Engine belongs to
// one state at a time: its code holds none of the state, but it adapts to the states it sees.
//
// A net is one machine, or many: instances of a class that share bodies, or the members of a
// team, each with bodies of its own. Many machines take turns in a cycle. First the common part
// runs, which belongs to no machine; then each machine runs its part and keeps its next body.
type Engine struct {
	flat     *net.Net // the net of the whole state
	o        Options
	t        emit.Target
	machines []*machine
	class    *emit.Class    // of instances that share the one machine's bodies, or nil
	top      *schedule.Code // of many machines: the common part
	common   choose.Effort  // of a cycle of that

	limit     int32 // end of the scratch words of bodies
	code      *Code
	starts    []int         // by machine: offset in the code at which dispatch begins
	owed      owed          // of one machine
	done      emit.Label    // of many machines, in the code being written: the cycle is over
	stale     bool          // the code lacks new bodies of team members
	reviewing bool          // team members review their bodies now
	took      choose.Effort // of making a team's code
	stops     int           // calls before the first plan that stopped early
	rivalry
}

// newEngine returns an engine for n, or nil if n has no control state or is too large.
func newEngine(n *net.Net, o Options) *Engine {
	pol := o.policy()
	if tooLarge(n, pol) {
		return nil
	}
	control, address := choose.ControlRegisters(n, pol), choose.AddressRegisters(n, pol)
	if !slices.Contains(control, true) && !slices.Contains(address, true) {
		return nil
	}
	e := emptyEngine(n, o)
	e.join(n, control, address)
	return e
}

// emptyEngine returns an engine for n without machines.
func emptyEngine(n *net.Net, o Options) *Engine {
	return &Engine{flat: n, o: o, t: emit.Here,
		rivalry: rivalry{diary: diary{shield: o.Recover}, pol: o.policy(), trialAt: o.policy().FirstTrial}}
}

func tooLarge(n *net.Net, pol *choose.Policy) bool {
	return len(n.Regs) > pol.MostRegs || len(n.N) > pol.MostNodes
}

// isTeam reports whether there are several machines with bodies of their own.
func (e *Engine) isTeam() bool { return len(e.machines) > 1 }

// start makes the general bodies and the first code.
func (e *Engine) start() error {
	w := watch()

	// All machines spill to the same scratch words, so the neediest sets the limit for all. The
	// common part may spill to these words, too.
	scratch := int32(0)
	if e.top != nil {
		scratch = e.top.Scratch
		e.common = e.pol.Cycle(choose.StaticCost(e.top.N))
	}
	for _, m := range e.machines {
		m.begin(scratch)
		e.limit = max(e.limit, m.g.limit)
	}
	err := e.emit()

	// The first plan waits for runs as long as the general body takes to compile.
	for _, m := range e.machines {
		m.g.limit = e.limit
		general := choose.Effort(e.pol.StartNode * float64(len(m.n.N)))
		m.firstPlan = choose.Effort(e.pol.FirstShare) * general
		w.compare(&e.diary, "the general body", general)
	}
	return err
}

// Scratch is the number of words below the state that the code uses.
func (e *Engine) Scratch() int { return int(e.limit) + e.pol.PlainRoom }

// Size is the number of bytes of machine code at present.
func (e *Engine) Size() int {
	if e.plain != nil {
		return e.plain.Size()
	}
	return e.code.Size()
}

// Bodies is the number of specialised bodies at present.
func (e *Engine) Bodies() (k int) {
	for _, m := range e.machines {
		k += len(m.bodies)
	}
	return k
}

// Close frees the code.
func (e *Engine) Close() error {
	if e.plain != nil {
		return e.plain.Close()
	}
	return e.code.Close()
}

// RunOn is Keeper's: only plain code keeps part of the state; bodies have nothing to keep.
func (e *Engine) RunOn(base unsafe.Pointer, cycles uint64, again bool) uint64 {
	if e.plain == nil {
		return e.Run(base, cycles)
	}
	return e.runOn(base, cycles, again)
}

// Run runs up to cycles cycles. It returns the number of cycles left when the net stopped, else
// 0.
func (e *Engine) Run(base unsafe.Pointer, cycles uint64) (left uint64) {
	for e.plain == nil {
		// The contest with plain code runs cycles of this call by both kinds of code.
		if e.total >= e.trialAt && cycles >= e.pol.TrialCycles && !e.postpone() {
			var done uint64
			var stopped bool
			e.guard(func() { done, stopped = e.trial(base, cycles) }, func() { e.trialAt = 1 << 63 })
			if cycles -= done; stopped || cycles == 0 {
				return cycles
			}
			continue
		}

		// Bodies cannot pay in a net that stops after few cycles each time.
		left = e.call(base, cycles)
		if left > 0 && cycles-left < e.pol.StopCycles && e.machines[0].plan == nil {
			if e.stops++; e.stops > e.pol.MostStops {
				e.settle()
				return left
			}
		}
		if left < cycles || !e.isTeam() { // else the common part has not run, and a team's inputs are stale
			e.account(base, cycles-left)
		}
		return left
	}
	return e.plain.Run(base, cycles)
}

// call runs the code. Every machine dispatches anew, because callers may have changed the state.
func (e *Engine) call(base unsafe.Pointer, cycles uint64) (left uint64) {
	e.restart(base)
	left = e.code.Run(base, cycles)
	e.owed.pay(base)
	e.total += cycles - left
	return left
}

// account has the machines account for a call and adapt. The code of a team is renewed once for all
// members.
func (e *Engine) account(base unsafe.Pointer, ran uint64) {
	for _, m := range e.machines {
		m.ran(ran)
	}
	e.guard(func() {
		e.reviewing = e.isTeam() && e.reviewDue()
		for _, m := range e.machines {
			m.watch(base)
		}
		if e.stale {
			e.renewTeam()
		}
	}, func() {
		for _, m := range e.machines {
			m.fixed = true
		}
	})
}

// CycleEffort implements [Pacer].
func (e *Engine) CycleEffort() float64 {
	if e.plain != nil {
		return e.plain.CycleEffort()
	}
	all := e.common
	for _, m := range e.machines {
		all += m.cycleEffort() * choose.Effort(e.instances())
	}
	return float64(all)
}
