package prover

import (
	"etch/passes/aig"
	"etch/testbench/equiv/sat"
)

// encoder adds the gates of a graph to a solver when they are first asked about (Tseitin's
// encoding, with muxes as one gate).
type encoder struct {
	g    *aig.Graph
	s    *sat.Solver
	at   []sat.Lit // by node: its literal in the solver, -1 if it has no variable yet
	todo []int     // nodes that have a variable but no clauses yet
	seen []uint32  // by node: number of the last cone that it was in
	cone uint32    // number of cones made
	vars []sat.Lit // variables of the last cone
}

// newEncoder makes an encoder whose solver stops at the end of the time.
func (w *work) newEncoder(g *aig.Graph) *encoder {
	e := &encoder{g: g, s: sat.New()}
	e.s.Stop = w.late
	e.s.Narrow = true // until there are clauses besides those of gates

	// Node 0 is false.
	no := e.s.Var()
	e.s.Add(no.Not())
	e.at = []sat.Lit{no}
	return e
}

// lit returns the solver's literal for l, with the clauses of all gates below it.
func (e *encoder) lit(l aig.Lit) sat.Lit {
	// The graph may have grown since the last question.
	for len(e.at) < e.g.Len() {
		e.at = append(e.at, -1)
	}
	z := e.variable(l)

	// The clauses of a gate ask for variables of its arguments, which are listed in place of a
	// recursion.
	for len(e.todo) > 0 {
		n := e.todo[len(e.todo)-1]
		e.todo = e.todo[:len(e.todo)-1]
		e.clauses(n)
	}
	return z
}

// variable returns the solver's literal for l; its clauses may still be missing.
func (e *encoder) variable(l aig.Lit) sat.Lit {
	n := l.Node()
	if e.at[n] < 0 {
		e.at[n] = e.s.Var()
		// A leaf has no clauses.
		if e.g.IsAnd(n) {
			e.todo = append(e.todo, n)
		}
	}
	if l.Inverted() {
		return e.at[n].Not()
	}
	return e.at[n]
}

// clauses adds the clauses of node n. The two clauses x y → z of a mux are redundant, but let
// the solver propagate when both data inputs are known.
func (e *encoder) clauses(n int) {
	z := e.at[n]
	if c, x, y, ok := e.mux(n); ok {
		c, x, y := e.variable(c), e.variable(x), e.variable(y)
		e.s.Add(c.Not(), x.Not(), z)
		e.s.Add(c.Not(), x, z.Not())
		e.s.Add(c, y.Not(), z)
		e.s.Add(c, y, z.Not())
		if x != y.Not() {
			e.s.Add(x.Not(), y.Not(), z)
			e.s.Add(x, y, z.Not())
		}
		return
	}

	// An and: z → p, z → q, and p q → z.
	a, b := e.g.Args(n)
	p, q := e.variable(a), e.variable(b)
	e.s.Add(z.Not(), p)
	e.s.Add(z.Not(), q)
	e.s.Add(z, p.Not(), q.Not())
}

// mux recognises node n as c ? x : y, in the form ¬(c ¬x) ¬(¬c ¬y). An exclusive or has this
// form too.
func (e *encoder) mux(n int) (c, x, y aig.Lit, ok bool) {
	a, b := e.g.Args(n)
	if !a.Inverted() || !b.Inverted() || !e.g.IsAnd(a.Node()) || !e.g.IsAnd(b.Node()) {
		return 0, 0, 0, false
	}
	p, q := e.g.Args(a.Node())
	r, s := e.g.Args(b.Node())
	switch {
	case p == r.Not():
		return p, q.Not(), s.Not(), true
	case p == s.Not():
		return p, q.Not(), r.Not(), true
	case q == r.Not():
		return q, p.Not(), s.Not(), true
	case q == s.Not():
		return q, p.Not(), r.Not(), true
	}
	return 0, 0, 0, false
}

// value returns the model's value of a leaf, low if the solver does not know it.
func (e *encoder) value(l aig.Lit) bool {
	n := l.Node()
	if n >= len(e.at) || e.at[n] < 0 {
		return l.Inverted()
	}
	return e.s.Value(e.at[n]) != l.Inverted()
}

// hold adds a literal that is true in every model.
func (e *encoder) hold(l aig.Lit) {
	e.s.Add(e.lit(l))
	e.s.Narrow = false
}

// equal adds clauses that make two literals equal.
func (e *encoder) equal(x, y aig.Lit) {
	e.s.Narrow = false
	p, q := e.lit(x), e.lit(y)
	e.s.Add(p, q.Not())
	e.s.Add(p.Not(), q)
}

// differ asks whether two literals can differ.
func (e *encoder) differ(conflicts int, x, y aig.Lit) sat.Answer {
	// The cone of the two decides if it has no model. Clauses of gates only can always be met
	// outside of it; others may contradict the model, so then all variables are decided.
	a := e.within(conflicts, x, y)
	if a != sat.Yes || e.s.Narrow {
		return a
	}

	p, q := e.lit(x), e.lit(y)
	e.s.Focus(nil)
	if a := e.s.Solve(conflicts, p, q.Not()); a != sat.No {
		return a
	}
	return e.s.Solve(conflicts, p.Not(), q)
}

// within is differ with decisions in the cone of the two literals only: a No is right, a Yes may
// contradict other clauses than those of gates.
func (e *encoder) within(conflicts int, x, y aig.Lit) sat.Answer {
	p, q := e.lit(x), e.lit(y)
	e.s.Focus(e.below(x, y))
	switch a := e.s.Solve(conflicts, p, q.Not()); a {
	case sat.No:
		// A No is a fact, and stays as a clause.
		e.s.Add(p.Not(), q)
	default:
		return a
	}
	a := e.s.Solve(conflicts, p.Not(), q)
	if a == sat.No {
		e.s.Add(p, q.Not())
	}
	return a
}

// below returns the variables of the cone of some literals.
func (e *encoder) below(lits ...aig.Lit) []sat.Lit {
	// Numbering the calls saves clearing seen.
	e.cone++
	e.vars = e.vars[:0]
	for len(e.seen) < e.g.Len() {
		e.seen = append(e.seen, 0)
	}
	visit := func(n int) {
		if e.seen[n] != e.cone {
			e.seen[n] = e.cone
			e.todo = append(e.todo, n)
			e.vars = append(e.vars, e.at[n])
		}
	}

	for _, l := range lits {
		visit(l.Node())
	}
	for len(e.todo) > 0 {
		n := e.todo[len(e.todo)-1]
		e.todo = e.todo[:len(e.todo)-1]
		if !e.g.IsAnd(n) {
			continue
		}
		for _, l := range e.below1(n) {
			// A node without a variable is in no clause.
			if e.at[l.Node()] >= 0 {
				visit(l.Node())
			}
		}
	}
	return e.vars
}

// below1 returns the literals in the clauses of node n.
func (e *encoder) below1(n int) [3]aig.Lit {
	if c, x, y, ok := e.mux(n); ok {
		return [3]aig.Lit{c, x, y}
	}
	a, b := e.g.Args(n)

	// A mux has three arguments, an and repeats one.
	return [3]aig.Lit{a, b, a}
}
