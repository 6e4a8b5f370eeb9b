package cells

import (
	"etch/ir"
	rows "etch/ir/moments"
)

// resting evaluates bits for the time when clocks are low and, if rst is given, that
// asynchronous reset is high.
type resting struct {
	l     *lowering
	rst   ir.ID
	state map[rows.Bit]rows.Truth // bits of registers that are tried
	found []rows.Bit              // those that were met
	steps int
}

const (
	maxSteps = 10000 // of an evaluation; bits farther back count as unknown
	maxTried = 8     // bits of registers of which all values are tried
)

// always reports whether a bit is one of those that ok accepts, whatever registers
// hold.
func (r *resting) always(id ir.ID, ok func(rows.Truth) bool) bool {
	r.state = map[rows.Bit]rows.Truth{}
	if ok(r.bit(rows.Bit{ID: id})) {
		return true
	}

	// Registers may hold anything, so all values of the few that were met are tried.
	tried := r.found
	if len(tried) > maxTried {
		return false
	}
	for set := range 1 << len(tried) {
		for k, b := range tried {
			r.state[b] = rows.TruthOf(set>>k&1 == 1)
		}
		r.steps = 0
		if !ok(r.bit(rows.Bit{ID: id})) {
			return false
		}
	}
	return len(tried) > 0
}

// bit evaluates a bit of a node.
func (r *resting) bit(b rows.Bit) rows.Truth {
	l := r.l

	// Clocks rest low.
	if l.levelOf(b.ID) != nil {
		return rows.No
	}
	if r.steps++; r.steps > maxSteps {
		return rows.Wild
	}
	switch l.m.Op(b.ID) {
	case ir.Reg:
		return r.register(b)
	case ir.MemOut:
		return rows.Held
	}
	t, _ := rows.Look(l.m, b, r.bit)
	return t
}

func (r *resting) register(b rows.Bit) rows.Truth {
	if t, ok := rows.State(r.l.m, r.l.regOf(b.ID), b.I, r.rst, r.bit); ok {
		return t
	}
	if t, ok := r.state[b]; ok {
		return t
	}

	// One more than can be tried, so that always sees that there are too many.
	if len(r.found) <= maxTried {
		r.found = append(r.found, b)
		r.state[b] = rows.Held
	}
	return rows.Held
}
