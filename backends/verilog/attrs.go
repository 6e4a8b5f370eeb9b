package verilog

import (
	"slices"
	"strings"

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
		for _, a := range p.attrsOf(port.Node) {
			list = ir.SetAttr(list, a)
		}
	}
	return p.withSrc(list, port.Pos)
}

// sameAttrs reports whether two nodes can share a declaration.
func (p *module) sameAttrs(x, y ir.ID) bool { return slices.Equal(p.m.AttrsOf(x), p.m.AttrsOf(y)) }

// attrsOf are the attributes of a value's declaration, with its line if asked for.
func (p *module) attrsOf(id ir.ID) []ir.Attr { return p.withSrc(p.m.AttrsOf(id), p.m.Node(id).Pos) }

// withSrc is a list of attributes with src for lines of the source, in yosys's form:
// separated by bars. An attribute of the user's stays.
func (p *module) withSrc(list []ir.Attr, lines ...ir.Pos) []ir.Attr {
	if !p.o.Src || slices.ContainsFunc(list, func(a ir.Attr) bool { return a.Name == "src" }) {
		return list
	}
	var text string
	seen := map[ir.Pos]bool{}
	for _, pos := range lines {
		at := p.where(pos)
		if at == "" || seen[pos] {
			continue
		}
		if seen[pos] = true; text != "" {
			text += "|"
		}
		text += strings.ReplaceAll(at, ", ", "|")
	}
	if text == "" {
		return list
	}
	return append(slices.Clone(list), ir.Attr{Name: "src", Value: `"` + escape(text, false) + `"`})
}

// maxSrc is the number of lines that an always block names.
const maxSrc = 16

// blockSrc prints the lines that an always block comes from, on a line of their own.
func (p *module) blockSrc(steps []step) {
	if !p.o.Src {
		return
	}
	var lines []ir.Pos
	var gather func(list []step)
	gather = func(list []step) {
		for i := range list {
			s := &list[i]
			if s.cond == ir.None && s.pos != 0 && !slices.Contains(lines, s.pos) && len(lines) < maxSrc {
				lines = append(lines, s.pos)
			}
			for _, a := range s.arms {
				gather(a.body)
			}
			gather(s.then)
			gather(s.els)
		}
	}
	gather(steps)
	p.attrsLine(2, p.withSrc(nil, lines...))
}
