package lanes

import "etch/sim/net"

// readConds finds, for reads that are wanted only under a condition, that
// condition: a read port that keeps its data unless it is enabled. None for the
// others.
func readConds(n *net.Net) map[net.ID]net.ID {
	conds, mixed := map[net.ID]net.ID{}, map[net.ID]bool{}
	isRead := func(x net.ID) bool { return x >= 0 && n.N[x].Op == net.Read }
	for i := range n.N {
		nd := &n.N[i]
		n.Args(net.ID(i), func(x net.ID) {
			if !isRead(x) {
				return
			}
			if nd.Op != net.Mux || nd.B != x || nd.A == x || nd.C == x || n.Width(nd.A) != 1 {
				mixed[x] = true
			} else if c, ok := conds[x]; ok && c != nd.A {
				mixed[x] = true
			} else {
				conds[x] = nd.A
			}
		})
	}
	n.Roots(func(x net.ID) {
		if isRead(x) {
			mixed[x] = true
		}
	})
	for x := range n.N {
		if c, ok := conds[net.ID(x)]; ok && (mixed[net.ID(x)] || follows(n, c, net.ID(x))) {
			delete(conds, net.ID(x))
		}
	}
	return conds
}

// follows reports whether node x follows from node y.
func follows(n *net.Net, x, y net.ID) bool {
	seen := map[net.ID]bool{}
	var visit func(x net.ID) bool
	visit = func(x net.ID) bool {
		if x < y || seen[x] { // arguments come before
			return false
		}
		if x == y {
			return true
		}
		seen[x] = true
		found := false
		n.Args(x, func(a net.ID) { found = found || visit(a) })
		return found
	}
	return visit(x)
}
