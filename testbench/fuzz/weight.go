package fuzz

import "etch/ir"

// weight is the measure that shrinking makes smaller: a sum over all parts of a case, with small
// terms for properties, so that every edit lowers it.
func (c *Case) weight() int {
	sum := 0
	for _, m := range c.Design.Modules {
		sum += 20 + 2*len(m.Ports)
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			w := m.Width(id)
			switch m.Op(id) {
			case ir.Input:
				sum += 8 + w
			case ir.Const:
				sum += 4 + min(w, m.ConstOf(id).PopCount())
			default:
				sum += 20 + w + 8*len(m.Args(id))
			}
		}

		// The small terms let an edit count that only removes a property.
		for i := range m.Regs {
			g := &m.Regs[i]
			sum += 20 + 4*present(g.Rst) + 4*present(g.Init)
			if g.Async {
				sum++
			}
		}
		for i := range m.Mems {
			mem := &m.Mems[i]
			sum += 40 + mem.Depth + 2*len(mem.Init) + 10*len(mem.Reads) + len(mem.Style)
			if mem.Init != nil {
				sum++
			}
			for j := range mem.Reads {
				sum += 4*present(mem.Reads[j].En) + int(mem.Reads[j].Under)
			}
			for j := range mem.Writes {
				sum += 20 + 4*present(mem.Writes[j].En) + 4*present(mem.Writes[j].Mask)
			}
		}
		for i := range m.Stmts {
			st := &m.Stmts[i]
			sum += 20 + 4*present(st.En) + 10*len(st.Args) + len(st.Format)
		}
		sum += 20 * len(m.Insts)
	}

	// The stimulus: a step counts, and so do the first bits of a value.
	for _, st := range c.Stim.Steps {
		sum += 10
		for _, v := range st.In {
			sum += min(4, v.PopCount())
		}
	}
	return sum + c.Stim.Long/10
}

// present returns 1 for a node, 0 for none.
func present(id ir.ID) int {
	if id == ir.None {
		return 0
	}
	return 1
}
