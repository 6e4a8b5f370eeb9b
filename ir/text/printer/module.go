package printer

import (
	"strconv"

	"etch/ir"
)

// head writes the lines before the modules.
func (p *printer) head() {
	p.str("etch ").num(Version).newLine()

	for i, f := range p.files {
		p.str("file ").num(i).str(" ").quoted(f).newLine()
	}

	for _, e := range p.enums {
		p.str("enum ").name(e.Name).str(" {")
		for i, n := range e.Names {
			if i > 0 {
				p.str(",")
			}
			p.str(" ").name(n).str(" = ")

			// Designs that ir.Verify refuses are printed too: a name without a code gets ?.
			if i < len(e.Codes) {
				p.str(utoa(e.Codes[i]))
			} else {
				p.str("?")
			}
		}
		p.str(" }").newLine()
	}

	if p.d.Top != nil {
		p.str("top ").name(p.d.Top.Name).newLine()
	}
}

func (p *printer) module(m *ir.Module) {
	// References need the names of the whole table, to number equal ones.
	p.m = m
	p.mems = makeRefs(len(m.Mems), func(i int) string { return m.Mems[i].Name })
	p.insts = makeRefs(len(m.Insts), func(i int) string { return m.Insts[i].Name })
	p.reads = make([]refs, len(m.Mems))
	for i := range m.Mems {
		ports := m.Mems[i].Reads
		p.reads[i] = makeRefs(len(ports), func(j int) string { return ports[j].Name })
	}

	// The module in the order of the grammar: ports, nodes, tables, marks.
	p.newLine()
	p.str("module ").name(m.Name)
	if m.Origin != "" {
		p.str(" origin ").quoted(m.Origin)
	}
	p.str(" {").endLine(m.Pos)
	p.extern(m.Extern)
	for i := range m.Ports {
		p.port(&m.Ports[i])
	}

	for id := ir.ID(1); int(id) < m.Len(); id++ {
		p.nodeLine(id)
	}

	for i := range m.Regs {
		p.register(&m.Regs[i])
	}

	for i := range m.Mems {
		p.memory(&m.Mems[i])
	}

	for i := range m.Insts {
		p.instance(&m.Insts[i])
	}

	for i := range m.Nets {
		p.net(&m.Nets[i])
	}
	for i := range m.Stmts {
		p.stmt(&m.Stmts[i])
	}

	if len(m.Unused) > 0 {
		p.str("  unused")
		p.args(m.Unused)
		p.newLine()
	}
	p.attributes(m)
	p.str("}").newLine()
}

// attributes writes a line for each attribute: of the module, its ports, nodes,
// memories and instances.
func (p *printer) attributes(m *ir.Module) {
	line := func(of string, list []ir.Attr) {
		for _, a := range list {
			p.str("  attr ").str(of).str(" ").str(a.Name).str(" ").quoted(a.Value).newLine()
		}
	}

	// The order of the parser's tables, so that a text reads back to itself.
	line("module", m.Attrs)
	for i := range m.Ports {
		line("port "+p.portName(m, i), m.Ports[i].Attrs)
	}
	m.EachAttr(func(id ir.ID, list []ir.Attr) { line("%"+strconv.Itoa(int(id)), list) })
	for i := range m.Mems {
		line("memory "+p.mems.at(i), m.Mems[i].Attrs)
	}
	for i := range m.Insts {
		line("instance "+p.insts.at(i), m.Insts[i].Attrs)
	}
}

func (p *printer) extern(e *ir.Extern) {
	if e == nil {
		return
	}

	// A black box: the Verilog module that it stands for, and its files and parameters.
	p.str("  extern ").name(e.Module)
	if e.Model {
		p.str(" model")
	}
	for _, f := range e.Files {
		p.str(" file ").quoted(f)
	}
	for _, param := range e.Params {
		p.str(" param ").name(param.Name).str(" ").quoted(param.Value)
	}
	p.newLine()
}

func (p *printer) port(port *ir.Port) {
	p.str("  ").str(port.Dir.String()).str(" ").name(port.Name).shape(port.Width, port.Type)
	if port.Node != ir.None {
		p.str(" =").node("", port.Node)
	}
	p.at(port.Pos).tail(port.Path, port.SetAt).newLine()
}

func (p *printer) register(r *ir.Register) {
	p.str("  reg").node("", r.Node).node("next", r.Next).node("clk", r.Clk)
	// The reset value tells a latch, unless it is a constant as that of a flip-flop.
	switch {
	case r.Kind == ir.Latch && p.m.Op(r.Reset) == ir.Const:
		p.str(" latch")
	case r.Async:
		p.str(" async")
	}
	p.optional("rst", r.Rst).optional("reset", r.Reset).optional("init", r.Init).tail("", r.SetAt).newLine()
}

// perLine bounds the bits of initial contents in one line; a line has at least one word.
const perLine = 256

func (p *printer) memory(mem *ir.Memory) {
	p.str("  memory ").name(mem.Name).str(": ").num(mem.Depth).str(" x ").num(mem.Width).typ(mem.Type)
	if mem.Style != "" {
		p.str(" style ").name(mem.Style)
	}
	p.endLine(mem.Pos)

	// An empty list means zeros; no list means no contents.
	if mem.Init != nil && len(mem.Init) == 0 {
		p.str("    init").newLine()
	}

	// Words are grouped into lines of about perLine bits.
	step := max(1, perLine/max(1, mem.Width))
	for i, word := range mem.Init {
		if i%step == 0 {
			p.str("    init")
		}
		p.str(" ").str(word.String())
		if i%step == step-1 || i == len(mem.Init)-1 {
			p.newLine()
		}
	}

	// Ports stand behind the contents: a read port has a node, a write port only operands.
	for i := range mem.Reads {
		r := &mem.Reads[i]
		p.str("    read ").name(r.Name).node("", r.Node).node("clk", r.Clk).node("addr", r.Addr)
		p.optional("en", r.En).str(" under ").str(r.Under.String()).endLine(r.Pos)
	}
	for i := range mem.Writes {
		w := &mem.Writes[i]
		p.str("    write ").name(w.Name).node("clk", w.Clk).node("addr", w.Addr).node("data", w.Data)
		p.optional("en", w.En).optional("mask", w.Mask).endLine(w.Pos)
	}
}

func (p *printer) instance(inst *ir.Instance) {
	p.str("  instance ").name(inst.Name).str(" of ").name(inst.Mod.Name).str(" {")
	for i, id := range inst.Conns {
		if i > 0 {
			p.str(",")
		}
		p.str(" ")

		// A broken design may have more connections than ports.
		if i < len(inst.Mod.Ports) {
			p.name(inst.Mod.Ports[i].Name)
		} else {
			p.str("?")
		}
		p.node("", id)
	}
	p.str(" }").at(inst.Pos).tail("", inst.SetAt...).newLine()
}

func (p *printer) net(n *ir.Net) {
	p.str("  net").node("", n.Node)
	if n.Pull != ir.PullNone {
		p.str(" pull ").str(n.Pull.String())
	}
	p.newLine()

	// A line a driver, since each has an enable and a position.
	for _, d := range n.Drivers {
		p.str("    drive").node("", d.Value).node("en", d.En).endLine(d.Pos)
	}
}

func (p *printer) stmt(s *ir.Stmt) {
	p.str("  ").str(s.Kind.String()).str(" ").name(s.Name).node("clk", s.Clk)
	p.optional("en", s.En).optional("cond", s.Cond)

	// Parts that have their usual value are left out.
	if s.Code != 0 {
		p.str(" code ").num(s.Code)
	}
	if s.Format != "" || len(s.Args) > 0 {
		p.str(" format ").quoted(s.Format)
		for _, a := range s.Args {
			p.node("", a)
		}
	}
	p.endLine(s.Pos)
}
