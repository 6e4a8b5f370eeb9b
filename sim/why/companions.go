package why

import (
	"slices"

	"etch/ir"
)

// Bounds of the search for companions: the state that a window reads besides that which is asked
// for, and the nodes that are passed to find it. Reading one costs about 60 ns in each cycle.
const (
	mostCompanions = 64
	mostPassed     = 1 << 14
)

// companions returns searches for the state that the searched state is computed from, directly and
// through other state, nearest first. An explanation goes that way, and asks for the age of
// much of it next: one replay of a long window then serves all.
func (e *Explainer) companions(open []*search) (all []*search) {
	seen := map[ref]bool{}
	var todo []ref
	for _, x := range open {
		if x.p.addr == 0 {
			seen[x.p.at] = true
			todo = append(todo, e.sources(x.p.at)...)
		}
	}

	for passed := 0; len(todo) > 0 && len(all) < mostCompanions && passed < mostPassed; passed++ {
		r := e.driver(todo[0])
		todo = todo[1:]
		if seen[r] {
			continue
		}
		seen[r] = true

		// State ends an expression and begins the expressions behind it.
		if op := r.inst.mod.Op(r.id); op == ir.Reg || op == ir.MemOut {
			all = append(all, &search{p: probe{at: r}})
		}
		todo = append(todo, e.sources(r)...)
	}
	return all
}

// sources are the nodes that a node's value is computed from: its operands, or the operands of
// the edges of state.
func (e *Explainer) sources(r ref) (all []ref) {
	m := r.inst.mod
	ids := m.Args(r.id)
	switch n := m.Node(r.id); n.Op {
	case ir.Reg:
		ids = []ir.ID{m.Regs[n.Aux].Next, m.Regs[n.Aux].Rst}
	case ir.MemOut:
		p := &m.Mems[n.Aux].Reads[n.Aux2]
		ids = []ir.ID{p.Addr, p.En}
	case ir.Input, ir.InstOut, ir.NetOut:
		return nil
	}

	for _, id := range ids {
		if id != ir.None && !slices.Contains(all, ref{r.inst, id}) {
			all = append(all, ref{r.inst, id})
		}
	}
	return all
}
