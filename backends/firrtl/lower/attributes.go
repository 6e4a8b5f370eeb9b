package lower

import (
	"strings"

	"etch/ir"
)

// attributes applies annotations of the class AttributeAnnotation: attributes of modules,
// registers and named values and, beyond firtool, of ports, instances and memories. An
// attribute on a bundle or vector goes to each of its signals.
func (l *lowering) attributes() {
	for i := range l.annos.attributes {
		a := &l.annos.attributes[i]

		// The module is not instantiated, or the mistake has been reported.
		s := l.findTarget(a)
		if s == nil {
			continue
		}

		list, ok := parseAttrs(a.Description)
		if !ok {
			l.noteAnno(a, "%q is no attribute of Verilog with a number or a string, and left out", clip(a.Description))
			continue
		}
		if !l.attribute(s, list) {
			l.noteAnno(a, "nothing is left of its target in the circuit")
		}
	}
}

// noteAnno adds a note with the annotation's class and target.
func (l *lowering) noteAnno(a *annotation, format string, args ...any) {
	l.noteIn(a.file, a.line, "annotation "+a.Class+" on "+clip(a.Target)+": "+format, args...)
}

// attribute puts attributes on a component. It reports whether the component is in the
// netlist.
func (l *lowering) attribute(s *spot, list []ir.Attr) bool {
	// By the kind of component: an instance, a module, a memory, or else signals.
	m := s.m
	switch {
	case m.ir == nil: // a cell of a net
		return false
	case s.d == nil && !s.port && len(s.path) == 1:
		return s.from.attributeInst(int(s.path[0]), list)
	case s.d == nil && !s.port:
		m.ir.Attrs = withAttrs(m.ir.Attrs, list)
		return true
	case s.d != nil && s.d.kind == dInst && s.at.t == s.d.t:
		return m.attributeInst(m.instanceNamed(l.name(s.d.name)), list)
	case s.d != nil && (s.d.kind == dMem || s.d.kind == dChirrtl):
		return m.attributeMem(l.name(s.d.name), list)
	case s.d != nil && s.d.kind != dPlain, s.at.t == nil:
		return false
	}

	// A signal: each of its leaves.
	done := false
	for i := range s.at.t.leaves {
		done = m.attributeLeaf(s.at.base+i, list) || done
	}
	return done
}

func (m *module) attributeInst(at int, list []ir.Attr) bool {
	if at < 0 || m.insts[at].mod.cell != nil {
		return false
	}
	inst := &m.ir.Insts[m.insts[at].at]
	inst.Attrs = withAttrs(inst.Attrs, list)
	return true
}

func (m *module) attributeMem(name string, list []ir.Attr) bool {
	for i := range m.mems {
		if x := &m.mems[i]; x.name == name && x.at >= 0 {
			mem := &m.ir.Mems[x.at]
			mem.Attrs = withAttrs(mem.Attrs, list)
			return true
		}
	}
	return false
}

// attributeLeaf puts attributes on a port, or on the node that has the signal's name.
func (m *module) attributeLeaf(at int32, list []ir.Attr) bool {
	// A port holds its attributes itself, if it is in the netlist.
	lf := &m.leaves[at]
	if lf.class == lfInput || lf.class == lfOutput {
		if m.portAt[lf.of] < 0 {
			return false
		}
		p := &m.ir.Ports[m.portAt[lf.of]]
		p.Attrs = withAttrs(p.Attrs, list)
		return true
	}

	// A node that only copies another leaf has no name of its own.
	id := m.out.id[lf.node]
	if another := lf.class == lfNode && m.nodes[lf.node].op == opLeaf; another || id == ir.None || m.ir.NameOf(id) == "" || m.ir.Op(id) == ir.Input || m.ir.Op(id) == ir.Const {
		return false
	}
	m.ir.SetAttrs(id, withAttrs(m.ir.AttrsOf(id), list))
	return true
}

func withAttrs(to, list []ir.Attr) []ir.Attr {
	for _, a := range list {
		to = ir.SetAttr(to, a)
	}
	return to
}

// parseAttrs parses the text between (* and *) in Verilog: "name = value" pairs with commas
// between them. A name without a value has value 1.
func parseAttrs(s string) (list []ir.Attr, ok bool) {
	for s = strings.TrimSpace(s); s != ""; {
		// The name, and the value if there is one.
		end := strings.IndexAny(s, "=,")
		if end < 0 {
			end = len(s)
		}

		a := ir.Attr{Name: strings.TrimSpace(s[:end]), Value: "1"}
		if s = s[end:]; strings.HasPrefix(s, "=") {
			a.Value, s = attrValue(strings.TrimSpace(s[1:]))
		}

		// A comma must separate pairs and may end the list.
		s = strings.TrimSpace(s)
		if rest, comma := strings.CutPrefix(s, ","); comma {
			s = strings.TrimSpace(rest)
		} else if s != "" {
			return nil, false
		}

		if !a.Valid() {
			return nil, false
		}
		list = append(list, a)
	}
	return list, len(list) > 0
}

// attrValue takes a quoted string, or the text before the next comma.
func attrValue(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexByte(s, ',')
		if end < 0 {
			end = len(s)
		}
		return strings.TrimSpace(s[:end]), s[end:]
	}

	// A quoted string: a backslash escapes the next character.
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s[:i+1], s[i+1:]
		}
	}
	return s, ""
}
