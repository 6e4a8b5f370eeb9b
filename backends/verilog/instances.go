package verilog

import (
	"etch/backends/verilog/internal/syntax"
	"etch/ir"
)

// declareOutputs declares the wires that an instance drives, once, before any text that
// reads one.
func (p *module) declareOutputs(at int) {
	if p.instDecl[at] {
		return
	}
	p.instDecl[at] = true
	inst := &p.m.Insts[at]
	for i, c := range inst.Conns {
		if inst.Mod.Ports[i].Dir == ir.Out && !p.is(c, isOutput) {
			p.declare("wire ", c)
		}
	}
}

// pins makes the trees of an instance's connections.
func (p *bodies) pins(inst *ir.Instance) []*syntax.Expr {
	list := make([]*syntax.Expr, len(inst.Conns))
	for i, c := range inst.Conns {
		port := &inst.Mod.Ports[i]
		switch port.Dir {
		case ir.In:
			p.use(c, inPin|p.resetUse(inst.Mod, i))
		case ir.InOut:
			p.use(c, inPin|otherUse)
		}

		// A type that this module lacks has no names here: 0.
		typ, _ := p.m.FindType(inst.Mod.TypeOf(port.Type))
		list[i] = p.ref(c, context{typ: typ})
	}
	return list
}

// instance prints an instance, after the values that its inputs need. The outputs are
// declared first, since an input may depend on one of them through another instance.
func (p *module) instance(at int) {
	if p.instDone[at] {
		return
	}
	p.instDone[at] = true
	inst := &p.m.Insts[at]
	p.declareOutputs(at)

	for i, c := range inst.Conns {
		if inst.Mod.Ports[i].Dir == ir.In {
			p.settle(c)
		}
	}

	p.waive(p.hides(at), hidingInstance, func() { p.instanceText(at) })
}

// instanceText prints the instance itself.
func (p *module) instanceText(at int) {
	inst := &p.m.Insts[at]

	// Parameters are those of a black box.
	p.attrsLine(2, p.withSrc(inst.Attrs, inst.Pos))
	p.Str("  " + p.modName(inst.Mod))
	if e := inst.Mod.Extern; e != nil && len(e.Params) > 0 {
		p.Str(" #(")
		for i, q := range e.Params {
			if i > 0 {
				p.Str(", ")
			}
			p.Str("." + q.Name + "(" + q.Value + ")")
		}
		p.Ch(')')
	}

	p.Str(" " + p.text(p.insts[at]) + " (")
	p.end(inst.Pos)

	// The connections are in the order of the ports.
	names := p.portNames(inst.Mod)
	for i := range inst.Conns {
		p.Str("    ." + names[i] + "(")
		p.Expr(p.link(p.pinOf[at][i], context{}), 6)
		p.Ch(')')
		if i < len(inst.Conns)-1 {
			p.Ch(',')
		}
		p.NL()
	}

	p.Line(2, ");")
}

// portNames is PortNames, once per module.
func (p *design) portNames(m *ir.Module) []string {
	names, ok := p.portsOf[m]
	if !ok {
		names = PortNames(m)
		p.portsOf[m] = names
	}
	return names
}
