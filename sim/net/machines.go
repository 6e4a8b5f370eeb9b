package net

// Machines is a net divided into independent machines and the rest. In a cycle Top runs first, on
// old values: it does everything that belongs to no machine, and stores the values that machines need
// of others. Then the machines run, in any order.
type Machines struct {
	Top  *Net
	Each []Machine
}

// Machine is a machine: registers and memories that depend on each other, with the nodes that
// depend on them alone or serve them alone.
type Machine struct {
	Net    *Net
	Inputs []bool // by register of Net: Top stores it
}

// Machines divides a net at registers and memories that depend on each other. A machine counts if
// it has a marked register and costs at least least per cycle; the result is nil if there are
// fewer than two. slot assigns places to the values that Top stores, numbered from 0.
func (n *Net) Machines(marked []bool, least float32, slot func(k int) int32) *Machines {
	d := &dismantler{n: n, slot: slot}

	// Banks mix look-ups of all machines.
	for i := range n.N {
		if n.N[i].Op == Tables {
			return nil
		}
	}

	d.written = make([]bool, len(n.Mems))
	for i := range n.Writes {
		d.written[n.Writes[i].Mem] = true
	}

	d.components()
	if d.seed(marked, least) < 2 {
		return nil
	}
	d.assign()
	return d.build()
}

// dismantler divides a net. Its vertices are the nodes, then the registers, then the memories.
type dismantler struct {
	n        *Net
	slot     func(int) int32
	written  []bool  // by memory
	comp     []int32 // by vertex: its strongly connected component; dependencies lie in the same or a lower one
	comps    int32
	machine  []int32 // by component: its machine, noMachine or topPart
	machines int32
	at       map[ID]int // numbers of the values that Top stores
	stored   []ID
}

// Values of dismantler.machine that are no machines.
const (
	noMachine  = -1 // nothing depends on it
	topMachine = -2 // used by several machines, or outside of machines
)

func (d *dismantler) reg(r int) int32   { return int32(len(d.n.N) + r) }
func (d *dismantler) mem(m int) int32   { return int32(len(d.n.N) + len(d.n.Regs) + m) }
func (d *dismantler) vertices() int     { return len(d.n.N) + len(d.n.Regs) + len(d.n.Mems) }
func (d *dismantler) isNode(v int) bool { return v < len(d.n.N) }

// follows calls f for the vertices that vertex v depends on.
func (d *dismantler) follows(v int, f func(int32)) {
	n := d.n
	node := func(x ID) {
		if x >= 0 {
			f(int32(x))
		}
	}

	// The vertex's number tells its kind: nodes, then registers, then memories.
	switch r := v - len(n.N); {
	case d.isNode(v):
		nd := &n.N[v]
		if nd.Op == Leaf {
			f(d.reg(int(nd.Imm)))
			return
		}
		if nd.Op == Read && d.written[nd.Imm] {
			f(d.mem(int(nd.Imm)))
		}
		n.Args(ID(v), node)
	case r < len(n.Regs):
		node(n.Regs[r].Next)
	default:
		m := int32(r - len(n.Regs))
		if !d.written[m] {
			return
		}
		for i := range n.Writes {
			if w := &n.Writes[i]; w.Mem == m {
				w.Each(node)
			}
		}

		// A read belongs to the machine of its memory, and with it the address.
		for i := range n.N {
			if n.N[i].Op == Read && int32(n.N[i].Imm) == m {
				node(n.N[i].A)
			}
		}
	}
}

// components finds the strongly connected components, by Tarjan's algorithm. Components are
// numbered in topological order.
func (d *dismantler) components() {
	k := d.vertices()
	d.comp = make([]int32, k)
	low, seen := make([]int32, k), make([]int32, k)
	var stack []int32
	count := int32(0)
	var visit func(v int32)

	// low is the earliest vertex reachable; a component is complete when that is the vertex
	// itself.
	visit = func(v int32) {
		count++
		low[v], seen[v] = count, count
		stack = append(stack, v)
		d.follows(int(v), func(w int32) {
			if seen[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if d.comp[w] < 0 {
				low[v] = min(low[v], seen[w])
			}
		})

		if low[v] != seen[v] {
			return
		}
		for {
			w := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			d.comp[w] = d.comps
			if w == v {
				break
			}
		}
		d.comps++
	}

	for v := range d.comp {
		d.comp[v] = -1
	}
	for v := range k {
		if seen[v] == 0 {
			visit(int32(v))
		}
	}
}

// seed makes machines of the components that count, and returns their number.
func (d *dismantler) seed(marked []bool, least float32) int32 {
	cost, has := make([]float32, d.comps), make([]bool, d.comps)
	for i := range d.n.N {
		cost[d.comp[i]] += d.n.N[i].Cost()
	}

	// A component counts if it holds a marked register and costs enough.
	for r, is := range marked {
		if is {
			has[d.comp[d.reg(r)]] = true
		}
	}

	// Machines that are small or unmarked stay open: assign gives them to their users.
	d.machine = make([]int32, d.comps)
	for c := range d.machine {
		d.machine[c] = noMachine
		if has[c] && cost[c] >= least {
			d.machine[c] = d.machines
			d.machines++
		}
	}
	return d.machines
}

// join is the machine of a component used by both a and b.
func join(a, b int32) int32 {
	switch {
	case a == noMachine || a == b:
		return b
	case b == noMachine:
		return a
	}
	return topMachine
}

// assign gives all other components to machines: components used by one machine alone, then
// components that depend on one machine alone.
func (d *dismantler) assign() {
	of := make([][]int32, d.comps) // vertices by component
	for v, c := range d.comp {
		of[c] = append(of[c], int32(v))
	}

	// Seeds keep their machines: only other components are given away.
	fixed := make([]bool, d.comps)
	for c, p := range d.machine {
		fixed[c] = p >= 0
	}

	// Stop and outputs belong to the top.
	give := func(x ID) {
		if x >= 0 && !fixed[d.comp[x]] {
			d.machine[d.comp[x]] = topMachine
		}
	}
	give(d.n.Stop)
	for i := range d.n.Outs {
		give(d.n.Outs[i].Node)
	}

	// Users come before dependencies in this direction: a component used by one machine belongs to
	// it.
	for c := d.comps - 1; c >= 0; c-- {
		for _, v := range of[c] {
			d.follows(int(v), func(w int32) {
				if k := d.comp[w]; !fixed[k] && k != c {
					d.machine[k] = join(d.machine[k], d.machine[c])
				}
			})
		}
	}

	// Dependencies come first now: a component that depends on one machine alone belongs to it.
	from := make([]int32, d.comps)
	for c := range d.comps {
		from[c] = noMachine
		state, idle := false, true
		for _, v := range of[c] {
			state = state || !d.isNode(int(v))
			d.follows(int(v), func(w int32) {
				if k := d.comp[w]; k != c {
					from[c] = join(from[c], from[k])
				}
				idle = false
			})
		}

		if d.machine[c] < 0 && from[c] >= 0 {
			d.machine[c] = from[c]
		}

		// Users of state depend on the machine that owns it. State that depends on nothing (an input, or
		// a memory that is never written) ties its users to no machine.
		if state && !idle {
			from[c] = d.machine[c]
		}
	}
}

// build makes the nets. It returns nil if a machine computes addresses into another's memory.
func (d *dismantler) build() *Machines {
	p := &Machines{}
	d.at = map[ID]int{}
	for k := range d.machines {
		machine, ok := d.net(k)
		if !ok {
			return nil
		}
		// A machine without registers has been merged into the top.
		if len(machine.Net.Regs) > 0 {
			p.Each = append(p.Each, machine)
		} else if len(machine.Net.Writes) > 0 {
			return nil
		}
	}

	// Top comes last: the machines have told by now which values it stores for them.
	p.Top = d.top()
	return p
}

// owner is the machine of vertex v.
func (d *dismantler) owner(v int32) int32 { return d.machine[d.comp[v]] }

// net extracts machine k. Values of other machines become inputs; ok is false if one is read from a
// memory that another machine writes.
func (d *dismantler) net(k int32) (machine Machine, ok bool) {
	n := d.n
	c := d.clone(func(v int32) bool { return d.owner(v) == k })
	own := make([]bool, len(n.N)) // it depends on the machine's state, or on no machine's
	need := make([]bool, len(n.N))

	// A node depending on nothing of the machine is not computed there, but stored by Top.
	for i := range n.N {
		switch nd := &n.N[i]; {
		case nd.Op == Const:
			own[i] = true
		case nd.Op == Leaf:
			own[i] = d.owner(d.reg(int(nd.Imm))) == k || n.Regs[nd.Imm].Next < 0
		default:
			own[i] = nd.Op == Read && d.written[nd.Imm] && d.owner(d.mem(int(nd.Imm))) == k
			n.Args(ID(i), func(x ID) { own[i] = own[i] || own[x] && n.N[x].Op != Const })
		}
	}

	c.Roots(func(x ID) { need[x] = true })

	// Replace the needed foreign nodes by inputs, users before arguments.
	inputs := make([]bool, len(n.Regs))
	for i := len(n.N) - 1; i >= 0; i-- {
		nd := &n.N[i]
		switch {
		case !need[i]:
		case !own[i]:
			if nd.Op == Leaf {
				c.Regs[nd.Imm].Q = None
			}
			c.N[i] = Node{Op: Leaf, W: nd.W, A: None, B: None, C: None, Imm: uint64(len(c.Regs))}
			c.Regs = append(c.Regs, Reg{Slot: d.store(ID(i)), W: nd.W, Q: ID(i), Next: None})
			inputs = append(inputs, true)
		case nd.Op == Read && d.written[nd.Imm] && d.owner(d.mem(int(nd.Imm))) != k:
			return machine, false
		default:
			n.Args(ID(i), func(x ID) { need[x] = true })
		}
	}

	machine.Net, machine.Inputs = c.remains().shed(inputs)
	return machine, true
}

// store lets Top store node x, and returns its slot.
func (d *dismantler) store(x ID) int32 {
	k, ok := d.at[x]
	if !ok {
		k = len(d.stored)
		d.at[x] = k
		d.stored = append(d.stored, x)
	}
	return d.slot(k)
}

// top makes the net of everything outside of machines.
func (d *dismantler) top() *Net {
	c := d.clone(func(v int32) bool { return d.owner(v) < 0 })
	c.Stop = d.n.Stop
	c.Outs = append(c.Outs, d.n.Outs...)
	for k, x := range d.stored {
		c.Outs = append(c.Outs, Out{d.slot(k), x})
	}
	return c.remains()
}

// clone copies the net, with the registers and writes that mine selects.
func (d *dismantler) clone(mine func(v int32) bool) *Net {
	n := d.n

	// IDs stay the same: nodes that nothing uses now are dropped by remains.
	c := &Net{N: append([]Node(nil), n.N...), Pool: n.Pool, Banks: n.Banks, Regs: append([]Reg(nil), n.Regs...), Mems: n.Mems, Stop: None, Entry: None}
	for r := range c.Regs {
		if !mine(d.reg(r)) {
			c.Regs[r].Next = None
		}
	}

	// Writes go with their memory, and Entry with the journals that it covers.
	for _, w := range n.Writes {
		if mine(d.mem(int(w.Mem))) {
			c.Writes = append(c.Writes, w)
			if n.journal(&w) {
				c.Entry = n.Entry
			}
		}
	}
	return c
}

// remains is a new net of the live nodes of n.
func (n *Net) remains() *Net {
	var p Prop
	as := NewAssume(len(n.Regs))
	p.Bind(n)
	p.Run(as)
	return p.Extract(as)
}

// shed removes the registers of n that nothing reads or writes, and their marks.
func (n *Net) shed(marks []bool) (*Net, []bool) {
	// Kept registers move down in place; leaves name them by number and are renamed.
	to := make([]uint64, len(n.Regs))
	k := 0
	for r := range n.Regs {
		if n.Regs[r].Q >= 0 || n.Regs[r].Next >= 0 {
			to[r] = uint64(k)
			n.Regs[k], marks[k] = n.Regs[r], marks[r]
			k++
		}
	}
	n.Regs = n.Regs[:k]

	for i := range n.N {
		if n.N[i].Op == Leaf {
			n.N[i].Imm = to[n.N[i].Imm]
		}
	}

	// The leaves are other nodes now, so the table of equal nodes no longer fits.
	n.table = nil
	return n, marks[:k]
}
