package prover

import (
	"fmt"
	"time"

	"etch/passes/aig"
)

// A system without feedback forgets: its values in a step follow from the inputs of the last few
// steps, as many as its depth. Such a system, for instance a pipeline, becomes two questions
// without state: the first steps from the start, and one step with depth others before it, which
// stands for all later ones. The two sides of a comparison need not have their registers in the
// same places.

// depthOf returns the number of steps back on which bad literals and constraints depend; false
// if there is feedback. It is a depth-first search in which a node under way is open, so meeting
// an open node is a cycle.
func (w *work) depthOf() (int, bool) {
	const open = -1
	depth := make([]int, w.Graph.Len()) // plus one; 0: not known yet
	var todo []int
	for _, l := range append(append([]aig.Lit(nil), w.Bad...), w.Constraints...) {
		todo = append(todo, l.Node())
	}
	most := 0
	var below [2]int
	for len(todo) > 0 {
		n := todo[len(todo)-1]

		// Done already, by way of a later node.
		if depth[n] > 0 {
			todo = todo[:len(todo)-1]
			continue
		}

		// A gate adds no step, a latch one.
		args, step := below[:0], 0
		if w.Graph.IsAnd(n) {
			a, b := w.Graph.Args(n)
			args = append(args, a.Node(), b.Node())
		} else if i, ok := w.latch[n]; ok {
			args, step = append(args, w.Latches[i].Next.Node()), 1
		}
		here, ready := 1, true
		for _, a := range args {
			switch {
			case depth[a] == open:
				return 0, false
			case depth[a] == 0:
				todo, ready = append(todo, a), false
			}
			here = max(here, depth[a]+step)
		}

		// Open until its arguments are known, when it is met again.
		if depth[n] = open; ready {
			depth[n] = here
			most = max(most, here-1)
			todo = todo[:len(todo)-1]
		}
	}
	return most, true
}

// window is a number of steps of a system in one graph. Only the nodes asked for are made.
type window struct {
	w     *work
	sys   *aig.System
	at    []map[int]aig.Lit // by step and node
	input []map[int]int     // by step and node: number among the inputs of sys
	start bool              // the first step is the first of a run; else its state has any value
}

// newWindow makes a window of some steps whose graph has room for size nodes.
func (w *work) newWindow(steps, size int, start bool) *window {
	v := &window{w: w, sys: &aig.System{Graph: aig.New()}, start: start}
	v.sys.Graph.Limit(size)
	for range steps {
		v.at, v.input = append(v.at, map[int]aig.Lit{}), append(v.input, map[int]int{})
	}
	return v
}

// place is a node in a step.
type place struct{ node, step int }

// lit returns literal l of the system in a step, with a stack in place of recursion: a chain of
// registers may be long.
func (v *window) lit(l aig.Lit, step int) aig.Lit {
	todo := []place{{l.Node(), step}}
	for len(todo) > 0 && !v.sys.Graph.Full() {
		p := todo[len(todo)-1]
		if _, ok := v.at[p.step][p.node]; ok {
			todo = todo[:len(todo)-1]
			continue
		}
		if missing, ok := v.make(p); ok {
			todo = append(todo, missing)
		}
	}
	return v.at[step][l.Node()].NotIf(l.Inverted())
}

// make makes a node whose arguments exist, or returns a missing argument.
func (v *window) make(p place) (missing place, ok bool) {
	w, g := v.w, v.sys.Graph
	here := func(l aig.Lit) (aig.Lit, bool) {
		x, ok := v.at[p.step][l.Node()]
		return x.NotIf(l.Inverted()), ok
	}

	// Node 0 is the constant.
	if p.node == 0 {
		v.at[p.step][0] = aig.False
		return place{}, false
	}
	if w.Graph.IsAnd(p.node) {
		a, b := w.Graph.Args(p.node)
		x, okX := here(a)
		y, okY := here(b)
		switch {
		case !okX:
			return place{a.Node(), p.step}, true
		case !okY:
			return place{b.Node(), p.step}, true
		}
		v.at[p.step][p.node] = g.And(x, y)
		return place{}, false
	}

	// A latch is its next literal in the step before, or in the first step its start, or any value.
	i, isLatch := w.latch[p.node]
	if !isLatch {
		v.at[p.step][p.node] = v.leaf(p)
		return place{}, false
	}
	from, step := w.Latches[i].Next, p.step-1
	if step < 0 && v.start {
		from, step = w.Latches[i].Init, 0
	} else if step < 0 {
		v.at[p.step][p.node] = v.newInput()
		return place{}, false
	}
	x, ok := v.at[step][from.Node()]
	if !ok {
		return place{from.Node(), step}, true
	}
	v.at[p.step][p.node] = x.NotIf(from.Inverted())
	return place{}, false
}

// leaf adds an input for a leaf in a step, or for a free value of the run, which only the first
// step refers to.
func (v *window) leaf(p place) aig.Lit {
	l := v.newInput()
	v.input[p.step][p.node] = len(v.sys.Inputs) - 1
	return l
}

// newInput adds an input.
func (v *window) newInput() aig.Lit {
	l := v.sys.Graph.Leaf()
	v.sys.Inputs = append(v.sys.Inputs, l)
	return l
}

// rare marks the inputs that are mostly low.
func (v *window) rare() {
	for _, i := range v.w.Rare {
		for step := range v.input {
			if at, ok := v.input[step][v.w.Inputs[i].Node()]; ok {
				v.sys.Rare = append(v.sys.Rare, at)
			}
		}
	}
}

// trace returns the run of the system for a run of the window; the bad literal with number bad
// is high in its last step.
func (v *window) trace(t *aig.Trace, bad, steps int) *aig.Trace {
	z := &aig.Trace{Bad: bad, Free: make([]bool, len(v.w.Free))}
	value := func(step int, l aig.Lit) bool {
		at, ok := v.input[step][l.Node()]
		return ok && t.Inputs[0][at]
	}

	// Only a window that begins with the start has free values.
	if v.start {
		for i, l := range v.w.Free {
			z.Free[i] = value(0, l)
		}
	}
	for step := range steps {
		in := make([]bool, len(v.w.Inputs))
		for i, l := range v.w.Inputs {
			in[i] = value(step, l)
		}
		z.Inputs = append(z.Inputs, in)
	}
	return z
}

// windowGrowth is the size of a window's graph in multiples of a step.
const windowGrowth = 16

// acyclic decides a system without feedback, of a given depth. Induction has a try before, as it
// is quicker where the registers are the same on both sides: the first steps are as many proofs
// as the pipeline is deep.
func (w *work) acyclic(c *classes, depth int) Result {
	own := w.own(depth)

	// Some steps depend on the start.
	if own > 0 {
		var r Result
		w.within(8, func() { r = w.inductive(c) })
		if r.Outcome != Unknown {
			return r
		}
	}
	if r := w.unrolled(depth, own); r.Outcome != Unknown || w.late() {
		return r
	}

	// The classes are made anew, since induction may have split them.
	_, again := w.random()
	w.apart(again)
	return w.inductive(again)
}

// own returns the number of steps that depend on the start.
func (w *work) own(depth int) int {
	if len(w.Constraints) > 0 {
		return depth
	}
	return max(0, depth-w.Before)
}

// unrolled checks each step that depends on the start, then one step after depth others.
func (w *work) unrolled(depth, own int) Result {
	by := fmt.Sprintf("unrolling to the depth of %d", depth)
	for first := 0; first < own; {
		steps := 1 // since constraints of later steps do not count
		if len(w.Constraints) == 0 {
			steps = own
		}
		if r := w.inWindow(first, first+steps, true, by); r.Outcome != Proved {
			return r
		}
		first += steps
	}
	return w.inWindow(depth, depth+1, false, by)
}

// inWindow looks for a bad literal in the steps from first to before end, after the steps before
// them.
func (w *work) inWindow(first, end int, start bool, by string) Result {
	v := w.newWindow(end, windowGrowth*(w.Graph.Len()+1024), start)
	type origin struct{ bad, step int }
	var origins []origin
	for step := first; step < end; step++ {
		for _, i := range w.pending {
			v.sys.Bad = append(v.sys.Bad, v.lit(w.Bad[i], step))
			origins = append(origins, origin{i, step})
		}
	}

	// Constraints hold in the steps before, too.
	for step := range end {
		for _, l := range w.Constraints {
			v.sys.Constraints = append(v.sys.Constraints, v.lit(l, step))
		}
	}
	if start {
		for _, l := range w.Start {
			v.sys.Constraints = append(v.sys.Constraints, v.lit(l, 0))
		}
	}
	left := time.Until(w.end)
	if v.sys.Graph.Full() || left <= 0 {
		return Result{}
	}
	v.rare()

	// A window has no latches: its question is combinational.
	r := Prove(v.sys, Limits{Conflicts: w.limits.Conflicts, Time: left})
	r.By = by
	if r.Outcome == Refuted {
		o := origins[r.Trace.Bad]
		r.Trace = v.trace(r.Trace, o.bad, o.step+1)
		if w.Check(r.Trace) != nil { // it begins with a state that no run reaches
			return Result{}
		}
	}
	return r
}
