package hw

import "etch/ir"

// yields reports whether a thing of kind k gives up its name to one of kind to. Instances,
// and registers that the library makes, give way to names chosen by the designer. A
// register also gives way to a port or the implicit clock and reset, since the surroundings
// know those by name. Two things of one sort never give way: both names are the designer's.
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

// yielded is a name that is given up for a longer one. The longer one is assigned when the
// module is complete, so that it depends on the names in the design and not on their order.
type yielded struct {
	name string
	kind claimKind
	id   ir.ID  // of a register, or of the wire of a loose pad
	pos  ir.Pos // where the name is given up
	to   ir.Pos // where it is kept
}

// suffix is appended to the name that gave way.
func (y *yielded) suffix(m *ir.Module) string {
	switch {
	case y.kind == instance:
		return "_inst"
	case m.Op(y.id) == ir.NetOut:
		return "_net"
	}
	return "_reg"
}

// rename gives everything that gave way its longer name. If the longer name is taken too,
// that is a mistake: a number would depend on the rest of the module.
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

	// An instance has no node that could hold the name.
	for i := range b.m.Insts {
		if u := &b.m.Insts[i]; u.Name == y.name {
			u.Name = long
			return
		}
	}
}

// holder is the register that has a name, for the rare case that it gives the name up to a
// later claim.
func (b *body) holder(name string) ir.ID {
	for id := ir.ID(1); int(id) < b.m.Len(); id++ {
		if op := b.m.Op(id); (op == ir.Reg || op == ir.NetOut) && b.m.NameOf(id) == name {
			return id
		}
	}
	return ir.None
}
