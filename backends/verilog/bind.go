package verilog

import (
	"cmp"

	"etch/backends/verilog/internal/names"
	"etch/ir"
)

// naming holds the names of a module's declarations.
type naming struct {
	*design
	*view
	table    names.Table
	names    []names.ID // by node; 0 if none
	ports    []names.ID
	portIs   []bool // an output that is the node driving it, not a copy
	mems     []names.ID
	insts    []names.ID
	flags    map[ir.ID]names.ID // in-range flags of synchronous read ports
	words    map[ir.ID]names.ID // the data registers beside them
	padReads map[ir.ID]names.ID // wires with the values of pads, see readPad
	covers   []names.ID         // counters of cover statements
	enums    []enumNames
	helpers  helpers
}

func (p *naming) reset(n int) {
	p.names = grown(p.names, n)
	p.flags, p.words, p.padReads = map[ir.ID]names.ID{}, map[ir.ID]names.ID{}, map[ir.ID]names.ID{}
	p.enums, p.helpers = nil, helpers{lut: map[int]names.ID{}, count: map[int]names.ID{}}
	p.table.Reset(n / 4)
}

// bind gives names to everything that the user named. Ports come first: they are never
// renamed, except for keywords. Then come names that are legal as they are, so that only
// the others give way.
func (p *naming) bind() {
	m := p.m

	p.ports, p.portIs = portIDs(&p.table, m), grown(p.portIs, len(m.Ports))
	for i := range m.Ports {
		if m.Ports[i].Dir != ir.Out {
			p.give(m.Ports[i].Node, p.ports[i])
		}
	}

	p.bindOutputs()
	p.mems, p.insts = grown(p.mems, len(m.Mems)), grown(p.insts, len(m.Insts))

	// Two rounds: legal names stay as they are, and the others give way.
	for _, legal := range []bool{true, false} {
		for i := range m.Insts {
			p.table.Bind(&p.insts[i], m.Insts[i].Name, legal)
		}
		p.table.Add([]byte(p.modName(m))) // anything else of that name would hide the module
		for i := range m.Mems {
			p.table.Bind(&p.mems[i], m.Mems[i].Name, legal)
		}
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if name := m.NameOf(id); name != "" && p.names[id] == 0 {
				p.table.Bind(&p.names[id], name, legal)
			}
		}
	}

	p.bindStructural()

	// Everything that has a name by now is printed under it.
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if p.names[id] != 0 {
			p.marks[id] |= named
		}
	}
}

func (p *naming) text(id names.ID) string { return string(p.table.Get(id)) }

func (p *naming) nameOf(id ir.ID) string { return p.text(p.names[p.v(id)]) }

func (p *naming) give(id ir.ID, name names.ID) {
	p.names[id] = name
	p.marks[id] |= named
}

// portIDs claims the names of a module's ports, before any others.
func portIDs(t *names.Table, m *ir.Module) []names.ID {
	// Legal names first, so that an altered name never takes one.
	ids := make([]names.ID, len(m.Ports))
	for _, legal := range []bool{true, false} {
		for i := range m.Ports {
			t.Bind(&ids[i], cmp.Or(m.Ports[i].Name, "port"), legal)
		}
	}
	return ids
}

// PortNames returns the names of a module's ports in Verilog, in order. They are those of
// the netlist, except for keywords, names that Verilog does not allow and names that become
// equal through this. Ports of a black box keep their names.
func PortNames(m *ir.Module) []string {
	list := make([]string, len(m.Ports))
	if m.Extern != nil {
		for i := range m.Ports {
			list[i] = m.Ports[i].Name
		}
		return list
	}
	// The claims of a fresh table are those that bind makes first.
	var t names.Table
	t.Reset(len(m.Ports))
	for i, id := range portIDs(&t, m) {
		list[i] = string(t.Get(id))
	}
	return list
}

// TopName returns the name of the top of a design in Verilog.
func TopName(d *ir.Design) string { return moduleNames(d)[d.Top] }

// bindOutputs makes an output port the value that drives it, if that has the same name or
// none, and is no constant, input or net.
func (p *naming) bindOutputs() {
	m := p.m
	// Equal names come first: a value may drive several outputs.
	for _, same := range []bool{true, false} {
		for i := range m.Ports {
			port := &m.Ports[i]
			if port.Dir != ir.Out || port.Node == ir.None {
				continue
			}
			name, id := m.NameOf(port.Node), port.Node
			if p.names[id] != 0 || m.Op(id) == ir.Const || m.Op(id) == ir.Input || m.Op(id) == ir.NetOut {
				continue
			}
			if same && name == port.Name || !same && name == "" {
				p.give(id, p.ports[i])
				p.portIs[i] = true
				p.marks[id] |= isOutput
			}
		}
	}
}

// bindStructural names state that got no name after its place: a read port after its
// memory, an output after its instance.
func (p *naming) bindStructural() {
	// Memories and instances first: the names of their outputs begin with theirs.
	m := p.m
	for i := range m.Mems {
		if p.mems[i] == 0 {
			p.mems[i] = p.table.Claim("mem")
		}
	}

	for i := range m.Insts {
		if p.insts[i] == 0 {
			p.insts[i] = p.table.Claim(m.Insts[i].Mod.Name + "_i")
		}
	}
	// Combinational values wait for label.
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		if p.names[id] != 0 {
			continue
		}
		n := m.Node(id)
		switch n.Op {
		case ir.NetOut:
			p.names[id] = p.table.Claim("net")
		case ir.Reg:
			p.names[id] = p.table.Claim("r")
		case ir.MemOut:
			p.names[id] = p.table.Claim(p.text(p.mems[n.Aux]) + "_" + cmp.Or(m.Mems[n.Aux].Reads[n.Aux2].Name, "q"))
		case ir.InstOut:
			p.names[id] = p.table.Claim(p.text(p.insts[n.Aux]) + "_" + m.Insts[n.Aux].Mod.Ports[n.Aux2].Name)
		}
	}
}
