package nets

import (
	"etch/sim/net"

	"etch/ir/disjoint"
)

// Most assertions are about a rare state: an element that was offered and not taken, a processor
// that has halted. Their conditions begin with registers that are mostly 0 and go on with logic
// that may be a large part of the design. The stop test therefore selects by the cheap parts of
// conditions, and schedulers make a branch of the select, which skips the rest.
const (
	cheapPart = 6  // most cost of a part that is always computed
	cheapStop = 40 // most cost of a condition that is always computed
)

// stops builds the disjunction of conditions to stop.
type stops struct {
	n     *net.Net
	says  []net.ID
	group disjoint.Forest[int] // of conditions that share costly logic
	costs []float32            // by condition: cost of its costly logic that no earlier one needs
}

// anyStop is the disjunction of says. Conditions that share costly logic form a group, which is
// computed only where the cheap parts of one of them hold.
func anyStop(n *net.Net, says []net.ID) net.ID {
	s := &stops{n: n, says: says}
	s.unite()

	// A group is named by its first condition.
	sums, cheap, costs := make([]net.ID, len(says)), make([]net.ID, len(says)), make([]float32, len(says))
	for i := range says {
		sums[i], cheap[i] = n.Const(0), n.Const(0)
	}
	for i, x := range says {
		g := s.group.Find(i)
		sums[g], cheap[g] = n.Or(sums[g], x), n.Or(cheap[g], s.cheapParts(x))
		costs[g] += s.costs[i]
	}

	// A group with a condition that has no cheap part is computed always.
	z := n.Const(0)
	for g, x := range sums {
		if v, ok := n.IsConst(cheap[g]); costs[g] > 0 && !(ok && v == 1) {
			x = n.Mux(cheap[g], x, n.Const(0))
		}
		z = n.Or(z, x)
	}
	return z
}

// unite finds the groups. A condition that costs little forms a group of its own.
func (s *stops) unite() {
	owner := map[net.ID]int{}
	s.group, s.costs = make([]int, len(s.says)), make([]float32, len(s.says))
	for i, x := range s.says {
		s.group[i] = i
		if s.cheap(x, cheapStop) {
			continue
		}

		// A costly node that another condition needs too joins both. The nodes below it have been
		// visited then.
		todo := []net.ID{x}
		for len(todo) > 0 {
			x := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if s.cheap(x, cheapPart) {
				continue
			}
			if k, ok := owner[x]; ok {
				s.group.Join(i, k)
				continue
			}
			owner[x] = i
			s.costs[i] += s.n.N[x].Cost()
			s.n.Args(x, func(y net.ID) { todo = append(todo, y) })
		}
	}
}

// cheapParts is the conjunction of the cheap parts of x: of the values that must all be 1 for x to be 1.
func (s *stops) cheapParts(x net.ID) net.ID {
	type part struct {
		x        net.ID
		inverted bool
	}
	z, todo := s.n.Const(1), []part{{x, false}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]

		// By De Morgan's rule, the complement of a disjunction is a conjunction of complements.
		switch nd := s.n.N[p.x]; {
		case nd.Op == net.Not && nd.W == 1:
			todo = append(todo, part{nd.A, !p.inverted})
		case nd.W == 1 && (nd.Op == net.And && !p.inverted || nd.Op == net.Or && p.inverted):
			todo = append(todo, part{nd.A, p.inverted}, part{nd.B, p.inverted})
		case !s.cheap(p.x, cheapPart):
		case p.inverted:
			z = s.n.And(z, s.n.Not(p.x, 1))
		default:
			z = s.n.And(z, p.x)
		}
	}
	return z
}

// cheap reports whether computing x costs at most so much.
func (s *stops) cheap(x net.ID, most float32) bool {
	// Each visit but a leaf's costs something, so that the walk is short.
	todo := []net.ID{x}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if most -= s.n.N[x].Cost(); most < 0 {
			return false
		}
		s.n.Args(x, func(y net.ID) { todo = append(todo, y) })
	}
	return true
}
