package yosys

import (
	"fmt"
	"strings"

	"etch/ir"
)

// origin is what a made clock follows from.
type origin struct {
	w      *moments
	e      *madeEdges
	seen   map[ir.ID]bool
	inputs []ir.ID
	async  []ir.ID // registers with asynchronous reset
	steps  int
}

// source finds the input clock behind a made one, and with which of its edges the
// made one may rise. Errors: there is none or are several; it may rise without an
// edge.
func (w *moments) source(e *madeEdges) bool {
	l := w.l
	if e.known {
		return true
	}
	if e.open {
		l.fail(e.user, "its clock follows from what that clock moves")
		return false
	}
	e.open = true
	before := l.r.failed
	l.pos, l.reading = l.posOf(e.user.attrs), e.user
	o := &origin{w: w, e: e, seen: map[ir.ID]bool{}}
	o.walk(e.clk, true)
	l.reading = e.user
	switch {
	case l.r.failed > before:
	case e.net == 0:
		o.noClock()
	default:
		o.checkInputs()
		o.checkResets()
	}
	e.open, e.known = false, true
	return l.r.failed == before
}

// comes notes that an edge of an input clock may have the made clock change.
func (o *origin) comes(ev event) {
	e := o.e
	switch {
	case ev.net < firstNet:
		return
	case e.net >= firstNet && e.net != ev.net:
		o.w.l.fail(e.user, "its clock follows from two clocks, %s and %s", o.w.l.netText(e.net), o.w.l.netText(ev.net))
		return
	}
	e.net = ev.net
	if ev.rising {
		e.on[1] = true
	} else {
		e.on[0] = true
	}
}

// walk goes over what a node follows from. Inputs count unless it is a reset.
func (o *origin) walk(id ir.ID, inputs bool) {
	if id == ir.None || o.seen[id] || o.w.l.r.failed > 0 {
		return
	}
	o.seen[id] = inputs // a reset's cone may be part of the clock's
	w, m := o.w, o.w.l.m
	if k := w.l.levelOf(id); k != nil {
		up, down := o.sense(o.e.clk, 0, id)
		if up || !inputs {
			o.comes(event{k.net, true})
		}
		if down || !inputs {
			o.comes(event{k.net, false})
		}
		if o.e.net == 0 {
			o.e.net = k.net
		}
		return
	}
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
		w.l.fail(o.e.user, "its clock comes out of instance %s; flatten the design", m.Insts[n.Aux].Name)
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
	case w.l.m.IsLatch(&r):
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
	o.w.l.reading = o.e.user
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
			l.fail(o.e.user, "its clock is a bit of the input %s of %d bits: a clock must be a port of its own", l.m.NameOf(id), n)
			return
		}
	}
	if len(o.inputs) == 0 {
		o.e.net, o.e.on = 0, [2]bool{} // it never moves
		return
	}
	l.fail(o.e.user, "its clock is made of %s: none of them is known to be a clock", o.inputNames())
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
	if rest.always(o.e.clk, func(t known) bool { return t != wild }) {
		return
	}
	l.fail(o.e.user, "its clock may rise when the input %s changes, without an edge of %s: put a register between", o.inputNames(), l.netText(o.e.net))
}

// checkResets refuses a clock that may rise when an asynchronous reset comes,
// unless that resets what it moves too.
func (o *origin) checkResets() {
	l := o.w.l
	for _, id := range o.async {
		rst := l.regOf(id).Rst
		if o.e.reg != ir.None {
			if r := l.regOf(o.e.reg); r.Async && l.m.SameBit(r.Rst, rst) {
				continue
			}
		}
		if !o.fromInputs(rst) {
			continue // it comes with an edge
		}
		rest := resting{l: l, rst: rst}
		if !rest.always(o.e.clk, func(t known) bool { return t == no }) {
			l.fail(o.e.user, "its clock may rise when the asynchronous reset of %s comes, which does not reset it", l.regText(id))
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
