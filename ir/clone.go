package ir

import (
	"maps"
	"slices"
)

// Clone returns a copy of m with the same node IDs that may be changed without m
// changing. The modules of its instances, and all that is never changed in place
// (values, enumerations, texts), are shared.
func (m *Module) Clone() *Module {
	c := *m
	c.Ports, c.Regs, c.Mems, c.Insts = slices.Clone(m.Ports), slices.Clone(m.Regs), slices.Clone(m.Mems), slices.Clone(m.Insts)
	c.Nets, c.Stmts, c.Unused = slices.Clone(m.Nets), slices.Clone(m.Stmts), slices.Clone(m.Unused)

	// Tables inside of the tables.
	for i := range c.Mems {
		c.Mems[i].Reads, c.Mems[i].Writes = slices.Clone(c.Mems[i].Reads), slices.Clone(c.Mems[i].Writes)
	}
	for i := range c.Insts {
		c.Insts[i].Conns, c.Insts[i].SetAt = slices.Clone(c.Insts[i].Conns), slices.Clone(c.Insts[i].SetAt)
	}
	for i := range c.Nets {
		c.Nets[i].Drivers = slices.Clone(c.Nets[i].Drivers)
	}
	for i := range c.Stmts {
		c.Stmts[i].Args = slices.Clone(c.Stmts[i].Args)
	}

	// Nodes. Names, constants and keys are only appended to: clipping makes an append to
	// the copy reallocate.
	c.nodes, c.args, c.types = slices.Clone(m.nodes), slices.Clone(m.args), slices.Clone(m.types)
	c.lines, c.paths = slices.Clone(m.lines), maps.Clone(m.paths)
	c.attrs = maps.Clone(m.attrs) // the lists in it are replaced, not changed
	c.names, c.consts, c.keys = slices.Clip(m.names), slices.Clip(m.consts), slices.Clip(m.keys)
	return &c
}

// Clone returns a copy of d with the same node IDs that may be changed without d changing.
// Its instances are of the copied modules.
func (d *Design) Clone() *Design {
	c, copies := *d, map[*Module]*Module{}
	c.Modules = make([]*Module, len(d.Modules))
	for i, m := range d.Modules {
		c.Modules[i] = m.Clone()
		copies[m] = c.Modules[i]
	}

	c.Top = copies[d.Top]
	for _, m := range c.Modules {
		for i := range m.Insts {
			m.Insts[i].Mod = copies[m.Insts[i].Mod]
		}
	}
	return &c
}
