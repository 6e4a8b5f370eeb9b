package passes

import (
	"etch/ir"
	"etch/ir/bits"
)

// Fold evaluates operations on constants and applies the identities of each op: x&0, x+0,
// products with 0, 1 and powers of two, shifts by constants, a value compared with itself,
// slices of slices, concatenations and extensions, and others. Uses of wires become uses of
// their drivers, so that later passes see through them. Registers that never leave their
// initial value become constants.
//
// It needs a verified module. It keeps ports, memories, instances, statements and every
// name. A named value that was replaced keeps its name on a Wire, unless the replacement
// has no name and takes it. A register without an initial value is never taken for a
// constant, so that a forgotten reset stays visible.
func Fold(m *ir.Module) Count { return toFixpoint(m, foldOnce) }

func foldOnce(m *ir.Module) Count {
	// Constant registers are found on the old module as a whole, before the rewriting.
	r := newRebuilder(m)
	fixed := constantRegisters(m)
	r.countWires()
	r.walk(func(r *rebuilder, id ir.ID, args []ir.ID) ir.ID {
		if m.Op(id) == ir.Reg {
			if v, ok := fixed[id]; ok && !m.HasAttrs(id) {
				r.count[ConstRegs]++
				r.gone[m.Node(id).Aux] = true
				return r.konst(v)
			}
			return ir.None
		}
		return foldRule(r, id, args)
	})
	return r.finish()
}

// countWires counts the uses of wires where only the value matters; walk bypasses them.
func (r *rebuilder) countWires() {
	for id := ir.ID(1); int(id) < r.old.Len(); id++ {
		if r.old.Op(id) == ir.Wire {
			continue
		}
		for _, a := range r.old.Args(id) {
			if r.old.Op(a) == ir.Wire {
				r.count[Wires]++
			}
		}
	}
	eachRef(r.old, func(id ir.ID, typed bool) {
		if !typed && id != ir.None && r.old.Op(id) == ir.Wire {
			r.count[Wires]++
		}
	})
}

// foldRules are the identities by op; each returns None when none applies.
var foldRules = [ir.NumOps]func(r *rebuilder, w int, args []ir.ID) ir.ID{
	ir.Not: foldNot, ir.And: foldAnd, ir.Or: foldOr, ir.Xor: foldXor,
	ir.Add: foldAdd, ir.Sub: foldSub, ir.Mul: foldMul, ir.MulS: foldMulS,
	ir.Div: foldDiv, ir.DivS: foldDivS, ir.Rem: foldRem, ir.RemS: foldRemS,
	ir.Eq: foldEq, ir.Lt: foldLt, ir.LtS: foldLtS,
	ir.Shl: foldShift, ir.Shr: foldShift, ir.ShrS: foldShrS,
	ir.Cat: foldCat, ir.ZExt: foldZExt, ir.SExt: foldSExt,
	ir.RedAnd: foldRedAnd, ir.RedOr: foldRedOr, ir.RedXor: foldRedXor, ir.PopCount: foldPopCount,
}

// foldRule folds one node: constants first, then the identities of its op.
func foldRule(r *rebuilder, id ir.ID, args []ir.ID) ir.ID {
	n := r.old.Node(id)
	if n.Op.Info().Leaf {
		return ir.None
	}

	if n.Op == ir.MemRead {
		return r.counted(Folded, foldMemRead(r, &r.old.Mems[n.Aux], args[0]))
	}

	// Constant operands: the reference semantics give the result.
	if values, ok := r.constants(args); ok {
		r.count[Folded]++
		if n.Op == ir.Lut {
			r.count[LutsRemoved]++
		}
		return r.konst(ir.Eval(r.old, id, values))
	}

	// Slices look through wiring.
	if n.Op == ir.Slice {
		v, ok := r.trySlice(args[0], int(n.Aux), int(n.Width))
		if !ok {
			return ir.None
		}
		return r.counted(Identities, v)
	}

	if f := foldRules[n.Op]; f != nil {
		return r.counted(Identities, f(r, int(n.Width), args))
	}
	return ir.None
}

// counted counts v, unless it is None.
func (r *rebuilder) counted(k Kind, v ir.ID) ir.ID {
	if v != ir.None {
		r.count[k]++
	}
	return v
}

// constants returns the values of args if all are constants.
func (r *rebuilder) constants(args []ir.ID) ([]bits.Value, bool) {
	for _, a := range args {
		if r.op(a) != ir.Const {
			return nil, false
		}
	}
	values := make([]bits.Value, len(args))
	for i, a := range args {
		values[i] = r.m.ConstOf(a)
	}
	return values, true
}

// foldMemRead reads a ROM at a constant address. An address past the end reads 0 in any
// memory.
func foldMemRead(r *rebuilder, mem *ir.Memory, addr ir.ID) ir.ID {
	v, ok := r.constOf(addr)
	if !ok {
		return ir.None
	}
	if !v.IsUint64() || v.Uint64() >= uint64(mem.Depth) {
		return r.zero(mem.Width)
	}

	// Only a ROM with known contents can be read now.
	if len(mem.Writes) > 0 || mem.Init == nil {
		return ir.None
	}

	return r.konst(mem.Word(int(v.Uint64())))
}
