package aig

// Graph is an and-inverter graph. Node 0 is the constant false; the others are
// leaves and ands, arguments first.
type Graph struct {
	nodes []node
	table []uint32 // open addressing: numbers of ands, 0 is empty
	ands  int
	max   int
	full  bool
	late  func() bool // nil: never
}

// node is an and of a and b with a < b, or a leaf, which has b = 0.
type node struct{ a, b Lit }

// New returns a graph of no nodes but the constant.
func New() *Graph {
	return &Graph{nodes: make([]node, 1, 1024), table: make([]uint32, 1024), max: DefaultMaxNodes}
}

// DefaultMaxNodes is the default limit on the nodes of a graph.
const DefaultMaxNodes = 1 << 24

// Len is the number of nodes, the constant included.
func (g *Graph) Len() int { return len(g.nodes) }

// Ands is the number of ands.
func (g *Graph) Ands() int { return g.ands }

// Full reports that an And exceeded the limit, or that the time of [Graph.Until] was over.
// Its result was False, so everything made since is wrong.
func (g *Graph) Full() bool { return g.full }

// Limit sets the number of nodes at which a graph is full.
func (g *Graph) Limit(nodes int) { g.max = nodes }

// Until gives a graph a time: it is full once late returns true, which is asked every
// 16,384 ands.
func (g *Graph) Until(late func() bool) { g.late = late }

// Leaf adds a leaf.
func (g *Graph) Leaf() Lit {
	g.nodes = append(g.nodes, node{a: Lit(len(g.nodes)) << 1})
	return Lit(len(g.nodes)-1) << 1
}

// IsAnd reports whether node n is an and.
func (g *Graph) IsAnd(n int) bool { return g.nodes[n].b != 0 }

// IsLeaf reports whether node n is a leaf.
func (g *Graph) IsLeaf(n int) bool { return n > 0 && g.nodes[n].b == 0 }

// Args are the arguments of the and n, the smaller literal first.
func (g *Graph) Args(n int) (a, b Lit) { return g.nodes[n].a, g.nodes[n].b }

// And is x and y: a constant, an existing node or a new one.
func (g *Graph) And(x, y Lit) Lit {
	// Operands in order, so that x and y finds the same node as y and x.
	if x > y {
		x, y = y, x
	}
	// Constants and equal operands, then rewriting over two levels, then the hash table.
	switch {
	case x == False || x == y.Not():
		return False
	case x == True || x == y:
		return y
	}
	if z, ok := g.rewrite(x, y); ok {
		return z
	}
	return g.hashed(x, y)
}

// hashed returns the existing and of x < y, or adds it.
func (g *Graph) hashed(x, y Lit) Lit {
	// The table is at most half full, so that searches stay short.
	if 2*g.ands >= len(g.table) {
		g.grow()
	}

	// Equal logic of two designs meets here.
	at := g.slot(x, y)
	if n := g.table[at]; n != 0 {
		return Lit(n) << 1
	}

	// A full graph answers False, which is wrong: callers check Full before they use a result.
	const askEvery = 1 << 14
	if g.full = g.full || len(g.nodes) >= g.max || g.ands%askEvery == 0 && g.late != nil && g.late(); g.full {
		return False
	}
	g.nodes = append(g.nodes, node{x, y})
	g.ands++
	g.table[at] = uint32(len(g.nodes) - 1)
	return Lit(len(g.nodes)-1) << 1
}

// slot is the slot of the and of x and y, or the empty slot for it. Linear probing; the
// multiplier is 2^64/φ (Fibonacci hashing).
func (g *Graph) slot(x, y Lit) uint32 {
	mask := uint32(len(g.table) - 1)
	at := uint32((uint64(x)<<32|uint64(y))*0x9e3779b97f4a7c15>>32) & mask
	for {
		n := g.table[at]
		if n == 0 || g.nodes[n] == (node{x, y}) {
			return at
		}
		at = (at + 1) & mask
	}
}

func (g *Graph) grow() {
	g.table = make([]uint32, 2*len(g.table))
	for n := range g.nodes {
		if g.IsAnd(n) {
			g.table[g.slot(g.nodes[n].a, g.nodes[n].b)] = uint32(n)
		}
	}
}

// rewrite applies the two-level rules of R. Brummayer and A. Biere, "Local two-level
// and-inverter graph minimization without blowup" (2006): it looks one level below the
// operands.
func (g *Graph) rewrite(x, y Lit) (Lit, bool) {
	if z, ok := g.absorb(x, y); ok {
		return z, true
	}
	if z, ok := g.absorb(y, x); ok {
		return z, true
	}

	// The other rules need two gates.
	if !g.IsAnd(x.Node()) || !g.IsAnd(y.Node()) {
		return 0, false
	}
	p, q := g.nodes[x.Node()], g.nodes[y.Node()]
	switch {
	case !x.Inverted() && !y.Inverted():
		// (a b)(¬a c) is false
		if p.a == q.a.Not() || p.a == q.b.Not() || p.b == q.a.Not() || p.b == q.b.Not() {
			return False, true
		}
	case x.Inverted() && y.Inverted():
		// ¬(a b) ¬(a ¬b) is ¬a
		switch {
		case p.a == q.a && p.b == q.b.Not(), p.a == q.b && p.b == q.a.Not():
			return p.a.Not(), true
		case p.b == q.b && p.a == q.a.Not(), p.b == q.a && p.a == q.b.Not():
			return p.b.Not(), true
		}
	case x.Inverted():
		return g.subsumed(p, q, y)
	default:
		return g.subsumed(q, p, x)
	}
	return 0, false
}

// absorb simplifies x and y if x is an and, or the inverse of one, and y is one of its
// operands, or the inverse of one.
func (g *Graph) absorb(x, y Lit) (Lit, bool) {
	if !g.IsAnd(x.Node()) {
		return 0, false
	}
	n := g.nodes[x.Node()]
	switch {
	case !x.Inverted() && (n.a == y || n.b == y): // (a b) a
		return x, true
	case !x.Inverted() && (n.a == y.Not() || n.b == y.Not()): // (a b) ¬a
		return False, true
	case x.Inverted() && (n.a == y.Not() || n.b == y.Not()): // ¬(a b) ¬a
		return y, true
	case x.Inverted() && n.a == y: // ¬(a b) a
		return g.And(y, n.b.Not()), true
	case x.Inverted() && n.b == y:
		return g.And(y, n.a.Not()), true
	}
	return 0, false
}

// subsumed simplifies ¬p and y, where y is the and q.
func (g *Graph) subsumed(p, q node, y Lit) (Lit, bool) {
	switch {
	case p.a == q.a.Not() || p.a == q.b.Not() || p.b == q.a.Not() || p.b == q.b.Not():
		return y, true // ¬(¬a c)(a b) is a b
	case p.a == q.a || p.a == q.b:
		return g.And(y, p.b.Not()), true // ¬(a c)(a b) is a b ¬c
	case p.b == q.a || p.b == q.b:
		return g.And(y, p.a.Not()), true
	}
	return 0, false
}
