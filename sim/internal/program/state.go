package program

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// Register is an ir.Register in an instance. Without reset, rst and reset are zeroSlot.
type Register struct {
	Slot, Next uint32
	Rst, Reset uint32
	Words      int32
	Clock      int32
	Init       bool // has a value at power-up
	async      bool
	Latch      bool
	Ref
}

// Memory is an ir.Memory in an instance.
type Memory struct {
	Inst, At int32
	Depth    int
	Width    int
	Words    int // slots per word
	Slot     int // bytes per slot of a large memory, else 0: see drive/large.go
}

// ReadPort is a synchronous read port.
type ReadPort struct {
	Mem       int32
	Clock     int32
	Slot      uint32 // its data register
	En        uint32 // oneSlot: always enabled
	Addr      uint32
	AddrWords int32
	Fresh     bool // ir.New
	Ref
}

// WritePort holds slots of a memory's write port; Mem and Clock are numbers.
type WritePort struct {
	Mem       int32
	Clock     int32
	En        uint32
	Addr      uint32
	AddrWords int32
	Data      uint32
	Mask      uint32
	Lanes     int // bits of mask; 0: no mask
	Lane      int // bits per lane
}

// statefulParts lists registers, ports and statements in the order of instances. All slots are
// known by now.
func (c *compiler) statefulParts() {
	for i := range c.p.Insts {
		i := int32(i)
		if b := c.p.Insts[i].Box; b >= 0 {
			c.boxClocks(i, &c.p.Boxes[b])
			continue
		}
		m := c.p.Mod(i)
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

	// Levels need the registers of all instances.
	c.p.Levels = c.latchLevels()
}

// clockOf returns the edge that node id is of a clock of the top, or -1 for a constant. Anything
// else is an error; the callback names its place.
func (c *compiler) clockOf(inst int32, id ir.ID, pos ir.Pos, what func() string) int32 {
	from, falling := Ref{inst, id}, false

	// Follow wires and ports to the clock; each ir.Not toggles the edge.
	for {
		if k := c.p.ClockAt(c.p.SlotOf(from)); k >= 0 {
			return c.p.domain(int32(k), falling)
		}
		m := c.p.Mod(from.Inst)

		switch {
		case c.passes(from):
			from, _ = c.needs(from, 0)
		case m.Op(from.ID) == ir.Not:
			from.ID, falling = m.Args(from.ID)[0], !falling
		case m.Op(from.ID) == ir.Const:
			return -1 // it never moves
		default:
			c.errs.addf("%s%s: its clock is not a clock input of the top %s but %s; clocks made in the design are not simulated",
				what(), c.p.Line(inst, pos), c.p.Design.Top.Name, c.p.describe(from))
			return -1
		}
	}
}

// passes reports whether a node is only another name of its driver.
func (c *compiler) passes(r Ref) bool {
	in := &c.p.Insts[r.Inst]
	n := in.Mod.Node(r.ID)
	switch n.Op {
	case ir.Wire:
		return true
	case ir.Input:
		return in.Parent >= 0
	case ir.InstOut:
		return c.p.Insts[in.Kids+n.Aux].Box < 0
	}
	return false
}

// slotOr returns the slot of a node, or none for ir.None.
func (c *compiler) slotOr(inst int32, id ir.ID, none uint32) uint32 {
	if id == ir.None {
		return none
	}
	return c.p.SlotOf(Ref{inst, id})
}

func (c *compiler) register(inst int32, m *ir.Module, r *ir.Register) {
	at, width := Ref{inst, r.Node}, m.Width(r.Node)
	clock := c.clockOf(inst, r.Clk, m.Node(r.Node).Pos, func() string { return "register " + c.p.NodeName(at) })
	c.p.Regs = append(c.p.Regs, Register{})
	reg := &c.p.Regs[len(c.p.Regs)-1]

	reg.Ref, reg.Words, reg.Clock = at, int32(bits.WordCount(width)), clock
	reg.Slot, reg.Next = c.p.SlotOf(at), c.p.SlotOf(Ref{inst, r.Next})
	reg.Rst, reg.Reset = c.slotOr(inst, r.Rst, ZeroSlot), c.slotOr(inst, r.Reset, ZeroSlot)

	// An initial value is part of the image, where random ones are 0.
	if r.Init != ir.None {
		reg.Init = true
		m.ConstOf(r.Init).CopyTo(c.p.Image[reg.Slot:])
	}

	// Async is in the order of registers here; latchLevels sorts it.
	if reg.async, reg.Latch = r.Async, r.Kind == ir.Latch; r.Async {
		c.p.Async = append(c.p.Async, int32(len(c.p.Regs)-1))
	}
}

// memories numbers the memories of all instances. Errors: they are too large together.
func (c *compiler) memories() error {
	words, large := 0, 0
	c.firstMem = make([]int32, len(c.p.Insts))

	for i := range c.p.Insts {
		c.firstMem[i] = int32(len(c.p.Mems))
		if c.p.Insts[i].Box >= 0 {
			continue
		}
		m := c.p.Insts[i].Mod
		for k := range m.Mems {
			mem := &m.Mems[k]
			at := Memory{Inst: int32(i), At: int32(k), Depth: mem.Depth, Width: mem.Width, Words: bits.WordCount(mem.Width)}
			// Large memories and others have separate limits.
			if at.pack(c.pack) {
				if mem.Depth > MaxLarge || large+at.Bytes() > MaxLarge {
					return fmt.Errorf("sim: memory %s%s of %d words of %d bits: the large memories of %s would take more than %d GiB if all of them were used",
						Join(c.p.Path(int32(i)), mem.Name), c.p.Line(int32(i), mem.Pos), mem.Depth, mem.Width, c.p.Design.Top.Name, MaxLarge>>30)
				}
				large += at.Bytes()
			} else if words += mem.Depth * at.Words; words > MaxWords {
				return fmt.Errorf("sim: memory %s%s of %d words of %d bits: the memories of %s would take more than %d slots of 64 bits",
					Join(c.p.Path(int32(i)), mem.Name), c.p.Line(int32(i), mem.Pos), mem.Depth, mem.Width, c.p.Design.Top.Name, MaxWords)
			}
			c.p.Mems = append(c.p.Mems, at)
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
		return func() string { return "memory " + Join(c.p.Path(inst), mem.Name) + ": " + kind + " port " + name }
	}

	for k := range mem.Reads {
		r := &mem.Reads[k]
		c.p.Reads = append(c.p.Reads, ReadPort{Mem: index, Ref: Ref{inst, r.Node},
			Clock: c.clockOf(inst, r.Clk, r.Pos, what("read", r.Name)),
			Slot:  c.p.SlotOf(Ref{inst, r.Node}), En: c.slotOr(inst, r.En, oneSlot),
			Addr: c.p.SlotOf(Ref{inst, r.Addr}), AddrWords: int32(bits.WordCount(m.Width(r.Addr))), Fresh: r.Under == ir.New})
	}

	for k := range mem.Writes {
		w := &mem.Writes[k]
		port := WritePort{Mem: index,
			Clock: c.clockOf(inst, w.Clk, w.Pos, what("write", w.Name)),
			En:    c.slotOr(inst, w.En, oneSlot), Data: c.p.SlotOf(Ref{inst, w.Data}), Mask: c.slotOr(inst, w.Mask, ZeroSlot),
			Addr: c.p.SlotOf(Ref{inst, w.Addr}), AddrWords: int32(bits.WordCount(m.Width(w.Addr)))}

		// Each bit of the mask enables an equal part of the word.
		if w.Mask != ir.None {
			port.Lanes = m.Width(w.Mask)
			port.Lane = mem.Width / port.Lanes
		}
		c.p.Writes = append(c.p.Writes, port)
	}
}

// boxClocks finds the edges of a black box's clocks.
func (c *compiler) boxClocks(inst int32, b *Box) {
	in := &c.p.Insts[inst]
	m := in.Mod
	up := &c.p.Mod(in.Parent).Insts[in.At]
	for k := range b.Ins {
		port := &m.Ports[b.Ins[k].Port]
		if m.TypeOf(port.Type).Kind != ir.Clock {
			continue
		}

		// The clock is the parent's node at the port.
		b.Ins[k].Clock = c.clockOf(in.Parent, up.Conns[b.Ins[k].Port], up.Pos,
			func() string { return "black box " + c.p.Path(inst) + ": clock " + port.Name })
	}
}
