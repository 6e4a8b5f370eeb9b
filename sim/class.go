package sim

import (
	"etch/ir"
	"etch/sim/native"
	"etch/sim/net"
)

// class is the instances of one module that share machine code. Their states have equal layouts
// at equal distances (the stride), so code moves from one instance to the next by moving its
// base.
type class struct {
	mod   *ir.Module
	roots []int32   // the instances
	trees [][]int32 // by instance of the class: it and all instances below it, parents first, in the same order
	in    []bool    // by instance of the design: it belongs to a tree

	next   uint32 // slot of the first instance reserved for the engine
	ports  uint32 // slot of the first instance's inputs
	stride uint32
}

// fixedPort is a word of an instance's inputs that never changes.
type fixedPort struct {
	slot  uint32
	value uint64
}

// Limits of classes. Others would not do most of the work.
const (
	leastClassNodes = 100
	leastClassShare = 2  // at least one in so many of all nodes
	leastChoices    = 20 // at least one in so many of its nodes makes a choice: modules without choices are for vectors
)

// findClass chooses the module whose instances have most of the nodes. It returns nil if the
// module has a single instance or few nodes.
func (p *program) findClass() *class {
	if len(p.boxes) > 0 {
		return nil
	}

	var best *kind
	most := p.kinds[0].nodes/leastClassShare - 1
	for _, k := range p.kinds[1:] {
		if k.run > 1 && k.nodes >= leastClassNodes && k.choices >= k.nodes/leastChoices && k.nodes*k.run > most {
			best, most = k, k.nodes*k.run
		}
	}
	if best == nil {
		return nil
	}

	// Collect its instances, with all instances below them.
	c := &class{mod: best.mod, in: make([]bool, len(p.insts))}
	for i := range p.insts {
		if p.insts[i].kind == best.number {
			c.roots = append(c.roots, int32(i))
			tree := p.below(int32(i), nil)
			c.trees = append(c.trees, tree)
			for _, k := range tree {
				c.in[k] = true
			}
		}
	}
	return c
}

// below appends an instance and all instances below it, parents first.
func (p *program) below(i int32, to []int32) []int32 {
	to = append(to, i)
	for k := range p.insts[i].mod.Insts {
		to = p.below(p.insts[i].kids+int32(k), to)
	}
	return to
}

// classLeaves allocates the state of the class's instances, one after the other, each behind its
// inputs.
func (c *compiler) classLeaves() error {
	cl := c.p.class
	if cl == nil {
		return nil
	}

	first := uint32(c.next)
	for i, tree := range cl.trees {
		if _, err := c.alloc(64); err != nil { // for class.next
			return err
		}

		// Inputs come first, so that the class's net addresses them like registers.
		for _, port := range cl.mod.Ports {
			if port.Dir == ir.In {
				if _, err := c.alloc(port.Width); err != nil {
					return err
				}
			}
		}

		for _, inst := range tree {
			for _, id := range c.p.kindOf(inst).state {
				if _, err := c.give(ref{inst, id}); err != nil {
					return err
				}
			}
		}
		if i == 0 {
			cl.next, cl.ports, cl.stride = first, first+1, uint32(c.next)-first
		}
	}
	return nil
}

// placeMemories lays out the memories. Memories of the class come first, instance by instance,
// so that they too lie at equal distances.
func (p *program) placeMemories() {
	p.memAt = make([]uint32, len(p.mems))
	placed := make([]bool, len(p.mems))

	put := func(i int) {
		p.memAt[i], placed[i] = p.memTo, true
		p.memTo += uint32(p.mems[i].room())
	}

	if p.class != nil {
		of := map[int32][]int{}
		for i := range p.mems {
			of[p.mems[i].inst] = append(of[p.mems[i].inst], i)
		}
		for _, tree := range p.class.trees {
			for _, inst := range tree {
				for _, i := range of[inst] {
					put(i)
				}
			}
		}
	}

	for i := range p.mems {
		if !placed[i] {
			put(i)
		}
	}
}

// classFor makes the nets of a class for the clocks marked in on. It returns nil if the
// instances cannot share code. flat is the net of the whole design. fixed must be written to the
// state.
func (p *program) classFor(on []byte, flat *netlist) (c *native.Class, roms [][]uint64, fixed []fixedPort) {
	cl := p.class
	if cl == nil || !p.classResets() || len(p.falls) > 0 {
		return nil, nil, nil
	}

	// Compile the module by itself, and build the net of one instance.
	sub := newCompiler(&ir.Design{Top: cl.mod, Modules: p.design.Modules, Src: p.design.Src}, nil, p.pack)
	sub.alone = true
	q, _, err := sub.compile()
	if err != nil {
		return nil, nil, nil
	}

	clocks, ok := p.classClocks(q, on)
	if !ok || !p.classReads(q) {
		return nil, nil, nil
	}
	b, err := q.netBuilder()
	if err != nil {
		return nil, nil, nil
	}

	b.quiet = true
	if b.events(clocks) != nil {
		return nil, nil, nil
	}

	// Then move it to the places of the first instance, and build the net of all the rest.
	c = &native.Class{Net: b.n, Flat: flat.Net, Count: len(cl.roots), Stride: int32(cl.stride), Next: cl.next}
	if !p.moveNet(q, b, c, flat) {
		return nil, nil, nil
	}
	c.Net.CompactInPlace()
	c.Volatile = make([]bool, len(c.Net.Regs))
	if c.Top, fixed, err = p.topNet(on, q, c); err != nil {
		return nil, nil, nil
	}
	return c, b.roms, fixed
}

// classResets reports whether the class has no latch, and no asynchronous reset that may change
// at an edge.
func (p *program) classResets() bool {
	for _, i := range p.async {
		if r := &p.regs[i]; p.class.in[r.inst] && (r.latch || !p.inputs.has(r.rst)) {
			return false
		}
	}
	return true
}

// classClocks marks the clocks of the class's module that rise. ok is false if instances differ.
func (p *program) classClocks(q *program, on []byte) ([]byte, bool) {
	clocks := make([]byte, len(q.clocks))
	for k, port := range q.clocks {
		for i, root := range p.class.roots {
			rises := byte(0)
			if m := p.clockAt(p.driver(root, int(port))); m >= 0 {
				rises = on[m]
			}
			if i > 0 && rises != clocks[k] {
				return nil, false
			}
			clocks[k] = rises
		}
	}
	return clocks, true
}

// classReads reports whether reads of new data see the same writes as in the module alone. They
// may not: two clocks of the module may be one in the design.
func (p *program) classReads(q *program) bool {
	for _, r := range q.reads {
		for _, w := range q.writes {
			if !r.fresh || w.mem != r.mem || w.clock == r.clock {
				continue
			}
			for _, root := range p.class.roots {
				clock := func(k int32) int32 { return int32(p.clockAt(p.driver(root, int(q.clocks[k])))) }
				if clock(r.clock) == clock(w.clock) {
					return false
				}
			}
		}
	}
	return true
}

// driver is the slot of the signal that drives an input port of an instance.
func (p *program) driver(inst int32, port int) uint32 {
	in := &p.insts[inst]
	return p.slotOf(ref{in.parent, p.mod(in.parent).Insts[in.at].Conns[port]})
}

// moveNet moves the net of the class's module, compiled alone as q, to the slots of the first
// instance. It reports whether all its registers have slots there.
func (p *program) moveNet(q *program, b *netBuilder, c *native.Class, flat *netlist) bool {
	cl := p.class
	at := map[uint32]uint32{} // by slot of q
	for slot := q.inputs.lo; slot < q.inputs.hi; slot++ {
		at[slot] = cl.ports + slot - q.inputs.lo
	}

	own := q.below(0, nil)
	for k, inst := range own {
		for _, id := range q.kindOf(inst).state {
			from, to := q.slotOf(ref{inst, id}), p.slotOf(ref{cl.trees[0][k], id})
			for w := range uint32(net.Words(q.mod(inst).Width(id))) {
				at[from+w] = to + w
			}
		}
	}

	for r := range b.n.Regs {
		to, ok := at[b.n.Regs[r].Slot]
		if !ok {
			return false
		}
		b.n.Regs[r].Slot = to
	}
	return p.moveMemories(q, b, c, own, flat)
}

// moveMemories moves the memories likewise. All instances must have their memories at one
// distance. Tables of constants are shared, behind the tables of the whole design.
func (p *program) moveMemories(q *program, b *netBuilder, c *native.Class, own []int32, flat *netlist) bool {
	number := map[[2]int32]int{}
	for i := range p.mems {
		number[[2]int32{p.mems[i].inst, p.mems[i].at}] = i
	}
	where := map[int32]int{}
	for k, inst := range own {
		where[inst] = k
	}

	// Every memory of the class is described by its place in the first instance and the distance
	// to the second.
	at, _, _ := p.stateWords()
	end := p.behind()

	for i := range q.mems {
		k := where[q.mems[i].inst]
		first := number[[2]int32{p.class.trees[0][k], q.mems[i].at}]
		b.n.Mems[i].At = at[first]
		if len(p.class.trees) > 1 {
			second := number[[2]int32{p.class.trees[1][k], q.mems[i].at}]
			move := int32(at[second] - at[first])
			if i > 0 && move != c.MemMove {
				return false
			}
			c.MemMove = move
		}
	}

	for _, r := range flat.roms {
		end += uint32(len(r))
	}
	for k, r := range b.roms {
		m := &b.n.Mems[len(q.mems)+1+k]
		m.At, m.Shared = end, true
		end += uint32(len(r))
	}
	return true
}

// topNet makes the net of everything outside of the class. It also writes the inputs that the
// class's net uses, but the fixed ones.
func (p *program) topNet(on []byte, q *program, c *native.Class) (top *net.Net, fixed []fixedPort, err error) {
	cl := p.class
	b, err := p.netBuilder()
	if err != nil {
		return nil, nil, err
	}

	b.skips = func(inst int32) bool { return cl.in[inst] }
	b.openJournal()
	if err := b.events(on); err != nil {
		return nil, nil, err
	}

	// Inputs of instances, word by word.
	in := q.inputs.lo
	for k, port := range cl.mod.Ports {
		if port.Dir != ir.In {
			continue
		}
		for w := range uint32(net.Words(port.Width)) {
			fixed = p.portWord(fixed, b, c, k, w, in-q.inputs.lo)
			in++
		}
	}
	b.n.CompactInPlace()
	return b.n, fixed, nil
}

// portWord adds word w of input port k, the i-th word of all inputs, to the outputs of the top
// net, for every instance. Constant inputs are appended to fixed instead.
func (p *program) portWord(fixed []fixedPort, b *netBuilder, c *native.Class, k int, w, i uint32) []fixedPort {
	cl := p.class
	if c.Net.Regs[i].Q < 0 {
		return fixed // not used
	}
	for n, root := range cl.roots {
		slot := cl.ports + i + uint32(n)*cl.stride

		// A constant input is written once; others are written in each cycle.
		x := b.at[p.driver(root, k)+w]
		if v, ok := b.n.IsConst(x); ok {
			fixed = append(fixed, fixedPort{slot, v})
			continue
		}
		b.n.Outs = append(b.n.Outs, net.Out{Slot: slot, Node: x})

		// An input that only follows an input of the top does not change within a call.
		if nd := &b.n.N[x]; nd.Op != net.Leaf || !p.inputs.has(b.n.Regs[nd.Imm].Slot) {
			c.Volatile[i] = true
		}
	}
	return fixed
}
