package cells

import (
	"etch/ir"
	"etch/ir/bits"
)

// builder adds nodes to a module at one position.
type builder struct {
	m   *ir.Module
	pos ir.Pos
}

func (b *builder) width(x ir.ID) int { return b.m.Width(x) }

func (b *builder) node(op ir.Op, width int, args ...ir.ID) ir.ID {
	return b.m.Add(ir.Node{Op: op, Width: int32(width), Pos: b.pos}, args...)
}

func (b *builder) value(v bits.Value) ir.ID { return b.m.Const(v, b.pos) }

func (b *builder) konst(width int, v uint64) ir.ID { return b.value(bits.New(width, v)) }

// isConst returns the value of a constant node.
func (b *builder) isConst(x ir.ID) (bits.Value, bool) {
	if b.m.Op(x) != ir.Const {
		return bits.Value{}, false
	}
	return b.m.ConstOf(x), true
}

// same adds an operation whose operands and result have one width.
func (b *builder) same(op ir.Op, x, y ir.ID) ir.ID { return b.node(op, b.width(x), x, y) }

func (b *builder) not(x ir.ID) ir.ID { return b.node(ir.Not, b.width(x), x) }

func (b *builder) neg(x ir.ID) ir.ID { return b.same(ir.Sub, b.konst(b.width(x), 0), x) }

func (b *builder) and(x, y ir.ID) ir.ID { return b.same(ir.And, x, y) }
func (b *builder) or(x, y ir.ID) ir.ID  { return b.same(ir.Or, x, y) }
func (b *builder) xor(x, y ir.ID) ir.ID { return b.same(ir.Xor, x, y) }

// both is x and y where either may be absent, which is true.
func (b *builder) both(x, y ir.ID) ir.ID {
	switch {
	case x == ir.None:
		return y
	case y == ir.None:
		return x
	}
	return b.and(x, y)
}

// eq, lt compare operands of one width.
func (b *builder) eq(x, y ir.ID) ir.ID { return b.node(ir.Eq, 1, x, y) }

func (b *builder) lt(x, y ir.ID, signed bool) ir.ID {
	if signed {
		return b.node(ir.LtS, 1, x, y)
	}
	return b.node(ir.Lt, 1, x, y)
}

// is compares with a constant.
func (b *builder) is(x ir.ID, v uint64) ir.ID { return b.eq(x, b.konst(b.width(x), v)) }

// any is 1 when some bit of x is.
func (b *builder) any(x ir.ID) ir.ID {
	if b.width(x) == 1 {
		return x
	}
	return b.node(ir.RedOr, 1, x)
}

func (b *builder) mux(sel, yes, no ir.ID) ir.ID { return b.node(ir.Mux, b.width(yes), sel, yes, no) }

func (b *builder) slice(x ir.ID, lo, width int) ir.ID {
	if lo == 0 && width == b.width(x) {
		return x
	}
	return b.m.Add(ir.Node{Op: ir.Slice, Width: int32(width), Pos: b.pos, Aux: int32(lo)}, x)
}

func (b *builder) bit(x ir.ID, i int) ir.ID { return b.slice(x, i, 1) }

// cat puts values side by side, the lowest first.
func (b *builder) cat(low ...ir.ID) ir.ID {
	if len(low) == 1 {
		return low[0]
	}

	// A Cat node has its highest operand first.
	high, width := make([]ir.ID, len(low)), 0
	for i, x := range low {
		high[len(low)-1-i] = x
		width += b.width(x)
	}
	return b.node(ir.Cat, width, high...)
}

// resize cuts x, or extends it by zeros or copies of its sign.
func (b *builder) resize(x ir.ID, width int, signed bool) ir.ID {
	switch w := b.width(x); {
	case width == w:
		return x
	case width < w:
		return b.slice(x, 0, width)
	case signed:
		return b.node(ir.SExt, width, x)
	}
	return b.node(ir.ZExt, width, x)
}

// add, sub and mul cut or extend nothing.
func (b *builder) add(x, y ir.ID) ir.ID { return b.same(ir.Add, x, y) }
func (b *builder) sub(x, y ir.ID) ir.ID { return b.same(ir.Sub, x, y) }
func (b *builder) mul(x, y ir.ID) ir.ID { return b.same(ir.Mul, x, y) }
