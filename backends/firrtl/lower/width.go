package lower

import (
	"etch/backends/firrtl/syntax"
)

// Width inference. Every signal of unknown width and every operation on one has a variable.
// A connect makes the sink at least as wide as the source; an operation has the width that
// its operands give it. A work list finds the least solution. Instances share the variables
// of their module's ports.

// variable is a width to be inferred.
type variable struct {
	m     *module // an operation's module; nil for a signal
	node  int32
	width int32
	steps int32
	line  int32
	first int32 // first of its outgoing edges, one more than the index
}

// edge is an outgoing edge of a variable: variable to depends on it.
type edge struct {
	to, next int32
}

// maxSteps bounds the number of times that a width may grow.
const maxSteps = 1 << 12

// unknown makes the variable of operation n.
func (l *lowering) unknown(m *module, n int32) int32 {
	l.vars = append(l.vars, variable{m: m, node: n, line: m.line})
	return -int32(len(l.vars))
}

// widthOf is the width of a new signal of a ground type, with a new variable if it is
// unknown.
func (l *lowering) widthOf(t *typ) int32 {
	if t.width >= 0 {
		return t.width
	}
	l.vars = append(l.vars, variable{})
	return -int32(len(l.vars))
}

// widen adds the constraint that the sink, a variable, is at least as wide as the source.
func (l *lowering) widen(sink, source int32) {
	to := varOf(sink)
	if source >= 0 {
		l.vars[to].width = max(l.vars[to].width, source)
		return
	}
	l.edge(varOf(source), to)
}

func (l *lowering) edge(from, to int32) {
	v := &l.vars[from]
	l.edges = append(l.edges, edge{to, v.first})
	v.first = int32(len(l.edges)) // 0 is none: one more than the index
}

// known replaces a variable by its current value.
func (l *lowering) known(w int32) int32 {
	if w < 0 {
		return l.vars[varOf(w)].width
	}
	return w
}

// solveWidths finds all widths and stores them in the nodes.
func (l *lowering) solveWidths() {
	if len(l.vars) > 0 {
		l.connectOperations()
		l.propagate()
	}
	for _, m := range l.order {
		for i := range m.nodes {
			n := &m.nodes[i]
			if n.width < 0 {
				n.width = l.known(n.width)
			}
			if len(l.vars) > 0 {
				l.checkWidth(m, n)
			}
		}
		for i := range m.flat {
			m.flat[i].width = l.known(m.flat[i].width)
		}

		// Checks that had to wait for the widths.
		for _, c := range m.unsure {
			if w := m.nodes[c.node].width; w > 1 {
				l.fail(c.line, "a condition of %d bits", w)
			}
		}
	}
}

// unsure is a condition whose width must be checked after inference.
type unsure struct{ node, line int32 }

// checkWidth repeats the checks of badWidths, now with all widths known.
func (l *lowering) checkWidth(m *module, n *node) {
	if n.op != opPrim || n.prim == syntax.Cat || n.a == 0 {
		return
	}
	row := syntax.ExprRow{Op: n.prim, C: n.c, D: n.d}
	if msg := badWidths(&row, m.nodes[n.a].width, n.width); msg != "" {
		at := l.src.At(n.pos)
		l.fail(m.src.Line, "module %s, %v, after widths are inferred: %s", l.name(m.src.Name), at, msg)
	}
}

// connectOperations adds edges from operands to their operations.
func (l *lowering) connectOperations() {
	for v := range l.vars {
		m := l.vars[v].m
		if m == nil {
			continue
		}
		m.eachArg(l.vars[v].node, func(a int32) {
			if w := m.nodes[a].width; w < 0 {
				l.edge(varOf(w), int32(v))
			}
		})
	}
}

// eachArg calls f with the operands of a node.
func (m *module) eachArg(at int32, f func(a int32)) {
	n := &m.nodes[at]

	// The fields a, b, c hold operands or numbers, by operation; a list is in args.
	switch n.op {
	case opPrim:
		if n.prim == syntax.Cat {
			for _, a := range m.args[n.c : n.c+n.d] {
				f(a)
			}
			return
		}
		f(n.a)
		if n.b != 0 {
			f(n.b)
		}
	case opMux:
		f(n.a)
		f(n.b)
		f(n.c)
	case opPick:
		f(n.a)
		for _, a := range m.args[n.c : n.c+n.d] {
			f(a)
		}
	case opCopy:
		f(n.a)
	case opLatch:
		f(n.a)
		f(n.b)
	}
}

// propagate solves the constraints by a work list, from width 0 upwards. Widths only grow,
// so the first solution is the least. A width that depends on itself and grows is stopped
// by maxSteps or maxWidth.
func (l *lowering) propagate() {
	work := make([]int32, len(l.vars))
	queued := make([]bool, len(l.vars))
	for i := range work {
		work[i], queued[i] = int32(len(l.vars)-1-i), true
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		queued[v] = false
		x := &l.vars[v]

		// An operation's width is computed from its operands; if it did not change, its
		// users need no update.
		if x.m != nil {
			w := l.operationWidth(x.m, x.node)
			if w <= x.width && x.steps > 0 {
				continue
			}
			x.width = w
		}
		if x.steps++; x.steps > maxSteps || x.width > maxWidth {
			l.unbounded(v)
			return
		}

		// Signals take the maximum of their sources, operations are recomputed.
		for e := x.first; e != 0; e = l.edges[e-1].next {
			to := l.edges[e-1].to
			if t := &l.vars[to]; t.m == nil {
				if t.width >= x.width {
					continue
				}
				t.width = x.width
			}
			if !queued[to] {
				queued[to] = true
				work = append(work, to)
			}
		}
	}
}

// unbounded reports a width that grows without end.
func (l *lowering) unbounded(v int32) {
	x := l.vars[v]
	line, what := x.line, "a value"

	// Any signal of this width can serve as its name.
	for _, m := range l.order {
		for i := range m.leaves {
			n := &m.nodes[m.leaves[i].node]
			if n.width == -1-v {
				line, what = m.leaves[i].line, m.names[n.name]
			}
		}
	}
	l.fail(line, "the width of %s cannot be inferred: it depends on itself and grows", what)
}

// operationWidth is the width of an operation under the current values of the variables.
func (l *lowering) operationWidth(m *module, at int32) int32 {
	n := &m.nodes[at]

	of := func(a int32) int32 { return l.known(m.nodes[a].width) }
	switch n.op {
	case opMux:
		return max(of(n.b), of(n.c))
	case opCopy:
		return of(n.a)
	case opPick:
		w := int32(0)
		for _, a := range m.args[n.c : n.c+n.d] {
			w = max(w, of(a))
		}
		return w
	}

	// A concatenation stops growing at one bit past the limit, where it is reported.
	if n.prim == syntax.Cat {
		w := int32(0)
		for _, a := range m.args[n.c : n.c+n.d] {
			w = min(maxWidth+1, w+of(a))
		}
		return w
	}

	y := int32(0)
	if n.b != 0 {
		y = of(n.b)
	}
	return l.primWidth(n.prim, m.nodes[n.a].kind, of(n.a), y, n.c, n.d)
}
