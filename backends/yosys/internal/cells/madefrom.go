package cells

import (
	"fmt"
	"strings"

	"etch/ir"
	rows "etch/ir/moments"
)

// origin is the set of sources of a made clock.
type origin struct {
	w      *moments
	clk    ir.ID
	user   *cell // the first thing that it moves
	open   bool
	net    bit     // the input clock behind it
	on     [2]bool // it may rise with the falling, the rising edge of that
	seen   map[ir.ID]uint8
	inputs []ir.ID
	async  []ir.ID        // registers with asynchronous reset
	low    map[ir.ID]bool // by such a reset: the clock is low while that is high
}

// source finds the input clock behind a made one, and with which of its edges the
// made one may rise. Errors: there is none or are several; it may rise without an
// edge.
func (w *moments) source(e *madeEdges) bool {
	l := w.l
	if e.known {
		return true
	}
	before := l.r.failed
	o := w.origin(e)
	if l.r.failed == before {
		e.net, e.on = o.net, o.on
		o.checkResets(e)
	}
	e.known = true
	return l.r.failed == before
}

// origin looks at the clock of something, once for all that it moves.
func (w *moments) origin(e *madeEdges) *origin {
	l := w.l
	o := w.origins[e.clk]

	// The sources must leave one input clock, and no way around it.
	switch {
	case o == nil:
	case o.open:
		l.fail(e.user, "its clock follows from what that clock moves")
		return o
	default:
		return o
	}

	// Collect the sources, marked as open so that a circle is found.
	o = &origin{w: w, clk: e.clk, user: e.user, open: true, seen: map[ir.ID]uint8{}, low: map[ir.ID]bool{}}
	w.origins[e.clk] = o
	before := l.r.failed
	l.pos, l.reading = l.posOf(e.user.attrs), e.user
	o.walk(e.clk, true)
	l.reading = e.user
	switch {
	case l.r.failed > before:
	case o.net == 0:
		o.noClock()
	default:
		o.checkInputs()
	}
	o.open = false
	return o
}

// comes notes that an edge of an input clock may have the made clock change.
func (o *origin) comes(ev event) {
	switch {
	case ev.net < firstNet:
		return
	case o.net >= firstNet && o.net != ev.net:
		o.w.l.fail(o.user, "its clock follows from two clocks, %s and %s", o.w.l.netText(o.net), o.w.l.netText(ev.net))
		return
	}
	o.net = ev.net
	if ev.rising {
		o.on[1] = true
	} else {
		o.on[0] = true
	}
}

// walk visits the sources of a node. Inputs count unless it is a reset.
func (o *origin) walk(id ir.ID, inputs bool) {
	as := uint8(1)
	if inputs { // a reset's cone may be part of the clock's
		as = 2
	}

	if id == ir.None || o.seen[id] >= as || o.w.l.r.failed > 0 {
		return
	}

	o.seen[id] = as

	// The level of an input clock: the direction tells which edges count.
	w, m := o.w, o.w.l.m
	if k := w.l.levelOf(id); k != nil {
		up, down := newSenses(w.l, o.clk, id).sense(o.clk, 0)
		if up || !inputs {
			o.comes(event{k.net, true})
		}
		if down || !inputs {
			o.comes(event{k.net, false})
		}

		// The clock behind counts even if none of its edges moves the made one.
		if o.net == 0 {
			o.net = k.net
		}
		return
	}

	// State moves with its own clock; logic passes on its operands.
	n := m.Node(id)
	switch n.Op {
	case ir.Input:
		if inputs {
			o.inputs = append(o.inputs, id)
		}
	case ir.Reg:
		o.register(id, inputs)
	case ir.MemOut:
		o.comes(w.edgeOf(m.Mems[n.Aux].Reads[n.Aux2].Clk))
	case ir.MemRead:
		for i := range m.Mems[n.Aux].Writes {
			if e := w.writes[portKey{n.Aux, i}]; e != nil {
				o.behind(e)
			} else {
				o.comes(w.edgeOf(m.Mems[n.Aux].Writes[i].Clk))
			}
		}
		o.walk(m.Args(id)[0], inputs)
	case ir.InstOut:
		w.l.r.dissolve("*")
		w.l.fail(o.user, "its clock comes out of instance %s; flatten the design", m.Insts[n.Aux].Name)
	default:
		for _, a := range m.Args(id) {
			o.walk(a, inputs)
		}
	}
}

func (o *origin) register(id ir.ID, inputs bool) {
	w := o.w
	r := *w.l.regOf(id)
	switch e := w.regs[id]; {
	case r.Kind == ir.Latch:
		o.walk(r.Rst, inputs)
		o.walk(r.Reset, inputs)
		return
	case e != nil:
		o.behind(e)
	default:
		o.comes(w.edgeOf(r.Clk))
	}
	if r.Async {
		o.async = append(o.async, id)
		o.walk(r.Rst, false)
	}
}

// behind is a made clock behind another.
func (o *origin) behind(e *madeEdges) {
	if !o.w.source(e) {
		return
	}
	o.w.l.reading = o.user

	// The clock may change with the same edges as the one behind it.
	for i, on := range e.on {
		if on {
			o.comes(event{e.net, i == 1})
		}
	}
}

// noClock tells that no clock is behind.
func (o *origin) noClock() {
	l := o.w.l
	for _, id := range o.inputs {
		if n := l.width(id); n > 1 {
			l.fail(o.user, "its clock is a bit of the input %s of %d bits: a clock must be a port of its own", l.m.NameOf(id), n)
			return
		}
	}
	if len(o.inputs) == 0 {
		o.net, o.on = 0, [2]bool{} // it never moves
		return
	}
	l.fail(o.user, "its clock is made of %s: none of them is known to be a clock", o.inputNames())
}

func (o *origin) inputNames() string {
	var names []string
	for _, id := range o.inputs {
		names = append(names, o.w.l.m.NameOf(id))
	}
	return strings.Join(names, ", ")
}

// checkInputs refuses a clock that may rise when an input changes: inputs do while
// clocks are low.
func (o *origin) checkInputs() {
	if len(o.inputs) == 0 {
		return
	}
	l := o.w.l
	rest := resting{l: l}
	if rest.always(o.clk, func(t rows.Truth) bool { return t != rows.Wild }) {
		return
	}
	l.fail(o.user, "its clock may rise when the input %s changes, without an edge of %s: put a register between", o.inputNames(), l.netText(o.net))
}

// checkResets refuses a clock that may rise when an asynchronous reset comes,
// unless that also resets the clock's registers.
func (o *origin) checkResets(e *madeEdges) {
	l := o.w.l
	for _, id := range o.async {
		rst := l.regOf(id).Rst

		// A register that the same reset clears ignores the edge.
		if e.reg != ir.None {
			if r := l.regOf(e.reg); r.Async && l.m.SameBit(r.Rst, rst) {
				continue
			}
		}

		// The clock must be low whenever that reset is high.
		low, ok := o.low[rst]
		if !ok {
			rest := resting{l: l, rst: rst}
			low = !o.fromInputs(rst) || // it comes with an edge
				rest.always(o.clk, func(t rows.Truth) bool { return t == rows.No })
			o.low[rst] = low
		}
		if !low {
			l.fail(e.user, "its clock may rise when the asynchronous reset of %s comes, which does not reset it", l.regText(id))
			return
		}
	}
}

func (l *lowering) regText(id ir.ID) string {
	if name := l.m.NameOf(id); name != "" {
		return name
	}
	return fmt.Sprintf("the register at %s", l.m.Src.At(l.m.Node(id).Pos))
}

// fromInputs reports whether a node follows from inputs within the cycle.
func (o *origin) fromInputs(id ir.ID) bool {
	seen := map[ir.ID]bool{}
	var walk func(ir.ID) bool
	walk = func(id ir.ID) bool {
		if seen[id] {
			return false
		}
		seen[id] = true

		// Nothing is known of what is behind an instance.
		if op := o.w.l.m.Op(id); op == ir.Input || op == ir.InstOut {
			return true
		}
		for _, a := range o.w.l.m.Args(id) {
			if walk(a) {
				return true
			}
		}
		return false
	}
	return walk(id)
}
