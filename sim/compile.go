package sim

import (
	"fmt"
	"slices"
	"strings"

	"etch/ir"
	"etch/ir/bits"
)

// compiler lowers a design to a program.
type compiler struct {
	p         *program
	opts      []modelOption
	modelUsed []bool
	models    []Model   // parallel to p.boxes
	groupOf   [][]int32 // group of each output of a box
	firstMem  []int32   // number of the first memory of an instance
	alone     bool      // the module of a class: no classes inside

	next   int // the next free slot
	narrow map[uint64]uint32
	clock  map[uint32]int32 // clock of a slot

	errs errorList
}

// compile lowers d and makes the models of its black boxes.
func compile(d *ir.Design, opts []modelOption) (*program, []Model, error) {
	return newCompiler(d, opts).compile()
}

func newCompiler(d *ir.Design, opts []modelOption) *compiler {
	return &compiler{p: &program{design: d}, opts: opts, modelUsed: make([]bool, len(opts)),
		narrow: map[uint64]uint32{0: zeroSlot, 1: oneSlot}, clock: map[uint32]int32{}}
}

func (c *compiler) compile() (*program, []Model, error) {
	if err := c.tree(); err != nil {
		return nil, nil, err
	}
	if !c.alone {
		c.p.class = c.p.findClass()
	}
	for i, used := range c.modelUsed {
		if !used {
			return nil, nil, fmt.Errorf("sim: WithModel(%q, …): no instance of a black box of that name%s", c.opts[i].module, c.boxNames())
		}
	}
	if err := c.leaves(); err != nil {
		return nil, nil, err
	}
	if err := c.memories(); err != nil {
		return nil, nil, err
	}
	if err := c.schedule(); err != nil {
		return nil, nil, err
	}
	c.boxSlots()
	c.statefulParts()
	c.p.journal.lay(c.p.stmts)
	c.p.words = c.next
	c.p.placeMemories()
	return c.p, c.models, c.errs.err()
}

// boxNames lists the black boxes of the design for an error.
func (c *compiler) boxNames() string {
	var names []string
	for i := range c.p.insts {
		if m := c.p.insts[i].mod; m.Extern != nil && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	if names == nil {
		return "; the design has none"
	}
	return "; there are " + strings.Join(names, ", ")
}

// alloc takes slots for a value.
func (c *compiler) alloc(width int) (uint32, error) {
	slot := c.next
	if c.next += bits.WordCount(width); c.next > MaxWords {
		return 0, fmt.Errorf("sim: the values of %s take more than %d words", c.p.design.Top.Name, MaxWords)
	}
	return uint32(slot), nil
}

// leaves gives slots to inputs of the top, to state and to constants.
func (c *compiler) leaves() error {
	p := c.p
	c.next = int(firstSlot)
	if !c.alone && p.says(ir.Print) {
		p.journal.state = uint32(c.next)
		c.next += 2
	}
	if !c.alone && p.says(ir.Assert, ir.Assume, ir.Stop) {
		p.mute = uint32(c.next)
		c.next++
	}
	p.inputs.lo = uint32(c.next)
	for i, port := range p.design.Top.Ports {
		if port.Dir != ir.In {
			continue
		}
		slot, err := c.give(ref{0, port.Node})
		if err != nil {
			return err
		}
		switch p.design.Top.TypeOf(port.Type).Kind {
		case ir.Clock:
			c.clock[slot] = int32(len(p.clocks))
			p.clocks = append(p.clocks, int32(i))
		case ir.Reset, ir.AsyncReset:
			p.resets = append(p.resets, int32(i))
		}
	}
	p.inputs.hi, p.state.lo = uint32(c.next), uint32(c.next)
	if err := c.classLeaves(); err != nil {
		return err
	}
	if err := c.stateLeaves(); err != nil {
		return err
	}
	p.state.hi = uint32(c.next)
	p.image = make([]uint64, c.next)
	p.image[oneSlot] = 1
	c.reserve()
	if err := c.eachLeaf(ir.Const, ir.Const, c.constant); err != nil {
		return err
	}
	p.leaves = uint32(c.next)
	return nil
}

// reserve makes room for code and registers, so that they need not grow by
// copying: most nodes take one instruction.
func (c *compiler) reserve() {
	code, regs := 0, 0
	for i := range c.p.insts {
		m := c.p.insts[i].mod
		regs += len(m.Regs)
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if op := m.Op(id); !op.Info().Leaf && op != ir.Wire {
				code++
			}
		}
	}
	c.p.code = make([]instr, 0, code)
	c.p.regs = make([]register, 0, regs)
}

// eachLeaf calls f for every node of either op of every instance whose body is
// run.
func (c *compiler) eachLeaf(op, or ir.Op, f func(ref) (uint32, error)) error {
	for i := range c.p.insts {
		if c.p.insts[i].box >= 0 {
			continue
		}
		m := c.p.insts[i].mod
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if o := m.Op(id); o == op || o == or {
				if _, err := f(ref{int32(i), id}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// stateLeaves gives slots to registers and read data. Those of the instances of
// one module lie side by side, register by register: engines that compute several
// instances at once find the values of all in neighbouring words.
func (c *compiler) stateLeaves() error {
	var mods []*ir.Module // in order of their first instance
	insts := map[*ir.Module][]int32{}
	for i := range c.p.insts {
		if in := &c.p.insts[i]; in.box < 0 {
			if insts[in.mod] == nil {
				mods = append(mods, in.mod)
			}
			insts[in.mod] = append(insts[in.mod], int32(i))
		}
	}
	for _, m := range mods {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if o := m.Op(id); o != ir.Reg && o != ir.MemOut {
				continue
			}
			for _, i := range insts[m] {
				if c.p.class != nil && c.p.class.in[i] {
					continue // it has its slot
				}
				if _, err := c.give(ref{i, id}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// give takes new slots for a node.
func (c *compiler) give(r ref) (uint32, error) {
	slot, err := c.alloc(c.p.mod(r.inst).Width(r.id))
	c.setSlot(r, slot)
	return slot, err
}

func (c *compiler) setSlot(r ref, slot uint32) {
	c.p.slots[c.p.insts[r.inst].base+int(r.id)] = slot
}

// constant gives a constant its slot. Narrow ones of equal value share one.
func (c *compiler) constant(r ref) (uint32, error) {
	v := c.p.mod(r.inst).ConstOf(r.id)
	if v.Width() <= 64 {
		if slot, ok := c.narrow[v.Uint64()]; ok {
			c.setSlot(r, slot)
			return slot, nil
		}
	}
	slot, err := c.give(r)
	if err != nil {
		return 0, err
	}
	if v.Width() <= 64 {
		c.narrow[v.Uint64()] = slot
	}
	c.p.image = append(c.p.image, v.Words()...)
	return slot, nil
}
