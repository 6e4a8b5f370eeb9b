package aig

import (
	"etch/ir"
	"etch/ir/bits"
)

// op makes the bits of node id from those of its operands: the reference semantics of
// [ir.Eval] in gates. It covers all ops except leaves and memory reads.
func (g *Graph) op(m *ir.Module, id ir.ID, x []Word) Word {
	n := m.Node(id)
	w := int(n.Width)
	one := func(l Lit) Word { return Word{l} }
	// Bits are lowest first, so concatenation starts with the last operand.
	switch n.Op {
	case ir.Wire:
		return x[0]
	case ir.Not:
		return g.notWord(x[0])
	case ir.And:
		return g.foldWords(x, g.And)
	case ir.Or:
		return g.foldWords(x, g.Or)
	case ir.Xor:
		return g.foldWords(x, g.Xor)
	case ir.Add:
		z, _ := g.addWord(x[0], x[1], False)
		return z

	case ir.Sub:
		z, _ := g.subWord(x[0], x[1])
		return z

	case ir.Mul:
		return g.mulWord(extend(x[0], w, False), extend(x[1], w, False), w)
	case ir.MulS:
		return g.mulWord(extend(x[0], w, top(x[0])), extend(x[1], w, top(x[1])), w)
	case ir.Div, ir.Rem, ir.DivS, ir.RemS:
		return g.division(n.Op, x[0], x[1])
	case ir.Eq:
		return one(g.EqualWords(x[0], x[1]))
	case ir.Lt:
		return one(g.lessWord(x[0], x[1]))
	case ir.LtS:
		return one(g.lessSigned(x[0], x[1]))
	case ir.Shl:
		return g.shiftWord(x[0], x[1], true, False)
	case ir.Shr:
		return g.shiftWord(x[0], x[1], false, False)
	case ir.ShrS:
		return g.shiftWord(x[0], x[1], false, top(x[0]))
	case ir.Mux:
		return g.MuxWord(x[0][0], x[1], x[2])
	case ir.Case:
		return g.caseWord(m.KeysOf(id), x)
	case ir.Slice:
		return x[0][n.Aux : int(n.Aux)+w]
	case ir.Cat:
		z := make(Word, 0, w)
		for i := len(x) - 1; i >= 0; i-- {
			z = append(z, x[i]...)
		}
		return z

	case ir.ZExt:
		return extend(x[0], w, False)
	case ir.SExt:
		return extend(x[0], w, top(x[0]))
	case ir.RedAnd:
		return one(g.AndAll(x[0]))
	case ir.RedOr:
		return one(g.OrAll(x[0]))
	case ir.RedXor:
		z := False
		for _, b := range x[0] {
			z = g.Xor(z, b)
		}
		return one(z)

	case ir.PopCount:
		return g.countOnes(x[0], w)
	case ir.Lut:
		return one(g.lut(m.TableOf(id), x))
	}

	panic("aig: no gates for " + n.Op.String())
}

func top(x Word) Lit { return x[len(x)-1] }

// extend is x in w bits, cut or with fill on top.
func extend(x Word, w int, fill Lit) Word {
	z := make(Word, w)
	for i := copy(z, x); i < w; i++ {
		z[i] = fill
	}
	return z
}

func (g *Graph) foldWords(x []Word, f func(x, y Lit) Lit) Word {
	z := x[0]
	for _, y := range x[1:] {
		z = g.mapWord(z, y, f)
	}
	return z
}

// division makes the four division ops. The signed ones divide magnitudes and restore the
// signs. This is also right for the remainder of a division by zero; the quotient is then
// set to all ones.
func (g *Graph) division(op ir.Op, x, y Word) Word {
	if op == ir.Div || op == ir.Rem {
		q, r := g.divWord(x, y)
		if op == ir.Div {
			return q
		}
		return r
	}

	sx, sy := top(x), top(y)
	q, r := g.divWord(g.negateIf(sx, x), g.negateIf(sy, y))
	if op == ir.RemS {
		return g.negateIf(sx, r)
	}
	ones := extend(nil, len(x), True)
	return g.MuxWord(g.OrAll(y), g.negateIf(g.Xor(sx, sy), q), ones)
}

// caseWord makes a Case as a binary tree: it splits the keys by the bits of the selector
// from the top. Operands are selector, default, values.
func (g *Graph) caseWord(keys []bits.Value, x []Word) Word {
	return g.caseBits(keys, x[2:], x[0], x[1])
}

func (g *Graph) caseBits(keys []bits.Value, values []Word, sel, other Word) Word {
	switch {
	case len(keys) == 0:
		return other
	case len(keys) == 1:
		return g.MuxWord(g.equalConst(sel, keys[0].Trunc(max(1, len(sel)))), values[0], other)
	}

	// Keys rise, so those with a top bit of 0 come first.
	high := len(sel) - 1
	h := 0
	for h < len(keys) && keys[h].Bit(high) == 0 {
		h++
	}
	lo := g.caseBits(keys[:h], values[:h], sel[:high], other)
	hi := g.caseBits(keys[h:], values[h:], sel[:high], other)
	return g.MuxWord(sel[high], hi, lo)
}

func (g *Graph) lut(table bits.Value, x []Word) Lit {
	// The table as truth values, by the number that the inputs make.
	in, truth := make(Word, len(x)), make([]bool, table.Width())
	for i := range x {
		in[i] = x[i][0]
	}
	for a := range truth {
		truth[a] = table.Bit(a) == 1
	}
	return g.lookUp(truth, in)
}
