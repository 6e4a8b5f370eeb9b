package hw

import "etch/ir"

// yields reports whether of two things with one name the first may have another:
// an instance and a register that the library makes give way to names that the design
// names, a register also to a port or the implicit clock and reset, which its
// surroundings know by name. Two of one sort do not: both names are the designer's.
func (k claimKind) yields(to claimKind) bool {
	switch k {
	case instance:
		return to != instance
	case private:
		return to != private && to != instance
	case register:
		return to == input || to == reserved
	}
	return false
}

// yielded is a name that is given up for a longer one when the module is whole,
// so that the longer one depends on the names of the design and not on their
// order.
type yielded struct {
	name string
	kind claimKind
	id   ir.ID  // of a register, or of the wire of a loose pad
	pos  ir.Pos // where the name is given up
	to   ir.Pos // where it is kept
}

// suffix tells the one that had to give way from the one that kept the name.
func (y *yielded) suffix(m *ir.Module) string {
	switch {
	case y.kind == instance:
		return "_inst"
	case m.Op(y.id) == ir.NetOut:
		return "_net"
	}
	return "_reg"
}

// rename gives all that gave way their longer names. One that is taken too is a
// mistake: a number would depend on the rest of the module.
func (b *body) rename() {
	for i := range b.yields {
		y := &b.yields[i]
		long := y.name + y.suffix(b.m)
		if first, taken := b.names.of(long, claimed, y.pos); taken {
			notes := []Note{
				{b.d.src.At(y.to), "the name " + y.name},
				{b.d.src.At(first.pos), "the name " + long},
				{Msg: "give one of the three another name"},
			}
			b.d.report(Diag{Code: "name", Pos: b.d.src.At(y.pos), Notes: notes,
				Msg: "the names " + y.name + " and " + long + " are both taken in " + b.m.Name})
			continue
		}
		b.renameTo(y, long)
	}
}

func (b *body) renameTo(y *yielded, long string) {
	if y.kind != instance {
		b.m.SetName(y.id, long)
		return
	}
	for i := range b.m.Insts {
		if u := &b.m.Insts[i]; u.Name == y.name {
			u.Name = long
			return
		}
	}
}

// holder is the register that has a name, for the rare case that it gives it up
// to a later one.
func (b *body) holder(name string) ir.ID {
	for id := ir.ID(1); int(id) < b.m.Len(); id++ {
		if op := b.m.Op(id); (op == ir.Reg || op == ir.NetOut) && b.m.NameOf(id) == name {
			return id
		}
	}
	return ir.None
}
