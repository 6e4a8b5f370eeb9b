package cells

import "etch/ir"

// unaryCell is a cell with the operand A.
type unaryCell struct {
	lanes bool
	grow  bool // the operand is extended to the width of the result first
	make  func(l *lowering, a ir.ID) ir.ID
}

var unary = map[string]unaryCell{
	"$not":         {true, true, func(l *lowering, a ir.ID) ir.ID { return l.not(a) }},
	"$pos":         {true, true, func(l *lowering, a ir.ID) ir.ID { return a }},
	"$buf":         {true, true, func(l *lowering, a ir.ID) ir.ID { return a }},
	"$barrier":     {true, true, func(l *lowering, a ir.ID) ir.ID { return a }},
	"$neg":         {false, true, func(l *lowering, a ir.ID) ir.ID { return l.neg(a) }},
	"$reduce_and":  {make: func(l *lowering, a ir.ID) ir.ID { return l.node(ir.RedAnd, 1, a) }},
	"$reduce_or":   {make: func(l *lowering, a ir.ID) ir.ID { return l.any(a) }},
	"$reduce_bool": {make: func(l *lowering, a ir.ID) ir.ID { return l.any(a) }},
	"$reduce_xor":  {make: func(l *lowering, a ir.ID) ir.ID { return l.node(ir.RedXor, 1, a) }},
	"$reduce_xnor": {make: func(l *lowering, a ir.ID) ir.ID { return l.not(l.node(ir.RedXor, 1, a)) }},
	"$logic_not":   {make: func(l *lowering, a ir.ID) ir.ID { return l.not(l.any(a)) }},
}

func (l *lowering) unary(c *cell, f unaryCell) {
	a := l.in(c, "A")
	if f.grow {
		a = l.resize(a, wide(c, "Y"), c.flag("A_SIGNED"))
	}
	l.give(c, "Y", f.make(l, a))
}

// operands says how A and B are made equally wide.
type operands int

const (
	toResult  operands = iota // as wide as the result
	toWider                   // as wide as the wider one
	toWidest                  // as wide as the widest of both and the result
	asTheyAre                 // left alone
)

// binaryCell is a cell with the operands A and B.
type binaryCell struct {
	lanes bool
	size  operands
	make  func(l *lowering, c *cell, a, b ir.ID, signed bool) ir.ID
}

func logical(op ir.Op, invert bool) binaryCell {
	return binaryCell{true, toResult, func(l *lowering, _ *cell, a, b ir.ID, _ bool) ir.ID {
		x := l.same(op, a, b)
		if invert {
			x = l.not(x)
		}
		return x
	}}
}

func arithmetic(op ir.Op) binaryCell {
	return binaryCell{false, toResult, func(l *lowering, _ *cell, a, b ir.ID, _ bool) ir.ID { return l.same(op, a, b) }}
}

// comparison is less-than with the operands exchanged or the result inverted.
func comparison(swap, invert bool) binaryCell {
	return binaryCell{false, toWider, func(l *lowering, _ *cell, a, b ir.ID, signed bool) ir.ID {
		if swap {
			a, b = b, a
		}
		x := l.lt(a, b, signed)
		if invert {
			x = l.not(x)
		}
		return x
	}}
}

func equality(invert bool) binaryCell {
	return binaryCell{false, toWider, func(l *lowering, _ *cell, a, b ir.ID, _ bool) ir.ID {
		x := l.eq(a, b)
		if invert {
			x = l.not(x)
		}
		return x
	}}
}

func truth(op ir.Op) binaryCell {
	return binaryCell{false, asTheyAre, func(l *lowering, _ *cell, a, b ir.ID, _ bool) ir.ID {
		return l.same(op, l.any(a), l.any(b))
	}}
}

var binary = map[string]binaryCell{
	"$and": logical(ir.And, false), "$or": logical(ir.Or, false), "$xor": logical(ir.Xor, false), "$xnor": logical(ir.Xor, true),
	"$bweqx": logical(ir.Xor, true),
	"$add":   arithmetic(ir.Add), "$sub": arithmetic(ir.Sub), "$mul": arithmetic(ir.Mul),
	"$lt": comparison(false, false), "$gt": comparison(true, false), "$ge": comparison(false, true), "$le": comparison(true, true),
	"$eq": equality(false), "$ne": equality(true), "$eqx": equality(false), "$nex": equality(true),
	"$logic_and": truth(ir.And), "$logic_or": truth(ir.Or),
	"$div":      {false, toWidest, quotient},
	"$mod":      {false, toWidest, remainder},
	"$divfloor": {false, toWidest, floorQuotient},
	"$modfloor": {false, toWidest, floorRemainder},
	"$pow":      {false, asTheyAre, power},
	"$shl":      {false, asTheyAre, shiftLeft},
	"$sshl":     {false, asTheyAre, shiftLeft},
	"$shr":      {false, asTheyAre, shiftRight},
	"$sshr":     {false, asTheyAre, shiftRightSigned},
	"$shift":    {false, asTheyAre, shiftBoth},
	"$shiftx":   {false, asTheyAre, shiftBoth},
}

func (l *lowering) binary(c *cell, f binaryCell) {
	if wide(c, "Y") == 0 {
		return
	}
	a, b := l.in(c, "A"), l.in(c, "B")
	signed := c.flag("A_SIGNED") && c.flag("B_SIGNED")

	// The operands grow to one width, by their signs if both are signed.
	w := 0
	switch f.size {
	case toResult:
		w = wide(c, "Y")
	case toWider:
		w = max(l.width(a), l.width(b))
	case toWidest:
		w = max(l.width(a), l.width(b), wide(c, "Y"))
	}
	if w > 0 {
		a, b = l.resize(a, w, signed), l.resize(b, w, signed)
	}
	l.give(c, "Y", f.make(l, c, a, b, signed))
}

// gates are the gates with inputs A and B, or A alone.
var gates = map[string]func(l *lowering, a, b ir.ID) ir.ID{
	"$_BUF_":    func(l *lowering, a, _ ir.ID) ir.ID { return a },
	"$_NOT_":    func(l *lowering, a, _ ir.ID) ir.ID { return l.not(a) },
	"$_AND_":    func(l *lowering, a, b ir.ID) ir.ID { return l.and(a, b) },
	"$_NAND_":   func(l *lowering, a, b ir.ID) ir.ID { return l.not(l.and(a, b)) },
	"$_OR_":     func(l *lowering, a, b ir.ID) ir.ID { return l.or(a, b) },
	"$_NOR_":    func(l *lowering, a, b ir.ID) ir.ID { return l.not(l.or(a, b)) },
	"$_XOR_":    func(l *lowering, a, b ir.ID) ir.ID { return l.xor(a, b) },
	"$_XNOR_":   func(l *lowering, a, b ir.ID) ir.ID { return l.not(l.xor(a, b)) },
	"$_ANDNOT_": func(l *lowering, a, b ir.ID) ir.ID { return l.and(a, l.not(b)) },
	"$_ORNOT_":  func(l *lowering, a, b ir.ID) ir.ID { return l.or(a, l.not(b)) },
}

func aoi3(l *lowering, c *cell) {
	l.give(c, "Y", l.not(l.or(l.and(l.in1(c, "A"), l.in1(c, "B")), l.in1(c, "C"))))
}

func oai3(l *lowering, c *cell) {
	l.give(c, "Y", l.not(l.and(l.or(l.in1(c, "A"), l.in1(c, "B")), l.in1(c, "C"))))
}

func aoi4(l *lowering, c *cell) {
	l.give(c, "Y", l.not(l.or(l.and(l.in1(c, "A"), l.in1(c, "B")), l.and(l.in1(c, "C"), l.in1(c, "D")))))
}

func oai4(l *lowering, c *cell) {
	l.give(c, "Y", l.not(l.and(l.or(l.in1(c, "A"), l.in1(c, "B")), l.or(l.in1(c, "C"), l.in1(c, "D")))))
}
