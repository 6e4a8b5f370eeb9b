package hw

import (
	"slices"

	"etch/ir"
)

// Timed is a component that knows its latency: an element at its data inputs comes out so
// many edges of its clock later. Build checks it: of the paths from an input to an output,
// the one with the fewest registers must have exactly that many. Some paths do not count:
// those through state (a register or memory whose next value depends on itself, other than
// by the enable of a view), those that begin at a value declared constant by [Static], and
// those from clocks, resets and enables of views. A component with a handshake, that is
// with a port that travels against its bundle, is not checked. Nor is one all of whose
// paths go through state: its latency is that of the algorithm, not of registers in a row.
type Timed interface{ Latency() int }

// flow describes a finished module to the latency checks of its parents.
type flow struct {
	enabled map[ir.ID]bool     // registers that an enable of a view holds
	still   map[ir.ID]crossing // values that cross clocks on purpose: Static stands still
	delays  [][]delay          // by port, of outputs; nil until asked for
}

// delay is the fewest registers on the way from an input port.
type delay struct {
	port int
	n    int
}

// hop is a step on a value's way: from is the value n registers before.
type hop struct {
	from ir.ID
	n    int
}

// checkLatency reports the first path whose latency is not the one that the component says.
func (b *body) checkLatency(says int) {
	for at, list := range b.d.delaysOf(b.m) {
		for _, x := range list {
			if x.n == says {
				continue
			}
			in, out := &b.m.Ports[x.port], &b.m.Ports[at]
			notes := b.d.wayThrough(b.m, in.Node, out.Node)
			b.d.report(Diag{Code: "latency", Pos: b.d.src.At(out.Pos), Notes: append(notes, Note{
				Msg: "what stands still goes through hw.Static; a component whose latency is not fixed has no method Latency"}),
				Msg: "Latency of " + b.m.Origin + " is " + itoa(says) + ", and from " + in.Name + " to " + out.Name + " there " + registers(x.n)})
			return
		}
	}
}

// hasHandshake reports whether a port travels against its bundle.
func hasHandshake[P any](ports *P) bool {
	return slices.ContainsFunc(scalars(ports), sig.isFlipped)
}

func registers(n int) string {
	if n == 1 {
		return "is 1 register"
	}
	return "are " + plural(n, "register")
}

// delaysOf lists, for each output of a finished module, the fewest registers from each
// input that reaches it. It is computed once per module.
func (d *design) delaysOf(m *ir.Module) [][]delay {
	f := d.flows[m]
	if f == nil { // a black box
		return make([][]delay, len(m.Ports))
	}
	if f.delays != nil {
		return f.delays
	}
	f.delays = make([][]delay, len(m.Ports))

	order := d.stateless(m)
	for i, p := range m.Ports {
		// Clocks and resets do not count.
		if k := m.TypeOf(p.Type).Kind; p.Dir != ir.In || k == ir.Clock || k == ir.Reset || k == ir.AsyncReset {
			continue
		}
		least := d.leastFrom(m, p.Node, order)
		for at, out := range m.Ports {
			if out.Dir == ir.Out && out.Node != ir.None && least[out.Node] >= 0 {
				f.delays[at] = append(f.delays[at], delay{i, int(least[out.Node])})
			}
		}
	}
	return f.delays
}

// leastFrom is the fewest registers from input in to each node, -1 if there is no path. The
// graph has no cycles once state is left out, so one pass in topological order finds all
// shortest distances.
func (d *design) leastFrom(m *ir.Module, in ir.ID, order []ir.ID) []int32 {
	least := make([]int32, m.Len())
	for i := range least {
		least[i] = -1
	}
	least[in] = 0

	for _, id := range order {
		if id == in {
			continue
		}
		for _, h := range d.hops(m, id) {
			if n := least[h.from]; n >= 0 && (least[id] < 0 || int(n)+h.n < int(least[id])) {
				least[id] = n + int32(h.n)
			}
		}
	}
	return least
}

// hops lists the values that a node depends on, each with the number of registers between.
// A memory that is written is state and ends the path; a ROM is logic, with one register if
// its read port is synchronous.
func (d *design) hops(m *ir.Module, id ir.ID) (list []hop) {
	f, n := d.flows[m], m.Node(id)
	switch n.Op {
	case ir.Reg:
		r := &m.Regs[n.Aux]
		next := r.Next
		if f.enabled[id] && m.Op(next) == ir.Mux { // as Enabled makes it: enable, value, itself
			next = m.Args(next)[1]
		}
		return []hop{{next, 1}}
	case ir.MemOut:
		if a := m.Mems[n.Aux].Reads[n.Aux2].Addr; a != ir.None && len(m.Mems[n.Aux].Writes) == 0 {
			return []hop{{a, 1}}
		}
		return nil
	case ir.InstOut:
		inst := &m.Insts[n.Aux]
		for _, x := range d.delaysOf(inst.Mod)[n.Aux2] {
			list = append(list, hop{inst.Conns[x.port], x.n})
		}
		return list
	case ir.MemRead:
		if len(m.Mems[n.Aux].Writes) > 0 {
			return nil // state
		}
	case ir.Wire:
		if f.still[id].kind == anyCross {
			return nil
		}
	}

	for _, a := range m.Args(id) {
		list = append(list, hop{a, 0})
	}
	return list
}

// stateless lists the nodes that do not depend on themselves, each after the nodes that it
// depends on. It finds strongly connected components over hops (R. Tarjan, "Depth-first
// search and linear graph algorithms", 1972) with an explicit path in place of recursion,
// and keeps those of one node without a hop to itself.
func (d *design) stateless(m *ir.Module) (order []ir.ID) {
	type visit struct {
		id   ir.ID
		in   []hop
		next int
	}

	// index and low are those of the paper, 0 for a node that was not visited; place is the index
	// of a node in open.
	index, low, place := make([]int32, m.Len()), make([]int32, m.Len()), make([]int32, m.Len())
	var path []visit
	var open []ir.ID
	count := int32(0)

	enter := func(id ir.ID) {
		count++
		index[id], low[id] = count, count
		place[id] = int32(len(open))
		open = append(open, id)
		path = append(path, visit{id: id, in: d.hops(m, id)})
	}

	// low of a node whose component is complete; such a node is no longer on the open
	// stack.
	const closed = 1 << 30
	for root := ir.ID(1); int(root) < m.Len(); root++ {
		if index[root] != 0 {
			continue
		}
		for enter(root); len(path) > 0; {
			v := &path[len(path)-1]

			// The next hop of the topmost node, as a call would be in the recursive form.
			if v.next < len(v.in) {
				from := v.in[v.next].from
				v.next++
				if from == ir.None {
					continue
				}
				if index[from] == 0 {
					enter(from)
				} else if low[from] < closed {
					low[v.id] = min(low[v.id], index[from])
				}
				continue
			}

			// The component that v closes are the nodes opened since.
			id, in := v.id, v.in
			path = path[:len(path)-1]
			if len(path) > 0 {
				up := path[len(path)-1].id
				low[up] = min(low[up], low[id])
			}
			if low[id] != index[id] {
				continue
			}

			// Only a component of one node without a hop to itself is free of state.
			at := int(place[id])
			if at == len(open)-1 && !slices.ContainsFunc(in, func(h hop) bool { return h.from == id }) {
				order = append(order, id)
			}
			for _, x := range open[at:] {
				low[x] = closed
			}
			open = open[:at]
		}
	}
	return order
}

// wayThrough names the registers on a shortest path from an input to a node, in the order
// from the input on, for messages.
func (d *design) wayThrough(m *ir.Module, in, to ir.ID) (notes []Note) {
	order := d.stateless(m)
	least := d.leastFrom(m, in, order)
	at := func(id ir.ID) ir.Location { return d.src.At(m.Node(id).Pos) }

	// Back from the node: a hop whose distances match lies on a shortest path.
	for id := to; id != in; {
		i := slices.IndexFunc(d.hops(m, id), func(h hop) bool { return least[h.from] >= 0 && int(least[h.from])+h.n == int(least[id]) })
		if i < 0 {
			break
		}

		h := d.hops(m, id)[i]

		// A hop without registers is wiring, of which the message says nothing.
		switch n := m.Node(id); {
		case h.n == 0:
		case n.Op == ir.InstOut:
			inst := &m.Insts[n.Aux]
			notes = append(notes, Note{d.src.At(inst.Pos), plural(h.n, "register") + " in " + inst.Name})
		case n.Op == ir.MemOut:
			notes = append(notes, Note{at(id), "a read of memory " + m.Mems[n.Aux].Name})
		default:
			notes = append(notes, Note{at(id), "register " + m.NameOf(id)})
		}

		id = h.from
	}

	slices.Reverse(notes)
	if len(notes) > 16 {
		notes = append(notes[:16], Note{Msg: "and " + itoa(len(notes)-16) + " more"})
	}
	return notes
}
