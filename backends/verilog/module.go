package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// mark is a property of a node.
type mark uint32

const (
	live     mark = 1 << iota // reached from what is printed
	named                     // has a name: the user's, its port's, or that of a piece of state
	folded                    // its value is constant, see module.fold
	seen                      // printed somewhere
	wantNet                   // some use of it needs a name
	edge                      // some use of it is an edge
	inside                    // some use of it is a part of an expression
	wider                     // some use of it is in a wider context
	inBlock                   // some use of it is in a combinational always block
	inElse                    // it is the last part of a chain of ?:
	inPin                     // it is connected to an instance
	rigid                     // its text has its own width in a wider context
	chained                   // its text is a chain of ?:, for whole right-hand sides only
	big                       // a case of many arms: printed as an always block
	net                       // has a wire (or variable) of its own
	read                      // every bit of it is used
	done                      // printed, or nothing is to be printed for it
	visited                   // by the walk that prints what a value needs first
	tree                      // it became statements of an always block
	simOnly                   // it is printed for simulators only: statements alone need it
	isOutput                  // it is printed as an output port
	asyncUse                  // it resets registers asynchronously
	otherUse                  // it is used in another way
	base                      // the value before a block of When, see layers.go
)

// module writes one module. Nodes go through these steps: reach (which are live), simplify
// (to which node each reduces), count and size (which get a wire), label (names of those),
// print.
type module struct {
	*design
	m      *ir.Module
	to     []ir.ID // the node that a node reduces to, itself if none
	marks  []mark
	fanout []uint8 // uses in the netlist
	uses   []uint8 // uses in the text
	cost   []uint8 // estimated length of the text of an inlined value, in characters
	names  []nameID
	first  []int32 // the first user of an unnamed value, which names it: a node, or -1-i for sinks[i]
	order  []ir.ID // live nodes, arguments first
	root   ir.ID   // the value for which a combinational always block is being built
	sinks  []sink
	fold   map[ir.ID]bits.Value
	bits   map[ir.ID]bits.Value // the bits that slices use, for nodes that are not read whole
	parts  map[ir.ID]partOf     // of slices of slices
	shared map[sliceKey]ir.ID   // parts of registers
	table  nameTable

	ports       []nameID
	portIs      []bool // an output that is the node driving it, not a copy
	mems        []nameID
	insts       []nameID
	flags       map[ir.ID]nameID // in-range flags of synchronous read ports
	words       map[ir.ID]nameID // the data registers beside them
	covers      []nameID         // counters of cover statements
	isReadAsync []bool           // of memories
	enums       []enumNames
	helpers     helpers
	indexDone   bool                 // the loop variable is declared
	simulating  bool                 // statements for simulators are being printed
	follows     []int32              // of registers, see group
	starts      map[ir.ID]bits.Value // see atStart; no bits: not known
	falling     map[ir.ID]ir.ID      // by clock, see edgeOf
	resetSteps  []step
	lates       []late
	bases       map[ir.ID]ir.ID // see findBases
	layered     map[key]int     // see group
	place       mark            // marks that uses counted now get in addition
	counting    bool            // operands are counted, see expr.go
	trees       syntax.Arena    // of the statement that is being built
	block       block
	stack       []ir.ID
	work        []ir.ID
	stemBuf     []byte
	itemBuf     []item
	instDone    []bool
	instDecl    []bool
}

// size prepares the tables for the nodes of m. Memory of the module before is reused.
func (p *module) size(m *ir.Module) {
	n := m.Len()
	p.m = m
	p.to, p.first = grown(p.to, n), grown(p.first, n)
	p.marks, p.names = grown(p.marks, n), grown(p.names, n)
	p.fanout, p.uses, p.cost = grown(p.fanout, n), grown(p.uses, n), grown(p.cost, n)
	p.order, p.sinks = p.order[:0], p.sinks[:0]
	p.parts, p.shared = map[ir.ID]partOf{}, map[sliceKey]ir.ID{}
	p.fold, p.bits = map[ir.ID]bits.Value{}, map[ir.ID]bits.Value{}
	p.indexDone, p.simulating, p.place = false, false, 0
	p.layered = nil
	p.follows, p.falling, p.starts = nil, nil, map[ir.ID]bits.Value{}
	p.flags, p.words, p.enums, p.helpers = map[ir.ID]nameID{}, map[ir.ID]nameID{}, nil, helpers{}
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

// is reports whether any of the marks is set.
func (p *module) is(id ir.ID, k mark) bool { return p.marks[id]&k != 0 }

// v is the node that represents id in expressions: a node with a name itself, others the
// node that they reduce to.
func (p *module) v(id ir.ID) ir.ID {
	if p.is(id, named) {
		return id
	}
	return p.to[id]
}

// konst is the value of a node that is a constant without a name.
func (p *module) konst(id ir.ID) (bits.Value, bool) {
	id = p.v(id)
	switch {
	case p.is(id, named):
	case p.m.Op(id) == ir.Const:
		return p.m.ConstOf(id), true
	case p.is(id, folded):
		return p.fold[id], true
	}
	return bits.Value{}, false
}

// isConst reports whether konst has a value.
func (p *module) isConst(id ir.ID) bool {
	id = p.v(id)
	return !p.is(id, named) && (p.m.Op(id) == ir.Const || p.is(id, folded))
}

// isState reports whether a node is state or an input: such nodes always have a name.
func (p *module) isState(id ir.ID) bool {
	op := p.m.Op(id)
	return op.Info().Leaf && op != ir.Const
}

// isNet reports whether a node is a combinational value named by the user or a port.
func (p *module) isNet(id ir.ID) bool { return p.is(id, named) && !p.isState(id) }
