package hw

import (
	"etch/ir"
	"etch/ir/bits"
)

// resolve checks that xs can be operands of one operation in b and turns literals into
// constants. With same, unsized literals take the width of the first sized operand. Without
// it, a literal must have a width. It reports every operand that fails.
func (b *body) resolve(op string, xs []sig, same bool) (bad bool) {
	// The first operand with a width gives it, and the first enumeration its codes, to all
	// literals.
	width, enum := 0, (*enumInfo)(nil)
	for _, x := range xs {
		if width == 0 {
			width = x.Width()
		}
		if enum == nil {
			enum = b.enumInfoOf(x)
		}
	}

	for i := range xs {
		switch x := &xs[i]; {
		case x.isUnsized() && (!same || width == 0):
			b.d.report(newDiag("literal", nil, "%s: the literal %s has nothing to take its width from; say Lit or Extend", op, describe(*x)))
			return true
		case !b.operand(op, x, width, enum):
			bad = true
		}
	}
	return bad
}

// operand makes one operand a signal of b, or reports why it cannot. A literal takes the
// given width and enum.
func (b *body) operand(op string, x *sig, width int, enum *enumInfo) bool {
	switch {
	case !x.isSet():
		b.d.report(newDiag("unset", nil, "%s: an operand is unset (a zero value of its type)", op))
	case x.isLive():
		if x.b == b && !b.done {
			return true
		}
		b.d.report(newDiag("module", declared(*x), "%s: %s belongs to %s, not to %s", op, describe(*x), x.b.where(), b.m.Name))
	case x.is(poison):
		b.meet(*x)
	case x.is(padEnd):
		b.padNotValue(op, *x)
	case x.is(shape):
		b.d.report(newDiag("shape", b.written(*x), "%s: %s is not a signal", op, describe(*x)))
	default:
		return b.literal(op, x, width, enum)
	}
	return false
}

// literal turns a literal operand into a constant of b.
func (b *body) literal(op string, x *sig, width int, enum *enumInfo) bool {
	// The literal's own width counts; agree compares it with the others later.
	if x.x.width > 0 {
		width = x.x.width
	}
	v, err := fit(x.x, width, enum)
	if err != nil {
		b.d.report(newDiag("literal", nil, "%s: %v", op, err))
		return false
	}

	t := x.x.typ

	// The set of values is the literal's own, or that of the other operands.
	if t.Kind == ir.EnumKind {
		if x.x.enum != nil {
			enum = b.d.intern(x.x.enum)
		}
		t.Enum = enum.ir
	}

	*x = sig{b: b, id: b.constant(v, b.m.AddType(t))}
	return true
}

func (b *body) where() string {
	if b.done {
		return "the finished module " + b.m.Name
	}
	return "module " + b.m.Name
}

// written is a note that says where a shape comes from.
func (b *body) written(s sig) []Note {
	if s.x.pc == 0 {
		return nil
	}
	return []Note{{b.d.src.At(b.d.shapePos(s.x)), "the shape is written here"}}
}

func (b *body) enumInfoOf(x sig) *enumInfo {
	switch {
	case x.x != nil && x.x.enum != nil:
		return b.d.intern(x.x.enum)
	case x.isLive():
		if t := x.typ(); t.Kind == ir.EnumKind {
			return x.b.d.enumOf[t.Enum]
		}
	}
	return nil
}

// agree is resolve for operands that must all have one width, and for kind
// [ir.EnumKind] one set of values.
func (b *body) agree(op string, k ir.Kind, xs []sig) (width int, bad bool) {
	if b.resolve(op, xs, true) {
		return 0, true
	}

	width = xs[0].Width()
	for _, x := range xs[1:] {
		if w := x.Width(); w != width {
			notes := append(origin(xs[0]), origin(x)...)
			notes = append(notes, Note{Msg: "Extend widens and Trunc cuts, on purpose"})
			b.d.report(newDiag("width", notes, "%s: %s has %s, %s has %d", op, describe(xs[0]), plural(width, "bit"), describe(x), w))
			return width, true
		}

		if k != ir.EnumKind {
			continue
		}

		// Two enumerations of one Go type may hold different sets of values: each set is
		// one pointer.
		if e, f := b.enumInfoOf(xs[0]), b.enumInfoOf(x); e != nil && f != nil && e.ir != f.ir {
			b.d.report(newDiag("enum", append(origin(xs[0]), origin(x)...), "%s: %s and %s hold different sets of %s",
				op, describe(xs[0]), describe(x), shortType(e.typ)))
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

// moduleOf finds the module that is under construction among those of operands.
func moduleOf(xs ...sig) *body {
	for _, x := range xs {
		if x.b != nil && !x.b.done {
			return x.b
		}
	}
	return nil
}

// homeless is the poisoned result of an operation on operands of no module under
// construction, which [fold] does not take either. The first operand that explains it gives
// the mistake.
func homeless(op string, width int, xs ...sig) sig {
	for _, x := range xs {
		switch {
		case x.is(poison):
			return x.resize(width)
		case x.b != nil:
			return mistake(x.b, width, "module", declared(x), "%s: %s belongs to %s", op, describe(x), x.b.where())
		case !x.isSet():
			return mistake(nil, width, "unset", nil, "%s: an operand is unset (a zero value of its type)", op)
		case x.is(shape):
			return mistake(nil, width, "shape", nil, "%s: %s is not a signal", op, describe(x))
		}
	}

	if foldable(xs...) {
		return mistake(nil, width, "literal", nil, "%s: %s is a constant; compute it in Go", op, describe(xs[0]))
	}
	return mistake(nil, width, "literal", nil, "%s: only literals, and none has a width; give one a width with Lit or Extend, or compute it in Go", op)
}

// tooWide reports a result that no value can have.
func (b *body) tooWide(op string, width int) bool {
	if width <= maxWidth {
		return false
	}
	b.d.report(newDiag("range", nil, "%s: %s", op, badWidth("the result", width)))
	return true
}

// plainPair reports the common case of two signals of one live module and width.
func plainPair(x, y sig) bool {
	return x.isPlain() && y.x == nil && x.b == y.b && x.b.m.Width(x.id) == x.b.m.Width(y.id)
}

// pairOf is two operands of one width, made signals of one module. After a mistake, bad is
// true and a is poison of their width. Without a module b is nil, and [fold] takes x and y
// as they are.
func pairOf(name string, k ir.Kind, x, y sig) (b *body, a, c sig, bad bool) {
	// Nearly every operation has two signals of one module and width.
	if k != ir.EnumKind && plainPair(x, y) {
		return x.b, x, y, false
	}
	if b = moduleOf(x, y); b == nil {
		return nil, sig{}, sig{}, true
	}

	xs := [2]sig{x, y}
	if _, bad := b.agree(name, k, xs[:]); bad {
		return b, poisonOf(b, widthOf([]sig{x, y})), sig{}, true
	}
	return b, xs[0], xs[1], false
}

// resize is a poisoned value with another width.
func (s sig) resize(width int) sig {
	x := *s.x
	x.width = min(max(width, 1), maxWidth)
	return sig{b: s.b, x: &x}
}

// carried is the display type of a value that is passed on unchanged: to a name, to a
// register or through a choice. It is typeFor, except that floating point stays.
func (b *body) carried(k ir.Kind, t ir.TypeID) ir.TypeID {
	if k == ir.UInt && b.m.TypeOf(t).Kind == ir.Float {
		return t
	}
	return b.typeFor(k, t)
}

// typeFor is the display type of a result of Go kind k whose first operand has type t. A
// binary point stays; other display types of the operands do not.
func (b *body) typeFor(k ir.Kind, t ir.TypeID) ir.TypeID {
	switch k {
	case ir.UInt, ir.Bool:
		return ir.TypeID(k)
	case ir.SInt:
		if b.m.TypeOf(t).Kind != ir.Fixed {
			return ir.TypeID(k)
		}
	}
	return t
}

// same2 is an operation on two operands of one width whose result has that
// width and Go kind k.
func same2(name string, op ir.Op, k ir.Kind, x, y sig) sig {
	b, a, c, bad := pairOf(name, k, x, y)
	switch {
	case b == nil:
		return fold(name, widthOf([]sig{x, y}), func(s []sig) sig { return same2(name, op, k, s[0], s[1]) }, x, y)
	case bad:
		return a
	}

	// A constant has no display type of its own: the other operand decides.
	t := b.m.Node(a.id).Type
	if b.m.Op(a.id) == ir.Const {
		t = b.m.Node(c.id).Type
	}
	return sig{b: b, id: b.add(op, b.typeFor(k, t), a.Width(), a.id, c.id)}
}

// compare2 is an operation on two operands of one width with a result of one bit.
func compare2(name string, op ir.Op, k ir.Kind, x, y sig) sig {
	b, a, c, bad := pairOf(name, k, x, y)
	switch {
	case b == nil:
		return fold(name, 1, func(s []sig) sig { return compare2(name, op, k, s[0], s[1]) }, x, y)
	case bad:
		return a.resize(1)
	}
	return sig{b: b, id: b.bit(op, a.id, c.id)}
}

// with is Go number v as an operand beside x. A number that fits a plain x becomes a
// constant at once, without a literal.
func with(x sig, k ir.Kind, v int) sig {
	if x.isPlain() && v >= 0 {
		w := x.Width()
		if room := w - int(k); room >= 63 || v>>room == 0 { // a signed number has one bit less
			return sig{b: x.b, id: x.b.constant(bits.New(w, uint64(v)), ir.TypeID(k))}
		}
	}
	return literalOf(0, k, intValue(v))
}

// many is an operation on any number of operands of one width.
func many(name string, op ir.Op, k ir.Kind, xs []sig) sig {
	b := moduleOf(xs...)
	if b == nil {
		return fold(name, widthOf(xs), func(s []sig) sig { return many(name, op, k, s) }, xs...)
	}

	// The operands change here, and the list is the caller's.
	xs = append([]sig(nil), xs...)
	w, bad := b.agree(name, k, xs)
	switch {
	case bad:
		return poisonOf(b, widthOf(xs))
	case len(xs) == 1:
		return sig{b: b, id: xs[0].id}
	}
	return sig{b: b, id: b.add(op, b.typeFor(k, b.m.Node(xs[0].id).Type), w, ids(xs)...)}
}

func ids(xs []sig) []ir.ID {
	out := make([]ir.ID, len(xs))
	for i, x := range xs {
		out[i] = x.id
	}
	return out
}

// unary checks one operand; ok is false for a poisoned result of the given width.
func unary(name string, x sig, width int) (y sig, ok bool) {
	if x.isPlain() {
		return x, true
	}

	b := moduleOf(x)
	if b == nil {
		return homeless(name, width, x), false
	}

	xs := [1]sig{x}
	if b.resolve(name, xs[:], false) {
		return poisonOf(b, width), false
	}
	return xs[0], true
}

// op1 is an operation on one operand with a result of the given width and kind.
func op1(name string, op ir.Op, k ir.Kind, x sig, width int) sig {
	if x.isSized() {
		return fold(name, width, func(s []sig) sig { return op1(name, op, k, s[0], width) }, x)
	}
	y, ok := unary(name, x, width)
	switch {
	case !ok:
		return y
	case y.b.tooWide(name, width):
		return poisonOf(y.b, width)
	}

	return sig{b: y.b, id: y.b.add(op, ir.TypeID(k), width, y.id)}
}
