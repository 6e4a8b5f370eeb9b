package hw

import (
	"slices"

	"etch/ir"
)

// warnings names the declared things that reach nothing, in the order of their nodes. A
// thing is a node with a name, an input, an output of an instance or a memory. A register
// that only counts reads itself, and two registers may read each other, so things form a
// graph with cycles: the warnings are about the strongly connected components that no other
// component reads.
func (r *readers) warnings() Errors {
	u := &unread{readers: r, readBy: map[int][]int{}, number: map[int]int{}, low: map[int]int{}}
	m := r.m

	// The graph: an edge from each dead thing to the things that read it.
	var dead []int
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if !r.live[id] && u.isThing(id) {
			dead = append(dead, int(id))
			u.reads(int(id), u.feeds(id)...)
		}
	}
	for i := range m.Mems {
		if !r.mems[i] {
			dead = append(dead, u.memory(i))
			for _, w := range m.Mems[i].Writes {
				u.reads(u.memory(i), w.Addr, w.Data, w.En, w.Mask)
			}
		}
	}

	// Find the components, and keep those that no other component reads.
	for _, t := range dead {
		if u.number[t] == 0 {
			u.visit(t)
		}
	}
	slices.Sort(u.last)
	return u.diags()
}

// diags is the warnings about the last things. Instances made by one line, such as the
// elements of an array, give one warning for each of their outputs.
func (u *unread) diags() Errors {
	// Instances are alike if one line made them and the output is the same.
	type alike struct {
		pos  ir.Pos
		mod  *ir.Module
		port int32
	}
	first, more := map[alike]int{}, map[int]int{}

	var out Errors
	for _, t := range u.last {
		if t < u.m.Len() && u.m.Op(ir.ID(t)) == ir.InstOut {
			n := u.m.Node(ir.ID(t))
			key := alike{n.Pos, u.m.Insts[n.Aux].Mod, n.Aux2}
			if i, ok := first[key]; ok {
				more[i]++
				continue
			}
			first[key] = len(out)
		}
		out = append(out, u.diag(t))
	}

	for i, n := range more {
		out[i].Notes = append(out[i].Notes, Note{Msg: "so is that of " + plural(n, "more instance") + " made by this line"})
	}
	return out
}

// unread is the graph of things that reach nothing. A thing is the number of its
// node; memories come after the nodes.
type unread struct {
	*readers
	readBy      map[int][]int
	number, low map[int]int // of Tarjan's algorithm
	stack       []int
	last        []int // things of components that no other component reads
}

func (u *unread) memory(i int) int { return u.m.Len() + i }

func (u *unread) isThing(id ir.ID) bool {
	n := u.m.Node(id)
	return n.Op == ir.InstOut || u.m.NameOf(id) != "" && n.Op != ir.MemOut && n.Op != ir.Const
}

// feeds are the nodes that a thing takes its value from.
func (u *unread) feeds(id ir.ID) []ir.ID {
	if n := u.m.Node(id); n.Op == ir.Reg {
		g := &u.m.Regs[n.Aux]
		return []ir.ID{g.Next, g.Clk, g.Rst}
	}
	return u.m.Args(id)
}

// reads adds edges to thing t from the things that it reads, directly or through operations
// without a name.
func (u *unread) reads(t int, from ...ir.ID) {
	// Stop at the first named thing on each path; memories count as things, and the search goes on
	// through their addresses.
	seen := map[ir.ID]bool{}

	work := slices.Clone(from)
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if id == ir.None || seen[id] || u.live[id] {
			continue
		}

		seen[id] = true
		n := u.m.Node(id)
		switch {
		case u.isThing(id):
			u.readBy[int(id)] = append(u.readBy[int(id)], t)
			continue
		case n.Op == ir.MemRead, n.Op == ir.MemOut:
			at := u.memory(int(n.Aux))
			u.readBy[at] = append(u.readBy[at], t)
		}
		work = append(work, u.m.Args(id)...)
	}
}

// visit is Tarjan's algorithm for strongly connected components (1972). It recurses, since
// chains of dead things are short. last is false if a finished component reads t, or a
// thing that t leads to.
func (u *unread) visit(t int) (last bool) {
	u.number[t] = len(u.number) + 1
	u.low[t] = u.number[t]
	at := len(u.stack)
	u.stack = append(u.stack, t)

	last = true
	for _, x := range u.readBy[t] {
		if u.number[x] == 0 {
			last = u.visit(x) && u.low[x] <= u.number[t] && last
			u.low[t] = min(u.low[t], u.low[x])
		} else if slices.Contains(u.stack, x) {
			u.low[t] = min(u.low[t], u.number[x])
		} else {
			last = false // a component that is finished reads it
		}
	}

	// t is the root of its component, which is the rest of the stack.
	if u.low[t] == u.number[t] {
		if last {
			u.last = append(u.last, u.stack[at:]...)
		}
		u.stack = u.stack[:at]
	}
	return last
}

// diag is the warning about a thing.
func (u *unread) diag(t int) Diag {
	m := u.m
	x := Diag{Code: "unused", Notes: []Note{{Msg: "leave it out, or mark it: hw.Unused(m, …)"}}}

	// Numbers behind those of the nodes are memories.
	if t >= m.Len() {
		mem := &m.Mems[t-m.Len()]
		x.Msg, x.Pos = "memory "+mem.Name+" is never read", m.Src.At(mem.Pos)
		return x
	}

	id := ir.ID(t)
	n := m.Node(id)
	x.Pos = m.Src.At(n.Pos)
	name := m.NameOf(id)

	switch n.Op {
	case ir.Input:
		x.Msg = "input " + name + " is read nowhere"
	case ir.Reg:
		x.Msg = "register " + name + " is never read"
	case ir.InstOut:
		inst := &m.Insts[n.Aux]
		x.Msg = "output " + inst.Mod.Ports[n.Aux2].Name + " of " + inst.Name + " is read nowhere"
	default:
		x.Msg = "wire " + name + " is read nowhere"
	}
	return x
}
