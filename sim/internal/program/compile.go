package program

import (
	"fmt"
	"slices"
	"strings"

	"etch/ir"
	"etch/ir/bits"
	"etch/ir/pads"
)

// compiler lowers a design to a program.
type compiler struct {
	p         *Program
	opts      []ModelOption
	modelUsed []bool
	models    []Model   // parallel to p.boxes
	groupOf   [][]int32 // by output of a box: its group
	firstMem  []int32   // by instance: number of its first memory
	alone     bool      // compiling the module of a class by itself: no classes inside
	pack      int       // slots from which a memory is large
	kinds     map[*ir.Module]*Kind

	next   int // the next free slot
	narrow map[uint64]uint32
	stack  []visit // of the walk

	errs errorList
}

// Compile lowers d and makes the models of its black boxes. Memories of pack slots or more are
// large.
func Compile(d *ir.Design, opts []ModelOption, pack int) (*Program, []Model, error) {
	return newCompiler(d, opts, pack).compile()
}

func newCompiler(d *ir.Design, opts []ModelOption, pack int) *compiler {
	return &compiler{p: &Program{Design: pads.Lower(d), Source: d, Pack: pack}, opts: opts, pack: pack, modelUsed: make([]bool, len(opts)),
		kinds: map[*ir.Module]*Kind{}, narrow: map[uint64]uint32{0: ZeroSlot, 1: oneSlot}}
}

// CompileAlone lowers a module of the design as a top of its own, without classes inside.
func (p *Program) CompileAlone(m *ir.Module) (*Program, error) {
	c := newCompiler(&ir.Design{Top: m, Modules: p.Design.Modules, Src: p.Design.Src}, nil, p.Pack)
	c.alone = true
	q, _, err := c.compile()
	return q, err
}

// compile runs the steps in order: tree of instances, class, leaves, memories, schedule, parts
// with state.
func (c *compiler) compile() (*Program, []Model, error) {
	if err := c.tree(); err != nil {
		return nil, nil, err
	}

	c.reserve()
	if !c.alone {
		c.p.Class = c.p.findClass()
	}

	// An option for a module that does not occur is a mistake.
	for i, used := range c.modelUsed {
		if !used {
			return nil, nil, fmt.Errorf("sim: WithModel(%q, …): no instance of a black box of that name%s", c.opts[i].Module, c.boxNames())
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

	// All nodes have slots now, so the parts that refer to them by slot can be listed.
	c.boxSlots()
	c.statefulParts()
	c.p.Journal.lay(c.p.Stmts)
	c.p.Words = c.next
	c.p.placeMemories()
	return c.p, c.models, c.errs.err()
}

// boxNames lists the design's black boxes for an error message.
func (c *compiler) boxNames() string {
	var names []string
	for i := range c.p.Insts {
		if m := c.p.Insts[i].Mod; m.Extern != nil && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	if names == nil {
		return "; the design has none"
	}
	return "; there are " + strings.Join(names, ", ")
}

// alloc allocates the slots of a value of width bits.
func (c *compiler) alloc(width int) (uint32, error) { return c.take(bits.WordCount(width)) }

// take allocates slots.
func (c *compiler) take(words int) (uint32, error) {
	slot := c.next
	if c.next += words; c.next > MaxWords {
		return 0, fmt.Errorf("sim: the values of %s take more than %d words", c.p.Design.Top.Name, MaxWords)
	}
	return uint32(slot), nil
}

// reserve allocates the program's slices in their final size, to avoid copying.
func (c *compiler) reserve() {
	// The bounds of each kind, for all its instances.
	code, regs, mems := 0, 0, 0
	for _, k := range c.p.kinds {
		code += k.run * k.code
		regs += k.run * len(k.mod.Regs)
		mems += k.run * len(k.mod.Mems)
	}
	c.p.Code = make([]Instr, 0, code)
	c.p.Regs = make([]Register, 0, regs)
	c.p.Mems = make([]Memory, 0, mems)
}

// give allocates the slots of a node.
func (c *compiler) give(r Ref) (uint32, error) {
	slot, err := c.alloc(c.p.Mod(r.Inst).Width(r.ID))
	c.setSlot(r, slot)
	return slot, err
}

func (c *compiler) setSlot(r Ref, slot uint32) {
	c.p.slots[c.p.Insts[r.Inst].base+int32(r.ID)] = slot
}
