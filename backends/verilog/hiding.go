package verilog

import (
	"cmp"
	"slices"

	"etch/backends/verilog/internal/names"
	"etch/ir"
)

// Verilator warns of a declaration that hides another if a variable has the name of its
// module (an error for a port) or of the instance that it is in. A variable gives way to
// its module, and a module to its port, since both then depend on the module alone. An
// instance keeps its name; the warning is switched off for it.

// claimModule claims the name of a module. If a port has that name, the port keeps it.
func claimModule(t *names.Table, m *ir.Module) string {
	name := string(t.Get(t.Claim(m.Name)))
	if slices.Contains(PortNames(m), name) {
		name = string(t.Get(t.Claim(m.Name)))
	}
	return name
}

// scopesOf lists, for each module, the names of its instances. A name becomes true when the
// module's text declares it.
func scopesOf(d *ir.Design) map[*ir.Module]map[string]bool {
	scopes := map[*ir.Module]map[string]bool{}
	for _, m := range d.Modules {
		for i := range m.Insts {
			mod := m.Insts[i].Mod
			if scopes[mod] == nil {
				scopes[mod] = map[string]bool{}
			}
			scopes[mod][instanceStem(m, i)] = false
		}
	}
	return scopes
}

// instanceStem is the name of an instance without a suffix.
func instanceStem(m *ir.Module, at int) string {
	inst := &m.Insts[at]
	return names.Legal(cmp.Or(inst.Name, inst.Mod.Name+"_i"))
}

// noteHiding records which names of m's instances m declares itself. Its own name is taken
// but declares nothing.
func (p *naming) noteHiding() {
	for name := range p.scopes[p.m] {
		if name != p.modName(p.m) && p.table.Has([]byte(name)) {
			p.scopes[p.m][name] = true
		}
	}
}

// hides reports whether an instance has the name of a declaration inside it.
func (p *naming) hides(at int) bool {
	return p.scopes[p.m.Insts[at].Mod][p.text(p.insts[at])]
}

// told is the user's name of a value if the text uses another, beyond replaced characters;
// else "".
func (p *naming) told(id ir.ID) string {
	user, name := p.m.NameOf(id), p.table.Get(p.names[id])
	if user == "" || user == string(name) || names.Legal(user) == string(name) {
		return ""
	}
	return oneLine(user)
}

// endOf ends the line that declares a value, with its position and the user's name if the text
// uses another.
func (p *declarations) endOf(id ir.ID) {
	p.End(p.withLine(p.told(id), p.m.Node(id).Pos))
}
