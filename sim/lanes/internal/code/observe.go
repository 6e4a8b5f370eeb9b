package code

import "etch/sim/net"

// readConds finds the conditions of reads whose result is used only under a condition: a read
// port that keeps its data unless it is enabled. Other reads have no entry.
func readConds(n *net.Net) map[net.ID]net.ID {
	conds, mixed := map[net.ID]net.ID{}, map[net.ID]bool{}
	isRead := func(x net.ID) bool { return x >= 0 && n.N[x].Op == net.Read }
	for i := range n.N {
		nd := &n.N[i]
		// A read qualifies if all its users are muxes with one and the same select, and it is
		// their first arm.
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

	// The condition must not depend on the read.
	for x := range n.N {
		if c, ok := conds[net.ID(x)]; ok && (mixed[net.ID(x)] || follows(n, c, net.ID(x))) {
			delete(conds, net.ID(x))
		}
	}
	return conds
}

// follows reports whether node x depends on node y.
func follows(n *net.Net, x, y net.ID) bool {
	seen := map[net.ID]bool{}
	todo := []net.ID{x}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if x == y {
			return true
		}
		if x < y || seen[x] { // arguments have smaller IDs
			continue
		}
		seen[x] = true
		n.Args(x, func(a net.ID) { todo = append(todo, a) })
	}
	return false
}
