package hw

import (
	"etch/ir"
	"etch/ir/bits"
)

// grow is Add or Sub on operands extended by one bit.
func grow(name string, op, ext ir.Op, x, y sig) sig {
	xs := [2]sig{x, y}
	b, _ := moduleOf(xs[:])
	if b == nil {
		return homeless(name, xs[:], widthOf(xs[:])+1)
	}
	w, bad := b.agree(name, xs[:])
	if bad {
		return poisonOf(b, widthOf(xs[:])+1)
	}
	k := ir.TypeID(ir.UInt)
	if ext == ir.SExt {
		k = ir.TypeID(ir.SInt)
	}
	a := b.add(ext, k, w+1, xs[0].id)
	c := b.add(ext, k, w+1, xs[1].id)
	return sig{b: b, id: b.add(op, k, w+1, a, c)}
}

// retype is a fresh value shown as another kind.
func retype(s sig, k ir.Kind) sig {
	if s.isLive() {
		s.b.m.Node(s.id).Type = ir.TypeID(k)
	}
	return s
}

// product is a full multiplication; a literal takes the other side's width.
func product(name string, op ir.Op, x, y sig) sig {
	xs := [2]sig{x, y}
	b, _ := moduleOf(xs[:])
	if b == nil {
		return homeless(name, xs[:], x.Width()+y.Width())
	}
	if b.resolve(name, xs[:], true) {
		return poisonOf(b, max(1, x.Width()+y.Width()))
	}
	k := ir.TypeID(ir.UInt)
	if op == ir.MulS {
		k = ir.TypeID(ir.SInt)
	}
	return sig{b: b, id: b.add(op, k, xs[0].Width()+xs[1].Width(), xs[0].id, xs[1].id)}
}

// keep is an operation on one operand that keeps its width and type.
func keep(name string, op ir.Op, x sig) sig {
	y, ok := unary(name, x, x.Width())
	if !ok {
		return y
	}
	n := y.b.m.Node(y.id)
	return sig{b: y.b, id: y.b.add(op, n.Type, int(n.Width), y.id)}
}

// shift is a shift by a Go number.
func shift(name string, op ir.Op, x sig, by int) sig {
	y, ok := unary(name, x, x.Width())
	if !ok {
		return y
	}
	if by < 0 {
		return mistake(y.b, y.Width(), "range", nil, "%s: a shift by %d", name, by)
	}
	b, n := y.b, y.b.m.Node(y.id)
	amount := b.constant(bits.New(ir.CountWidth(by), uint64(by)), 0)
	return sig{b: b, id: b.add(op, n.Type, int(n.Width), y.id, amount)}
}

// shiftBy is a shift by a signal; a literal amount is as wide as it needs.
func shiftBy(name string, op ir.Op, x, by sig) sig {
	if by.x != nil && by.x.is == literal && by.x.width == 0 && !by.x.neg && by.x.num.IsUint64() {
		return shift(name, op, x, int(min(by.x.num.Uint64(), 1<<30)))
	}
	xs := [2]sig{x, by}
	b, _ := moduleOf(xs[:])
	if b == nil {
		return homeless(name, xs[:], x.Width())
	}
	if b.resolve(name, xs[:], false) {
		return poisonOf(b, x.Width())
	}
	n := b.m.Node(xs[0].id)
	return sig{b: b, id: b.add(op, n.Type, int(n.Width), xs[0].id, xs[1].id)}
}

// slice is width bits of x from bit lo.
func slice(name string, k ir.Kind, x sig, lo, width int) sig {
	y, ok := unary(name, x, max(width, 1))
	if !ok {
		return y
	}
	switch w := y.Width(); {
	case lo < 0 || width < 1 || lo+width > w:
		return mistake(y.b, max(width, 1), "range", origin(y), "%s: bits %d..%d of %s, which has bits %d..0", name, lo+width-1, lo, describe(y), w-1)
	case width == w:
		return sig{b: y.b, id: y.id}
	}
	b := y.b
	return sig{b: b, id: b.m.Add(ir.Node{Op: ir.Slice, Type: ir.TypeID(k), Width: int32(width), Pos: b.d.pos(), Aux: int32(lo)}, y.id)}
}

// extend widens x to width bits.
func extend(name string, op ir.Op, k ir.Kind, x sig, width int) sig {
	if x.x != nil && x.x.is == literal && x.x.width == 0 && x.x.enumVal == nil {
		v, err := fit(x.x, width, nil)
		if err != nil {
			return mistake(nil, width, "literal", nil, "%s: %v", name, err)
		}
		return sig{x: &proto{is: literal, width: width, typ: x.x.typ, num: v}}
	}
	y, ok := unary(name, x, width)
	if !ok {
		return y
	}
	switch w := y.Width(); {
	case width < w || width > maxWidth:
		return mistake(y.b, max(width, 1), "range", origin(y), "%s: to %s from %d; Trunc cuts", name, plural(width, "bit"), w)
	case width == w:
		return sig{b: y.b, id: y.id}
	}
	return sig{b: y.b, id: y.b.add(op, ir.TypeID(k), width, y.id)}
}

// homelessOr is the poisoned result of an operation on a value without a width.
func homelessOr(name string, x sig) sig {
	if x.b != nil {
		return poisonOf(x.b, 1)
	}
	return homeless(name, []sig{x}, 1)
}

// Cat is the operands side by side, the first at the top.
func Cat(xs ...UInt) UInt {
	ss := make([]sig, len(xs))
	for i, x := range xs {
		ss[i] = x.sig
	}
	return UInt{cat("Cat", ss)}
}

func cat(name string, xs []sig) sig {
	width := 0
	for _, x := range xs {
		width += x.Width()
	}
	b, _ := moduleOf(xs)
	switch {
	case len(xs) == 0:
		return mistake(nil, 1, "range", nil, "%s: of nothing", name)
	case b == nil:
		return homeless(name, xs, width)
	case b.resolve(name, xs, false):
		return poisonOf(b, max(width, 1))
	case len(xs) == 1:
		return sig{b: b, id: xs[0].id}
	}
	ids := make([]ir.ID, len(xs))
	for i, x := range xs {
		ids[i] = x.id
	}
	return sig{b: b, id: b.add(ir.Cat, ir.TypeID(ir.UInt), width, ids...)}
}

// FromBits is a number made of bits, least significant first.
func FromBits(xs ...Bit) UInt {
	ss := make([]sig, len(xs))
	for i, x := range xs {
		ss[len(xs)-1-i] = x.sig
	}
	return UInt{cat("FromBits", ss)}
}
