package ir

import "fmt"

// Paths holds, per module, which inputs reach which outputs combinationally. It is filled
// on demand, children first. Make it before use.
type Paths map[*Module][][]int

// Of returns for each port of m the input ports that it depends on within a cycle: nil for
// inputs. A pad is both. As a dependent, it stands for the module's drivers of it; as a
// source, for the value of its net.
func (p Paths) Of(m *Module) [][]int {
	if r, ok := p[m]; ok {
		return r
	}
	p[m] = make([][]int, len(m.Ports)) // a module that holds itself has no paths; Verify reports it

	r := make([][]int, len(m.Ports))

	// A depth-first search backwards from each output. mark holds 1 + the number of the
	// search that has visited a node, so that it need not be cleared between ports.
	mark := make([]int32, m.Len())
	var stack []ID
	for i, port := range m.Ports {
		if port.Dir == In || port.Node == None {
			continue
		}

		// From a pad, the search starts at its drivers: its own value would reach
		// everything.
		if stack = append(stack[:0], port.Node); port.Dir == InOut {
			stack = p.AppendFanin(stack[:0], m, port.Node)
		}
		for len(stack) > 0 {
			id := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if mark[id] == int32(i+1) {
				continue
			}
			mark[id] = int32(i + 1)

			// Input ports and pads are where it ends.
			if n := m.Node(id); n.Op == Input {
				r[i] = append(r[i], int(n.Aux))
			} else if n.Op == NetOut && m.PadOf(id) >= 0 {
				r[i] = append(r[i], m.PadOf(id))
			}
			stack = p.AppendFanin(stack, m, id)
		}
	}
	p[m] = r
	return r
}

// AppendFanin appends the nodes on which node id of m depends within the cycle: its
// arguments; for an output of an instance, the drivers of the inputs that reach it; for a
// latch, its enable and its data; for a net, its drivers.
func (p Paths) AppendFanin(to []ID, m *Module, id ID) []ID {
	n := m.Node(id)
	// A register other than a latch depends on nothing within the cycle.
	switch {
	case n.Op == Reg:
		if r := &m.Regs[n.Aux]; r.Kind == Latch {
			to = append(to, r.Rst, r.Reset)
		}
		return to
	case n.Op == NetOut:
		return p.appendNetFanin(to, m, id)
	case n.Op != InstOut:
		return append(to, m.Args(id)...)
	}

	// Only the inputs with a combinational path to this output count.
	inst := &m.Insts[n.Aux]
	for _, in := range p.Of(inst.Mod)[n.Aux2] {
		if d := inst.Conns[in]; d != None {
			to = append(to, d)
		}
	}
	return to
}

// LoopError is a combinational loop: each node depends on the next, the last on
// the first.
type LoopError struct {
	Mod   *Module
	Nodes []ID
}

// Error names the loop's module and its first node.
func (e *LoopError) Error() string {
	return fmt.Sprintf("module %s: combinational loop of %d nodes through %%%d", e.Mod.Name, len(e.Nodes), e.Nodes[0])
}

// A node of the search in [Module.Order] is fresh until it is visited, open while it is on the
// stack, and done once all its dependencies are in order.
const (
	fresh = iota
	open
	done
)

// orderVisit is an open node with its fan-in and the next entry of it to look at.
type orderVisit struct {
	id   ID
	next int
	in   []ID
}

// Order returns all nodes of m, each after the nodes that it depends on within the cycle,
// and in order of ID where dependencies allow it. The error is a *[LoopError].
func (m *Module) Order(p Paths) ([]ID, error) {
	// A depth-first search in post-order, with an explicit stack, since combinational logic
	// may be a million nodes deep.
	state := make([]uint8, m.Len())
	order := make([]ID, 0, m.Len())
	var stack []orderVisit

	// Most nodes have their arguments as fan-in: no copy is made of them.
	fanin := func(id ID) []ID {
		if op := m.Op(id); op != InstOut && op != Reg && op != NetOut {
			return m.Args(id)
		}
		return p.AppendFanin(nil, m, id)
	}

	// Roots in order of ID make the result deterministic.
	for root := ID(1); int(root) < m.Len(); root++ {
		if state[root] != fresh {
			continue
		}

		state[root] = open
		stack = append(stack[:0], orderVisit{id: root, in: fanin(root)})
		for len(stack) > 0 {
			v := &stack[len(stack)-1]

			// All dependencies are done: the node comes next in the order.
			if v.next == len(v.in) {
				state[v.id] = done
				order = append(order, v.id)
				stack = stack[:len(stack)-1]
				continue
			}

			// Else descend into the next dependency. An open one closes a loop.
			a := v.in[v.next]
			v.next++
			switch state[a] {
			case fresh:
				state[a] = open
				stack = append(stack, orderVisit{id: a, in: fanin(a)})
			case open:
				return nil, &LoopError{m, loopOf(stack, a)}
			}
		}
	}
	return order, nil
}

// loopOf is the loop that open node a closes: the stack from a up, so that each node depends on the
// next.
func loopOf(stack []orderVisit, a ID) (loop []ID) {
	at := len(stack) - 1
	for at > 0 && stack[at].id != a {
		at--
	}
	for _, v := range stack[at:] {
		loop = append(loop, v.id)
	}
	return loop
}
