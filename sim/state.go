package sim

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// register is an ir.Register in an instance. Without reset, rst and reset are zeroSlot.
type register struct {
	slot, next uint32
	rst, reset uint32
	words      int32
	clock      int32
	init       bool // has a value at power-up
	async      bool
	latch      bool
	ref
}

// memory is an ir.Memory in an instance.
type memory struct {
	inst, at int32
	depth    int
	width    int
	words    int // slots per word
	slot     int // bytes per slot of a large memory, else 0: see large.go
}

// readPort is a synchronous read port.
type readPort struct {
	mem       int32
	clock     int32
	slot      uint32 // its data register
	en        uint32 // oneSlot: always enabled
	addr      uint32
	addrWords int32
	fresh     bool // ir.New
	ref
}

// writePort is a write port.
type writePort struct {
	mem       int32
	clock     int32
	en        uint32
	addr      uint32
	addrWords int32
	data      uint32
	mask      uint32
	lanes     int // bits of mask; 0: no mask
	lane      int // bits per lane
}

// statefulParts lists registers, ports and statements in the order of instances. All slots are
// known by now.
func (c *compiler) statefulParts() {
	for i := range c.p.insts {
		i := int32(i)
		if b := c.p.insts[i].box; b >= 0 {
			c.boxClocks(i, &c.p.boxes[b])
			continue
		}
		m := c.p.mod(i)
		for k := range m.Regs {
			c.register(i, m, &m.Regs[k])
		}
		for k := range m.Mems {
			c.ports(i, m, int32(k))
		}
		for k := range m.Stmts {
			c.statement(i, m, &m.Stmts[k])
		}
	}
	c.p.levels = c.latchLevels()
}

// clockOf returns the edge that node id is of a clock of the top, or -1 for a constant. Anything
// else is an error; the callback names its place.
func (c *compiler) clockOf(inst int32, id ir.ID, pos ir.Pos, what func() string) int32 {
	from, falling := ref{inst, id}, false

	// Follow wires and ports to the clock; each ir.Not toggles the edge.
	for {
		if k := c.p.clockAt(c.p.slotOf(from)); k >= 0 {
			return c.p.domain(int32(k), falling)
		}
		m := c.p.mod(from.inst)

		switch {
		case c.passes(from):
			from, _ = c.needs(from, 0)
		case m.Op(from.id) == ir.Not:
			from.id, falling = m.Args(from.id)[0], !falling
		case m.Op(from.id) == ir.Const:
			return -1 // it never moves
		default:
			c.errs.addf("%s%s: its clock is not a clock input of the top %s but %s; clocks made in the design are not simulated",
				what(), c.p.line(inst, pos), c.p.design.Top.Name, c.p.describe(from))
			return -1
		}
	}
}

// passes reports whether a node is only another name of its driver.
func (c *compiler) passes(r ref) bool {
	in := &c.p.insts[r.inst]
	n := in.mod.Node(r.id)
	switch n.Op {
	case ir.Wire:
		return true
	case ir.Input:
		return in.parent >= 0
	case ir.InstOut:
		return c.p.insts[in.kids+n.Aux].box < 0
	}
	return false
}

// slotOr returns the slot of a node, or none for ir.None.
func (c *compiler) slotOr(inst int32, id ir.ID, none uint32) uint32 {
	if id == ir.None {
		return none
	}
	return c.p.slotOf(ref{inst, id})
}

func (c *compiler) register(inst int32, m *ir.Module, r *ir.Register) {
	at, width := ref{inst, r.Node}, m.Width(r.Node)
	clock := c.clockOf(inst, r.Clk, m.Node(r.Node).Pos, func() string { return "register " + c.p.nodeName(at) })
	c.p.regs = append(c.p.regs, register{})
	reg := &c.p.regs[len(c.p.regs)-1]

	reg.ref, reg.words, reg.clock = at, int32(bits.WordCount(width)), clock
	reg.slot, reg.next = c.p.slotOf(at), c.p.slotOf(ref{inst, r.Next})
	reg.rst, reg.reset = c.slotOr(inst, r.Rst, zeroSlot), c.slotOr(inst, r.Reset, zeroSlot)

	if r.Init != ir.None {
		reg.init = true
		m.ConstOf(r.Init).CopyTo(c.p.image[reg.slot:])
	}
	if reg.async, reg.latch = r.Async, m.IsLatch(r); r.Async {
		c.p.async = append(c.p.async, int32(len(c.p.regs)-1))
	}
}

// memories numbers the memories of all instances. Errors: they are too large together.
func (c *compiler) memories() error {
	words, large := 0, 0
	c.firstMem = make([]int32, len(c.p.insts))

	for i := range c.p.insts {
		c.firstMem[i] = int32(len(c.p.mems))
		if c.p.insts[i].box >= 0 {
			continue
		}
		m := c.p.insts[i].mod
		for k := range m.Mems {
			mem := &m.Mems[k]
			at := memory{inst: int32(i), at: int32(k), depth: mem.Depth, width: mem.Width, words: bits.WordCount(mem.Width)}
			// Large memories and others have separate limits.
			if at.pack(c.pack) {
				if mem.Depth > MaxLarge || large+at.bytes() > MaxLarge {
					return fmt.Errorf("sim: memory %s%s of %d words of %d bits: the large memories of %s would take more than %d GiB if all of them were used",
						join(c.p.path(int32(i)), mem.Name), c.p.line(int32(i), mem.Pos), mem.Depth, mem.Width, c.p.design.Top.Name, MaxLarge>>30)
				}
				large += at.bytes()
			} else if words += mem.Depth * at.words; words > MaxWords {
				return fmt.Errorf("sim: memory %s%s of %d words of %d bits: the memories of %s would take more than %d slots of 64 bits",
					join(c.p.path(int32(i)), mem.Name), c.p.line(int32(i), mem.Pos), mem.Depth, mem.Width, c.p.design.Top.Name, MaxWords)
			}
			c.p.mems = append(c.p.mems, at)
		}
	}
	return nil
}

// memIndex is the number of memory at of an instance.
func (c *compiler) memIndex(inst, at int32) int32 { return c.firstMem[inst] + at }

// ports lists the synchronous ports of a memory.
func (c *compiler) ports(inst int32, m *ir.Module, at int32) {
	mem := &m.Mems[at]
	index := c.memIndex(inst, at)
	what := func(kind, name string) func() string {
		return func() string { return "memory " + join(c.p.path(inst), mem.Name) + ": " + kind + " port " + name }
	}

	for k := range mem.Reads {
		r := &mem.Reads[k]
		c.p.reads = append(c.p.reads, readPort{mem: index, ref: ref{inst, r.Node},
			clock: c.clockOf(inst, r.Clk, r.Pos, what("read", r.Name)),
			slot:  c.p.slotOf(ref{inst, r.Node}), en: c.slotOr(inst, r.En, oneSlot),
			addr: c.p.slotOf(ref{inst, r.Addr}), addrWords: int32(bits.WordCount(m.Width(r.Addr))), fresh: r.Under == ir.New})
	}

	for k := range mem.Writes {
		w := &mem.Writes[k]
		port := writePort{mem: index,
			clock: c.clockOf(inst, w.Clk, w.Pos, what("write", w.Name)),
			en:    c.slotOr(inst, w.En, oneSlot), data: c.p.slotOf(ref{inst, w.Data}), mask: c.slotOr(inst, w.Mask, zeroSlot),
			addr: c.p.slotOf(ref{inst, w.Addr}), addrWords: int32(bits.WordCount(m.Width(w.Addr)))}

		if w.Mask != ir.None {
			port.lanes = m.Width(w.Mask)
			port.lane = mem.Width / port.lanes
		}
		c.p.writes = append(c.p.writes, port)
	}
}

// boxClocks finds the edges of a black box's clocks.
func (c *compiler) boxClocks(inst int32, b *box) {
	in := &c.p.insts[inst]
	m := in.mod
	up := &c.p.mod(in.parent).Insts[in.at]
	for k := range b.ins {
		port := &m.Ports[b.ins[k].port]
		if m.TypeOf(port.Type).Kind != ir.Clock {
			continue
		}
		b.ins[k].clock = c.clockOf(in.parent, up.Conns[b.ins[k].port], up.Pos,
			func() string { return "black box " + c.p.path(inst) + ": clock " + port.Name })
	}
}
