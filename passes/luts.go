package passes

import (
	"math/bits"

	"etch/ir"
	irbits "etch/ir/bits"
)

// Luts simplifies look-up tables: constant, repeated and inverted inputs, inputs that the
// table ignores, and inputs that matter only for impossible addresses. Addresses are
// impossible if inputs are comparisons of one value with constants: x > 9 implies x > 3, so
// two bits of a thermometer code have three combinations, not four. This holds behind
// registers too, if these agree in clock, reset and enable, and start with values that the
// comparisons can have. Impossible entries are cleared, so that equal tables look equal to
// [CSE]. A table with one use, in another table, is merged into it if the result has at
// most six inputs.
//
// It needs a verified module; comparisons are recognised best after [Fold] and [Narrow]. It
// keeps the same things as Fold, and every named table.
func Luts(m *ir.Module) Count { return toFixpoint(m, lutsOnce) }

func lutsOnce(m *ir.Module) Count {
	// Most modules have no tables.
	any := false
	for id := ir.ID(1); int(id) < m.Len() && !any; id++ {
		any = m.Op(id) == ir.Lut
	}
	if !any {
		return Count{}
	}
	l := &lutRewriter{rebuilder: newRebuilder(m), uses: usesOf(m), thermo: newThermometers(m)}
	l.walk(func(_ *rebuilder, id ir.ID, args []ir.ID) ir.ID {
		l.note(id)
		if m.Op(id) == ir.Lut {
			return l.rule(id, args)
		}
		return ir.None
	})
	return l.finish()
}

type lutRewriter struct {
	*rebuilder
	uses   []int32
	from   []ir.ID // by new node: the first old node with that value, None if there is none
	last   ir.ID   // the old node before the current one
	thermo *thermometers
}

// note records the new node of the node before id: only now is it known.
func (l *lutRewriter) note(id ir.ID) {
	for len(l.from) < l.m.Len() {
		l.from = append(l.from, ir.None)
	}

	// The first old node of a value is kept.
	if v := l.to[l.last]; v != ir.None && l.from[v] == ir.None {
		l.from[v] = l.last
	}
	l.last = id
}

// origin is the old node that new node p stands for, None if there is none.
func (l *lutRewriter) origin(p ir.ID) ir.ID {
	if int(p) >= len(l.from) {
		return ir.None
	}
	return l.from[p]
}

// rule rewrites old table id with the given inputs; None if nothing changes. Merging comes
// first, as it may bring inputs that the other steps remove.
func (l *lutRewriter) rule(id ir.ID, args []ir.ID) ir.ID {
	t := tableOf(l.old.TableOf(id))
	pins := append([]ir.ID(nil), args...)
	before := l.count.Total()
	t, pins = l.merge(t, pins)
	t, pins = l.normalise(t, pins)
	t, pins = l.decide(t, pins)
	if l.count.Total() == before && t.n > 1 {
		return ir.None
	}

	// Tables of no or one input are constants, wires or inverters.
	switch {
	case t.n == 0:
		l.count[LutsRemoved]++
		return l.konst(irbits.New(1, t.value[0]&1))
	case t.n == 1:
		l.count[LutsRemoved]++
		if get(t.value, 0) {
			return l.not(pins[0])
		}
		return pins[0]
	}
	return l.m.AddLut(t.bits(), l.old.Node(id).Pos, pins...)
}

// normalise removes constant, inverted and repeated inputs.
func (l *lutRewriter) normalise(t lutTable, pins []ir.ID) (lutTable, []ir.ID) {
	// i advances only past inputs that stay.
	for i := 0; i < len(pins); {
		if l.op(pins[i]) == ir.Not {
			pins[i] = l.m.Args(pins[i])[0]
			t = t.flip(i)
			l.count[LutInverters]++
			continue
		}
		if v, ok := l.constOf(pins[i]); ok {
			t = t.fix(i, int(v.Uint64()))
			pins = append(pins[:i], pins[i+1:]...)
			l.count[LutPins]++
			continue
		}
		if j := indexOf(pins[:i], pins[i]); j >= 0 {
			t = t.same(j, i)
			pins = append(pins[:i], pins[i+1:]...)
			l.count[LutPins]++
			continue
		}
		i++
	}
	return t, pins
}

func indexOf(list []ir.ID, x ir.ID) int {
	for i, y := range list {
		if y == x {
			return i
		}
	}
	return -1
}

// decide drops the inputs on which the possible entries do not depend, and clears the
// impossible entries.
func (l *lutRewriter) decide(t lutTable, pins []ir.ID) (lutTable, []ir.ID) {
	// The inputs that matter before and after the impossible addresses are known; the
	// difference is for the report.
	mask := t.support()
	old := make([]ir.ID, len(pins))
	for i, p := range pins {
		old[i] = l.origin(p)
	}

	if l.thermo.restrict(t, old) {
		free := bits.OnesCount(uint(mask))
		mask = t.support()
		l.count[LutPinsImplied] += max(0, free-bits.OnesCount(uint(mask)))
	}

	// Only the inputs that matter stay.
	out, _ := t.project(mask)
	kept := make([]ir.ID, 0, out.n)
	for i, p := range pins {
		if mask>>i&1 == 1 {
			kept = append(kept, p)
		}
	}

	l.count[LutPins] += len(pins) - len(kept)

	// With all inputs kept, count the entries that became impossible.
	if len(pins) == len(kept) {
		for a, v := range t.value {
			l.count[LutEntries] += bits.OnesCount64(v &^ out.value[a])
		}
	}
	return out, kept
}

// merge absorbs tables with one use into this one, as long as six inputs suffice.
func (l *lutRewriter) merge(t lutTable, pins []ir.ID) (lutTable, []ir.ID) {
	for i := 0; i < len(pins); i++ {
		if !l.single(pins[i]) {
			continue
		}
		// The inputs of both together; at maps the inner inputs to them.
		inner := l.m.Args(pins[i])
		all := append(append([]ir.ID(nil), pins[:i]...), pins[i+1:]...)
		at := make([]int, len(inner)) // where the inner inputs are among all
		for k, p := range inner {
			if at[k] = indexOf(all, p); at[k] < 0 {
				at[k] = len(all)
				all = append(all, p)
			}
		}

		if len(all) > smallLut {
			continue
		}

		// The entry for an address of all: the inner table first, its bit in place of input
		// i.
		table := tableOf(l.m.TableOf(pins[i]))
		t = t.remap(len(all), func(a int) int {
			address := 0
			for k, p := range at {
				address |= a >> p & 1 << k
			}
			bit := 0
			if get(table.value, address) {
				bit = 1
			}
			return insert(a&(1<<(len(pins)-1)-1), i, bit)
		})

		l.merged = append(l.merged, pins[i])
		pins = all
		l.count[LutsMerged]++
		i = -1 // its inputs may be tables too
	}

	return t, pins
}

// single reports whether a new node is a Lut that this table alone uses.
func (l *lutRewriter) single(p ir.ID) bool {
	from := l.origin(p)
	return l.op(p) == ir.Lut && from != ir.None && l.uses[from] == 1 && l.m.NameOf(p) == ""
}
