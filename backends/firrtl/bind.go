package firrtl

import (
	"strconv"

	"etch/ir"
)

// markPorted marks the values with the name of an output that they drive: the port keeps
// the name.
func (p *module) markPorted() {
	for i := range p.m.Ports {
		port := &p.m.Ports[i]
		if port.Dir == ir.Out && port.Node != ir.None && p.m.Op(port.Node) != ir.Input && p.m.NameOf(port.Node) == port.Name {
			p.marks[port.Node] |= ported
		}
	}
}

// bind assigns names to everything that the user named, ports first, then memories, and to
// state.
func (p *module) bind() {
	m := p.m

	// Ports and memories first, in this order: eachFile finds the same names without the rest.
	p.ports = p.table.ports(m)
	for i := range m.Ports {
		if m.Ports[i].Dir != ir.Out {
			p.names[m.Ports[i].Node] = p.ports[i]
		}
	}
	for i, names := range p.table.mems(m) {
		p.mems[i].name, p.mems[i].split = names.name, names.split
	}

	// Legal names first, so that only the others give way.
	for _, wantLegal := range []bool{true, false} {
		for i := range m.Insts {
			p.table.claimIf(&p.insts[i], m.Insts[i].Name, wantLegal)
		}
		for n := ir.ID(1); int(n) < m.Len(); n++ {
			if op := m.Op(n); op == ir.Reg || op == ir.MemOut || op == ir.NetOut || p.is(n, live) {
				p.table.claimIf(&p.names[n], p.userName(n), wantLegal)
			}
		}
		for i := range m.Stmts {
			p.table.claimIf(&p.stmts[i], m.Stmts[i].Name, wantLegal)
		}
	}
	p.bindStructural()
}

// mems claims the names of a module's memories, after its ports.
func (t *nameTable) mems(m *ir.Module) []memNames {
	names := make([]memNames, len(m.Mems))
	for _, wantLegal := range []bool{true, false} {
		for i := range m.Mems {
			t.claimIf(&names[i].name, orElse(m.Mems[i].Name, "mem"), wantLegal)
		}
	}
	// A memory per lane, for memories that are split.
	for i := range m.Mems {
		if isSplit(m, &m.Mems[i]) {
			for k := range lanesOf(m, &m.Mems[i]) {
				names[i].split = append(names[i].split, t.claim(names[i].name+"_lane_"+strconv.Itoa(k)))
			}
		}
	}
	return names
}

// memNames is the name of a memory, and the names of its lanes if it is split.
type memNames struct {
	name  string
	split []string
}

// bindStructural names the things that need a name and got none: state, after its place.
func (p *module) bindStructural() {
	m := p.m
	claim := func(to *string, stem string) {
		if *to == "" {
			*to = p.table.claim(stem)
		}
	}
	for i := range m.Insts {
		claim(&p.insts[i], m.Insts[i].Mod.Name+"_i")
	}

	for i := range m.Stmts {
		claim(&p.stmts[i], m.Stmts[i].Kind.String()+"_")
	}
	// A register that drives the output of its name leaves that name to the port.
	for i := range m.Regs {
		n := m.Regs[i].Node
		if p.is(n, ported) {
			claim(&p.names[n], m.NameOf(n)+"_reg")
		}
		claim(&p.names[n], "r")
	}

	for i := range m.Nets {
		claim(&p.names[m.Nets[i].Node], "net")
	}

	for i := range m.Mems {
		for j := range m.Mems[i].Reads {
			r := &m.Mems[i].Reads[j]
			if p.is(r.Node, ported) {
				claim(&p.names[r.Node], m.NameOf(r.Node)+"_reg")
			}
			claim(&p.names[r.Node], p.mems[i].name+"_"+orElse(r.Name, "q"))
		}
	}
}
