package hw

import (
	"etch/ir"
)

// resolve checks that xs can be operands of one operation and turns literals
// into constants. Unsized literals take the width of the first sized operand
// when same is set; else they must have one. It reports what is wrong.
func (b *body) resolve(op string, xs []sig, same bool) (bad bool) {
	width, enum := 0, (*enumInfo)(nil)
	for _, x := range xs {
		if w := x.Width(); w > 0 && width == 0 {
			width = w
		}
		if e := b.enumInfoOf(x); e != nil && enum == nil {
			enum = e
		}
	}
	for i := range xs {
		if !b.operand(op, &xs[i], width, enum, same) {
			bad = true
		}
	}
	return bad
}

// operand makes one operand a signal of b, or reports why it cannot be.
func (b *body) operand(op string, x *sig, width int, enum *enumInfo, same bool) bool {
	switch {
	case x.b == nil && x.x == nil:
		b.d.report(newDiag("unset", nil, "%s: an operand is unset (a zero value of its type)", op))
	case x.x == nil || x.x.is == dynamic:
		if x.b == b && !b.done {
			return true
		}
		b.d.report(newDiag("module", declared(*x), "%s: %s belongs to %s, not to %s", op, describe(*x), x.b.where(), b.m.Name))
	case x.x.is == poison:
		b.meet(*x)
	case x.x.is == shape:
		var notes []Note
		if at := b.d.src.At(b.d.shapePos(x.x)); at.Line > 0 {
			notes = []Note{{at, "the shape is written here"}}
		}
		b.d.report(newDiag("shape", notes, "%s: %s is not a signal", op, describe(*x)))
	default:
		return b.literal(op, x, width, enum, same)
	}
	return false
}

func (b *body) where() string {
	if b.done {
		return "the finished module " + b.m.Name
	}
	return "module " + b.m.Name
}

// literal turns a literal operand into a constant of b.
func (b *body) literal(op string, x *sig, width int, enum *enumInfo, same bool) bool {
	w := width
	if x.x.width > 0 {
		w = x.x.width
	}
	if w == 0 || !same && x.x.width == 0 && x.x.enumVal == nil {
		b.d.report(newDiag("literal", nil, "%s: the literal %s has nothing to take its width from; say Lit or Extend", op, litText(x.x)))
		return false
	}
	v, err := fit(x.x, w, enum)
	if err != nil {
		b.d.report(newDiag("literal", nil, "%s: %v", op, err))
		return false
	}
	t := ir.TypeID(0)
	switch {
	case enum != nil:
		t = b.m.AddType(ir.Type{Kind: ir.EnumKind, Enum: enum.ir})
	case x.x.typ.Kind != ir.EnumKind:
		t = b.m.AddType(x.x.typ)
	}
	*x = sig{b: b, id: b.constant(v, t)}
	return true
}

func (b *body) enumInfoOf(x sig) *enumInfo {
	switch {
	case x.x != nil && x.x.enum != nil:
		return b.d.intern(x.x.enum)
	case x.x == nil && x.b != nil:
		if t := x.typ(); t.Kind == ir.EnumKind {
			return x.b.d.enumOf[t.Enum]
		}
	}
	return nil
}

// agree is resolve for operands that must all have one width.
func (b *body) agree(op string, xs []sig) (width int, bad bool) {
	if b.resolve(op, xs, true) {
		return 0, true
	}
	width = xs[0].Width()
	for _, x := range xs[1:] {
		if x.Width() != width {
			b.d.report(newDiag("width", append(origin(xs[0]), origin(x)...), "%s: %s has %s, %s has %d",
				op, describe(xs[0]), plural(width, "bit"), describe(x), x.Width()))
			return width, true
		}
		if e, f := b.enumInfoOf(xs[0]), b.enumInfoOf(x); e != nil && f != nil && e.ir != f.ir {
			b.d.report(newDiag("enum", append(origin(xs[0]), origin(x)...), "%s: %s and %s hold different sets of %s",
				op, describe(xs[0]), describe(x), e.ir.Name))
			return width, true
		}
	}
	return width, false
}

// widthOf is the first width among operands, for a poisoned result.
func widthOf(xs []sig) int {
	for _, x := range xs {
		if w := x.Width(); w > 0 {
			return w
		}
	}
	return 0
}

// homeless is the result of an operation none of whose operands has a module.
func homeless(op string, xs []sig, width int) sig {
	for _, x := range xs {
		switch {
		case x.x != nil && x.x.is == poison:
			return x
		case x.b != nil && x.b.done:
			return mistake(x.b, width, "module", declared(x), "%s: %s belongs to %s", op, describe(x), x.b.where())
		case x.x == nil:
			return mistake(nil, width, "unset", nil, "%s: an operand is unset (a zero value of its type)", op)
		case x.x.is == shape:
			return mistake(nil, width, "shape", nil, "%s: %s is not a signal", op, describe(x))
		}
	}
	return mistake(nil, width, "literal", nil, "%s: only literals; compute it in Go", op)
}

// plainPair reports the common case of two signals of one live module and width.
func plainPair(x, y sig) bool {
	return x.x == nil && y.x == nil && x.b != nil && x.b == y.b && !x.b.done && x.b.m.Width(x.id) == x.b.m.Width(y.id)
}

// same2 is an operation on two operands of one width whose result has that
// width and the first operand's type.
func same2(name string, op ir.Op, x, y sig) sig {
	if plainPair(x, y) {
		n := x.b.m.Node(x.id)
		return sig{b: x.b, id: x.b.add(op, n.Type, int(n.Width), x.id, y.id)}
	}
	xs := [2]sig{x, y}
	b, _ := moduleOf(xs[:])
	if b == nil {
		return homeless(name, xs[:], widthOf(xs[:]))
	}
	w, bad := b.agree(name, xs[:])
	if bad {
		return poisonOf(b, widthOf(xs[:]))
	}
	t := b.m.Node(xs[0].id).Type
	if x.x != nil {
		t = b.m.Node(xs[1].id).Type
	}
	return sig{b: b, id: b.add(op, t, w, xs[0].id, xs[1].id)}
}

// compare2 is an operation on two operands of one width with a result of one bit.
func compare2(name string, op ir.Op, x, y sig) sig {
	if plainPair(x, y) {
		return sig{b: x.b, id: x.b.add(op, ir.TypeID(ir.Bool), 1, x.id, y.id)}
	}
	xs := [2]sig{x, y}
	b, _ := moduleOf(xs[:])
	if b == nil {
		return homeless(name, xs[:], 1)
	}
	if _, bad := b.agree(name, xs[:]); bad {
		return poisonOf(b, 1)
	}
	return sig{b: b, id: b.add(op, ir.TypeID(ir.Bool), 1, xs[0].id, xs[1].id)}
}

// many is an n-ary operation on operands of one width.
func many(name string, op ir.Op, xs []sig) sig {
	if len(xs) == 1 {
		return xs[0]
	}
	xs = append([]sig(nil), xs...)
	b, _ := moduleOf(xs)
	if b == nil {
		return homeless(name, xs, widthOf(xs))
	}
	w, bad := b.agree(name, xs)
	if bad {
		return poisonOf(b, widthOf(xs))
	}
	ids := make([]ir.ID, len(xs))
	for i, x := range xs {
		ids[i] = x.id
	}
	return sig{b: b, id: b.add(op, b.m.Node(ids[0]).Type, w, ids...)}
}

// unary checks one operand; ok is false for a poisoned result.
func unary(name string, x sig, width int) (sig, bool) {
	if x.x == nil && x.b != nil && !x.b.done {
		return x, true
	}
	xs := [1]sig{x}
	b, _ := moduleOf(xs[:])
	if b == nil {
		return homeless(name, xs[:], width), false
	}
	if b.resolve(name, xs[:], false) {
		return poisonOf(b, width), false
	}
	return xs[0], true
}

// op1 is an operation on one operand with a result of the given width and kind.
func op1(name string, op ir.Op, k ir.Kind, x sig, width int) sig {
	y, ok := unary(name, x, width)
	if !ok {
		return y
	}
	return sig{b: y.b, id: y.b.add(op, ir.TypeID(k), width, y.id)}
}
