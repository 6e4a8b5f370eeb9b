package cli

import (
	"etch/ir"
)

// Stats are the sizes of a design with its hierarchy unfolded.
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

// moduleStats are the stats of a module with everything below it.
type moduleStats struct {
	Stats
	out []int   // per output port, depth from the module's own registers and constants; -1 none
	via [][]int // per output port and input port, depth of the path between them; -1 none
	own int     // longest path inside
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
	paths := ir.Paths{}
	all := map[*ir.Module]*moduleStats{}
	for _, m := range d.Modules {
		s, err := countModule(m, all, paths)
		if err != nil {
			return Stats{}, err
		}
		all[m] = s
	}
	top := all[d.Top].Stats
	top.Design, top.Modules, top.LogicDepth = d.Top.Name, len(d.Modules), all[d.Top].own
	return top, nil
}

func countModule(m *ir.Module, all map[*ir.Module]*moduleStats, paths ir.Paths) (*moduleStats, error) {
	s := &moduleStats{Stats: Stats{ByOp: map[string]int{}}}
	order, err := m.Order(paths)
	if err != nil {
		return nil, err
	}
	for _, id := range reachable(m) {
		if op := m.Op(id); !free(op) {
			s.Ops++
			s.ByOp[op.String()]++
		}
	}
	for _, r := range m.Regs {
		s.Registers++
		s.RegisterBits += m.Width(r.Node)
	}
	for _, mem := range m.Mems {
		s.Memories++
		s.MemoryBits += mem.Depth * mem.Width
		for _, r := range mem.Reads {
			s.RegisterBits += m.Width(r.Node)
		}
	}
	for _, inst := range m.Insts {
		s.add(&all[inst.Mod].Stats)
		s.own = max(s.own, all[inst.Mod].own)
	}
	s.depths(m, order, all)
	return s, nil
}

func (s *moduleStats) add(c *Stats) {
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

// reachable lists the nodes that something outside the node table uses, and what
// they use.
func reachable(m *ir.Module) []ir.ID {
	seen := make([]bool, m.Len())
	var out, stack []ir.ID
	push := func(id ir.ID) {
		if id != ir.None && !seen[id] {
			seen[id] = true
			stack = append(stack, id)
		}
	}
	ir.EachRef(m, func(ref *ir.ID) { push(*ref) })
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

// depths finds the longest paths: from inside (registers, constants) and from
// each input, to each output and to any register.
func (s *moduleStats) depths(m *ir.Module, order []ir.ID, all map[*ir.Module]*moduleStats) {
	inside := s.sweep(m, order, all, -1)
	ends := ends(m)
	s.out = make([]int, len(m.Ports))
	s.via = make([][]int, len(m.Ports))
	for _, id := range ends {
		s.own = max(s.own, inside[id])
	}
	for i, p := range m.Ports {
		if p.Dir == ir.Out && p.Node != ir.None {
			s.out[i] = inside[p.Node]
			s.via[i] = make([]int, len(m.Ports))
		}
	}
	for j, q := range m.Ports {
		if q.Dir != ir.In {
			continue
		}
		from := s.sweep(m, order, all, j)
		for i, p := range m.Ports {
			if s.via[i] != nil {
				s.via[i][j] = from[p.Node]
			}
		}
		for _, id := range ends {
			s.own = max(s.own, from[id])
		}
	}
}

// ends are the nodes where paths end: next values, memory ports, outputs, inputs
// of instances.
func ends(m *ir.Module) []ir.ID {
	var out []ir.ID
	ir.EachRef(m, func(ref *ir.ID) { out = append(out, *ref) })
	return out
}

// sweep is the depth of every node counted from input port at, or from inside
// for -1; nodes that the start does not reach are -1.
func (s *moduleStats) sweep(m *ir.Module, order []ir.ID, all map[*ir.Module]*moduleStats, at int) []int {
	depth := make([]int, m.Len())
	for _, id := range order {
		n := m.Node(id)
		d := -1
		switch {
		case n.Op == ir.Input:
			if int(n.Aux) == at {
				d = 0
			}
		case n.Op == ir.InstOut:
			inst := &m.Insts[n.Aux]
			child := all[inst.Mod]
			if at < 0 {
				d = child.out[n.Aux2]
			}
			for j, through := range child.via[n.Aux2] {
				if inst.Mod.Ports[j].Dir == ir.In && through >= 0 && depth[inst.Conns[j]] >= 0 {
					d = max(d, depth[inst.Conns[j]]+through)
				}
			}
		case n.Op.Info().Leaf:
			if at < 0 {
				d = 0
			}
		default:
			for _, a := range m.Args(id) {
				d = max(d, depth[a])
			}
			if d >= 0 && !free(n.Op) {
				d++
			}
		}
		depth[id] = d
	}
	return depth
}
