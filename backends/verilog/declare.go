package verilog

import (
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
	p.Str("// ")
	p.Str(oneLine(orElse(m.Origin, m.Name)))
	if at := p.where(m.Pos); at != "" && !p.o.NoPositions {
		p.Str(", ")
		p.Str(at)
	}

	p.NL()
	p.attrsLine(0, m.Attrs)
	p.Str("module ")
	p.Str(p.modName(m))
	p.Str(" (")
	p.NL()

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
			if name := p.text(p.ports[i]); name != port.Name {
				p.Str("  // ")
				p.Str(oneLine(port.Name))
				if at := p.where(port.Pos); at != "" && !p.o.NoPositions {
					p.Str(", ")
					p.Str(at)
				}
				p.NL()
			} else if i > 0 && port.Pos == m.Ports[i-1].Pos {
				p.NL()
			} else {
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
		return p.rangeFlag(id) == 0
	case ir.InstOut, ir.NetOut:
		return false
	}
	return p.isBlock(id)
}

// ident prints the name of a value.
func (p *declarations) ident(id ir.ID) { p.Raw(p.table.Get(p.names[p.v(id)])) }

// constant prints a constant of a type.
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
		p.Str("  initial ")
		p.ident(r.Node)
		p.Str(" = ")
		p.constant(v, p.m.Node(r.Node).Type)
		p.Ch(';')
		p.NL()
	}
	if any {
		p.Blank()
	}
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

		p.Indent(2)
		p.attrs(p.attrsOf(id))
		p.Str("reg ")
		p.shape(id)
		p.ident(id)
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
		p.Indent(2)
		p.attrs(p.attrsOf(id))
		p.Str(kind)
		p.shape(id)
		p.ident(id)
		p.Ch(';')
		p.endOf(id)
	})
}
