package verilog

import (
	"cmp"

	"etch/backends/verilog/internal/names"
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
	"etch/ir/bits"
)

// declarations prints the head of a module and its declarations.
type declarations struct {
	*design
	*view
	*naming
	*uses
	*choices
	*linker
	*startup
	scratch   syntax.Arena // trees that are printed at once
	indexDone bool         // the loop variable is declared
}

// header prints the comment and the ports.
func (p *declarations) header() {
	m := p.m
	p.Line(0, "// "+p.withLine(oneLine(cmp.Or(m.Origin, m.Name)), m.Pos))
	p.attrsLine(0, m.Attrs)
	p.Line(0, "module "+p.modName(m)+" (")

	// A port per line. Its position is left out if it is that of the port above.
	for i := range m.Ports {
		port := &m.Ports[i]
		p.waive(p.isMixedReset(port.Node) && port.Dir == ir.In, syncAsync, func() {
			p.Indent(2)
			p.attrs(p.portAttrs(i))
			switch {
			case port.Dir == ir.In:
				p.Str("input wire ")
			case port.Dir == ir.InOut:
				p.Str("inout wire ")
			case p.portIs[i] && p.isVariable(port.Node):
				p.Str("output reg ")
			default:
				p.Str("output wire ")
			}

			p.portShape(i)
			p.Raw(p.table.Get(p.ports[i]))
			if i < len(m.Ports)-1 {
				p.Ch(',')
			}
			// The user's name, if it was changed.
			switch {
			case p.text(p.ports[i]) != port.Name:
				p.End(p.withLine(oneLine(port.Name), port.Pos))
			case i > 0 && port.Pos == m.Ports[i-1].Pos:
				p.NL()
			default:
				p.end(port.Pos)
			}
		})
	}

	p.Line(0, ");")
	p.Start()
}

// portShape prints the sign and range of a port. An output that is a node of the module
// takes those of the node, since expressions read it.
func (p *declarations) portShape(i int) {
	port := &p.m.Ports[i]
	switch {
	case port.Dir == ir.In, port.Dir == ir.Out && p.portIs[i]:
		p.shape(port.Node)
		return
	case port.Dir == ir.Out && port.Width > 1 && p.m.TypeOf(port.Type).Kind.Signed():
		p.Str("signed ")
	}
	p.Vector(port.Width)
}

// isVariable reports whether a node is assigned in always blocks.
func (p *declarations) isVariable(id ir.ID) bool {
	switch p.m.Op(id) {
	case ir.Reg:
		return true
	case ir.MemOut:
		return p.flags[id] == 0
	case ir.InstOut, ir.NetOut:
		return false
	}
	return p.isBlock(id)
}

// ident prints the name of a value.
func (p *declarations) ident(id ir.ID) { p.Raw(p.table.Get(p.names[p.v(id)])) }

// constant prints v as a sized literal, or as the constant's name in an enumeration.
func (p *declarations) constant(v bits.Value, t ir.TypeID) {
	p.scratch.Reset()
	e := p.scratch.New(0)
	p.setCode(e, v, t)
	p.Expr(e, 0)
}

// shape prints the sign and range of the declaration of a node.
func (p *declarations) shape(id ir.ID) {
	if p.isSigned(id) {
		p.Str("signed ")
	}
	p.Vector(p.m.Width(id))
}

// declareRegisters declares the registers of the hardware, or (sim) those that only
// statements need, with their values at power-up.
func (p *declarations) declareRegisters(sim bool) {
	p.declareRows(sim)
	any := false
	for i := range p.m.Regs {
		r := &p.m.Regs[i]
		v, ok := p.initial(r)
		if !ok || p.is(r.Node, simOnly) != sim || p.o.Bare && (r.Init == ir.None || r.Async) {
			continue
		}
		any = true
		p.initialValue(p.names[r.Node], v, p.m.Node(r.Node).Type)
	}
	if any {
		p.Blank()
	}
}

// initialValue prints the value of a register at power-up.
func (p *declarations) initialValue(name names.ID, v bits.Value, t ir.TypeID) {
	p.Str("  initial " + p.text(name) + " = ")
	p.constant(v, t)
	p.Ch(';')
	p.NL()
}

// declareRows declares registers. Registers of one width, sign and source line, without
// comments or attributes of their own, share a line.
func (p *declarations) declareRows(sim bool) {
	var last ir.ID
	for i := range p.m.Regs {
		id := p.m.Regs[i].Node
		if p.is(id, isOutput) || p.is(id, simOnly) != sim {
			continue
		}
		n := p.m.Node(id)

		// The line goes on if nothing tells the two registers apart.
		if l := p.m.Node(last); last != ir.None && l.Width == n.Width && l.Pos == n.Pos && p.isSigned(id) == p.isSigned(last) && p.Col() < 80 && p.told(id) == "" && p.told(last) == "" &&
			!p.isMixedReset(id) && !p.isMixedReset(last) && p.sameAttrs(id, last) {
			p.Str(", ")
			p.ident(id)
			last = id
			continue
		}

		p.endDeclaration(last)

		// A register with a waiver has lines of its own.
		if p.isMixedReset(id) {
			p.declare("reg ", id)
			last = ir.None
			continue
		}

		p.beginDeclaration("reg ", id)
		last = id
	}

	p.endDeclaration(last)
	p.Blank()
}

func (p *declarations) endDeclaration(id ir.ID) {
	if id != ir.None {
		p.Ch(';')
		p.endOf(id)
	}
}

// declare prints a declaration without a value.
func (p *declarations) declare(kind string, id ir.ID) {
	p.waive(p.isMixedReset(id), syncAsync, func() {
		p.beginDeclaration(kind, id)
		p.endDeclaration(id)
	})
}

// beginDeclaration prints a declaration up to its name.
func (p *declarations) beginDeclaration(kind string, id ir.ID) {
	p.Indent(2)
	p.attrs(p.attrsOf(id))
	p.Str(kind)
	p.shape(id)
	p.ident(id)
}

// beginWire prints a wire up to its value. If it is an output, that is an assignment. So it is,
// after the declaration, for a wire with attributes: Icarus Verilog takes none on a wire with a
// value.
func (p *declarations) beginWire(id ir.ID) {
	assigned := p.is(id, isOutput)
	if !assigned {
		p.beginDeclaration("wire ", id)
		if assigned = p.m.HasAttrs(id); assigned {
			p.Ch(';')
			p.NL()
		}
	}
	if assigned {
		p.Str("  assign ")
		p.ident(id)
	}
	p.Str(" = ")
}
