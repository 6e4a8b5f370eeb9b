package verilog

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// mark is a property of a node.
type mark uint16

const (
	live     mark = 1 << iota // reached from what is printed
	named                     // has a name: the user's, its port's, or that of a piece of state
	folded                    // its value is constant, see view.fold
	big                       // a case of many arms: printed as an always block
	base                      // the value before a block of When, see layers.go
	tree                      // it became statements of an always block
	isOutput                  // it is printed as an output port
	simOnly                   // it is printed for simulators only: statements alone need it
	visited                   // by the walk that prints what a value needs first
	done                      // printed, or nothing is to be printed for it
)

// view is a module as the text shows it: which nodes are live, to which node each reduces,
// which are constants. It decides nothing about the text itself.
type view struct {
	m       *ir.Module
	marks   []mark
	to      []ir.ID              // the node that a node reduces to, itself if none
	fold    map[ir.ID]bits.Value // the values of nodes that reduce to a constant
	order   []ir.ID              // live nodes, arguments first
	fanout  []uint8              // uses in the netlist
	parts   map[ir.ID]partOf     // of slices of slices
	shared  map[sliceKey]ir.ID   // parts of registers
	falling map[ir.ID]ir.ID      // by clock, see edgeOf
	stack   []ir.ID
}

// reset prepares the tables for the nodes of m. Memory of the module before is reused.
func (p *view) reset(m *ir.Module) {
	n := m.Len()
	p.m, p.order, p.falling = m, slices.Grow(p.order[:0], n), map[ir.ID]ir.ID{}
	p.marks, p.to, p.fanout = grown(p.marks, n), grown(p.to, n), grown(p.fanout, n)
	p.fold, p.parts, p.shared = map[ir.ID]bits.Value{}, map[ir.ID]partOf{}, map[sliceKey]ir.ID{}
}

func (p *view) is(id ir.ID, k mark) bool { return p.marks[id]&k != 0 }

// v is the node that represents id in expressions: a node with a name itself, others the
// node that they reduce to.
func (p *view) v(id ir.ID) ir.ID {
	if p.is(id, named) {
		return id
	}
	return p.to[id]
}

// konst is the value of a node that is a constant without a name.
func (p *view) konst(id ir.ID) (bits.Value, bool) {
	if id = p.v(id); p.is(id, named) {
		return bits.Value{}, false
	}
	return p.constAt(id)
}

// constAt is the value of a node that is itself a constant, or was found to be one.
func (p *view) constAt(id ir.ID) (bits.Value, bool) {
	switch {
	case p.m.Op(id) == ir.Const:
		return p.m.ConstOf(id), true
	case p.is(id, folded):
		return p.fold[id], true
	}
	return bits.Value{}, false
}

// besideConst is the constant among two operands, and the operand beside it.
func (p *view) besideConst(args []ir.ID) (x ir.ID, c bits.Value, ok bool) {
	for i, a := range args {
		if c, ok = p.konst(a); ok {
			return args[1-i], c, true
		}
	}
	return ir.None, c, false
}

// isConst reports whether konst has a value.
func (p *view) isConst(id ir.ID) bool {
	id = p.v(id)
	return !p.is(id, named) && (p.m.Op(id) == ir.Const || p.is(id, folded))
}

// reg is the register whose output a node is.
func (p *view) reg(id ir.ID) *ir.Register { return &p.m.Regs[p.m.Node(id).Aux] }

// isState reports whether a node is state or an input: such nodes always have a name.
func (p *view) isState(id ir.ID) bool {
	op := p.m.Op(id)
	return op.Info().Leaf && op != ir.Const
}

// isNet reports whether a node is a combinational value named by the user or a port.
func (p *view) isNet(id ir.ID) bool { return p.is(id, named) && !p.isState(id) }

// isSlice reports whether a value is a part-select without a name.
func (p *view) isSlice(id ir.ID) bool {
	id = p.v(id)
	return p.m.Op(id) == ir.Slice && !p.is(id, named|folded)
}

// isSigned reports whether a value is declared signed. Single bits are not: as a signed
// number 1'b1 is -1.
func (p *view) isSigned(id ir.ID) bool {
	switch p.m.Op(id) {
	case ir.NetOut, ir.MemOut, ir.Const:
		return false
	}
	n := p.m.Node(id)
	return n.Width > 1 && p.m.TypeOf(n.Type).Kind.Signed()
}

// fixed is the value of a node that is a constant, with or without a name.
func (p *view) fixed(id ir.ID) (bits.Value, bool) {
	for {
		if v, ok := p.constAt(id); ok || p.to[id] == id {
			return v, ok
		}
		id = p.to[id]
	}
}

// isFixed reports whether a bit is the constant v.
func (p *view) isFixed(id ir.ID, v uint64) bool {
	x, ok := p.fixed(id)
	return ok && x.Bit(0) == v
}
