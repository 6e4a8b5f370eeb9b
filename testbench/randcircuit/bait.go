package randcircuit

import (
	"etch/ir"
	"etch/ir/bits"
)

// bait adds a few nodes in a shape that some pass rewrites.
func (g *gen) bait() {
	w := g.width()
	baits := [...]func(w int) ir.ID{
		g.identity, g.sameTwice, g.copyOf, g.chain, g.thermometer, g.nested, g.extended, g.wiring, g.cut, g.lutOfLut,
		g.shifts, g.division, g.pieces, g.constants, g.priority,
	}
	g.keep(baits[g.IntN(len(baits))](w))
}

// identity makes an operation with a constant operand.
func (g *gen) identity(w int) ir.ID {
	two := [...]ir.Op{ir.And, ir.Or, ir.Xor, ir.Add, ir.Sub, ir.Mul, ir.MulS, ir.Div, ir.DivS, ir.Rem, ir.RemS,
		ir.Eq, ir.Lt, ir.LtS, ir.Shl, ir.Shr, ir.ShrS}
	o := two[g.IntN(len(two))]
	x, y := g.pick(w), g.konst(w)

	// The constant on the left in one of three: rules must find it on either side.
	if g.IntN(3) == 0 {
		x, y = y, x
	}
	n := ir.Node{Op: o, Width: int32(w), Pos: g.pos()}
	if o == ir.Eq || o == ir.Lt || o == ir.LtS {
		n.Width = 1
	}
	return g.m.Add(n, x, y)
}

// sameTwice makes an operation on one value, or on a value and its inverse.
func (g *gen) sameTwice(w int) ir.ID {
	two := [...]ir.Op{ir.And, ir.Or, ir.Xor, ir.Sub, ir.Eq, ir.Lt, ir.LtS, ir.Mux}
	o := two[g.IntN(len(two))]
	x := g.pick(w)
	y := x
	if g.IntN(3) == 0 {
		y = g.m.Add(ir.Node{Op: ir.Not, Width: int32(w)}, x)
	}
	n := ir.Node{Op: o, Width: int32(w), Pos: g.pos()}
	switch o {
	case ir.Mux:
		return g.m.Add(n, g.pick(1), x, y)
	case ir.Eq, ir.Lt, ir.LtS:
		n.Width = 1
	// A third operand between them, so that the two are no neighbours.
	case ir.And, ir.Or, ir.Xor:
		if g.IntN(2) == 0 {
			return g.m.Add(n, x, g.pick(w), y)
		}
	}
	return g.m.Add(n, x, y)
}

// copyOf repeats a node, with its arguments swapped where they may be.
func (g *gen) copyOf(int) ir.ID {
	id := g.all[g.IntN(len(g.all))]
	n, args := *g.m.Node(id), append([]ir.ID(nil), g.m.Args(id)...)
	if n.Op.Info().Leaf || n.Op == ir.MemRead || n.Op == ir.Wire {
		return g.op()
	}

	// Only the first two may change places; further ones stay.
	if n.Op.Info().Commute {
		args[0], args[1] = args[1], args[0]
	}
	c := g.m.Add(n, args...)
	g.m.SetName(c, "")
	return c
}

// chain makes a chain of multiplexers that compare one value with constants.
func (g *gen) chain(w int) ir.ID {
	x := g.pick(g.width())
	v := g.pick(w)

	// Keys come from few numbers, so that some conditions repeat.
	for range 1 + g.IntN(5) {
		k := g.m.Const(bits.New(g.m.Width(x), uint64(g.IntN(6))), 0)
		c := g.m.Add(ir.Node{Op: ir.Eq, Width: 1}, k, x)
		v = g.m.Add(ir.Node{Op: ir.Mux, Width: int32(w), Pos: g.pos()}, c, g.pick(w), v)
	}
	return v
}

// thermometer makes a look-up table over comparisons of one value with constants, some of them
// behind a register.
func (g *gen) thermometer(w int) ir.ID {
	x := g.pick(w)
	o := [...]ir.Op{ir.Lt, ir.LtS}[g.IntN(2)]
	var pins []ir.ID

	// Comparisons of one value with constants, both ways round, and now and then an equality among
	// them.
	for range 2 + g.IntN(3)*(1+g.IntN(3)/2) {
		t := g.konst(w)
		if g.IntN(4) == 0 {
			pins = append(pins, g.m.Add(ir.Node{Op: ir.Eq, Width: 1}, x, t))
			continue
		}
		a, b := t, x
		if g.IntN(4) == 0 {
			a, b = b, a
		}
		pins = append(pins, g.m.Add(ir.Node{Op: o, Width: 1}, a, b))
	}

	if g.c.State && g.IntN(2) == 0 {
		pins = g.delayed(pins)
	}

	// A pin of its own, which is no comparison: the pass must leave it in the table.
	if g.IntN(2) == 0 {
		pins = append(pins, g.pick(1))
	}
	return g.m.AddLut(g.value(1<<len(pins)), g.pos(), pins...)
}

// nested makes a multiplexer in an arm of another with the same condition.
func (g *gen) nested(w int) ir.ID {
	c := g.pick(1)
	inner := g.m.Add(ir.Node{Op: ir.Mux, Width: int32(w)}, c, g.pick(w), g.pick(w))
	n := ir.Node{Op: ir.Mux, Width: int32(w), Pos: g.pos()}
	if g.IntN(2) == 0 {
		return g.m.Add(n, c, inner, g.pick(w))
	}
	return g.m.Add(n, c, g.pick(w), inner)
}

// extended makes an operation on values that were extended before.
func (g *gen) extended(w int) ir.ID {
	two := [...]ir.Op{ir.And, ir.Or, ir.Xor, ir.Add, ir.Sub, ir.Mul, ir.MulS, ir.Eq, ir.Lt, ir.LtS, ir.Div, ir.Rem, ir.Shr, ir.ShrS}
	o := two[g.IntN(len(two))]
	wide := w + 1 + g.IntN(9)
	extend := func() ir.ID {
		e := [...]ir.Op{ir.ZExt, ir.SExt}[g.IntN(2)]
		return g.m.Add(ir.Node{Op: e, Width: int32(wide)}, g.pick(w))
	}
	n := ir.Node{Op: o, Width: int32(wide), Pos: g.pos()}
	if o == ir.Eq || o == ir.Lt || o == ir.LtS {
		n.Width = 1
	}

	// A constant of the full width, which may not fit the narrow operation.
	if g.IntN(4) == 0 {
		return g.m.Add(n, extend(), g.konst(wide))
	}
	return g.m.Add(n, extend(), extend())
}

// wiring makes a slice of a concatenation, extension or slice.
func (g *gen) wiring(w int) ir.ID {
	var x ir.ID
	switch g.IntN(4) {
	case 0:
		x = g.make(ir.Cat, w)
	case 1:
		x = g.make(ir.ZExt, w)
	case 2:
		x = g.make(ir.SExt, w)
	default:
		x = g.make(ir.Slice, w)
	}
	have := g.m.Width(x)

	// Any part of it: inside one argument, across two, or the whole.
	n := ir.Node{Op: ir.Slice, Width: int32(1 + g.IntN(have)), Pos: g.pos()}
	n.Aux = int32(g.IntN(have - int(n.Width) + 1))
	return g.m.Add(n, x)
}

// cut makes a wider operation of which only the low bits are read.
func (g *gen) cut(w int) ir.ID {
	two := [...]ir.Op{ir.And, ir.Or, ir.Xor, ir.Not, ir.Add, ir.Sub, ir.Mul, ir.MulS, ir.Mux, ir.Shl, ir.Case}
	x := g.make(two[g.IntN(len(two))], w)
	have := g.m.Width(x)
	return g.m.Add(ir.Node{Op: ir.Slice, Width: int32(1 + g.IntN(have)), Pos: g.pos()}, x)
}

// lutOfLut makes a table that reads another one, an inverter and a constant.
func (g *gen) lutOfLut(int) ir.ID {
	inner := g.m.AddLut(g.value(8), 0, g.picks(3, 1)...)
	not := g.m.Add(ir.Node{Op: ir.Not, Width: 1}, g.pick(1))
	return g.m.AddLut(g.value(16), g.pos(), inner, not, g.konst(1), g.pick(1))
}
