package fuzz

import (
	"etch/ir"
	"etch/passes"
)

// A Verilog simulator evaluates nets one after another: the enable of a latch may have a glitch,
// and the latch's data may change before the latch is closed. In the netlist all changes of one
// moment are one change.

const hastyLatch = "a latch closes as what it takes changes, or may open for a moment"

// moments is a set of times in a step at which a node may change: with the inputs, and at the
// two edges of the clocks.
type moments uint8

const (
	withInputs moments = 1 << iota
	withRise
	withFall
)

func hasLatch(d *ir.Design) bool {
	for _, m := range d.Modules {
		for i := range m.Regs {
			if m.Regs[i].Kind == ir.Latch {
				return true
			}
		}
	}
	return false
}

// hasty reports whether a design has a latch that a Verilog simulator may get wrong: its enable
// is not a single bit of a register or an input, or its data may change at a moment at which it
// closes.
func hasty(d *ir.Design) bool {
	// Most designs have none, and the analysis below flattens the design.
	if !hasLatch(d) {
		return false
	}
	flat := d.Clone()
	if _, err := passes.Flatten(flat); err != nil {
		return true
	}
	t := &timer{m: flat.Top, at: make([]moments, flat.Top.Len())}
	order, err := flat.Top.Order(ir.Paths{})
	if err != nil {
		return true
	}

	// Find the moments of every node in topological order.
	for _, id := range order {
		t.at[id] = t.moments(id)
	}

	// A latch is safe if its enable has no glitch and its data rest while it may close.
	for i := range t.m.Regs {
		r := &t.m.Regs[i]
		if r.Kind == ir.Latch && (!t.steady(r.Rst) || t.at[r.Rst]&t.at[r.Reset] != 0) {
			return true
		}
	}
	return false
}

// timer finds the moments at which the nodes of a flat module change.
type timer struct {
	m  *ir.Module
	at []moments
}

// moments returns the moments at which a node changes; its arguments are done.
func (t *timer) moments(id ir.ID) (sum moments) {
	m, n := t.m, t.m.Node(id)

	// An operation changes when any of its arguments may.
	for _, a := range m.Args(id) {
		sum |= t.at[a]
	}

	// State moves with its clock, or for a latch with its enable and its data.
	switch n.Op {
	case ir.Input:
		return withInputs
	case ir.Reg:
		r := &m.Regs[n.Aux]
		switch {
		case r.Kind == ir.Latch:
			return t.at[r.Rst] | t.at[r.Reset]
		case r.Async:
			return t.edge(r.Clk) | t.at[r.Rst]
		}
		return t.edge(r.Clk)
	case ir.MemOut:
		return t.edge(m.Mems[n.Aux].Reads[n.Aux2].Clk) | t.written(int(n.Aux))
	case ir.MemRead:
		return sum | t.written(int(n.Aux))
	}
	return sum
}

// written returns the moments at which a memory changes.
func (t *timer) written(mem int) (sum moments) {
	for _, w := range t.m.Mems[mem].Writes {
		sum |= t.edge(w.Clk)
	}
	return sum
}

// edge returns the moment at which a clock's state changes; both edges if the clock is not an
// input's.
func (t *timer) edge(clk ir.ID) moments {
	// A clock from logic may have any edge.
	from, falls := t.m.Source(clk)
	switch {
	case t.m.Op(from) != ir.Input:
		return withRise | withFall
	case falls:
		return withFall
	}
	return withRise
}

// steady reports whether a bit comes straight from a register or an input, so it has no glitch.
func (t *timer) steady(id ir.ID) bool {
	// Parts of a register's word have no glitch either.
	for t.m.Op(id) == ir.Slice || t.m.Op(id) == ir.Wire {
		id = t.m.Args(id)[0]
	}
	switch t.m.Op(id) {
	case ir.Input, ir.Const:
		return true
	case ir.Reg:
		return t.m.Regs[t.m.Node(id).Aux].Kind != ir.Latch
	}
	return false
}
