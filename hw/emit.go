package hw

import (
	"etch/ir"
	"etch/ir/bits"
)

// All nodes of a body are added here. A node has the line of the user's call ([body.add]), a given
// line ([body.addAt]), or the line of the node that it stands for ([body.addLike]).

// emit adds a node with everything that it has beside its operands.
func (b *body) emit(n ir.Node, args ...ir.ID) ir.ID { return b.m.Add(n, args...) }

// add adds an operation at the user's line.
func (b *body) add(op ir.Op, t ir.TypeID, width int, args ...ir.ID) ir.ID {
	return b.addAt(b.d.pos(), op, t, width, args...)
}

// addAt adds an operation at a line.
func (b *body) addAt(pos ir.Pos, op ir.Op, t ir.TypeID, width int, args ...ir.ID) ir.ID {
	return b.emit(ir.Node{Op: op, Type: t, Width: int32(width), Pos: pos}, args...)
}

// addLike adds an operation with the type, width and line of node x.
func (b *body) addLike(x ir.ID, op ir.Op, args ...ir.ID) ir.ID {
	n := b.m.Node(x)
	return b.emit(ir.Node{Op: op, Type: n.Type, Width: n.Width, Pos: n.Pos}, args...)
}

// undriven adds a wire whose driver comes later.
func (b *body) undriven(pos ir.Pos, t ir.TypeID, width int) ir.ID {
	return b.addAt(pos, ir.Wire, t, width, ir.None)
}

// slice adds a part-select of node x at a line: width bits from bit lo on.
func (b *body) slice(pos ir.Pos, t ir.TypeID, x ir.ID, lo, width int) ir.ID {
	return b.emit(ir.Node{Op: ir.Slice, Type: t, Width: int32(width), Pos: pos, Aux: int32(lo)}, x)
}

// bit adds an operation with a result of one bit at the user's line.
func (b *body) bit(op ir.Op, args ...ir.ID) ir.ID { return b.bitAt(b.d.pos(), op, args...) }

// bitAt is bit at a given line.
func (b *body) bitAt(pos ir.Pos, op ir.Op, args ...ir.ID) ir.ID {
	return b.addAt(pos, op, ir.TypeID(ir.Bool), 1, args...)
}

// and is x ∧ y of one-bit nodes, either of which may be None for true.
func (b *body) and(x, y ir.ID) ir.ID {
	switch {
	case x == ir.None:
		return y
	case y == ir.None:
		return x
	}
	return b.bit(ir.And, x, y)
}

// not is the inverse of a one-bit node, at its line.
func (b *body) not(x ir.ID) ir.ID { return b.bitAt(b.m.Node(x).Pos, ir.Not, x) }

// constant returns a Const node of b. Equal constants of at most 64 bits share one node.
func (b *body) constant(v bits.Value, t ir.TypeID) ir.ID {
	// Wide constants are rare and dear to compare.
	if v.Width() > 64 {
		return b.freshConstant(v, t)
	}

	key := constKey{v.Width(), v.Uint64(), t}
	id, ok := b.consts[key]
	if !ok {
		id = b.freshConstant(v, t)
		b.consts[key] = id
	}
	return id
}

// freshConstant adds a Const node.
func (b *body) freshConstant(v bits.Value, t ir.TypeID) ir.ID {
	id := b.m.Const(v, 0)
	b.m.Node(id).Type = t
	return id
}

// constKey identifies a constant of at most 64 bits.
type constKey struct {
	width int
	v     uint64
	t     ir.TypeID
}

func (b *body) low() ir.ID  { return b.constant(bits.Zero(1), ir.TypeID(ir.Bool)) }
func (b *body) high() ir.ID { return b.constant(bits.Ones(1), ir.TypeID(ir.Bool)) }

// filler is a constant of the width of s that stands for a value with a mistake.
func (b *body) filler(s sig) ir.ID {
	return b.constant(bits.Zero(min(max(s.Width(), 1), maxWidth)), 0)
}
