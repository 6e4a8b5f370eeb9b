package derived

import (
	"etch/ir"
	"etch/ir/bits"
)

// source is the origin of a clock: an input, possibly inverted; a constant (root is None);
// or computed.
type source struct {
	root     ir.ID
	inverted bool
	made     bool
}

// maxGates bounds the gates between an input and a clock that is equal to it.
const maxGates = 10000

// follow traces a clock back through everything that passes it on unchanged or inverted.
func (r *resolver) follow(id ir.ID, depth int) source {
	m := r.m
	if _, ok := r.constant(id); ok {
		return source{}
	}

	args := m.Args(id)

	// A loop of latches has no end.
	if depth > maxGates || m.Width(id) != 1 {
		return source{made: true}
	}
	// Inversion of a constant is a constant: it has no edges.
	flip := func(k source, by bool) source {
		k.inverted = k.inverted != (by && k.root != ir.None)
		return k
	}

	switch n := m.Node(id); n.Op {
	case ir.Input:
		r.root(id)
		return source{root: id}

	case ir.Wire, ir.ZExt, ir.SExt, ir.Slice, ir.RedAnd, ir.RedOr, ir.RedXor:
		if m.Width(args[0]) == 1 {
			return r.follow(args[0], depth+1)
		}
	case ir.Not:
		return flip(r.follow(args[0], depth+1), true)
	// A gate with a constant operand passes the other one, perhaps inverted.
	case ir.And, ir.Or, ir.Xor, ir.Eq:
		if len(args) != 2 {
			break
		}
		for i, a := range args {
			v, ok := r.constant(a)
			if !ok || m.Width(a) != 1 {
				continue
			}
			one := !v.IsZero()
			switch {
			case n.Op == ir.Xor:
				return flip(r.follow(args[1-i], depth+1), one)
			case n.Op == ir.Eq:
				return flip(r.follow(args[1-i], depth+1), !one)
			default: // it passes; the other constant would be the result's
				return r.follow(args[1-i], depth+1)
			}
		}

	case ir.Mux:
		if v, ok := r.constant(args[0]); ok {
			if v.IsZero() {
				return r.follow(args[2], depth+1)
			}
			return r.follow(args[1], depth+1)
		}
	}
	return source{made: true}
}

// root makes an input a clock.
func (r *resolver) root(id ir.ID) {
	for _, x := range r.roots {
		if x == id {
			return
		}
	}
	r.roots = append(r.roots, id)

	// Inputs of any one-bit type may turn out to be clocks.
	clock := r.m.AddType(ir.Type{Kind: ir.Clock})
	r.m.Node(id).Type = clock
	r.m.Ports[r.m.Node(id).Aux].Type = clock
}

// constant is the value of a node if it is constant. Results are cached; a node in a loop,
// of latches, counts as not constant.
func (r *resolver) constant(id ir.ID) (bits.Value, bool) {
	if v, ok := r.consts[id]; ok {
		if v == nil {
			return bits.Value{}, false
		}
		return *v, true
	}
	r.consts[id] = nil // until it is known: a loop, through latches, finds it not constant
	m := r.m
	n := m.Node(id)
	if n.Op == ir.Const {
		v := m.ConstOf(id)
		r.consts[id] = &v
		return v, true
	}
	if n.Op.Info().Leaf || n.Op == ir.MemRead {
		return bits.Value{}, false
	}

	// One operand may decide an and or an or.
	args := append([]ir.ID(nil), m.Args(id)...)
	values, all := make([]bits.Value, len(args)), true
	for i, a := range args {
		v, ok := r.constant(a)
		values[i] = v
		all = all && ok
		if ok && m.Width(id) == 1 && (n.Op == ir.And && v.IsZero() || n.Op == ir.Or && !v.IsZero()) {
			r.consts[id] = &v
			return v, true
		}
	}
	if !all {
		return bits.Value{}, false
	}
	v := ir.Eval(m, id, values)
	r.consts[id] = &v
	return v, true
}
