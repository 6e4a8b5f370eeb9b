package cover

import (
	"etch/ir"
	"etch/ir/bits"
)

// logic adds operations of one bit to a module, each once, so that statements under one condition
// share a counter.
type logic struct {
	m      *ir.Module
	made   map[operation]ir.ID
	equals map[compared]ir.ID
	always ir.ID // the constant 1, None before it is wanted
}

// operation is an operation by its operands; y is None where it has one.
type operation struct {
	op   ir.Op
	x, y ir.ID
}

// compared is a node that is compared to a constant.
type compared struct {
	id  ir.ID
	key string
}

func newLogic(m *ir.Module) *logic {
	return &logic{m: m, made: map[operation]ir.ID{}, equals: map[compared]ir.ID{}}
}

// one is the constant 1.
func (l *logic) one() ir.ID {
	if l.always == ir.None {
		l.always = l.m.Const(bits.New(1, 1), 0)
	}
	return l.always
}

// not negates a bit.
func (l *logic) not(x ir.ID) ir.ID { return l.op(ir.Not, x, ir.None) }

// both is the conjunction of two conditions; None always holds.
func (l *logic) both(x, y ir.ID) ir.ID {
	switch {
	case x == ir.None:
		return y
	case y == ir.None || x == y:
		return x
	}
	return l.op(ir.And, x, y)
}

// either is the disjunction of two conditions.
func (l *logic) either(x, y ir.ID) ir.ID {
	if x == y {
		return x
	}
	return l.op(ir.Or, x, y)
}

func (l *logic) op(op ir.Op, x, y ir.ID) ir.ID {
	key := operation{op, x, y}
	id, ok := l.made[key]
	if !ok {
		args := []ir.ID{x}
		if y != ir.None {
			args = append(args, y)
		}
		id = l.m.Add(ir.Node{Op: op, Width: 1}, args...)
		l.made[key] = id
	}
	return id
}

// equal compares a node with a constant of its width.
func (l *logic) equal(x ir.ID, v bits.Value) ir.ID {
	key := compared{x, v.Hex()}
	id, ok := l.equals[key]
	if !ok {
		id = l.m.Add(ir.Node{Op: ir.Eq, Width: 1}, x, l.m.Const(v, 0))
		l.equals[key] = id
	}
	return id
}
