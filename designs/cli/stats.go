package cli

import (
	"slices"

	"etch/ir"
	"etch/passes"
)

// Stats are the sizes of a design with its hierarchy unfolded, without nodes that only
// statements need.
type Stats struct {
	Design       string         `json:"design"`
	Modules      int            `json:"modules"`   // different ones
	Instances    int            `json:"instances"` // below the top
	Ops          int            `json:"ops"`       // nodes that compute something
	ByOp         map[string]int `json:"by_op"`
	Registers    int            `json:"registers"`
	RegisterBits int            `json:"register_bits"`
	Memories     int            `json:"memories"`
	MemoryBits   int            `json:"memory_bits"`
	LogicDepth   int            `json:"logic_depth"` // ops on the longest path between registers or ports
}

// free reports whether an op is only wiring.
func free(op ir.Op) bool {
	switch op {
	case ir.Wire, ir.Slice, ir.Cat, ir.ZExt, ir.SExt:
		return true
	}
	return op.Info().Leaf
}

// StatsOf counts a design.
func StatsOf(d *ir.Design) (Stats, error) {
	all := map[*ir.Module]*Stats{}
	for _, m := range d.Modules {
		all[m] = countModule(m, all)
	}

	// Paths go through instances: depth needs the design flat.
	top := *all[d.Top]
	top.Design, top.Modules = d.Top.Name, len(d.Modules)
	flat := &ir.Design{Top: d.Top, Modules: slices.Clone(d.Modules), Src: d.Src} // Flatten changes the list
	if _, err := passes.Flatten(flat); err != nil {
		return top, err
	}
	var err error
	top.LogicDepth, err = depth(flat.Top)
	return top, err
}

func countModule(m *ir.Module, all map[*ir.Module]*Stats) *Stats {
	s := &Stats{ByOp: map[string]int{}}
	for _, id := range reachable(m) {
		if op := m.Op(id); !free(op) {
			s.Ops++
			s.ByOp[op.String()]++
		}
	}

	// Registers of assertions are not hardware.
	only := ir.ForStatements(m, m.Stmts)
	for _, r := range m.Regs {
		if only[r.Node] {
			continue
		}
		s.Registers++
		s.RegisterBits += m.Width(r.Node)
	}

	// The read port of a synchronous memory is a register too.
	for _, mem := range m.Mems {
		s.Memories++
		s.MemoryBits += mem.Depth * mem.Width
		for _, r := range mem.Reads {
			s.RegisterBits += m.Width(r.Node)
		}
	}

	// Modules below count once for each instance.
	for _, inst := range m.Insts {
		s.add(all[inst.Mod])
	}
	return s
}

func (s *Stats) add(c *Stats) {
	s.Instances += c.Instances + 1
	s.Ops += c.Ops
	s.Registers += c.Registers
	s.RegisterBits += c.RegisterBits
	s.Memories += c.Memories
	s.MemoryBits += c.MemoryBits

	for op, n := range c.ByOp {
		s.ByOp[op] += n
	}
}

// reachable lists the nodes that something outside the node table uses, and the nodes
// they use, without nodes that only statements need.
func reachable(m *ir.Module) []ir.ID {
	seen := make([]bool, m.Len())
	var out, stack []ir.ID
	push := func(id ir.ID) {
		if id != ir.None && !seen[id] {
			seen[id] = true
			stack = append(stack, id)
		}
	}

	// Depth first, with a stack of our own: paths of a large design are long.
	eachRef(m, push)
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		out = append(out, id)
		for _, a := range m.Args(id) {
			push(a)
		}
	}
	return out
}

// depth is the number of ops on the longest path of a flat module between
// registers, memories and ports.
func depth(m *ir.Module) (int, error) {
	order, err := m.Order(ir.Paths{})
	if err != nil {
		return 0, err
	}

	// Levels in topological order: an op is one above its highest argument; wires and constants are free.
	at, most := make([]int, m.Len()), 0
	for _, id := range order {
		for _, a := range m.Args(id) {
			at[id] = max(at[id], at[a])
		}
		if !free(m.Op(id)) {
			at[id]++
		}
	}
	eachRef(m, func(id ir.ID) { most = max(most, at[id]) })
	return most, nil
}

// eachRef visits the nodes that ports, registers, memories and instances refer to, but not
// nodes that only statements need.
func eachRef(m *ir.Module, f func(id ir.ID)) {
	only := ir.ForStatements(m, m.Stmts)
	ir.EachRef(m, func(ref *ir.ID) {
		if !only[*ref] {
			f(*ref)
		}
	})
}
