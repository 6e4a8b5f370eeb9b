package cells

import "etch/ir"

// nodeBit is bit i of a node.
type nodeBit struct {
	id ir.ID
	i  int
}

// senses says how the bits of a clock's logic follow the level of an input clock:
// each node is looked at once, however many ways lead to it.
type senses struct {
	l      *lowering
	from   ir.ID // the level
	behind map[ir.ID]bool
	of     map[nodeBit]sense
	visits int // for tests
}

// sense is whether a bit may rise when the level rises, and when it falls.
type sense struct{ up, down bool }

// newSenses marks the nodes of a clock's logic that depend on a level within the cycle.
func newSenses(l *lowering, clk, from ir.ID) *senses {
	s := &senses{l: l, from: from, behind: map[ir.ID]bool{from: true}, of: map[nodeBit]sense{}}

	// Back from the clock, noting the users of every node on the way.
	users, seen := map[ir.ID][]ir.ID{}, map[ir.ID]bool{clk: true}
	for todo := []ir.ID{clk}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		s.visits++
		for _, a := range (ir.Paths{}).AppendFanin(nil, l.m, id) {
			users[a] = append(users[a], id)
			if !seen[a] {
				seen[a] = true
				todo = append(todo, a)
			}
		}
	}

	// Forward from the level, as far as the clock needs.
	for todo := []ir.ID{from}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		s.visits++
		for _, u := range users[id] {
			if !s.behind[u] {
				s.behind[u] = true
				todo = append(todo, u)
			}
		}
	}
	return s
}

// sense reports whether bit i of a node may rise when the level rises (up), and when it falls
// (down). The only loops go through latches, which it does not look into.
func (s *senses) sense(id ir.ID, i int) (up, down bool) {
	key := nodeBit{id, i}
	x, ok := s.of[key]
	if !ok {
		s.visits++
		x.up, x.down = s.find(id, i)
		s.of[key] = x
	}
	return x.up, x.down
}

func (s *senses) find(id ir.ID, i int) (up, down bool) {
	m := s.l.m
	args := m.Args(id)
	either := func(list ...ir.ID) {
		for _, x := range list {
			u, d := s.sense(x, i)
			up, down = up || u, down || d
		}
	}
	switch op := m.Op(id); {
	case id == s.from:
		return true, false
	case op == ir.Const, op == ir.Input:
		return false, false
	case op == ir.Slice:
		return s.sense(args[0], i+int(m.Node(id).Aux))
	case op == ir.Not:
		up, down = s.sense(args[0], i)
		return down, up

	// These follow their operands in the same direction. For any other operation both
	// directions are possible.
	case op == ir.And, op == ir.Or, op == ir.Wire:
		either(args...)
		return up, down
	case op == ir.Mux && !s.behind[args[0]]:
		either(args[1:]...)
		return up, down
	case op == ir.Reg && s.l.regOf(id).Kind != ir.Latch:
		return false, false
	}
	return s.behind[id], s.behind[id]
}
