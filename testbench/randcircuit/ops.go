package randcircuit

import (
	"etch/ir"
	"etch/ir/bits"
)

// ops are the operations that op draws from: all of the table that are no leaves and need no
// memory. A test checks that all are drawn.
var ops = func() []ir.Op {
	var list []ir.Op
	for o := ir.Invalid + 1; o < ir.NumOps; o++ {
		if !o.Info().Leaf && o != ir.MemRead {
			list = append(list, o)
		}
	}
	return list
}()

// op adds a random operation on random arguments.
func (g *gen) op() ir.ID {
	o, w := ops[g.IntN(len(ops))], g.width()
	return g.keep(g.make(o, w))
}

// make adds operation o. w is the width of the result where it is free, or of the arguments
// where the result is one bit.
func (g *gen) make(o ir.Op, w int) ir.ID {
	n := ir.Node{Op: o, Width: int32(w), Pos: g.pos()}
	switch o {
	case ir.Wire, ir.Not:
		return g.m.Add(n, g.pick(w))
	case ir.And, ir.Or, ir.Xor:
		return g.m.Add(n, g.picks(2+g.IntN(3), w)...)
	case ir.Eq, ir.Lt, ir.LtS:
		n.Width = 1
		return g.m.Add(n, g.picks(2, w)...)
	case ir.Shl, ir.Shr, ir.ShrS:
		return g.m.Add(n, g.pick(w), g.amount(w))
	case ir.Mul, ir.MulS:
		return g.product(n)
	case ir.Mux:
		return g.m.Add(n, g.pick(1), g.pick(w), g.pick(w))
	case ir.Case:
		return g.cases(w)
	case ir.Slice:
		x := g.all[g.IntN(len(g.all))]
		n.Width = int32(1 + g.IntN(g.m.Width(x)))
		n.Aux = int32(g.IntN(g.m.Width(x) - int(n.Width) + 1))
		return g.m.Add(n, x)
	case ir.Cat:
		return g.cat(n)
	case ir.ZExt, ir.SExt:
		x := g.pick(g.width())
		n.Width = int32(g.m.Width(x) + g.IntN(4)*g.IntN(20))
		return g.m.Add(n, x)
	case ir.RedAnd, ir.RedOr, ir.RedXor:
		n.Width = 1
		return g.m.Add(n, g.pick(w))
	case ir.PopCount:
		n.Width = int32(ir.CountWidth(w))
		return g.m.Add(n, g.pick(w))
	case ir.Lut:
		k := 1 + g.IntN(6)
		if g.IntN(8) == 0 {
			k += 3
		}
		return g.m.AddLut(g.value(1<<k), n.Pos, g.picks(k, 1)...)
	default: // Add, Sub, Div, DivS, Rem, RemS
		return g.m.Add(n, g.picks(2, w)...)
	}
}

func (g *gen) picks(n, w int) []ir.ID {
	args := make([]ir.ID, n)
	for i := range args {
		args[i] = g.pick(w)
	}
	return args
}

// product makes a multiplication whose operands may be narrower than the result.
func (g *gen) product(n ir.Node) ir.ID {
	x, y := g.pick(g.width()), g.pick(g.width())
	n.Width = int32(min(int(n.Width), g.m.Width(x)+g.m.Width(y)))
	return g.m.Add(n, x, y)
}

// cat makes a concatenation.
func (g *gen) cat(n ir.Node) ir.ID {
	args, sum := []ir.ID{}, 0
	for range 1 + g.IntN(4) {
		a := g.pick(g.width())
		args, sum = append(args, a), sum+g.m.Width(a)
	}
	n.Width = int32(sum)
	return g.m.Add(n, args...)
}

// cases makes a Case whose keys rise, over some or all values of a selector.
func (g *gen) cases(w int) ir.ID {
	sel := g.pick(g.width())
	sw := g.m.Width(sel)

	// Wide selectors are cut to two bits at times, for all values to have a key.
	if sw > 4 && g.IntN(2) == 0 {
		sel, sw = g.fit(sel, 2), 2
	}
	args := []ir.ID{sel, g.pick(w)}

	// Keys rise, as the op demands.
	var keys []bits.Value
	for k := range uint64(8) {
		if (sw >= 4 || k < 1<<sw) && g.IntN(3) != 0 {
			keys, args = append(keys, bits.New(sw, k)), append(args, g.pick(w))
		}
	}
	return g.m.AddCase(w, g.pos(), keys, args...)
}
