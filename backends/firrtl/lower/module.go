package lower

import (
	"etch/backends/firrtl/syntax"
	"etch/ir"
)

// newModule makes a module and its ports.
func (l *lowering) newModule(at int32) *module {
	src := &l.c.Modules[at]
	m := &module{l: l, src: src, nodes: make([]node, 1), names: make([]string, 1), leaves: make([]leaf, 0, 64)}
	m.ports = &typ{form: syntax.Bundle}

	used := map[string]bool{}
	for i := src.FirstPort; i < src.LastPort; i++ {
		p := &l.c.Ports[i]
		t := l.typeOf(p.Type)

		// A probe is a field without leaves.
		if t.form == syntax.Property {
			if t.elem != nil { // a probe
				m.ports.fields = append(m.ports.fields, field{name: p.Name, t: t, at: m.ports.leaves})
			}
			continue
		}

		// In the bundle of an instance, inputs are flipped.
		m.line, m.pos = p.Line, l.pos(p.Info, p.Line)
		m.ports.fields = append(m.ports.fields, field{name: p.Name, flip: !p.Output, t: t, at: m.ports.leaves})
		m.ports.leaves += t.leaves
		l.eachLeaf(t, l.name(p.Name), !p.Output, func(name string, t *typ, in bool) {
			m.flat = append(m.flat, m.newPort(unused(used, name), t, !in, int32(len(m.flat))))
		})
	}
	m.ports.flips = true
	return m
}

// unused is name, or name with the first number that makes it unique.
func unused(used map[string]bool, name string) string {
	free := name
	for i := int32(0); used[free]; i++ {
		free = name + "_" + itoa(i)
	}
	used[free] = true
	return free
}

// newPort adds a port's leaf. External modules need known widths and reset types, since
// nothing inside could infer them.
func (m *module) newPort(name string, t *typ, output bool, of int32) flatPort {
	p := flatPort{name: name, output: output, t: t, width: m.l.widthOf(t), pos: m.pos}
	if m.src.Kind != syntax.Ordinary {
		switch {
		case p.width < 0:
			m.fail("port %s of an external module has no width", name)
			p.width = 1
		case t.kind == kReset:
			m.fail("port %s of an external module is a Reset; UInt<1> or AsyncReset is wanted", name)
		}
	}

	// From inside, an output is driven and an input is not.
	c := lfInput
	if output {
		c = lfOutput
	}
	at := m.newLeaf(c, name, t.kind, p.width, of)
	p.node = m.leaves[at].node
	return p
}

// body builds a module's graph from its statements.
func (l *lowering) body(m *module) {
	if m.src.Kind == syntax.External {
		return
	}

	// A new epoch empties the symbol table.
	l.epochs++
	m.epoch = l.epochs
	if m.src.Kind == syntax.Intrinsic {
		m.intmodule()
		return
	}

	// The ports come first, with the leaves that newModule gave them.
	i := int32(0)
	for p := m.src.FirstPort; p < m.src.LastPort; p++ {
		port := &l.c.Ports[p]
		m.line = port.Line
		t := l.typeOf(port.Type)
		m.declareName(port.Name, decl{t: t, base: i})
		i += t.leaves
	}

	m.findAddresses()
	m.block(m.src.Body)
	m.finishPorts()
}

// checkDriven reports sinks without a driver on some path.
func (m *module) checkDriven() {
	if m.src.Kind == syntax.External {
		return
	}
	for i := range m.leaves {
		lf := &m.leaves[i]
		if !lf.class.sink() || lf.class == lfMemIn && m.mports[lf.of].chirrtl {
			continue
		}
		n := &m.nodes[lf.node]
		if n.kind == kAnalog || n.width == 0 {
			continue
		}
		// FIRRTL before 2.0 let a wire without a driver be invalid.
		switch name := m.names[n.name]; {
		case lf.val == 0 && lf.class == lfWire && !m.l.c.Version.AtLeast(2, 0):
			lf.val = m.invalid(n.kind, n.width)
		case lf.val == 0:
			m.l.fail(lf.line, "%s of module %s is not driven", name, m.l.name(m.src.Name))
		case m.nodes[lf.val].partial:
			m.l.fail(lf.line, "%s of module %s is not driven under all conditions", name, m.l.name(m.src.Name))
		}
	}
}

// start is the position of the module's declaration.
func (m *module) start() ir.Pos { return m.l.pos(m.src.Info, m.src.Line) }
