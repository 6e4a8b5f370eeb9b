package view

import (
	"cmp"
	"slices"

	"etch/ir"
)

// count is a number of things of a kind.
type count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
	Bits int    `json:"bits"`
}

// statistics answers with the size of an instance, with all below it: operations by kind, registers,
// memories and instances, and their bits.
func (v *View) statistics(q query) (any, error) {
	c, err := v.instance(q)
	if err != nil {
		return nil, err
	}
	total := map[string]count{}
	add := func(name string, n, bits int) {
		x := total[name]
		total[name] = count{name, x.N + n, x.Bits + bits}
	}

	// A module's own numbers are made once, however many instances it has.
	own := map[*ir.Module]map[string]count{}
	var visit func(m *ir.Module)
	visit = func(m *ir.Module) {
		if own[m] == nil {
			own[m] = sizes(m)
		}
		for _, x := range own[m] {
			add(x.Name, x.N, x.Bits)
		}
		for _, inst := range m.Insts {
			add("instances", 1, 0)
			visit(inst.Mod)
		}
	}
	visit(c.Module())

	list := make([]count, 0, len(total))
	for _, x := range total {
		list = append(list, x)
	}

	// State first, then operations by number. Ties go by name, since the map has no order.
	state := map[string]int{"registers": 3, "memories": 2, "instances": 1}
	slices.SortFunc(list, func(a, b count) int {
		return cmp.Or(state[b.Name]-state[a.Name], b.N-a.N, cmp.Compare(a.Name, b.Name))
	})
	return list, nil
}

// sizes are the numbers of a module without its instances.
func sizes(m *ir.Module) map[string]count {
	own := map[string]count{}
	add := func(name string, bits int) { own[name] = count{name, own[name].N + 1, own[name].Bits + bits} }

	// Registers count as state. Names, constants and ports of others cost nothing.
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		switch op := m.Op(id); op {
		case ir.Reg:
			add("registers", m.Width(id))
		case ir.Input, ir.Const, ir.Wire, ir.InstOut, ir.MemOut, ir.NetOut:
		default:
			add(op.String(), m.Width(id))
		}
	}

	// A memory counts with all its words.
	for _, mem := range m.Mems {
		add("memories", mem.Depth*mem.Width)
	}
	return own
}
