package passes

import "etch/ir"

// arm is a value to choose, with the line that gave it; the line is 0 where the
// node of the value records it itself, as a multiplexer does.
type arm struct {
	v   ir.ID
	pos ir.Pos
}

// bothLines is one position for the lines of two.
func (r *rebuilder) bothLines(x, y ir.Pos) ir.Pos { return r.m.Src.Join(x, y) }

// arms are the values that old node id chooses from, as new nodes. Lines of what
// was rewritten below them, and that no new node records, are theirs from now on.
func (r *rebuilder) arms(id ir.ID, args []ir.ID) []arm {
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

// inner is value i of new node v, which chooses.
func (r *rebuilder) inner(v ir.ID, i int) arm {
	args := r.m.Args(v)
	a := arm{v: args[len(args)-r.m.Arms(v)+i]}
	if pos := r.m.ArmPos(v); pos != nil {
		a.pos = pos[i]
	}
	return a
}

// within is value i of a, which chooses, with the line of a itself: a value that
// hw.Mux gave has none of its own.
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

// given says that value a takes the place of old node id.
func (r *rebuilder) given(id ir.ID, a arm) ir.ID {
	r.lines[id] = r.bothLines(r.lines[id], a.pos)
	return a.v
}

// shareLines gives the lines of old node id to new node v, which has the same op
// and arguments.
func (r *rebuilder) shareLines(v, id ir.ID) {
	old := r.old.ArmPos(id)
	if old == nil {
		return
	}
	pos := make([]ir.Pos, len(old))
	copy(pos, r.m.ArmPos(v))
	for i := range pos {
		pos[i] = r.bothLines(pos[i], old[i])
	}
	r.m.SetArmPos(v, pos...)
	r.m.Node(v).Pos = r.bothLines(r.m.Node(v).Pos, r.old.Node(id).Pos)
}
