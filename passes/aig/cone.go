package aig

import "slices"

// Cone calls f once with every leaf that l depends on, in the order of a depth-first search
// from l.
func (g *Graph) Cone(l Lit, f func(leaf int)) {
	// A work list replaces recursion.
	seen := map[int]bool{}
	todo := []int{l.Node()}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[n] || n == 0 {
			continue
		}
		seen[n] = true
		if !g.IsAnd(n) {
			f(n)
			continue
		}
		a, b := g.Args(n)
		todo = append(todo, a.Node(), b.Node())
	}
}

// Support marks the nodes on which roots depend. A leaf that is the state of a register depends on
// the literals that before has for it, such as its next value: so the walk goes on over any number of
// steps.
func (g *Graph) Support(roots []Lit, before map[int][]Lit) []bool {
	need := make([]bool, g.Len())
	todo := slices.Clone(roots)
	for len(todo) > 0 {
		n := todo[len(todo)-1].Node()
		todo = todo[:len(todo)-1]
		if need[n] {
			continue
		}

		need[n] = true
		if g.IsAnd(n) {
			a, b := g.Args(n)
			todo = append(todo, a, b)
		} else {
			todo = append(todo, before[n]...)
		}
	}
	return need
}
