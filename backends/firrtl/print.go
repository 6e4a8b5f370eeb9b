package firrtl

import (
	"strings"

	"etch/ir"
)

// head prints the first line of the module and its ports.
func (p *module) head() {
	m := p.m
	if m.Origin != "" {
		p.line(2, "; "+comment(m.Origin))
	}
	p.enums()
	p.begin(2)
	if m == p.top {
		p.str("public ")
	}
	p.str("module " + id(p.modName(m)) + " :")
	p.end(m.Pos)
	p.portLines(m, p.ports)
	p.blank()
}

// portLines prints the ports of a module or of a black box.
func (w *writer) portLines(m *ir.Module, names []string) {
	for i := range m.Ports {
		port := &m.Ports[i]
		w.begin(4)
		if port.Dir == ir.InOut { // has no direction in FIRRTL, but must say one
			w.str("output " + id(names[i]) + " : Analog<")
			w.num(port.Width)
			w.str(">")
		} else {
			w.str(port.Dir.String() + " " + id(names[i]) + " : ")
			w.typeText(portType(m, i), port.Width)
		}
		w.endTyped(m.TypeOf(port.Type), port.Pos)
	}
}

// endTyped is end, with the enumeration of the declared type in a comment.
func (w *writer) endTyped(t ir.Type, p ir.Pos) {
	w.str(w.locator(p))
	if t.Kind == ir.EnumKind && t.Enum != nil {
		w.str(" ; " + comment(t.Enum.Name))
	}
	w.nl()
}

// enums lists the codes of the module's enumerations in comments.
func (p *module) enums() {
	// Only those of ports, registers and named values.
	used := make([]bool, len(p.m.Types()))
	for i := range p.m.Ports {
		used[p.m.Ports[i].Type] = true
	}
	for i := range p.m.Regs {
		used[p.m.Node(p.m.Regs[i].Node).Type] = true
	}
	for _, n := range p.order {
		if p.is(n, net) {
			used[p.m.Node(n).Type] = true
		}
	}

	for t, typ := range p.m.Types() {
		if !used[t] || typ.Kind != ir.EnumKind || typ.Enum == nil {
			continue
		}
		e := typ.Enum
		var codes []string
		for i, name := range e.Names[:min(len(e.Names), len(e.Codes))] {
			codes = append(codes, comment(name)+" "+utoa(e.Codes[i]))
		}
		p.line(2, "; enumeration "+comment(e.Name)+": "+strings.Join(codes, ", "))
	}
}

// declare prints the declarations that precede all logic: instances, early wires,
// registers, memories.
func (p *module) declare() {
	// Instances come first: clocks and resets of registers may be their outputs.
	for i := range p.m.Insts {
		inst := &p.m.Insts[i]
		p.str("    inst " + id(p.insts[i]) + " of " + id(p.modName(inst.Mod)))
		p.end(inst.Pos)
	}

	p.declareNets()

	// Named outputs of instances.
	for _, n := range p.order {
		if node := p.m.Node(n); node.Op == ir.InstOut && p.names[n] != "" {
			name := p.names[n]
			// refName then gives the port, not the name.
			p.names[n] = ""
			p.str("    node " + id(name) + " = " + p.refName(n))
			p.end(node.Pos)
			p.names[n] = name
		}
	}

	// Early wires: clocks and resets that are computed later.
	for _, n := range p.first {
		name, t := p.names[n], p.typ(n)

		// State has a name already: the early wire repeats it.
		if p.isState(n) {
			name, t = p.wires[n], unsigned
		}
		p.str("    wire " + id(name) + " : ")
		p.typeText(t, p.m.Width(n))
		p.end(p.m.Node(n).Pos)
	}

	for i := range p.m.Regs {
		p.register(&p.m.Regs[i])
	}

	for i := range p.mems {
		p.memory(i)
	}

	p.blank()
}

// connections prints everything else, each connection after the values that it needs.
func (p *module) connections() {
	// The early wires get their values.
	for _, n := range p.first {
		p.settle(n)
		if name := p.wires[n]; name != "" {
			p.str("    connect " + id(name) + ", ")
			p.ref(n, unsigned)
			p.end(p.m.Node(n).Pos)
		}
	}

	// Registers, memories, instances, nets, outputs, statements.
	for i := range p.m.Regs {
		r := &p.m.Regs[i]
		p.settle(r.Next)
		p.str("    connect " + id(p.names[r.Node]) + ", ")
		p.operand(r.Next, p.regType(r.Node))
		p.endGiven(r.SetAt, r.Next)
	}

	for i := range p.mems {
		p.connectMemory(i)
	}

	for i := range p.m.Insts {
		p.pins(i)
	}

	p.connectNets()
	for i := range p.m.Ports {
		port := &p.m.Ports[i]
		if port.Dir != ir.Out {
			continue
		}
		p.settle(port.Node)
		p.str("    connect " + id(p.ports[i]) + ", ")
		p.operand(port.Node, portType(p.m, i))
		p.endGiven(port.SetAt, port.Node)
	}

	p.statements()
}

// pins connects the inputs of an instance.
func (p *module) pins(i int) {
	inst := &p.m.Insts[i]
	names := p.portNames(inst.Mod)
	for j := range inst.Mod.Ports {
		if inst.Mod.Ports[j].Dir != ir.In {
			continue
		}
		p.settle(inst.Conns[j])
		p.str("    connect " + id(p.insts[i]) + "." + id(names[j]) + ", ")
		p.operand(inst.Conns[j], portType(inst.Mod, j))
		p.endGiven(inst.GivenAt(j), inst.Conns[j])
	}
}

// settle prints the named values that a value needs, then the value itself if it has a
// name.
func (p *module) settle(n ir.ID) { p.walk(n, done, p.settled) }

// settled prints a value whose operands are printed.
func (p *module) settled(n ir.ID) {
	if p.m.Op(n) == ir.MemRead {
		p.connectAsync(n)
	}
	if !p.is(n, net) {
		return
	}

	// Its long parts are printed as nodes first.
	p.prepare(n)
	name, t := id(p.names[n]), p.typ(n)

	// An early wire is declared above; any other value here.
	if p.is(n, early) {
		p.str("    connect " + name + ", ")
	} else {
		p.str("    node " + name + " = ")
	}
	if t == integer {
		t = unsigned
	}
	p.body(n, t)
	p.endTyped(p.m.TypeOf(p.m.Node(n).Type), p.lines(n))
}

// prepare prints parts of a value whose text would be long.
func (p *module) prepare(n ir.ID) {
	p.parts = nil
	switch op := p.m.Op(n); op {
	case ir.And, ir.Or, ir.Xor, ir.Cat:
		p.prepareFold(op.String(), n)
	case ir.Case:
		p.prepareCase(n)
	case ir.PopCount:
		p.prepareCount(n)
	case ir.Lut:
		p.prepareLut(n)
	}
}

// register prints the declaration of a register.
func (p *module) register(r *ir.Register) {
	node := p.m.Node(r.Node)
	p.regHead(p.names[r.Node], p.regType(r.Node), int(node.Width), r.Clk, r.Rst != ir.None)
	if r.Rst != ir.None {
		p.str(", ")

		// A synchronous reset is a UInt<1>.
		t := unsigned
		if r.Async {
			t = asyncReset
		}
		p.before(r.Rst, t)
		p.str(", ")
		p.constant(p.m.ConstOf(r.Reset), p.regType(r.Node))
	}
	p.endTyped(p.m.TypeOf(node.Type), node.Pos)
	if r.Init != ir.None {
		p.line(4, "; "+p.names[r.Node]+" starts as "+p.m.ConstOf(r.Init).String()+", which FIRRTL cannot say")
	}
}

// regHead prints the declaration of a register up to its clock.
func (p *module) regHead(name string, t typ, width int, clk ir.ID, reset bool) {
	if reset {
		p.str("    regreset ")
	} else {
		p.str("    reg ")
	}
	p.str(id(name) + " : ")
	p.typeText(t, width)
	p.str(", ")
	p.before(clk, clock)
}

// before prints a clock or reset in a declaration: an early wire if it has one.
func (p *module) before(n ir.ID, want typ) {
	n = p.root(n)
	if name := p.wires[n]; name != "" {
		c := p.open(unsigned, want)
		p.str(id(name))
		p.close(c)
		return
	}
	p.operand(n, want)
}
