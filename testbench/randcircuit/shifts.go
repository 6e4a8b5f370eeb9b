package randcircuit

import (
	"etch/ir"
	"etch/ir/bits"
)

var shiftOps = [...]ir.Op{ir.Shl, ir.Shr, ir.ShrS}

// amount makes a shift amount for a value of w bits: a constant around w, a constant of more
// than 64 bits, a few bits of a value, or all of it.
func (g *gen) amount(w int) ir.ID {
	switch g.IntN(8) {
	case 0:
		near := [...]int{0, 1, w - 1, w, w + 1, 2 * w, w / 2, 63, 64, 65}
		return g.m.Const(bits.New(12, uint64(near[g.IntN(len(near))])), g.pos())
	case 1:
		return g.m.Const(bits.Zero(70).SetBit(64+g.IntN(6), 1), g.pos())
	case 2:
		return g.m.Const(bits.New(70, g.Uint64N(uint64(w+2))), g.pos())
	case 3, 4, 5:
		return g.pick(ir.CountWidth(w) + g.IntN(2)) // about half of its values are less than w
	}
	return g.pick(g.width())
}

// shifts makes a shift of a shift, perhaps of another kind and with a small operation between.
func (g *gen) shifts(w int) ir.ID {
	// Amounts that together pass the width are the corner where sums overflow.
	x := g.pick(w)
	for range 2 + g.IntN(2) {
		x = g.m.Add(ir.Node{Op: shiftOps[g.IntN(3)], Width: int32(w), Pos: g.pos()}, x, g.amount(w))
		if g.IntN(4) == 0 {
			x = g.m.Add(ir.Node{Op: ir.Xor, Width: int32(w)}, x, g.konst(w))
		}
	}
	return x
}

var divisions = [...]ir.Op{ir.Div, ir.DivS, ir.Rem, ir.RemS}

// division makes a division whose divisor often is 0 or -1, and whose dividend often is the
// least number.
func (g *gen) division(w int) ir.ID {
	// Chosen at run time, so that no pass folds the corner away.
	x, y := g.pick(w), g.pick(w)
	special := [...]bits.Value{bits.Zero(w), bits.Ones(w), bits.New(w, 1), bits.Zero(w).SetBit(w-1, 1)}
	k := g.m.Const(special[g.IntN(len(special))], 0)
	y = g.m.Add(ir.Node{Op: ir.Mux, Width: int32(w)}, g.pick(1), k, y)
	if g.IntN(2) == 0 {
		least := g.m.Const(special[3], 0)
		x = g.m.Add(ir.Node{Op: ir.Mux, Width: int32(w)}, g.pick(1), least, x)
	}
	return g.m.Add(ir.Node{Op: divisions[g.IntN(4)], Width: int32(w), Pos: g.pos()}, x, y)
}

// pieces takes a value apart and joins the pieces in another order.
func (g *gen) pieces(w int) ir.ID {
	// Lengths are random, so that pieces do not fall on words.
	x := g.pick(w)
	var parts []ir.ID
	for lo := 0; lo < w; {
		n := min(w-lo, 1+g.IntN(max(1, w/2)))
		parts = append(parts, g.m.Add(ir.Node{Op: ir.Slice, Width: int32(n), Aux: int32(lo), Pos: g.pos()}, x))
		lo += n
	}
	g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	if g.IntN(3) == 0 { // a piece comes twice, another one not at all
		parts[0] = parts[len(parts)-1]
	}
	sum := 0
	for _, p := range parts {
		sum += g.m.Width(p)
	}
	all := g.m.Add(ir.Node{Op: ir.Cat, Width: int32(sum), Pos: g.pos()}, parts...)

	// A reduction of the whole, whose value no order of the pieces changes.
	reduce := [...]ir.Op{ir.RedAnd, ir.RedOr, ir.RedXor}
	if k := g.IntN(6); k < len(reduce) {
		return g.m.Add(ir.Node{Op: reduce[k], Width: 1, Pos: g.pos()}, all)
	}
	return all
}

// constants makes an expression of constants only.
func (g *gen) constants(w int) ir.ID {
	list := []ir.ID{g.konst(w), g.konst(w), g.m.Const(g.value(1), 0)}
	last := func(w int) ir.ID {
		for i := len(list) - 1; i > 0; i-- {
			if g.m.Width(list[i]) == w && g.IntN(3) != 0 {
				return list[i]
			}
		}
		return g.konst(w)
	}

	// Operands are taken from the constants made so far, so expressions grow deep.
	for range 2 + g.IntN(5) {
		n := ir.Node{Width: int32(w), Pos: g.pos()}
		switch g.IntN(5) {
		case 0:
			n.Op, n.Width = [...]ir.Op{ir.Eq, ir.Lt, ir.LtS}[g.IntN(3)], 1
			list = append(list, g.m.Add(n, last(w), last(w)))
		case 1:
			n.Op = ir.Mux
			list = append(list, g.m.Add(n, last(1), last(w), last(w)))
		case 2:
			n.Op = shiftOps[g.IntN(3)]
			list = append(list, g.m.Add(n, last(w), last(7)))
		default:
			two := [...]ir.Op{ir.And, ir.Or, ir.Xor, ir.Add, ir.Sub, ir.Mul, ir.MulS, ir.Div, ir.DivS, ir.Rem, ir.RemS}
			n.Op = two[g.IntN(len(two))]
			list = append(list, g.m.Add(n, last(w), last(w)))
		}
	}
	return list[len(list)-1]
}
