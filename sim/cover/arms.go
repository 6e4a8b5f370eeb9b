package cover

import (
	"slices"

	"etch/ir"
)

// branches adds the points of the multiplexers: an arm that a statement gave, and both outcomes of
// a condition. The last arm has no counter: its count is the cycles in which the multiplexer is
// wanted less the counts of the other arms.
func (in *instrumenter) branches(c *counters, own extent) {
	w := &arms{counters: c, free: make([]bool, own.nodes), parents: map[ir.ID][]parent{}, memo: map[ir.ID]ir.ID{}, takes: map[parent]ir.ID{}}
	for _, mux := range w.find() {
		m := c.m

		// Exactly one arm is taken whenever the multiplexer is wanted, so that one count follows from the
		// others. Of a Case it is that of the default, whose condition is the longest.
		wanted := c.of(c.clk, w.wanted(mux))
		rest := 0 // the arm without a counter
		if m.Op(mux) == ir.Mux {
			rest = 1
		}
		var others []int
		for arm := range m.Arms(mux) {
			if arm != rest {
				others = append(others, c.of(c.clk, w.taken(mux, arm)))
			}
		}

		// An arm counts for the statement that gave it, and for the condition of its multiplexer.
		lines, own := m.ArmPos(mux), ownArms(m, mux)
		next := 0
		for arm := range m.Arms(mux) {
			plus, minus := wanted, others
			if arm != rest {
				plus, minus = others[next], nil
				next++
			}
			switch {
			case lines == nil || lines[arm] == 0:
			case own:
				// Where the keys are all that the selector can be, the default is no case.
				if arm > 0 || !exhaustive(m, mux) {
					in.add(c, Arm, lines[arm], caseOf(m, mux, arm), plus).minus = minus
				}
			default:
				in.add(c, Set, lines[arm], "", plus).minus = minus
			}
			if m.Op(mux) == ir.Mux {
				kind := True
				if arm == 1 {
					kind = False
				}
				in.add(c, kind, m.Node(mux).Pos, "", plus).minus = minus
			}
		}
	}
}

// ownArms reports whether the arms of a Case are told apart by their keys, see [ir.Module.SetOwnArms].
func ownArms(m *ir.Module, mux ir.ID) bool {
	other := func(pos ir.Pos) bool { return pos != m.Node(mux).Pos }
	pos := m.ArmPos(mux)
	return m.Op(mux) == ir.Case && pos != nil && !slices.ContainsFunc(pos, other)
}

// exhaustive reports whether a Case has a key for each value of its selector, so that its default
// is never taken.
func exhaustive(m *ir.Module, mux ir.ID) bool {
	width, keys := m.Width(m.Args(mux)[0]), len(m.KeysOf(mux))
	return width < 32 && keys == 1<<width
}

// caseOf is the value of the selector for which a Case takes an arm, in the selector's notation.
func caseOf(m *ir.Module, mux ir.ID, arm int) string {
	if arm == 0 {
		return "default"
	}
	key := m.KeysOf(mux)[arm-1]
	if t := m.TypeOf(m.Node(m.Args(mux)[0]).Type); t.Kind == ir.EnumKind {
		return t.TextOf(key)
	}
	return key.Dec()
}

// parent is a multiplexer that a node is an arm of.
type parent struct {
	mux ir.ID
	arm int
}

// arms finds the conditions under which arms are taken.
type arms struct {
	*counters
	free    []bool // a node has uses other than as an arm: it is always wanted
	parents map[ir.ID][]parent
	memo    map[ir.ID]ir.ID // by multiplexer: the condition under which it is wanted
	takes   map[parent]ir.ID
}

// find returns the multiplexers, and notes their uses.
func (w *arms) find() (muxes []ir.ID) {
	m := w.m
	n := len(w.free)
	for id := ir.ID(1); int(id) < n; id++ {
		args := m.Args(id)
		op := m.Op(id)

		// An arm is a conditional use, a selector an unconditional one.
		if op == ir.Mux || op == ir.Case {
			muxes = append(muxes, id)
			w.free[args[0]] = true
			for k, x := range args[1:] {
				w.parents[x] = append(w.parents[x], parent{id, k})
			}
			continue
		}
		for _, x := range args {
			w.free[x] = true
		}
	}

	// Everything else that refers to nodes wants them always.
	ir.EachRef(m, func(id *ir.ID) {
		if *id > 0 && int(*id) < n {
			w.free[*id] = true
		}
	})
	return muxes
}

// wanted is the condition under which a multiplexer's value is taken further; None: always.
func (w *arms) wanted(mux ir.ID) ir.ID {
	if w.free[mux] || len(w.parents[mux]) == 0 {
		return ir.None
	}
	if c, ok := w.memo[mux]; ok {
		return c
	}

	// The disjunction over the multiplexers that it is an arm of.
	any := ir.None
	for _, p := range w.parents[mux] {
		c := w.taken(p.mux, p.arm)
		if any == ir.None {
			any = c
		} else {
			any = w.either(any, c)
		}
	}
	w.memo[mux] = any
	return any
}

// taken is the condition under which an arm is taken.
func (w *arms) taken(mux ir.ID, arm int) ir.ID {
	if c, ok := w.takes[parent{mux, arm}]; ok {
		return c
	}

	// The selector first, then the conditions outside of it.
	m := w.m
	sel := m.Args(mux)[0]
	var c ir.ID
	switch {
	case m.Op(mux) == ir.Mux && arm == 0:
		c = sel
	case m.Op(mux) == ir.Mux:
		c = w.not(sel)
	case arm > 0:
		c = w.equal(sel, m.KeysOf(mux)[arm-1])
	default: // no key
		c = ir.None
		for _, key := range m.KeysOf(mux) {
			c = w.both(c, w.not(w.equal(sel, key)))
		}
	}
	c = w.both(w.wanted(mux), c)
	w.takes[parent{mux, arm}] = c
	return c
}
