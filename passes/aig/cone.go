package aig

// Cone calls f with every leaf that l follows from, once, in rising order of
// visits from l down.
func (g *Graph) Cone(l Lit, f func(leaf int)) {
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
