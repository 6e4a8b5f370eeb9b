package verilog

import (
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

// settle prints the wires that a value needs and that are not printed yet, then the value
// itself if it is a wire. It is a depth-first search with an explicit stack on p.pending; the
// stack of an outer call lies below base.
func (p *module) settle(root ir.ID) {
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
	port := p.is(id, isOutput)

	// From here on, values are printed for simulators only.
	if p.simulating {
		p.marks[id] |= simOnly
	}

	if p.isBlock(id) {
		p.combinational(id, port)
		return
	}

	p.waive(p.isMixedReset(id), syncAsync, func() {
		switch {
		case port:
			p.Str("  assign ")
		case p.m.HasAttrs(id): // which Icarus Verilog does not take on a wire with a value
			p.Indent(2)
			p.attrs(p.attrsOf(id))
			p.Str("wire ")
			p.shape(id)
			p.ident(id)
			p.Str(";")
			p.NL()
			p.Str("  assign ")
		default:
			p.Indent(2)
			p.attrs(p.attrsOf(id))
			p.Str("wire ")
			p.shape(id)
		}
		p.ident(id)
		p.Str(" = ")
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
func (p *module) combinational(id ir.ID, port bool) {
	c := p.combs[id]
	p.Blank()
	if !port {
		p.declare("reg ", id)
	}
	p.attrsLine(2, p.withSrc(nil, c.lines...))
	p.Line(2, "always @* begin")
	p.Stmts(p.linkStmts(c.body), 4)
	p.Line(2, "end")
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
		if port.SetAt != 0 {
			p.end(port.SetAt)
		} else {
			p.end(port.Pos)
		}
	}
	p.Blank()
}
