package hw

import (
	"etch/hw/internal/caller"
	"etch/ir"
	"etch/ir/bits"
)

// foldable reports whether xs are all literals, of which one at least has a width
// of its own. Generic helpers meet such operands where their caller gives
// constants; their result is a literal too.
func foldable(xs ...sig) bool {
	sized := false
	for _, x := range xs {
		if !x.is(literal) || x.x.lit.enum != nil {
			return false
		}
		sized = sized || x.isSized()
	}
	return sized
}

// fold evaluates operation op on literals xs; the result is a literal. f builds the
// operation as for signals, on operands of a module that is thrown away. Thus an operation
// has one meaning, that of [ir.Eval]. If xs are not all literals, or none has a width, fold
// reports it and returns a poisoned value of the given width.
func fold(op string, width int, f func(xs []sig) sig, xs ...sig) sig {
	if !foldable(xs...) {
		return homeless(op, width, xs...)
	}

	b := scratch()

	// Literals with a width become constants of the scratch module; the others take theirs there.
	live := make([]sig, len(xs))
	for i, x := range xs {
		live[i] = x
		if x.isSized() {
			live[i] = sig{b: b, id: b.constant(x.x.lit.num, b.m.AddType(x.x.typ))}
		}
	}
	y := f(live)

	// The mistakes of a scratch module are nobody's; the result carries the first
	// one to the module that it meets.
	if len(b.d.diags) > 0 {
		p := poisonOf(nil, width)
		p.x.diag = &b.d.diags[0]
		return p
	}

	if !y.isLive() {
		return y
	}

	// The result is a literal of the node's display type.
	out := literalOf(y.Width(), ir.UInt, litValue{num: b.value(y.id)})
	out.x.typ = b.m.TypeOf(b.m.Node(y.id).Type)
	return out
}

// scratch is a body of no design, in which an operation on constants is built.
func scratch() *body {
	d := &design{src: ir.NewSources(), byStack: map[caller.Stack]ir.Pos{}, reported: map[string]bool{}}
	return &body{d: d, m: ir.NewModule("literals", d.src), consts: map[constKey]ir.ID{}}
}

// value evaluates node id, all of whose leaves are constants.
func (b *body) value(id ir.ID) bits.Value {
	if b.m.Op(id) == ir.Const {
		return b.m.ConstOf(id)
	}

	var args []bits.Value
	for _, a := range b.m.Args(id) {
		args = append(args, b.value(a))
	}
	return ir.Eval(b.m, id, args)
}
