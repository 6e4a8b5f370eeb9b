package passes

import (
	"slices"

	"etch/ir"
)

// DCE removes everything that no port and no statement depends on: operations, registers,
// memories and their read ports, and instances whose outputs nobody reads and that contain
// no statements or black boxes. A memory that is written but never read goes, with its
// write ports.
//
// It needs a verified module and keeps ports, statements and everything with attributes.
// With keepNames it also keeps every named node, with everything that the node depends on,
// and every instance.
func DCE(m *ir.Module, keepNames bool) Count {
	if m.Extern != nil {
		return Count{}
	}

	k := newMarker(m)
	if keepNames {
		k.named()
	}
	return sweep(m, k, keepNames)
}

// sweep removes what neither k's marks nor the surroundings of m depend on. All instances stay
// if keepInsts.
func sweep(m *ir.Module, k *marker, keepInsts bool) Count {
	// Mark from the roots,
	k.surface()
	k.attributed()

	// and instances that have effects of their own,
	effects := map[*ir.Module]bool{}
	for i := range m.Insts {
		if keepInsts || hasEffects(m.Insts[i].Mod, effects) {
			k.instance(i)
		}
	}

	// and everything they depend on.
	k.run()
	c := k.dead()
	if c.Total() > 0 {
		*m = *compact(m, k)
	}
	return c
}

// hasAttrs reports whether a module or anything in it has attributes.
func hasAttrs(m *ir.Module) bool {
	k := newMarker(m)
	k.attributed()
	return m.Attrs != nil || len(k.stack) > 0 || slices.Contains(k.mems, true) || slices.Contains(k.insts, true)
}

// hasEffects reports whether a module has an effect besides its outputs, or must stay: it
// has a statement, a net, an attribute or a black box, or an instance of such a module.
func hasEffects(m *ir.Module, known map[*ir.Module]bool) bool {
	if e, ok := known[m]; ok {
		return e
	}
	// known also ends the recursion on shared modules.
	e := len(m.Stmts) > 0 || m.Extern != nil || len(m.Nets) > 0 || hasAttrs(m)
	for i := 0; i < len(m.Insts) && !e; i++ {
		e = hasEffects(m.Insts[i].Mod, known)
	}
	known[m] = e
	return e
}

// dead counts what is not marked.
func (k *marker) dead() Count {
	var c Count
	for id := ir.ID(1); int(id) < k.m.Len(); id++ {
		if !k.nodes[id] {
			c.dead(k.m.Op(id))
		}
	}
	for i := range k.m.Regs {
		c[DeadRegs] += one(!k.regs[i])
	}
	for i := range k.m.Mems {
		c[DeadMems] += one(!k.mems[i])
	}
	for i := range k.m.Insts {
		c[DeadInsts] += one(!k.insts[i])
	}
	return c
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
