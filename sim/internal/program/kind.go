package program

import (
	"fmt"

	"etch/ir"
	"etch/ir/bits"
)

// Kind is the data common to all instances of a module, so that each module is examined once.
type Kind struct {
	mod    *ir.Module
	number int32   // index in the program's kinds; -1 before
	kids   []*Kind // of its instances
	run    int     // instances in the design whose bodies run

	State  []ir.ID  // registers and read data, by ID
	consts []ir.ID  // constants, by ID
	slots  []uint32 // slots of consts, shared by all instances
	code   int      // upper bound of instructions per instance

	// Totals of an instance with all instances within:
	nodes     int // MaxNodes + 1 stands for too many
	instances int
	choices   int // nodes that select or address
}

// kindFor examines a module and the modules within. Error: a module that contains itself.
func (c *compiler) kindFor(m *ir.Module) (*Kind, error) {
	if k, ok := c.kinds[m]; ok {
		if k.nodes == 0 { // still being examined
			return nil, fmt.Errorf("sim: module %s holds itself", m.Name)
		}
		return k, nil
	}

	k := &Kind{mod: m, number: -1, kids: make([]*Kind, len(m.Insts)), instances: 1}
	c.kinds[m] = k

	// k.nodes stays 0 until all kids are examined, which marks a module on the path of this
	// recursion.
	nodes := m.Len()
	for i := range m.Insts {
		kid, err := c.kindFor(m.Insts[i].Mod)
		if err != nil {
			return nil, err
		}
		k.kids[i] = kid

		// Sums stop at MaxNodes + 1, so that a hierarchy of exponential size cannot overflow them.
		nodes = min(nodes+kid.nodes, MaxNodes+1)
		k.instances = min(k.instances+kid.instances, MaxNodes+1)
		k.choices = min(k.choices+kid.choices, MaxNodes+1)
	}

	k.nodes = nodes
	k.survey()
	return k, nil
}

// survey classifies the module's own nodes.
func (k *Kind) survey() {
	m := k.mod
	k.choices += 8 * len(m.Mems)
	k.State = make([]ir.ID, 0, len(m.Regs)+readPorts(m))

	// Choices and code estimate the work of a step; constants and state get slots of their own.
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		switch m.Op(id) {
		// These share the slot of their driver, or are inputs of the top.
		case ir.Input, ir.InstOut, ir.Wire:
		case ir.Const:
			k.consts = append(k.consts, id)
		case ir.Reg, ir.MemOut:
			k.State = append(k.State, id)
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

// chain is an upper bound of the instructions for a node with any number of operands.
func chain(m *ir.Module, id ir.ID) int {
	args := m.Args(id)
	if m.Op(id) != ir.Cat || m.Width(id) <= 64 {
		return max(1, len(args)-1)
	}
	puts := bits.WordCount(m.Width(id)) - 1 // operands may straddle words
	for _, a := range args {
		puts += bits.WordCount(m.Width(a))
	}
	return puts
}

// KindOf is the data that an instance shares with the other instances of its module.
func (p *Program) KindOf(inst int32) *Kind { return p.kinds[p.Insts[inst].kind] }
