package pads

import (
	"fmt"
	"strings"

	"etch/ir"
)

// MostPairs bounds the pairs of drivers of one net that have an assertion each.
const MostPairs = 256

// conflicts adds the assertions that drivers of a net agree. Reset is left out, and a
// module without clocks has none.
func (w *lowered) conflicts(name string, sources []source) {
	clocks := w.clocks()
	if len(clocks) == 0 || len(sources) < 2 {
		return
	}
	// Values of more than a nibble read better in hexadecimal.
	quiet, verb := w.resetsLow(), "%b"
	if w.m.Width(sources[0].value) > 4 {
		verb = "0x%x"
	}

	if n := len(sources); n*(n-1)/2 <= MostPairs {
		for i, b := range sources {
			for _, a := range sources[:i] {
				text := fmt.Sprintf("%s has two drivers at once: %s drives %s, %s drives %s", plain(name), a.place(), verb, b.place(), verb)
				w.assert(clocks, quiet, a, b, text)
			}
		}
		return
	}

	// Too many pairs: each driver against the or of all before it, while any of them
	// drives.
	before := sources[0]
	for i, b := range sources[1:] {
		text := fmt.Sprintf("%s has two drivers at once: %s drives %s, of those before it one drives %s: %s", plain(name), b.place(), verb, verb, places(sources[:i+1]))
		w.assert(clocks, quiet, b, before, text)
		before = w.both(before, b)
	}
}

// both joins two drivers into one: the or of the values that are enabled.
func (w *lowered) both(a, b source) source {
	m := w.m
	n := *m.Node(a.value)
	word := func(op ir.Op, args ...ir.ID) ir.ID {
		return m.Add(ir.Node{Op: op, Type: n.Type, Width: n.Width, Pos: b.pos}, args...)
	}
	// The word of whichever drives; if both do, their or.
	a.value = word(ir.Mux, b.enable, word(ir.Mux, a.enable, word(ir.Or, a.value, b.value), b.value), a.value)
	a.enable = w.bit(ir.Or, b.pos, a.enable, b.enable)
	return a
}

// assert adds the assertion, on every clock, that two drivers do not drive different values
// at once.
func (w *lowered) assert(clocks []ir.ID, quiet ir.ID, a, b source, text string) {
	equal := w.bit(ir.Eq, a.pos, a.value, b.value)
	both := w.bit(ir.And, a.pos, a.enable, b.enable)
	cond := w.bit(ir.Or, a.pos, w.bit(ir.Not, a.pos, both), equal)
	for _, clk := range clocks {
		w.m.Stmts = append(w.m.Stmts, ir.Stmt{Kind: ir.Assert, Clk: clk, En: quiet, Cond: cond, Format: text, Args: []ir.ID{a.value, b.value}, Pos: a.pos})
	}
}

// place is the position of a driver, as part of a format.
func (e end) place() string {
	if e.inside == "" {
		return plain(e.from)
	}
	return plain(e.inside + " (" + e.from + ")")
}

// places lists the positions of drivers, eight at most.
func places(sources []source) string {
	var list []string
	for i, s := range sources {
		if i == 8 {
			list = append(list, fmt.Sprintf("%d more", len(sources)-i))
			break
		}
		list = append(list, s.place())
	}
	return strings.Join(list, ", ")
}

// plain escapes a text for use in a format.
func plain(s string) string { return strings.ReplaceAll(s, "%", "%%") }

// clocks lists the clocks that the module uses, by their first node.
func (w *lowered) clocks() []ir.ID {
	// An edge is a clock and its direction. Names of one signal count once.
	m := w.m
	type edge struct {
		root    ir.ID
		falling bool
	}
	seen := map[edge]bool{}
	var list []ir.ID
	add := func(clk ir.ID) {
		root, falling := m.Source(clk)
		if e := (edge{root, falling}); !seen[e] && m.Op(root) != ir.Const {
			seen[e] = true
			list = append(list, clk)
		}
	}

	for i := range m.Regs {
		add(m.Regs[i].Clk)
	}

	for i := range m.Mems {
		for _, r := range m.Mems[i].Reads {
			add(r.Clk)
		}
		for _, p := range m.Mems[i].Writes {
			add(p.Clk)
		}
	}
	w.eachInput(func(kind ir.Kind, id ir.ID) {
		if kind == ir.Clock {
			add(id)
		}
	})
	for i := range m.Stmts {
		add(m.Stmts[i].Clk)
	}
	return list
}

// resetsLow is high while every reset that the module uses is low; None if there is no
// reset.
func (w *lowered) resetsLow() ir.ID {
	m := w.m
	// The conjunction grows by one inverted reset at a time.
	seen := map[ir.ID]bool{}
	low := ir.None
	add := func(kind ir.Kind, id ir.ID) {
		if kind != ir.Reset && kind != ir.AsyncReset || seen[id] {
			return
		}
		seen[id] = true
		not := w.bit(ir.Not, m.Node(id).Pos, id)
		if low != ir.None {
			not = w.bit(ir.And, m.Node(id).Pos, low, not)
		}
		low = not
	}

	for i := range m.Regs {
		if rst := m.Regs[i].Rst; rst != ir.None {
			add(m.TypeOf(m.Node(rst).Type).Kind, rst)
		}
	}
	w.eachInput(add)
	return low
}

// eachInput calls f with the driver of each input of each instance, and the kind of the
// port.
func (w *lowered) eachInput(f func(kind ir.Kind, id ir.ID)) {
	for i := range w.m.Insts {
		inst := &w.m.Insts[i]
		for j, p := range inst.Mod.Ports {
			if p.Dir == ir.In {
				f(inst.Mod.TypeOf(p.Type).Kind, inst.Conns[j])
			}
		}
	}
}
