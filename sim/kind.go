package sim

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// kind is what the instances of one module have in common: the module is looked
// through once, not for each of them.
type kind struct {
	mod    *ir.Module
	number int32   // among the kinds of the program; -1: not among them yet
	kids   []*kind // of its instances
	run    int     // instances in the design whose bodies are run

	state  []ir.ID  // registers and read data, by ID
	consts []ir.ID  // constants, by ID
	slots  []uint32 // of consts: all instances share them
	code   int      // instructions of an instance, at most

	// of an instance with all within it
	nodes     int // above MaxNodes: too many
	instances int
	choices   int // nodes that choose or remember by address
}

// kindFor looks through a module and those within it. The error is one that holds
// itself.
func (c *compiler) kindFor(m *ir.Module) (*kind, error) {
	if k, ok := c.kinds[m]; ok {
		if k.nodes == 0 { // it is being looked through
			return nil, fmt.Errorf("sim: module %s holds itself", m.Name)
		}
		return k, nil
	}
	k := &kind{mod: m, number: -1, kids: make([]*kind, len(m.Insts)), instances: 1}
	c.kinds[m] = k
	nodes := m.Len()
	for i := range m.Insts {
		kid, err := c.kindFor(m.Insts[i].Mod)
		if err != nil {
			return nil, err
		}
		k.kids[i] = kid
		nodes = min(nodes+kid.nodes, MaxNodes+1)
		k.instances = min(k.instances+kid.instances, MaxNodes+1)
		k.choices = min(k.choices+kid.choices, MaxNodes+1)
	}
	k.nodes = nodes
	k.survey()
	return k, nil
}

// survey sorts the module's own nodes.
func (k *kind) survey() {
	m := k.mod
	k.choices += 8 * len(m.Mems)
	k.state = make([]ir.ID, 0, len(m.Regs)+readPorts(m))
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		switch m.Op(id) {
		case ir.Input, ir.InstOut, ir.Wire:
		case ir.Const:
			k.consts = append(k.consts, id)
		case ir.Reg, ir.MemOut:
			k.state = append(k.state, id)
		case ir.Mux, ir.MemRead:
			k.choices++
			k.code++
		case ir.Case:
			k.choices += len(m.Args(id)) - 2
			k.code++
		case ir.And, ir.Or, ir.Xor, ir.Cat:
			k.code += chain(m, id)
		default:
			k.code++
		}
	}
}

// readPorts counts the synchronous read ports of a module's memories.
func readPorts(m *ir.Module) int {
	n := 0
	for i := range m.Mems {
		n += len(m.Mems[i].Reads)
	}
	return n
}

// chain is how many instructions a node of any number of operands takes, at most.
func chain(m *ir.Module, id ir.ID) int {
	args := m.Args(id)
	if m.Op(id) != ir.Cat || m.Width(id) <= 64 {
		return max(1, len(args)-1)
	}
	puts := bits.WordCount(m.Width(id)) - 1 // some go across a word's end
	for _, a := range args {
		puts += bits.WordCount(m.Width(a))
	}
	return puts
}

// kindOf is the kind of an instance.
func (p *program) kindOf(inst int32) *kind { return p.kinds[p.insts[inst].kind] }
