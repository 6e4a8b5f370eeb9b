package derived

import (
	"etch/ir"
	"etch/ir/moments"
)

// maxLooks bounds the nodes examined for one clock; beyond it, nothing is known.
const maxLooks = 20000

// resting evaluates bits while clocks are low and an asynchronous reset, if given, is high.
type resting struct {
	r     *resolver
	rst   ir.ID
	known map[moments.Bit]moments.Truth
	looks int
}

// rests is the knowledge about a clock at rest.
func (r *resolver) rests(clk, rst ir.ID) moments.Truth {
	s := &resting{r: r, rst: rst, known: map[moments.Bit]moments.Truth{}}
	return s.bit(moments.Bit{ID: clk})
}

func (s *resting) bit(b moments.Bit) moments.Truth {
	if t, ok := s.known[b]; ok {
		return t
	}
	if s.looks++; s.looks > maxLooks {
		return moments.Wild
	}
	s.known[b] = moments.Wild // in case it is in a loop of latches
	t := s.look(b)
	s.known[b] = t
	return t
}

func (s *resting) look(b moments.Bit) moments.Truth {
	m := s.r.m
	if v, ok := s.r.constant(b.ID); ok {
		return moments.TruthOf(v.Bit(b.I) == 1)
	}
	// Clocks are low; memory words do not change.
	switch n := m.Node(b.ID); n.Op {
	case ir.Input:
		if isClock(m, b.ID) {
			return moments.No
		}
	case ir.Reg:
		t, _ := moments.State(m, &m.Regs[n.Aux], b.I, s.rst, s.bit)
		return t
	case ir.MemOut:
		return moments.Held
	}
	t, _ := moments.Look(m, b, s.bit)
	return t
}

// checkResets refuses a clock that may rise when an asynchronous reset comes from an input,
// unless that reset also resets the item that the clock moves.
func (r *resolver) checkResets(e *made) bool {
	m := r.m
	seen := map[ir.ID]bool{e.clk: true}
	// All registers in the cone of the clock.
	for todo := []ir.ID{e.clk}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n := m.Node(id); n.Op == ir.Reg && m.Regs[n.Aux].Async && m.Regs[n.Aux].Kind != ir.Latch {
			rst := m.Regs[n.Aux].Rst
			if e.reg != ir.None {
				if g := &m.Regs[m.Node(e.reg).Aux]; g.Async && m.SameBit(g.Rst, rst) {
					continue
				}
			}
			if r.fromInputs(rst) && r.rests(e.clk, rst) != moments.No {
				r.fail(e.pos, nil, "the clock of %s may rise when the asynchronous reset of %s comes, which does not reset it", e.what, m.NameOf(id))
				return false
			}
			continue
		}
		for _, a := range (ir.Paths{}).AppendFanin(nil, m, id) {
			if !seen[a] {
				seen[a] = true
				todo = append(todo, a)
			}
		}
	}
	return true
}

// fromInputs reports whether a node depends on inputs within the cycle.
func (r *resolver) fromInputs(id ir.ID) bool {
	seen := map[ir.ID]bool{id: true}
	// A work list over the combinational fan-in.
	for todo := []ir.ID{id}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if op := r.m.Op(id); op == ir.Input || op == ir.InstOut {
			return true
		}
		for _, a := range (ir.Paths{}).AppendFanin(nil, r.m, id) {
			if !seen[a] {
				seen[a] = true
				todo = append(todo, a)
			}
		}
	}
	return false
}
