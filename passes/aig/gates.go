package aig

// Or is x or y.
func (g *Graph) Or(x, y Lit) Lit { return g.And(x.Not(), y.Not()).Not() }

// Xor is x exclusive or y. Inversions are moved to the result, so that x xor y and x xor ¬y
// share a node.
// Bit 0 of a literal is its inversion.
func (g *Graph) Xor(x, y Lit) Lit {
	flip := x.Inverted() != y.Inverted()
	x, y = x&^1, y&^1
	if x == False {
		return y.NotIf(flip)
	}
	if y == False {
		return x.NotIf(flip)
	}
	return g.And(g.And(x, y).Not(), g.And(x.Not(), y.Not()).Not()).NotIf(flip)
}

// Mux is x when c, else y.
func (g *Graph) Mux(c, x, y Lit) Lit {
	// Equal and opposite arms need no multiplexer; the condition is made positive.
	switch {
	case x == y:
		return x
	case x == y.Not():
		return g.Xor(c, y)
	case c.Inverted():
		c, x, y = c.Not(), y, x
	}
	return g.And(g.And(c, x).Not(), g.And(c.Not(), y).Not()).Not()
}

// Majority is high if at least two of its operands are.
func (g *Graph) Majority(x, y, z Lit) Lit {
	return g.Or(g.And(x, y), g.And(z, g.Or(x, y)))
}

// AndAll is the and of all, True of none: a balanced tree.
func (g *Graph) AndAll(xs []Lit) Lit {
	switch len(xs) {
	case 0:
		return True
	case 1:
		return xs[0]
	}

	// Halves keep the depth at the logarithm of the number.
	h := len(xs) / 2
	return g.And(g.AndAll(xs[:h]), g.AndAll(xs[h:]))
}

// OrAll is the or of all, False of none.
func (g *Graph) OrAll(xs []Lit) Lit {
	switch len(xs) {
	case 0:
		return False
	case 1:
		return xs[0]
	}
	h := len(xs) / 2
	return g.Or(g.OrAll(xs[:h]), g.OrAll(xs[h:]))
}
