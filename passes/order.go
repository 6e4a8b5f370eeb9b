package passes

import "etch/ir"

// argumentOrder returns all nodes, each after its arguments, and in order of ID where
// possible. Only a Wire can refer forward. Paths through instances do not matter here:
// rewriting never adds a dependency.
func argumentOrder(m *ir.Module) []ir.ID {
	// A depth-first search in post-order with an explicit stack. done is set when a node is
	// pushed: a verified module has no cycle of arguments.
	order := make([]ir.ID, 0, m.Len())
	done := make([]bool, m.Len())
	type visit struct {
		id   ir.ID
		next int
	}

	var stack []visit
	for root := ir.ID(1); int(root) < m.Len(); root++ {
		if done[root] {
			continue
		}

		done[root] = true
		stack = append(stack[:0], visit{id: root})
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			// Skip the arguments that are in order already.
			args := m.Args(v.id)
			for v.next < len(args) && done[args[v.next]] {
				v.next++
			}
			if v.next == len(args) {
				order = append(order, v.id)
				stack = stack[:len(stack)-1]
				continue
			}
			a := args[v.next]
			done[a] = true
			stack = append(stack, visit{id: a})
		}
	}
	return order
}

// usesOf counts, for each node, its references from arguments and tables. A name counts as
// one reference, since a user may look at it.
func usesOf(m *ir.Module) []int32 {
	uses := make([]int32, m.Len())
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		for _, a := range m.Args(id) {
			uses[a]++
		}
		if m.NameOf(id) != "" {
			uses[id]++
		}
	}
	ir.EachRef(m, func(ref *ir.ID) { uses[*ref]++ })
	return uses
}
