package hw

import (
	"unsafe"

	"etch/ir"
	"etch/ir/bits"
)

// target is something that can be Set.
type target struct {
	kind  targetKind
	id    ir.ID // its Wire or Reg node
	inst  int32 // instance input: the instance and the port
	port  int32
	cur   value  // what it holds at this point of the current frame
	log   int32  // serial of the frame that has saved the outer state
	setIn int32  // serial of the frame that set it last, 0 for none
	setAt ir.Pos // where
	part  bool   // that set was conditional
}

type targetKind uint8

const (
	regTarget targetKind = iota
	wireTarget
	outTarget
	instTarget
	portTarget // a field of a memory port
)

// value is what a target holds: a node, and the conditions under which nothing
// was set, if any.
type value struct {
	id   ir.ID // None: nothing at all
	hole *hole
}

// hole is a path of conditions on which a target is not set.
type hole struct {
	cond string
	next *hole
}

// frame is a block of statements under one condition.
type frame struct {
	parent  *frame
	serial  int32
	cond    func() ir.ID // this frame's own condition; nil at the top
	undo    []undo
	pending *Chain
}

type undo struct {
	at    int32
	saved target
}

// addTarget makes node id settable and returns the handle's lv.
func (b *body) addTarget(t target) int32 {
	b.targets = append(b.targets, t)
	return int32(len(b.targets))
}

// push opens a block.
func (b *body) push(cond func() ir.ID) *frame {
	b.serials++
	f := &frame{parent: b.frame, serial: b.serials, cond: cond}
	b.frame = f
	return f
}

// pop closes the block and returns what it set, undoing it outside.
func (b *body) pop() []setting {
	b.flush()
	f := b.frame
	out := make([]setting, len(f.undo))
	for i, u := range f.undo {
		t := &b.targets[u.at]
		out[i] = setting{u.at, t.cur}
		*t = u.saved
	}
	b.frame = f.parent
	return out
}

// setting is a target with the value a block gives it.
type setting struct {
	at int32
	v  value
}

// put gives a target a value in the current frame.
func (b *body) put(at int32, v value, pos ir.Pos, part bool) {
	t, f := &b.targets[at], b.frame
	if t.log != f.serial {
		f.undo = append(f.undo, undo{at, *t})
		t.log = f.serial
	}
	t.cur, t.setIn, t.setAt, t.part = v, f.serial, pos, part
}

// enable is the conjunction of all conditions around the current frame, None
// for none.
func (b *body) enable() ir.ID {
	en := ir.None
	for f := b.frame; f != nil && f.cond != nil; f = f.parent {
		en = b.and(f.cond(), en)
	}
	return en
}

// and is x ∧ y of one-bit nodes, either of which may be None for true.
func (b *body) and(x, y ir.ID) ir.ID {
	switch {
	case x == ir.None:
		return y
	case y == ir.None:
		return x
	}
	return b.add(ir.And, ir.TypeID(ir.Bool), 1, x, y)
}

// add appends a node at the user's line.
func (b *body) add(op ir.Op, t ir.TypeID, width int, args ...ir.ID) ir.ID {
	return b.m.Add(ir.Node{Op: op, Type: t, Width: int32(width), Pos: b.d.pos()}, args...)
}

// assign is Set of one scalar.
func assign(dst, src sig) {
	b := dst.b
	if !settable(dst, src) {
		return
	}
	if dst.x != nil { // a dynamic element: one conditional Set per element
		assignDynamic(dst, src)
		return
	}
	t := &b.targets[dst.lv-1]
	xs := [2]sig{dst, src}
	if _, bad := b.agree("Set", xs[:]); bad {
		b.put(dst.lv-1, value{id: b.filler(dst)}, b.d.pos(), false)
		return
	}
	b.flush()
	pos := b.d.pos()
	if t.setIn == b.frame.serial {
		what := "set"
		if t.part {
			what = "set under a condition"
		}
		note := Note{b.d.src.At(t.setAt), "first " + what + " here"}
		b.d.report(newDiag("twice", []Note{note}, "Set: %s is already %s in this block, so the earlier value is lost", describe(dst), what))
	}
	b.put(dst.lv-1, value{id: xs[1].id}, pos, false)
}

// filler is a value of dst's width that stands for a mistaken one.
func (b *body) filler(dst sig) ir.ID { return b.constant(bits.Zero(dst.Width()), 0) }

// settable reports what is wrong with the target of a Set.
func settable(dst, src sig) bool {
	b := dst.b
	switch {
	case dst.x != nil && dst.x.is == poison:
		return false
	case b == nil && dst.x == nil:
		mistake(src.b, 0, "unset", nil, "Set: the target is unset (a zero value of its type)")
	case b == nil:
		mistake(src.b, 0, "target", nil, "Set: the target is %s", describe(dst))
	case b.done:
		b.d.report(newDiag("module", nil, "Set: module %s is finished; %s cannot be set from outside", b.m.Name, describe(dst)))
	case dst.lv > 0 || dst.x != nil:
		return true
	case b.m.Op(dst.id) == ir.Input:
		b.d.report(newDiag("direction", declared(dst), "Set: %s is an input of %s; only its parent drives it", describe(dst), b.m.Name))
	case b.m.Op(dst.id) == ir.InstOut:
		b.d.report(newDiag("direction", declared(dst), "Set: %s is an output of an instance", describe(dst)))
	default:
		b.d.report(newDiag("target", origin(dst), "Set: %s is a value; only registers, wires, outputs and inputs of instances can be set", describe(dst)))
	}
	return false
}

func declared(s sig) []Note {
	return []Note{{s.b.at(s.id), describe(s) + " is declared here"}}
}

// assignDynamic sets the element that the index chooses; past the end, none.
func assignDynamic(dst, src sig) {
	b := dst.b
	var ch *Chain
	for i, elem := range dst.x.elems {
		if bitLen(i) > dst.x.index.Width() {
			break
		}
		is := b.add(ir.Eq, ir.TypeID(ir.Bool), 1, dst.x.index.id, b.constant(bits.New(dst.x.index.Width(), uint64(i)), 0))
		ch = branch(b, ch, is, func() { assign(elem, src) })
	}
}

// Set drives every scalar of dst with that of src. Flipped scalars of a bundle
// go the other way: src's is driven with dst's.
func Set[T any](dst, src T) {
	p := planOf[T]()
	err := p.pair(unsafe.Pointer(&dst), unsafe.Pointer(&src), func(_ leafKind, d, s *sig) {
		if d.flipped() {
			assign(*s, *d)
			return
		}
		assign(*d, *s)
	})
	if err == nil {
		err = p.err
	}
	if err != nil {
		b, _ := moduleOf(append(scalars(&dst), scalars(&src)...))
		mistake(b, 0, "bundle", nil, "Set: %v", err)
	}
}

// flipped reports whether a signal belongs to a field that travels against its
// bundle.
func (s sig) flipped() bool {
	if s.x != nil {
		return s.x.flip
	}
	return s.b != nil && s.b.d.flips[flipKey{s.b, s.id}]
}

type flipKey struct {
	b  *body
	id ir.ID
}

// moduleOf finds the module that some of the handles belong to.
func moduleOf(xs []sig) (*body, sig) {
	for _, x := range xs {
		if x.b != nil && !x.b.done {
			return x.b, x
		}
	}
	return nil, sig{}
}
