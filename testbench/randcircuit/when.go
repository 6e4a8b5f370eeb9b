package randcircuit

import "etch/ir"

// maxChain is the largest number of conditions in a chain of multiplexers.
const maxChain = 40

// priority makes a deep chain of multiplexers, as if, else if, else if … gives.
func (g *gen) priority(w int) ir.ID {
	n := 2 + g.IntN(6)
	if g.IntN(6) == 0 {
		n = maxChain/2 + g.IntN(maxChain/2)
	}
	v := g.pick(w)
	for range n {
		args := []ir.ID{g.pick(1), g.pick(w), v}
		if g.IntN(4) == 0 {
			args[1], args[2] = args[2], args[1]
		}
		v = g.m.Add(ir.Node{Op: ir.Mux, Width: int32(w), Pos: g.pos()}, args...)
	}
	return v
}

// when makes a tree of nested conditions in which many leaves keep a value, as assignments in
// When blocks give for a register.
func (g *gen) when(keep ir.ID, depth int) ir.ID {
	w := g.m.Width(keep)

	// A leaf: the register keeps its value in half of them.
	if depth == 0 || g.IntN(6) == 0 {
		switch g.IntN(4) {
		case 0, 1:
			return keep
		case 2:
			return g.konst(w)
		}
		return g.pick(w)
	}
	n := ir.Node{Op: ir.Mux, Width: int32(w), Pos: g.pos()}
	c, x := g.pick(1), g.when(keep, depth-1)
	return g.m.Add(n, c, x, g.when(keep, depth-1))
}

// enabled makes a register's next value: x, or the old value while its enable is low.
func (g *gen) enabled(reg, x ir.ID) ir.ID {
	n := ir.Node{Op: ir.Mux, Width: int32(g.m.Width(reg)), Pos: g.pos()}
	if g.IntN(4) == 0 {
		return g.m.Add(n, g.pick(1), reg, x)
	}
	return g.m.Add(n, g.pick(1), x, reg)
}
