package verilog

import (
	"slices"

	"etch/ir"
)

// attrs prints attributes in front of a declaration: (* keep = 1 *) and a blank.
func (p *module) attrs(list []ir.Attr) {
	if len(list) == 0 {
		return
	}
	p.str("(* ")
	for i, a := range list {
		if i > 0 {
			p.str(", ")
		}
		p.str(a.Name)
		p.str(" = ")
		p.str(a.Value)
	}
	p.str(" *) ")
}

// attrsLine prints attributes on a line of their own.
func (p *module) attrsLine(indent int, list []ir.Attr) {
	if len(list) > 0 {
		p.indent(indent)
		p.attrs(list)
		p.buf = p.buf[:len(p.buf)-1] // the blank
		p.nl()
	}
}

// portAttrs are the attributes of a port, with those of the value that it is.
func (p *module) portAttrs(i int) []ir.Attr {
	port := &p.m.Ports[i]
	list := port.Attrs
	if port.Dir == ir.Out && p.portIs[i] {
		for _, a := range p.m.AttrsOf(port.Node) {
			list = ir.SetAttr(list, a)
		}
	}
	return list
}

// sameAttrs reports whether two nodes can share a declaration.
func (p *module) sameAttrs(x, y ir.ID) bool { return slices.Equal(p.m.AttrsOf(x), p.m.AttrsOf(y)) }
