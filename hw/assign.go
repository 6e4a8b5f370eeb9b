package hw

import (
	"reflect"

	"etch/ir"
	"etch/ir/bits"
)

// Set drives every scalar of dst with the matching scalar of src. A flipped scalar of a
// bundle goes the other way: src's is driven by dst's.
func Set[T any](dst, src T) { setAll("Set", dst, src) }

func setAll[T any](op string, dst, src T) {
	p := planOf[T]()

	// A scalar is its own handle.
	if p.leaf {
		assign(op, *(*sig)(ptr(&dst)), *(*sig)(ptr(&src)))
		return
	}

	err := p.pair(ptr(&dst), ptr(&src), false, func(_ leafKind, d, s *sig) {
		// A field that travels against its bundle is assigned the other way.
		if d.isFlipped() {
			assign(op, *s, *d)
			return
		}
		assign(op, *d, *s)
	})
	if err == nil {
		return
	}

	// The forms differ. One mistake says so; the scalars that are now left unset are not
	// reported too.
	if b := moduleIn(reflect.ValueOf([]T{dst, src}), 0); b != nil {
		b.d.report(newDiag("bundle", nil, "%s: %v", op, err))
		abandon(append(scalars(&dst), scalars(&src)...))
	}
}

// abandon excuses targets that a mistake has left without a value, so that they
// are not reported too.
func abandon(xs []sig) {
	for _, x := range xs {
		if !x.isPlain() {
			continue
		}
		if x.lv.settable() {
			x.b.excuse(x.lv.index())
		} else if at, _, ok := x.b.partOf(x); ok {
			// A mistake in a part excuses the whole target, whose other bits would be reported next.
			x.b.excuse(at)
		}
	}
}

// assign drives one scalar: it checks the target and the operand, then records src as dst's
// value in the present block.
func assign(op string, dst, src sig) {
	if !canSet(op, dst, src) {
		abandon([]sig{src})
		return
	}

	b := dst.b
	if dst.is(dynamic) {
		assignDynamic(op, dst, src)
		return
	}

	if !dst.lv.settable() {
		b.assignPart(op, dst, src)
		return
	}

	// Statements act in order: a chain before this one is merged first.
	b.flush()
	at, pos := dst.lv.index(), b.d.pos()
	if !plainPair(dst, src) || dst.typ().Kind == ir.EnumKind {
		xs := [2]sig{dst, src}
		if _, bad := b.agree(op, dst.typ().Kind, xs[:]); bad {
			b.put(at, value{id: b.filler(dst), pos: pos}, pos, false)
			return
		}
		src = xs[1]
	}

	// A Set in the block that has already set the whole target makes the first one void.
	if t := b.targets.at(at); t.setIn == b.frame.serial {
		b.twice(op, describe(dst), 1, t.part, t.setAt)
	}
	b.put(at, value{id: src.id, pos: pos}, pos, false)
}

// canSet reports whether dst can be Set. If not, it reports the mistake, with a hint for
// the two common cases: an input of the module itself, and an output of an instance.
func canSet(op string, dst, src sig) bool {
	b := dst.b
	var base sig
	switch {
	case dst.is(poison):
		// A target without a module reports in that of the value.
		to := b
		if to == nil {
			to = moduleOf(src)
		}
		to.meetStray(dst)
	case b == nil && !dst.isSet():
		moduleOf(src).stray(newDiag("unset", nil, "%s: the target is unset (a zero value of its type)", op))
	case b == nil:
		moduleOf(src).stray(newDiag("target", nil, "%s: the target is %s", op, describe(dst)))
	case b.done:
		b.d.report(newDiag("module", declared(dst), "%s: module %s is finished; %s cannot be set any more", op, b.m.Name, describe(dst)))
	case dst.is(padEnd):
		b.padNotValue(op, dst)
	case dst.is(dynamic) || dst.lv.settable():
		return true
	default:
		if _, _, ok := b.partOf(dst); ok {
			return true
		}
		id, _ := b.rootOf(dst.id)
		base = sig{b: b, id: id}
	}

	// Otherwise the reason depends on the thing that dst is or is a part of.
	switch {
	case base.b == nil: // reported
	case b.m.Op(base.id) == ir.Input:
		notes := declared(base)

		// If the value could be Set itself, the two sides were probably exchanged.
		if src.isPlain() && src.lv.settable() {
			notes = append(notes, Note{Msg: "the other way round: " + describe(src) + ".Set(" + describe(dst) + ")"})
		}
		b.d.report(newDiag("direction", notes, "%s: %s is an input of %s; only its parent drives it", op, describe(base), b.m.Name))
	case b.m.Op(base.id) == ir.InstOut:
		b.d.report(newDiag("direction", declared(base), "%s: %s is an output of an instance", op, describe(base)))
	default:
		b.d.report(newDiag("target", origin(dst), "%s: %s is a value; only registers, wires, outputs and inputs of instances can be set", op, describe(dst)))
	}
	return false
}

// assignDynamic sets the element that the index chooses. An index past the end sets none.
func assignDynamic(op string, dst, src sig) {
	b, from := dst.b, dst.x.dyn
	xs := [2]sig{dst, src}

	// The value is checked once, or each branch would report the same mistake.
	if _, bad := b.agree(op, dst.typ().Kind, xs[:]); bad {
		abandon(append(from.elems, from.number))
		return
	}

	b.flush()

	// A bit of a number that has a value takes a mask in place of a branch for each bit.
	if from.elems == nil && b.assignMasked(from, xs[1].id) {
		return
	}

	// One branch per element, as if the designer had written a When for each. An index too
	// narrow to reach an element ends the loop.
	for i := range from.count() {
		if bitLen(i) > from.index.Width() {
			break
		}
		is := b.bit(ir.Eq, from.index.id, b.constant(bits.New(from.index.Width(), uint64(i)), 0))
		branch(b, nil, op, is, func() { assign(op, from.elem(op, i), xs[1]) })
	}
}

// assignMasked sets the chosen bit of a number that has a value already, of any
// width: mask | old where the bit is high, ~mask & old where it is low. It reports
// false, and does nothing, where the number has no single value yet.
func (b *body) assignMasked(to *selection, bit ir.ID) bool {
	if !to.number.lv.settable() {
		return false
	}

	at := to.number.lv.index()

	// Without one value for all bits there is nothing to mask.
	t := b.targets.at(at)
	if t.pieces != nil || t.cur.id == ir.None || t.cur.hole != nil {
		return false
	}

	w, typ, pos, old := to.number.Width(), b.m.Node(t.id).Type, b.d.pos(), t.cur.id
	mask := b.add(ir.Shl, typ, w, b.constant(bits.New(w, 1), typ), to.index.id)
	set := func() ir.ID { return b.add(ir.Or, typ, w, old, mask) }
	clear := func() ir.ID { return b.add(ir.And, typ, w, old, b.add(ir.Not, typ, w, mask)) }

	// A constant bit needs only one of the two forms.
	var id ir.ID
	switch {
	case b.isConst(bit, 1):
		id = set()
	case b.isConst(bit, 0):
		id = clear()
	default:
		id = b.add(ir.Mux, typ, w, bit, set(), clear())
	}
	b.put(at, value{id: id, pos: pos}, pos, true)
	return true
}

// isTarget reports whether x can be Set, as a whole or as part of a target.
func (b *body) isTarget(x sig) bool {
	if !x.isPlain() || b.done {
		return false
	}
	if x.lv.settable() {
		return true
	}
	_, _, ok := b.partOf(x)
	return ok
}
