package aig

// Simulate computes 64 runs at once: v holds one word per node, one bit per run, with the
// values of the leaves already set. Nodes are in topological order.
func (g *Graph) Simulate(v []uint64) {
	v[0] = 0
	nodes := g.nodes[:len(v)]
	for n := range nodes {
		if p := nodes[n]; p.b != 0 {
			v[n] = Value(v, p.a) & Value(v, p.b)
		}
	}
}

// Value is the 64 values of a literal.
func Value(v []uint64, l Lit) uint64 { return v[l>>1] ^ -uint64(l&1) }

// Rebuilder copies parts of a graph into a graph, with substituted leaves: for unrolled
// steps, reset states and cones.
type Rebuilder struct {
	from *Graph
	to   *Graph
	at   []Lit // by node of from, in to
	done []bool
	todo []int
}

// NewRebuilder copies from one graph to another, or within one.
func NewRebuilder(from, to *Graph) *Rebuilder {
	return &Rebuilder{from: from, to: to}
}

// Set substitutes literal is for leaf l of the old graph.
func (r *Rebuilder) Set(l, is Lit) {
	r.reserve()
	r.at[l.Node()] = is.NotIf(l.Inverted())
	r.done[l.Node()] = true
}

func (r *Rebuilder) reserve() {
	if len(r.at) >= r.from.Len() {
		return
	}

	// The source graph has grown since the last call.
	at, done := make([]Lit, r.from.Len()), make([]bool, r.from.Len())
	copy(at, r.at)
	copy(done, r.done)
	done[0] = true
	r.at, r.done = at, done
}

// Lit copies l with everything below it. A leaf without substitution becomes a new leaf; if
// the copy is within one graph, it stays.
func (r *Rebuilder) Lit(l Lit) Lit {
	r.reserve()
	// A depth-first search with an explicit stack: a node is made once both operands are.
	r.todo = append(r.todo[:0], l.Node())
	for len(r.todo) > 0 {
		n := r.todo[len(r.todo)-1]
		if r.done[n] {
			r.todo = r.todo[:len(r.todo)-1]
			continue
		}
		if !r.from.IsAnd(n) {
			r.leaf(n)
			continue
		}
		a, b := r.from.Args(n)
		if !r.done[a.Node()] {
			r.todo = append(r.todo, a.Node())
		}
		if !r.done[b.Node()] {
			r.todo = append(r.todo, b.Node())
		}
		if r.done[a.Node()] && r.done[b.Node()] {
			r.at[n], r.done[n] = r.to.And(r.now(a), r.now(b)), true
		}
	}
	return r.now(l)
}

// lits copies literals and returns the copies, in their order.
func (r *Rebuilder) lits(list []Lit) (to []Lit) {
	for _, l := range list {
		to = append(to, r.Lit(l))
	}
	return to
}

// all copies literals and returns the conjunction of the copies.
func (r *Rebuilder) all(list []Lit) Lit {
	z := True
	for _, l := range list {
		z = r.to.And(z, r.Lit(l))
	}
	return z
}

func (r *Rebuilder) leaf(n int) {
	r.done[n] = true
	if r.from == r.to {
		r.at[n] = MakeLit(n, false)
		return
	}
	r.at[n] = r.to.Leaf()
}

// now is the copy of a literal whose node has been copied.
func (r *Rebuilder) now(l Lit) Lit { return r.at[l.Node()].NotIf(l.Inverted()) }
