package sim

import (
	"etch/ir"
	"etch/sim/native"
	"etch/sim/net"
)

// class is the instances of one module that may share machine code. Their state
// is laid out alike: what instance i has lies i strides behind what the first
// one has, so that code moves from one to the next by moving its base.
type class struct {
	mod   *ir.Module
	roots []int32   // the instances
	trees [][]int32 // by instance: it and all below it, parents first, in like order
	in    []bool    // by instance of the design: it is in one of the trees

	next   uint32 // slot of the first one for the engine's own use
	ports  uint32 // slot of the first one for the values of its inputs
	stride uint32
	fixed  []uint32 // slots of inputs that never change: their values are in the image
}

// Limits of classes: what does not do most of a design's work is not worth it.
const (
	leastClassNodes = 100
	leastClassShare = 2  // of all nodes, one part in so many
	leastChoices    = 20 // of its nodes, one in so many makes a choice: the others are for vector lanes
)

// findClass chooses the module of whose instances most nodes are; nil if it has
// one instance only, or few nodes.
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

// below appends an instance and all instances under it.
func (p *program) below(i int32, to []int32) []int32 {
	to = append(to, i)
	for k := range p.insts[i].mod.Insts {
		to = p.below(p.insts[i].kids+int32(k), to)
	}
	return to
}

// classLeaves gives slots to the state of the instances of the class, one
// instance after the other, with room for their inputs before it.
func (c *compiler) classLeaves() error {
	cl := c.p.class
	if cl == nil {
		return nil
	}
	first := uint32(c.next)
	for i, tree := range cl.trees {
		if _, err := c.alloc(64); err != nil { // next
			return err
		}
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

// placeMemories lays out the memories, those of the class first, one instance
// after the other.
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

// classFor makes the nets of shared code for the clocks that on marks: nil when
// the instances cannot share code. flat is the net of the whole design.
func (p *program) classFor(on []byte, flat *netlist) (*native.Class, [][]uint64) {
	cl := p.class
	if cl == nil || !p.classResets() || len(p.falls) > 0 {
		return nil, nil
	}
	sub := newCompiler(&ir.Design{Top: cl.mod, Modules: p.design.Modules, Src: p.design.Src}, nil, p.pack)
	sub.alone = true
	q, _, err := sub.compile()
	if err != nil {
		return nil, nil
	}
	clocks, ok := p.classClocks(q, on)
	if !ok || !p.classReads(q) {
		return nil, nil
	}
	b, err := q.netBuilder()
	if err != nil {
		return nil, nil
	}
	b.quiet = true
	if b.events(clocks) != nil {
		return nil, nil
	}
	c := &native.Class{Net: b.n, Flat: flat.Net, Count: len(cl.roots), Stride: int32(cl.stride), Next: cl.next}
	if !p.moveNet(q, b, c, flat) {
		return nil, nil
	}
	c.Net.CompactInPlace()
	c.Volatile = make([]bool, len(c.Net.Regs))
	if c.Top, err = p.topNet(on, q, c); err != nil {
		return nil, nil
	}
	return c, b.roms
}

// classResets reports whether no register of the class has an asynchronous reset
// that may come with an edge, or is a latch.
func (p *program) classResets() bool {
	for _, i := range p.async {
		if r := &p.regs[i]; p.class.in[r.inst] && (r.latch || !p.inputs.has(r.rst)) {
			return false
		}
	}
	return true
}

// classClocks finds which clocks of the class's module rise; false when that is
// not the same in all instances.
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

// classReads reports whether reads that see the writes of their own clock see the
// same ones in the class's module by itself: two of its clocks may be one here.
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

// driver is the slot of what drives an input port of an instance.
func (p *program) driver(inst int32, port int) uint32 {
	in := &p.insts[inst]
	return p.slotOf(ref{in.parent, p.mod(in.parent).Insts[in.at].Conns[port]})
}

// moveNet gives the net of the class's module, compiled as q by itself, the
// places of the first instance.
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

// moveMemories does the same for memories: tables of constants are shared and lie
// behind those of the whole design.
func (p *program) moveMemories(q *program, b *netBuilder, c *native.Class, own []int32, flat *netlist) bool {
	number := map[[2]int32]int{}
	for i := range p.mems {
		number[[2]int32{p.mems[i].inst, p.mems[i].at}] = i
	}
	where := map[int32]int{}
	for k, inst := range own {
		where[inst] = k
	}
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

// topNet makes the net of everything that is not the class's: it also writes the
// inputs of instances that the class's net uses.
func (p *program) topNet(on []byte, q *program, c *native.Class) (*net.Net, error) {
	cl := p.class
	b, err := p.netBuilder()
	if err != nil {
		return nil, err
	}
	b.skips = func(inst int32) bool { return cl.in[inst] }
	b.openJournal()
	if err := b.events(on); err != nil {
		return nil, err
	}
	cl.fixed = nil
	in := q.inputs.lo
	for k, port := range cl.mod.Ports {
		if port.Dir != ir.In {
			continue
		}
		for w := range uint32(net.Words(port.Width)) {
			p.portWord(b, c, k, w, in-q.inputs.lo)
			in++
		}
	}
	b.n.CompactInPlace()
	return b.n, nil
}

// portWord has word w of input port k written, which is the i-th word of inputs.
func (p *program) portWord(b *netBuilder, c *native.Class, k int, w, i uint32) {
	cl := p.class
	if c.Net.Regs[i].Q < 0 {
		return // not used
	}
	for n, root := range cl.roots {
		slot := cl.ports + i + uint32(n)*cl.stride
		x := b.at[p.driver(root, k)+w]
		if v, ok := b.n.IsConst(x); ok {
			p.image[slot] = v // of an input that never changes
			cl.fixed = append(cl.fixed, slot)
			continue
		}
		b.n.Outs = append(b.n.Outs, net.Out{Slot: slot, Node: x})
		if nd := &b.n.N[x]; nd.Op != net.Leaf || !p.inputs.has(b.n.Regs[nd.Imm].Slot) {
			c.Volatile[i] = true
		}
	}
}
