package aig

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
