package passes

import (
	"etch/ir"
	"etch/ir/bits"
)

func foldNot(r *rebuilder, w int, args []ir.ID) ir.ID {
	if r.op(args[0]) == ir.Not {
		return r.m.Args(args[0])[0]
	}
	return ir.None
}

// not returns the inverse of x, simplified.
func (r *rebuilder) not(x ir.ID) ir.ID {
	if v, ok := r.constOf(x); ok {
		return r.konst(v.Not())
	}
	if v := foldNot(r, 0, []ir.ID{x}); v != ir.None {
		return v
	}
	return r.node(ir.Not, r.width(x), x)
}

// terms is the arguments of And, Or or Xor with the constants combined.
type terms struct {
	args    []ir.ID
	value   bits.Value // of the constants together
	consts  int
	changed bool
	inverse bool // some argument is the inverse of another
}

// gather drops repeated arguments; for Xor (pairs) both of an equal pair.
func (r *rebuilder) gather(args []ir.ID, start bits.Value, f func(x, y bits.Value) bits.Value, pairs bool) terms {
	t := terms{value: start}
	// Combine the constants, and count the occurrences of the others.
	odd := make(map[ir.ID]bool, len(args)) // by argument: it is there (for pairs: an odd number of times)
	for _, a := range args {
		if v, ok := r.constOf(a); ok {
			t.value = f(t.value, v)
			t.consts++
			continue
		}
		if odd[a] {
			t.changed = true
		}
		odd[a] = !odd[a] || !pairs
	}

	// An argument and its inverse,
	for _, a := range args {
		t.inverse = t.inverse || odd[a] && r.op(a) == ir.Not && odd[r.m.Args(a)[0]]
	}

	// and the arguments that are left, in their order.
	for _, a := range args {
		if odd[a] {
			t.args = append(t.args, a)
			odd[a] = false
		}
	}
	return t
}

// rest makes the operation of the remaining terms; neutral is the constant without effect.
// None means that nothing changed.
func (r *rebuilder) rest(op ir.Op, w int, t terms, neutral bits.Value) ir.ID {
	drop := t.consts > 0 && t.value.Equal(neutral)
	if !t.changed && !drop && t.consts < 2 {
		return ir.None
	}

	args := t.args
	if t.consts > 0 && !drop {
		args = append(args, r.konst(t.value))
	}
	switch len(args) {
	case 0:
		return r.konst(neutral)
	case 1:
		return args[0]
	}
	return r.node(op, w, args...)
}

func foldAnd(r *rebuilder, w int, args []ir.ID) ir.ID {
	// x & ~x is 0, as is x & 0.
	t := r.gather(args, bits.Ones(w), bits.Value.And, false)
	if t.inverse || t.value.IsZero() {
		return r.zero(w)
	}
	if v := r.rest(ir.And, w, t, bits.Ones(w)); v != ir.None {
		return v
	}
	if len(t.args) == 1 {
		return r.masked(t.args[0], t.value)
	}
	return ir.None
}

// masked is x & mask for a mask whose ones are contiguous: a slice between zeros. Else
// None.
func (r *rebuilder) masked(x ir.ID, mask bits.Value) ir.ID {
	w, high, n := mask.Width(), mask.Len(), mask.PopCount()
	low := high - n
	// Adding 1 to the ones at the bottom clears them all if they are contiguous.
	if mask.Bit(low) == 0 || !mask.Shr(uint64(low)).Add(bits.New(w, 1)).And(mask.Shr(uint64(low))).IsZero() {
		return ir.None
	}

	v := r.slice(x, low, n)
	if low > 0 {
		v = r.cat([]ir.ID{v, r.zero(low)})
	}
	return r.zext(v, w)
}

func foldOr(r *rebuilder, w int, args []ir.ID) ir.ID {
	// The or of x and its inverse is all ones, as is x beside all ones.
	t := r.gather(args, bits.Zero(w), bits.Value.Or, false)
	if t.inverse || t.value.IsOnes() {
		return r.ones(w)
	}
	return r.rest(ir.Or, w, t, bits.Zero(w))
}

func foldXor(r *rebuilder, w int, args []ir.ID) ir.ID {
	t := r.gather(args, bits.Zero(w), bits.Value.Xor, true)
	if t.inverse && len(t.args) == 2 {
		return r.konst(t.value.Not()) // x ^ ~x is all ones
	}
	if v := r.rest(ir.Xor, w, t, bits.Zero(w)); v != ir.None {
		return v
	}

	// The XOR with all ones is the inverse.
	if len(t.args) == 1 && t.value.IsOnes() {
		return r.not(t.args[0])
	}
	return ir.None
}

func foldRedAnd(r *rebuilder, w int, args []ir.ID) ir.ID { return r.reduce(ir.RedAnd, args[0]) }
func foldRedOr(r *rebuilder, w int, args []ir.ID) ir.ID  { return r.reduce(ir.RedOr, args[0]) }
func foldRedXor(r *rebuilder, w int, args []ir.ID) ir.ID { return r.reduce(ir.RedXor, args[0]) }

// reduce simplifies a reduction of one bit or of an extended value.
func (r *rebuilder) reduce(op ir.Op, x ir.ID) ir.ID {
	// Extension by zeros decides an and, and changes no or; copies of the sign change
	// neither and nor or.
	switch ext := r.op(x); {
	case r.width(x) == 1:
		return x
	case ext == ir.ZExt && op == ir.RedAnd && r.width(r.m.Args(x)[0]) < r.width(x):
		return r.zero(1)
	case ext == ir.ZExt, ext == ir.SExt && op != ir.RedXor:
		y := r.m.Args(x)[0]
		if v := r.reduce(op, y); v != ir.None {
			return v
		}
		return r.node(op, 1, y)
	}
	return ir.None
}

func foldPopCount(r *rebuilder, w int, args []ir.ID) ir.ID {
	x := args[0]
	switch {
	case r.width(x) == 1:
		return x
	case r.op(x) == ir.ZExt:
		y := r.m.Args(x)[0]
		if r.width(y) == 1 {
			return r.zext(y, w)
		}
		return r.zext(r.node(ir.PopCount, ir.CountWidth(r.width(y)), y), w)
	}
	return ir.None
}

func foldCat(r *rebuilder, w int, args []ir.ID) ir.ID {
	if v, ok := r.tryCat(args); ok {
		return v
	}
	return ir.None
}

func foldZExt(r *rebuilder, w int, args []ir.ID) ir.ID {
	if v, ok := r.tryZExt(args[0], w); ok {
		return v
	}
	return ir.None
}

func foldSExt(r *rebuilder, w int, args []ir.ID) ir.ID {
	if v, ok := r.trySExt(args[0], w); ok {
		return v
	}
	return ir.None
}
