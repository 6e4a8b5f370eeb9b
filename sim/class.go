package sim

import (
	"etch/ir"
	"etch/sim/native"
	"etch/sim/net"
)

// fixedPort is a word of an instance's inputs that never changes.
type fixedPort struct {
	slot  uint32
	value uint64
}

// classFor makes the nets of a class for the clocks marked in on. It returns nil if the
// instances cannot share code. flat is the net of the whole design. fixed must be written to the
// state.
func classFor(p *program, on []byte, flat *netlist) (c *native.Class, roms [][]uint64, fixed []fixedPort) {
	cl := p.class
	if cl == nil || !classResets(p) || len(p.falls) > 0 {
		return nil, nil, nil
	}

	// Compile the module by itself, and build the net of one instance.
	q, err := p.compileAlone(cl.mod)
	if err != nil {
		return nil, nil, nil
	}

	clocks, ok := classClocks(p, q, on)
	if !ok || !classReads(p, q) {
		return nil, nil, nil
	}
	b, err := newNetBuilder(q)
	if err != nil {
		return nil, nil, nil
	}

	b.quiet = true
	if b.events(clocks) != nil {
		return nil, nil, nil
	}

	// Then move it to the places of the first instance, and build the net of all the rest.
	c = &native.Class{Net: b.n, Flat: flat.Net, Count: len(cl.roots), Stride: int32(cl.stride), Next: cl.next}
	if !moveNet(p, q, b, c, flat) {
		return nil, nil, nil
	}
	c.Net.CompactInPlace()
	c.Volatile = make([]bool, len(c.Net.Regs))
	if c.Top, fixed, err = topNet(p, on, q, c); err != nil {
		return nil, nil, nil
	}
	return c, b.roms, fixed
}

// classResets reports whether the class has no latch, and no asynchronous reset that may change
// at an edge.
func classResets(p *program) bool {
	for _, i := range p.async {
		if r := &p.regs[i]; p.class.in[r.inst] && (r.latch || !p.inputs.has(r.rst)) {
			return false
		}
	}
	return true
}

// classClocks marks the clocks of the class's module that rise. ok is false if instances differ.
func classClocks(p *program, q *program, on []byte) ([]byte, bool) {
	clocks := make([]byte, len(q.clocks))
	for k, port := range q.clocks {
		for i, root := range p.class.roots {
			rises := byte(0)
			if m := p.clockAt(driver(p, root, int(port))); m >= 0 {
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
func classReads(p *program, q *program) bool {
	for _, r := range q.reads {
		for _, w := range q.writes {
			if !r.fresh || w.mem != r.mem || w.clock == r.clock {
				continue
			}
			for _, root := range p.class.roots {
				clock := func(k int32) int32 { return int32(p.clockAt(driver(p, root, int(q.clocks[k])))) }
				if clock(r.clock) == clock(w.clock) {
					return false
				}
			}
		}
	}
	return true
}

// driver is the slot of the signal that drives an input port of an instance.
func driver(p *program, inst int32, port int) uint32 {
	in := &p.insts[inst]
	return p.slotOf(ref{in.parent, p.mod(in.parent).Insts[in.at].Conns[port]})
}

// moveNet moves the net of the class's module, compiled alone as q, to the slots of the first
// instance. It reports whether all its registers have slots there.
func moveNet(p *program, q *program, b *netBuilder, c *native.Class, flat *netlist) bool {
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
	return moveMemories(p, q, b, c, own, flat)
}

// moveMemories moves the memories likewise. All instances must have their memories at one
// distance. Tables of constants are shared, behind the tables of the whole design.
func moveMemories(p *program, q *program, b *netBuilder, c *native.Class, own []int32, flat *netlist) bool {
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
func topNet(p *program, on []byte, q *program, c *native.Class) (top *net.Net, fixed []fixedPort, err error) {
	cl := p.class
	b, err := newNetBuilder(p)
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
			fixed = portWord(p, fixed, b, c, k, w, in-q.inputs.lo)
			in++
		}
	}
	b.n.CompactInPlace()
	return b.n, fixed, nil
}

// portWord adds word w of input port k, the i-th word of all inputs, to the outputs of the top
// net, for every instance. Constant inputs are appended to fixed instead.
func portWord(p *program, fixed []fixedPort, b *netBuilder, c *native.Class, k int, w, i uint32) []fixedPort {
	cl := p.class
	if c.Net.Regs[i].Q < 0 {
		return fixed // not used
	}
	for n, root := range cl.roots {
		slot := cl.ports + i + uint32(n)*cl.stride

		// A constant input is written once; others are written in each cycle.
		x := b.at[driver(p, root, k)+w]
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
