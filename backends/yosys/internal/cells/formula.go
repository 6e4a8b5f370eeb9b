package cells

import (
	"fmt"
	"slices"

	"etch/ir"
)

// yosys turns the signals that set and clear a word into words, by multiplexers between
// constants. Bit by bit they are simple, and mostly the same.

// choiceOf is the multiplexer that makes a bit, as its select and its two bits.
func (l *lowering) choiceOf(b bit) (sel, one, zero bit, ok bool) {
	if b < firstNet || l.owner[b] == 0 {
		return 0, 0, 0, false
	}
	c := &l.j.cells[l.owner[b]-1]
	at := slices.Index(c.port("Y"), b)
	if c.kind != "$mux" || at < 0 || at >= len(c.port("A")) || at >= len(c.port("B")) {
		return 0, 0, 0, false
	}
	return only(c.port("S")), c.port("B")[at], c.port("A")[at], true
}

// maxFormula bounds the multiplexers behind a bit.
const maxFormula = 20

// formula describes the multiplexers that make a bit: equal formulas are equal bits.
func (l *lowering) formula(b bit) string { return l.formulaOf(b, maxFormula) }

func (l *lowering) formulaOf(b bit, depth int) string {
	sel, one, zero, ok := l.choiceOf(b)
	if !ok || depth == 0 {
		return fmt.Sprint(b)
	}
	return fmt.Sprintf("(%s?%s:%s)", l.formulaOf(sel, depth-1), l.formulaOf(one, depth-1), l.formulaOf(zero, depth-1))
}

// levelOfBit is level for the simplified formula of a bit.
func (l *lowering) levelOfBit(b bit, high bool) ir.ID {
	x := l.simple(b, maxFormula)
	if high {
		return x
	}
	return l.not(x)
}

func (l *lowering) simple(b bit, depth int) ir.ID {
	sel, one, zero, ok := l.choiceOf(b)
	if !ok || depth == 0 {
		// No multiplexer, or too far back: the bit as it is.
		return l.signal([]bit{b})
	}
	s := l.simple(sel, depth-1)
	x, y := l.simple(one, depth-1), l.simple(zero, depth-1)

	// A multiplexer with a constant side is a gate.
	constant := func(id ir.ID, v uint64) bool {
		k, ok := l.isConst(id)
		return ok && k.Uint64() == v
	}
	switch {
	case constant(x, 1) && constant(y, 0):
		return s
	case constant(x, 0) && constant(y, 1):
		return l.not(s)
	case constant(x, 1):
		return l.or(s, y)
	case constant(x, 0):
		return l.and(l.not(s), y)
	case constant(y, 0):
		return l.and(s, x)
	}
	return l.mux(s, x, y)
}
