package verilog

import (
	"slices"
	"strings"

	"etch/ir"
)

// attrs prints attributes in front of a declaration: (* keep = 1 *) and a blank.
func (p *design) attrs(list []ir.Attr) {
	if len(list) == 0 {
		return
	}
	p.Str("(* ")
	for i, a := range list {
		if i > 0 {
			p.Str(", ")
		}
		p.Str(a.Name)
		p.Str(" = ")
		p.Str(a.Value)
	}
	p.Str(" *) ")
}

// attrsLine prints attributes on a line of their own.
func (p *design) attrsLine(indent int, list []ir.Attr) {
	if len(list) > 0 {
		p.Indent(indent)
		p.attrs(list)
		p.Buf = p.Buf[:len(p.Buf)-1] // the blank
		p.NL()
	}
}

// portAttrs is the attributes of a port, with those of the value that it stands for.
func (p *declarations) portAttrs(i int) []ir.Attr {
	port := &p.m.Ports[i]
	// An output that is the value itself takes over its attributes.
	list := port.Attrs
	if port.Dir == ir.Out && p.portIs[i] {
		for _, a := range p.attrsOf(port.Node) {
			list = ir.SetAttr(list, a)
		}
	}
	return p.withSrc(list, port.Pos)
}

// sameAttrs reports whether two nodes can share a declaration: their attributes are equal.
func (p *declarations) sameAttrs(x, y ir.ID) bool {
	return slices.Equal(p.m.AttrsOf(x), p.m.AttrsOf(y))
}

// attrsOf is the attributes of a value's declaration, with src if the options ask for it.
func (p *declarations) attrsOf(id ir.ID) []ir.Attr {
	return p.withSrc(p.m.AttrsOf(id), p.m.Node(id).Pos)
}

// withSrc adds src to a list of attributes: the source lines in yosys's form, separated by
// bars. A src of the user's stays.
func (p *design) withSrc(list []ir.Attr, lines ...ir.Pos) []ir.Attr {
	if !p.o.Src || slices.ContainsFunc(list, func(a ir.Attr) bool { return a.Name == "src" }) {
		return list
	}

	// Positions may repeat; one position may stand for several lines, which where separates
	// by commas.
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

// maxSrc bounds the lines listed for an always block.
const maxSrc = 16

// blockLines is the lines of all assignments of a block, in the order of the text.
func (p *bodies) blockLines(steps []step) (lines []ir.Pos) {
	if !p.o.Src {
		return nil
	}
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
	return lines
}
