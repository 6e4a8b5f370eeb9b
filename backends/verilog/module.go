package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// module writes one module: the view of it, the uses of values, their names, and what was
// printed so far. The steps stand in write and nameState.
type module struct {
	*design
	view
	uses  []uint8 // uses in the text
	cost  []uint8 // estimated length of the text of an inlined value, in characters
	names []nameID
	first []int32 // the first user of an unnamed value, which names it: a node, or -1-i for sinks[i]
	root  ir.ID   // the value for which a combinational always block is being built
	sinks []sink
	bits  map[ir.ID]bits.Value // the bits that slices use, for nodes that are not read whole
	table nameTable

	ports       []nameID
	portIs      []bool // an output that is the node driving it, not a copy
	mems        []nameID
	insts       []nameID
	flags       map[ir.ID]nameID // in-range flags of synchronous read ports
	words       map[ir.ID]nameID // the data registers beside them
	padReads    map[ir.ID]nameID // wires with the values of pads, see readPad
	covers      []nameID         // counters of cover statements
	isReadAsync []bool           // of memories
	enums       []enumNames
	helpers     helpers
	indexDone   bool                 // the loop variable is declared
	simulating  bool                 // statements for simulators are being printed
	follows     []int32              // of registers, see group
	starts      map[ir.ID]bits.Value // see atStart; no bits: not known
	resetSteps  []step
	lates       []late
	bases       map[ir.ID]ir.ID // see findBases
	layered     map[key]int     // see group
	place       mark            // marks that uses counted now get in addition
	counting    bool            // operands are counted, see expr.go
	trees       syntax.Arena    // of the statement that is being built
	block       block
	work        []ir.ID
	stemBuf     []byte
	itemBuf     []item
	instDone    []bool
	instDecl    []bool
}

// size prepares the tables for the nodes of m. Memory of the module before is reused.
func (p *module) size(m *ir.Module) {
	n := m.Len()
	p.view.reset(m)
	p.names, p.first = grown(p.names, n), grown(p.first, n)
	p.uses, p.cost = grown(p.uses, n), grown(p.cost, n)
	p.sinks, p.bits = p.sinks[:0], map[ir.ID]bits.Value{}
	p.indexDone, p.simulating, p.place = false, false, 0
	p.layered = nil
	p.follows, p.starts = nil, map[ir.ID]bits.Value{}
	p.flags, p.words, p.padReads = map[ir.ID]nameID{}, map[ir.ID]nameID{}, map[ir.ID]nameID{}
	p.enums, p.helpers = nil, helpers{}
	p.isReadAsync = grown(p.isReadAsync, len(m.Mems))
	p.instDone, p.instDecl = grown(p.instDone, len(m.Insts)), grown(p.instDecl, len(m.Insts))
	p.table.reset(n / 4)
}

func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// write prints m.
func (p *module) write(m *ir.Module) {
	p.nameState(m)
	p.bindCovers()
	p.bindEnums()
	p.bindHelpers()
	p.label()
	p.print()
	p.noteHiding()
}

// nameState runs the steps up to the names of all state.
func (p *module) nameState(m *ir.Module) {
	p.size(m)
	p.bind()
	p.reach()
	p.simplifyAll()
	p.findSimOnly()
	p.countRaw()
	p.findBases()
	p.findBig()
	p.count()
	p.sizeAll()
	p.bindMemories()
}
