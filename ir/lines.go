package ir

import "slices"

// A multiplexer stands for statements on several lines. Its own position is the line of the
// condition; each value that it chooses from was given on a line of its own, that of a Set,
// a Goto or a case. These positions lie in one table of the module. Aux2 of a Mux, Case or
// Wire is the index of its first one in that table.

// SetArmPos records where the values of node id were given: for a Mux, the value for 1 and
// the value for 0; for a Case, the default and each entry; for a Wire, its driver. 0 stands
// for a value without a known position, such as a nested Mux that has positions of its own.
func (m *Module) SetArmPos(id ID, pos ...Pos) {
	n := &m.nodes[id]
	if len(pos) != n.arms() {
		panic("ir: SetArmPos: " + n.Op.String() + " does not have that many arms")
	}

	// Most nodes have no positions: they take no room in the table.
	if n.Aux2 == 0 && !slices.ContainsFunc(pos, func(p Pos) bool { return p != 0 }) {
		return
	}
	// The first call reserves a run of the table, later ones overwrite it.
	if n.Aux2 == 0 {
		if len(m.lines) == 0 {
			m.lines = append(m.lines, 0) // no node's positions are at 0
		}
		n.Aux2 = int32(len(m.lines))
		m.lines = append(m.lines, pos...)
		return
	}
	copy(m.lines[n.Aux2:], pos)
}

// SetOwnArms records that the values of a Case are alternatives of the source without lines of their
// own: their positions are that of the node.
func (m *Module) SetOwnArms(id ID) {
	m.SetArmPos(id, slices.Repeat([]Pos{m.nodes[id].Pos}, m.Arms(id))...)
}

// ArmPos returns the positions that [Module.SetArmPos] recorded, nil if there are none. The
// slice may be written through until the next call of SetArmPos.
func (m *Module) ArmPos(id ID) []Pos {
	n := &m.nodes[id]
	k := n.arms()
	if k == 0 || n.Aux2 == 0 {
		return nil
	}
	return m.lines[n.Aux2 : int(n.Aux2)+k : int(n.Aux2)+k]
}

// ArmLine is the position of value i of a Mux, Case or Wire, counted as in
// [Module.SetArmPos]. It is the recorded position if there is one. Else, for an operation
// without a name, it is the operation's own, since printers write it inline. Else it is the
// position of node id.
func (m *Module) ArmLine(id ID, i int) Pos {
	if pos := m.ArmPos(id); pos != nil && pos[i] != 0 {
		return pos[i]
	}
	// The arms are the last arguments, after selector or condition.
	args := m.Args(id)
	v := args[len(args)-m.nodes[id].arms()+i]
	if n := &m.nodes[v]; !n.Op.Info().Leaf && n.name == 0 && n.Pos != 0 {
		return n.Pos
	}
	return m.nodes[id].Pos
}

// GiveAt records where input i was given. Most instances are connected at the line that
// makes them and need no list.
func (inst *Instance) GiveAt(i int, pos Pos) {
	if inst.SetAt == nil {
		if pos == inst.Pos {
			return
		}
		inst.SetAt = make([]Pos, len(inst.Conns))
		for j := range inst.SetAt {
			inst.SetAt[j] = inst.Pos
		}
	}
	inst.SetAt[i] = pos
}

// GivenAt is where input i was given, 0 if the positions are on the driver's arms.
func (inst *Instance) GivenAt(i int) Pos {
	if inst.SetAt == nil {
		return inst.Pos
	}
	return inst.SetAt[i]
}

// Arms is the number of values that node id chooses from: for a Mux or Case its data
// arguments, for a Wire 1, for other ops 0.
func (m *Module) Arms(id ID) int { return m.nodes[id].arms() }

// arms is [Module.Arms].
func (n *Node) arms() int {
	switch n.Op {
	case Wire:
		return 1
	case Mux, Case:
		return int(n.nargs) - 1
	}
	return 0
}
