package passes

import "etch/ir"

// arm is a value that a node chooses from, with the line that gave it. The line is 0 if the
// node of the value records it itself, as a multiplexer does.
type arm struct {
	v   ir.ID
	pos ir.Pos
}

// bothLines is one position for the lines of two.
func (r *rebuilder) bothLines(x, y ir.Pos) ir.Pos { return r.m.Src.Join(x, y) }

// arms is the values that old node id chooses from, as new nodes. They take over the lines
// of nodes below them that were rewritten and that no new node records.
func (r *rebuilder) arms(id ir.ID, args []ir.ID) []arm {
	// The arms are the last arguments.
	old := r.old.Args(id)
	n := r.old.Arms(id)
	pos, first := r.old.ArmPos(id), len(old)-n
	out := make([]arm, n)
	for i := range out {
		out[i] = arm{args[first+i], r.lines[old[first+i]]}
		if pos != nil {
			out[i].pos = r.bothLines(pos[i], out[i].pos)
		}
	}
	return out
}

// inner is arm i of new node v, which chooses.
func (r *rebuilder) inner(v ir.ID, i int) arm {
	args := r.m.Args(v)

	// The arms are the last arguments.
	a := arm{v: args[len(args)-r.m.Arms(v)+i]}
	if pos := r.m.ArmPos(v); pos != nil {
		a.pos = pos[i]
	}
	return a
}

// within is arm i of a, which chooses, together with the line of a itself: a value that
// hw.Mux gave has no line of its own.
func (r *rebuilder) within(a arm, i int) arm {
	in := r.inner(a.v, i)
	in.pos = r.bothLines(in.pos, a.pos)
	return in
}

// setArms records the lines of the values of a new node.
func (r *rebuilder) setArms(v ir.ID, arms []arm) {
	pos := make([]ir.Pos, len(arms))
	for i, a := range arms {
		pos[i] = a.pos
	}
	r.m.SetArmPos(v, pos...)
}

// given records that value a replaces old node id.
func (r *rebuilder) given(id ir.ID, a arm) ir.ID {
	r.lines[id] = r.bothLines(r.lines[id], a.pos)
	return a.v
}

// shareLines adds the lines of old node id to new node v, which has the same op and
// arguments.
func (r *rebuilder) shareLines(v, id ir.ID) {
	old := r.old.ArmPos(id)
	if old == nil {
		return
	}
	// Arm by arm.
	pos := make([]ir.Pos, len(old))
	copy(pos, r.m.ArmPos(v))
	for i := range pos {
		pos[i] = r.bothLines(pos[i], old[i])
	}
	r.m.SetArmPos(v, pos...)
	r.m.Node(v).Pos = r.bothLines(r.m.Node(v).Pos, r.old.Node(id).Pos)
}
