package firrtl

import (
	"etch/ir"
)

// Attributes become annotations of the class from which firtool makes SystemVerilog
// attributes. It supports them on modules, registers and nodes. Attributes of ports,
// instances, memories and black boxes are left out, with a note.

// attributes passes the annotations for a module's attributes to add. An object with an
// attribute also gets a DontTouch, which keeps it through firtool's optimisations, since an
// attribute on a removed object is lost.
func (p *module) attributes(m *ir.Module, circuit string, add func(annotation)) {
	if m.Extern != nil {
		return
	}
	target := circuit + p.modName(m)
	put := func(target string, list []ir.Attr) {
		for _, a := range list {
			add(annotation{Class: "firrtl.AttributeAnnotation", Target: target, Description: a.Name + " = " + a.Value})
		}
	}
	put(target, m.Attrs)

	// The annotations need the names in the text; plan assigns them.
	planned := false
	m.EachAttr(func(n ir.ID, list []ir.Attr) {
		if !planned {
			planned = true
			p.plan(m)
		}
		if name := p.declared(n); name != "" {
			put(target+">"+name, list)
			add(annotation{Class: "firrtl.transforms.DontTouchAnnotation", Target: target + ">" + name})
		}
	})
}

// declared is the name of the register or node for a value, "" if it has none.
func (p *module) declared(n ir.ID) string {
	switch op := p.m.Op(n); {
	case op == ir.Reg, op == ir.MemOut:
		return p.names[n]
	case op == ir.InstOut && p.is(n, live), p.is(n, net) && !p.isState(n):
		return p.names[n]
	}
	return ""
}

// lostAttributes adds notes for the attributes that firtool does not support.
func (w *writer) lostAttributes(m *ir.Module, add func(p ir.Pos, format string, args ...any)) {
	note := func(p ir.Pos, what, name string, list []ir.Attr) {
		for _, a := range list {
			add(p, "attribute %s of %s %s of %s is left out: firtool has none there", a.Name, what, name, w.modName(m))
		}
	}
	for i := range m.Ports {
		note(m.Ports[i].Pos, "port", m.Ports[i].Name, m.Ports[i].Attrs)
	}
	if m.Extern != nil {
		note(m.Pos, "black", "box", m.Attrs)
		return
	}
	for i := range m.Insts {
		note(m.Insts[i].Pos, "instance", m.Insts[i].Name, m.Insts[i].Attrs)
	}
	for i := range m.Mems {
		note(m.Mems[i].Pos, "memory", m.Mems[i].Name, m.Mems[i].Attrs)
	}
}
