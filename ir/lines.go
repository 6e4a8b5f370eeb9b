package ir

import "slices"

// A multiplexer stands for statements on several lines: its own position is the
// line of the condition, and each value that it chooses from was given on a line
// of its own, that of a Set, a Goto or a case. These positions lie in one table
// of the module; Aux2 of a Mux, Case or Wire is the place of its first one.

// SetArmPos records where the values of node id were given: of a Mux the value
// for 1 and the one for 0, of a Case the default and each entry, of a Wire its
// driver. 0 stands for a value that is not known to be given anywhere, such as a
// nested Mux that has positions of its own.
func (m *Module) SetArmPos(id ID, pos ...Pos) {
	n := &m.nodes[id]
	if len(pos) != n.arms() {
		panic("ir: SetArmPos: " + n.Op.String() + " does not have that many arms")
	}
	if n.Aux2 == 0 && !slices.ContainsFunc(pos, func(p Pos) bool { return p != 0 }) {
		return
	}
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

// ArmPos returns the positions that [Module.SetArmPos] recorded, nil where there
// are none. The slice may be written through until the next call of SetArmPos.
func (m *Module) ArmPos(id ID) []Pos {
	n := &m.nodes[id]
	k := n.arms()
	if k == 0 || n.Aux2 == 0 {
		return nil
	}
	return m.lines[n.Aux2 : int(n.Aux2)+k : int(n.Aux2)+k]
}

// ArmLine is the position of value i of a Mux, Case or Wire, counted as in
// [Module.SetArmPos]: the recorded one; else that of an operation without a name,
// which stands where the value is written; else the node's own.
func (m *Module) ArmLine(id ID, i int) Pos {
	if pos := m.ArmPos(id); pos != nil && pos[i] != 0 {
		return pos[i]
	}
	args := m.Args(id)
	v := args[len(args)-m.nodes[id].arms()+i]
	if n := &m.nodes[v]; !n.Op.Info().Leaf && n.name == 0 && n.Pos != 0 {
		return n.Pos
	}
	return m.nodes[id].Pos
}

// GiveAt records where input i was given. Most instances are connected where they
// are made, and need no list.
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

// GivenAt is where input i was given, 0 where the driver's own arms say it.
func (inst *Instance) GivenAt(i int) Pos {
	if inst.SetAt == nil {
		return inst.Pos
	}
	return inst.SetAt[i]
}

// Arms is the number of values that node id chooses from: those of a Mux or Case,
// the driver of a Wire, 0 for other ops.
func (m *Module) Arms(id ID) int { return m.nodes[id].arms() }

// arms is the number of values that a node chooses from, 0 if it does not choose.
func (n *Node) arms() int {
	switch n.Op {
	case Wire:
		return 1
	case Mux, Case:
		return int(n.nargs) - 1
	}
	return 0
}
