package nets

import (
	"etch/ir"
	"etch/sim/internal/program"
	"etch/sim/native"
	"etch/sim/net"
)

// FixedPort is a word of an instance's inputs that never changes.
type FixedPort struct {
	Slot  uint32
	Value uint64
}

// ForClass makes the nets of a class for the clocks marked in on. It returns nil if the
// instances cannot share code. flat is the net of the whole design. fixed must be written to the
// state.
func ForClass(p *program.Program, on []byte, flat *Netlist) (c *native.Class, roms [][]uint64, fixed []FixedPort) {
	cl := p.Class
	if cl == nil || !classResets(p) || len(p.Falls) > 0 {
		return nil, nil, nil
	}

	// Compile the module by itself, and build the net of one instance.
	q, err := p.CompileAlone(cl.Mod)
	if err != nil {
		return nil, nil, nil
	}

	clocks, ok := classClocks(p, q, on)
	if !ok || !classReads(p, q) {
		return nil, nil, nil
	}
	b, err := NewBuilder(q)
	if err != nil {
		return nil, nil, nil
	}

	b.quiet = true
	if b.Events(clocks) != nil {
		return nil, nil, nil
	}

	// Then move it to the places of the first instance, and build the net of all the rest.
	c = &native.Class{Net: b.N, Flat: flat.Net, Count: len(cl.Roots), Stride: int32(cl.Stride), Next: cl.Next}
	if !moveNet(p, q, b, c, flat) {
		return nil, nil, nil
	}
	c.Net.CompactInPlace()
	c.Volatile = make([]bool, len(c.Net.Regs))
	if c.Top, fixed, err = topNet(p, on, q, c); err != nil {
		return nil, nil, nil
	}
	return c, b.Roms, fixed
}

// classResets reports whether the class has no latch, and no asynchronous reset that may change
// at an edge.
func classResets(p *program.Program) bool {
	for _, i := range p.Async {
		if r := &p.Regs[i]; p.Class.In[r.Inst] && (r.Latch || !p.Inputs.Has(r.Rst)) {
			return false
		}
	}
	return true
}

// classClocks marks the clocks of the class's module that rise. ok is false if instances differ.
func classClocks(p *program.Program, q *program.Program, on []byte) ([]byte, bool) {
	// All instances must see the same edges.
	clocks := make([]byte, len(q.Clocks))
	for k, port := range q.Clocks {
		for i, root := range p.Class.Roots {
			rises := byte(0)
			if m := p.ClockAt(driver(p, root, int(port))); m >= 0 {
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
func classReads(p *program.Program, q *program.Program) bool {
	for _, r := range q.Reads {
		for _, w := range q.Writes {
			if !r.Fresh || w.Mem != r.Mem || w.Clock == r.Clock {
				continue
			}
			for _, root := range p.Class.Roots {
				clock := func(k int32) int32 { return int32(p.ClockAt(driver(p, root, int(q.Clocks[k])))) }
				if clock(r.Clock) == clock(w.Clock) {
					return false
				}
			}
		}
	}
	return true
}

// driver is the slot of the signal that drives an input port of an instance.
func driver(p *program.Program, inst int32, port int) uint32 {
	in := &p.Insts[inst]
	return p.SlotAt(in.Parent, p.Mod(in.Parent).Insts[in.At].Conns[port])
}

// moveNet moves the net of the class's module, compiled alone as q, to the slots of the first
// instance. It reports whether all its registers have slots there.
func moveNet(p *program.Program, q *program.Program, b *Builder, c *native.Class, flat *Netlist) bool {
	// Inputs first, then the state of the tree, whose instances come in the same order.
	cl := p.Class
	at := map[uint32]uint32{} // by slot of q
	for slot := q.Inputs.Lo; slot < q.Inputs.Hi; slot++ {
		at[slot] = cl.Ports + slot - q.Inputs.Lo
	}

	own := q.Below(0, nil)
	for k, inst := range own {
		for _, id := range q.KindOf(inst).State {
			from, to := q.SlotAt(inst, id), p.SlotAt(cl.Trees[0][k], id)
			for w := range uint32(net.Words(q.Mod(inst).Width(id))) {
				at[from+w] = to + w
			}
		}
	}

	for r := range b.N.Regs {
		to, ok := at[uint32(b.N.Regs[r].Slot)]
		if !ok {
			return false
		}
		b.N.Regs[r].Slot = int32(to)
	}
	return moveMemories(p, q, b, c, own, flat)
}

// moveMemories moves the memories likewise. All instances must have their memories at one
// distance. Tables of constants are shared, behind the tables of the whole design.
func moveMemories(p *program.Program, q *program.Program, b *Builder, c *native.Class, own []int32, flat *Netlist) bool {
	// Memories of the design by instance and number.
	number := map[[2]int32]int{}
	for i := range p.Mems {
		number[[2]int32{p.Mems[i].Inst, p.Mems[i].At}] = i
	}
	where := map[int32]int{}
	for k, inst := range own {
		where[inst] = k
	}

	// Every memory of the class is described by its place in the first instance and the distance
	// to the second.
	at, _, _ := p.StateWords()
	end := p.Behind()

	for i := range q.Mems {
		k := where[q.Mems[i].Inst]
		first := number[[2]int32{p.Class.Trees[0][k], q.Mems[i].At}]
		b.N.Mems[i].At = at[first]
		if len(p.Class.Trees) > 1 {
			second := number[[2]int32{p.Class.Trees[1][k], q.Mems[i].At}]
			move := int32(at[second] - at[first])
			if i > 0 && move != c.MemMove {
				return false
			}
			c.MemMove = move
		}
	}

	// Tables of the class follow the tables of the flat net.
	for _, r := range flat.Roms {
		end += uint32(len(r))
	}
	for k, r := range b.Roms {
		m := &b.N.Mems[len(q.Mems)+1+k]
		m.At, m.Shared = end, true
		end += uint32(len(r))
	}
	return true
}

// topNet makes the net of everything outside of the class. It also writes the inputs that the
// class's net uses, but the fixed ones.
func topNet(p *program.Program, on []byte, q *program.Program, c *native.Class) (top *net.Net, fixed []FixedPort, err error) {
	cl := p.Class
	b, err := NewBuilder(p)
	if err != nil {
		return nil, nil, err
	}

	b.skips = func(inst int32) bool { return cl.In[inst] }
	b.OpenJournal()
	if err := b.Events(on); err != nil {
		return nil, nil, err
	}

	// Inputs of instances, word by word.
	in := q.Inputs.Lo
	for k, port := range cl.Mod.Ports {
		if port.Dir != ir.In {
			continue
		}
		for w := range uint32(net.Words(port.Width)) {
			fixed = portWord(p, fixed, b, c, k, w, in-q.Inputs.Lo)
			in++
		}
	}
	b.N.CompactInPlace()
	return b.N, fixed, nil
}

// portWord adds word w of input port k, the i-th word of all inputs, to the outputs of the top
// net, for every instance. Constant inputs are appended to fixed instead.
func portWord(p *program.Program, fixed []FixedPort, b *Builder, c *native.Class, k int, w, i uint32) []FixedPort {
	cl := p.Class
	if c.Net.Regs[i].Q < 0 {
		return fixed // not used
	}
	for n, root := range cl.Roots {
		slot := cl.Ports + i + uint32(n)*cl.Stride

		// A constant input is written once; others are written in each cycle.
		x := b.At[driver(p, root, k)+w]
		if v, ok := b.N.IsConst(x); ok {
			fixed = append(fixed, FixedPort{slot, v})
			continue
		}
		b.N.Outs = append(b.N.Outs, net.Out{Slot: int32(slot), Node: x})

		// An input that only follows an input of the top does not change within a call.
		if nd := &b.N.N[x]; nd.Op != net.Leaf || !p.Inputs.Has(uint32(b.N.Regs[nd.Imm].Slot)) {
			c.Volatile[i] = true
		}
	}
	return fixed
}
