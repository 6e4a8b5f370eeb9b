package native

import (
	"etch/sim/choose"
	"etch/sim/native/internal/emit"
	"etch/sim/native/internal/schedule"
	"etch/sim/net"
)

// A team is independent machines of one net: each has bodies for its own states, because the
// combinations of all states are too many. In a cycle the common part runs first, on old values,
// and stores the values that machines need of each other.

// newTeam returns an engine for the machines of a net; nil if dividing it does not pay.
func newTeam(n *net.Net, o Options) *Engine {
	pol := o.policy()
	if tooLarge(n, pol) {
		return nil
	}

	// A register that addresses a memory counts as control: bodies may assume the word it selects.
	marked := choose.ControlRegisters(n, pol)
	for r, is := range choose.AddressRegisters(n, pol) {
		marked[r] = marked[r] || is
	}

	// The values that machines need of each other get scratch words behind the next bodies. A
	// scratch word is below the state, so its slot is negative.
	inputs := int32(0)
	machines := n.Machines(marked, pol.LeastMachine, func(k int) int32 {
		inputs = max(inputs, int32(k)+1)
		return -(emit.FirstPrivate + int32(pol.MostMachines) + int32(k) + 1)
	})
	if machines == nil || len(machines.Each) < 2 || len(machines.Each) > pol.MostMachines || dominated(machines, pol) {
		return nil
	}

	// A body of a machine must not assume its inputs: the common part stores new ones in each
	// cycle.
	e := emptyEngine(n, o)
	for i := range machines.Each {
		p := &machines.Each[i]
		m := e.join(p.Net, choose.ControlRegisters(p.Net, pol), choose.AddressRegisters(p.Net, pol))
		m.g.first = emit.FirstPrivate + int32(pol.MostMachines) + inputs
		for r, is := range p.Inputs {
			m.g.Volatile[r] = m.g.Volatile[r] || is
		}
	}

	// The common part is scheduled in the first member's reusable arrays, for the registers of all
	// members.
	first := e.machines[0]
	e.top = schedule.Prepare(&first.g.sched, machines.Top, net.Assume{}, first.g.first)
	e.top.Allocate(&first.g.alloc, first.g.pool)
	return e
}

// dominated reports whether one machine has nearly all the work: it gains nothing from a team.
func dominated(machines *net.Machines, pol *choose.Policy) bool {
	all, most := 0.0, 0.0
	for i := range machines.Each {
		c := choose.StaticCost(machines.Each[i].Net)
		all, most = all+c, max(most, c)
	}
	return all-most < pol.LeastOther*all
}

// reviewDue reports whether a review of the members' bodies is due: one of them asks for it, and all
// together have lost enough to pay for new code, which is always compiled for all members.
func (e *Engine) reviewDue() bool {
	wasted, asked := choose.Effort(0), false

	// A member asks by its own patience. The sum must pay for code of all members.
	for _, m := range e.machines {
		if m.plan != nil && !m.fixed {
			w := m.wasted()
			wasted, asked = wasted+w, asked || w >= m.patience
		}
	}
	return asked && wasted >= choose.Effort(e.pol.ReviewShare)*e.took
}

// renewTeam makes machine code of the members' bodies.
func (e *Engine) renewTeam() {
	w := watch()
	e.stale = false
	if err := e.emit(); err != nil {
		for _, m := range e.machines {
			m.fixed = true
		}
	}

	// The estimate follows from the size: only then is the size known.
	e.took = choose.Effort(e.pol.EmitByte * float64(e.code.size))
	w.compare(&e.diary, "code of a team", e.took)
}
