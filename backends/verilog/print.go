package verilog

import (
	"cmp"

	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// print writes the module: ports, constants and functions, state, values and
// instances, outputs, registers, memories, statements.
func (p *module) print() {
	p.header()
	p.waive(len(p.helpers.lut) > 0 && p.m != p.top, sameHelper, p.functions)

	// Localparams come first, but only those that the text uses: the rest is held back
	// until that is known.
	at := len(p.Buf)
	p.Hold = len(p.enums) > 0
	p.declareRegisters(false)
	p.declareMemories()
	p.declareNets()
	p.combinationals()
	p.outputs()
	p.drivers()
	p.registers(false)
	p.memories()
	p.statements()
	p.unused(false)

	p.NoBlank()
	if p.Hold {
		p.spliceLocalparams(at)
	}
	p.Str("endmodule")
	p.NL()
}

// combinationals prints the combinational values and the instances in the order of the netlist, but
// each after the values that it needs.
func (p *module) combinationals() {
	m := p.m
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		switch {
		case p.isNet(id) && !p.is(id, simOnly):
			p.settle(id)
		case m.Op(id) == ir.InstOut:
			p.instance(int(m.Node(id).Aux))
		}
	}

	// Instances to which no value has led.
	for i := range m.Insts {
		p.instance(i)
	}
	p.Blank()
}

// settle prints the wires that some values need and that are not printed yet, and each value
// itself if it is a wire. ir.None is no value.
func (p *module) settle(ids ...ir.ID) {
	for _, id := range ids {
		if id != ir.None {
			p.settleOne(id)
		}
	}
}

// settleOne is a depth-first search with an explicit stack on p.pending; the stack of an outer
// call lies below base.
func (p *module) settleOne(root ir.ID) {
	root = p.v(root)
	if p.is(root, done) {
		return
	}

	base := len(p.pending)
	p.pending = append(p.pending, root)
	for len(p.pending) > base {
		id := p.pending[len(p.pending)-1]
		// A node is met twice: visited marks that its operands were pushed, done that it is
		// printed.
		switch {
		case p.is(id, done):
			p.pending = p.pending[:len(p.pending)-1]
		case p.is(id, visited) || p.isState(id) || p.isConst(id):
			p.pending = p.pending[:len(p.pending)-1]
			p.marks[id] |= done
			switch {
			case p.m.Op(id) == ir.InstOut:
				p.declareOutputs(int(p.m.Node(id).Aux))
			case p.isNet(id) || p.used(id, net):
				p.value(id)
			}

		default:
			p.marks[id] |= visited
			if p.is(id, folded) {
				break
			}
			if p.to[id] != id {
				p.push(p.to[id])
				break
			}
			args := p.m.Args(id)
			if p.m.Op(id) == ir.Slice {
				x, _ := p.part(id)
				p.push(x)
				break
			}

			// Operands are pushed so that they are printed in the order in which they were
			// made.
			up := len(args) > 0 && args[0] > args[len(args)-1] // made from the last one on
			for i := range args {
				if !up {
					i = len(args) - 1 - i
				}
				p.push(p.v(args[i]))
			}
		}
	}
}

func (p *module) push(id ir.ID) {
	if !p.is(id, done) {
		p.pending = append(p.pending, id)
	}
}

// value prints a combinational value that has a name, as a wire or as an always block.
func (p *module) value(id ir.ID) {
	// From here on, values are printed for simulators only.
	if p.simulating {
		p.marks[id] |= simOnly
	}

	if p.isBlock(id) {
		p.combinational(id)
		return
	}

	p.waive(p.isMixedReset(id), syncAsync, func() {
		p.beginWire(id)
		p.Expr(p.link(p.valueOf(id), context{typ: p.m.Node(id).Type}), 4)
		p.Ch(';')
		p.endOf(id)
	})
}

// valueOf is the tree of a value that has a name. A constant for whose edge something waits has
// none yet.
func (p *module) valueOf(id ir.ID) *syntax.Expr {
	if p.values[id] == nil {
		return p.define(id)
	}
	return p.values[id]
}

// combinational prints a value as an always block.
func (p *module) combinational(id ir.ID) {
	c := p.combs[id]
	p.Blank()
	if !p.is(id, isOutput) {
		p.declare("reg ", id)
	}
	p.attrsLine(2, p.withSrc(nil, c.lines...))
	p.always("*", p.linkStmts(c.body))
	p.Blank()
}

// outputs prints the outputs that are copies of a named value.
func (p *module) outputs() {
	m := p.m
	for i := range m.Ports {
		port := &m.Ports[i]
		if port.Dir != ir.Out || p.portIs[i] || port.Node == ir.None {
			continue
		}
		// The values that the output needs stand above it.
		p.settle(port.Node)
		p.Str("  assign ")
		p.Raw(p.table.Get(p.ports[i]))
		p.Str(" = ")
		p.Expr(p.link(p.outOf[i], context{}), 4)
		p.Ch(';')
		p.end(cmp.Or(port.SetAt, port.Pos))
	}
	p.Blank()
}
