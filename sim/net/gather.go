package net

// Gather groups independent look-ups into banks, which engines compute faster than single
// look-ups. One-bit look-ups are assigned to levels. Comparisons with constants that look-ups
// read become look-ups of a level in between. Within a level, look-ups with common source words
// go together. It returns n itself if there are too few look-ups.
func (n *Net) Gather(costs *BankCosts) *Net {
	g := &gatherer{costs: costs, n: n}
	if !g.find() {
		return n
	}
	g.assignLevels()
	g.findSpans()
	if !g.makeBanks() {
		return n
	}
	return g.rebuild()
}

// bit is one bit of a node.
type bit struct {
	node ID
	at   uint8
}

// cell is a one-bit node that can be a look-up.
type cell struct {
	table uint64
	in    []bit
	level int32
	lut   bool  // a Lut node, otherwise a comparison
	word  int32 // its output word, or -1
	at    uint8 // its bit there
}

// output is a word of look-ups of one level.
type output struct {
	level int32
	cells []ID
	bank  int32 // or -1
	index int   // its word in the bank
}

// span is a run of bits of a Cat tree that are bits of an output.
type span struct {
	word   int32
	from   uint8 // first bit in the word
	w, low uint8 // width, and first bit in the tree's value
}

// tree is a tree of Cat nodes with look-ups among its leaves.
type tree struct {
	spans []span
	rest  []leafAt // the other leaves
}

type leafAt struct {
	node ID
	at   uint8
}

// cluster is outputs that share sources.
type cluster struct {
	outs    []int32
	sources map[ID]bool
	bits    int // total width of the sources
	node    ID  // its Tables node in the new net, None before it is made
}

type gatherer struct {
	costs  *BankCosts
	n      *Net
	cellOf []int32 // by node: its cell, or -1
	cells  []cell
	level  []int32
	uses   []int32
	trees  map[ID]*tree
	outs   []output
	open   map[int32]int32 // by level: an output with room
	banks  []cluster
	m      *Net
	made   []ID // by node: its copy in the new net, None before it is made
}

// find makes cells of Lut nodes and of the comparisons that they read. It returns false if there
// are too few.
func (g *gatherer) find() bool {
	n := g.n

	// Counting first keeps nets without look-ups, which are most, from paying for the analysis.
	luts := 0
	for i := range n.N {
		if n.N[i].Op == Lut {
			luts++
		}
	}
	if luts < g.costs.Least {
		return false
	}

	// Operands have smaller IDs, so their cells exist before they are needed.
	g.cellOf = make([]int32, len(n.N))
	for i := range g.cellOf {
		g.cellOf[i] = -1
	}
	for i := range n.N {
		nd := &n.N[i]
		if nd.Op != Lut {
			continue
		}
		c := cell{table: nd.Imm, lut: true, word: -1, in: make([]bit, 0, nd.B)}
		for _, x := range n.Operands(ID(i)) {
			if g.cellOf[x] < 0 {
				g.comparison(x)
			}
			c.in = append(c.in, g.bitOf(x))
		}
		g.add(ID(i), c)
	}
	return true
}

func (g *gatherer) add(x ID, c cell) {
	g.cellOf[x] = int32(len(g.cells))
	g.cells = append(g.cells, c)
}

// bitOf is a one-bit node as a bit of a wider node, if it is a slice.
func (g *gatherer) bitOf(x ID) bit {
	if nd := &g.n.N[x]; nd.Op == Slice {
		return bit{nd.A, uint8(nd.Imm)}
	}
	return bit{x, 0}
}

// comparison makes a cell of x if it compares at most six bits with a constant.
func (g *gatherer) comparison(x ID) {
	n := g.n
	nd := n.N[x]
	if !nd.Op.IsCompare() {
		return
	}
	y, left := nd.A, true // the operand that is not constant
	k, ok := n.IsConst(nd.B)
	if !ok {
		y, left = nd.B, false
		if k, ok = n.IsConst(nd.A); !ok {
			return
		}
	}

	// A look-up has six inputs.
	w := n.Width(y)
	if w > 6 {
		return
	}

	c := cell{word: -1}
	for b := range w {
		from, ok := g.trace(y, b)
		if !ok {
			return
		}
		c.in = append(c.in, from)
	}

	// The table is the comparison's result for every value of the bits.
	for v := range uint64(1) << w {
		a, b := v, k
		if !left {
			a, b = k, v
		}
		c.table |= Eval(nd.Op, 1, nd.Imm, a, b, 0) << v
	}
	g.add(x, c)
}

// trace finds the word, and the bit in it, that bit b of x comes from. It fails for constants.
func (g *gatherer) trace(x ID, b uint8) (bit, bool) {
	// Step through slices and concatenations.
	for {
		nd := &g.n.N[x]
		switch {
		case nd.Op == Const:
			return bit{}, false
		case nd.Op == Slice:
			x, b = nd.A, b+uint8(nd.Imm)
		case nd.Op == Cat && b >= uint8(nd.Imm):
			x, b = nd.A, b-uint8(nd.Imm)
		case nd.Op == Cat:
			x = nd.B
		default:
			return bit{x, b}, b < nd.W
		}
		if b >= g.n.Width(x) {
			return bit{}, false
		}
	}
}

// assignLevels gives look-ups even levels and comparisons odd ones, such that every cell has a
// higher level than the cells it depends on.
func (g *gatherer) assignLevels() {
	n := g.n
	g.level = make([]int32, len(n.N))
	for i := range n.N {
		l := int32(0)
		n.Args(ID(i), func(x ID) { l = max(l, g.level[x]) })

		// Round up to the next level of the cell's parity.
		if c := g.cellOf[i]; c >= 0 {
			if g.cells[c].lut {
				l = l&^1 + 2
			} else {
				l = l + 1 | 1
			}
			g.cells[c].level = l
		}
		g.level[i] = l
	}
}

// findSpans places the cells of Cat trees side by side in outputs, then the remaining cells
// anywhere.
func (g *gatherer) findSpans() {
	n := g.n
	g.uses = n.Uses()
	g.trees = map[ID]*tree{}
	g.open = map[int32]int32{}

	// Roots come before inner nodes in this direction.
	inner := make([]bool, len(n.N))
	for i := len(n.N) - 1; i >= 0; i-- {
		if n.N[i].Op == Cat && !inner[i] {
			g.tree(ID(i), inner)
		}
	}

	for i := range n.N {
		if k := g.cellOf[i]; k >= 0 && g.cells[k].word < 0 {
			g.put([]ID{ID(i)}, 1)
		}
	}
}

// tree finds the spans of a Cat tree: its look-ups of one level, at the same distances.
func (g *gatherer) tree(root ID, inner []bool) {
	t := &tree{}
	byLevel := map[int32][]leafAt{}
	var levels []int32 // in the order of their lowest look-ups

	// Sort the leaves by level; leaves that are no look-ups are assembled separately.
	for _, l := range g.leaves(root, inner) {
		k := g.cellOf[l.node]
		if k < 0 || !g.cells[k].lut {
			t.rest = append(t.rest, l)
			continue
		}
		v := g.cells[k].level
		if byLevel[v] == nil {
			levels = append(levels, v)
		}
		byLevel[v] = append(byLevel[v], l)
	}

	for _, v := range levels {
		list := byLevel[v]
		if len(list) < g.costs.Span {
			t.rest = append(t.rest, list...)
			continue
		}

		// Gaps in the run stay None, so that one slice and one shift place all bits.
		first, last := list[0].at, list[len(list)-1].at
		run := make([]ID, last-first+1)
		for i := range run {
			run[i] = None
		}
		for _, l := range list {
			run[l.at-first] = l.node
		}
		s := g.put(run, v)
		s.low = first
		t.spans = append(t.spans, s)
	}

	// Without spans the tree is copied like any node.
	if len(t.spans) > 0 {
		g.trees[root] = t
	}
}

// leaves lists the leaves of a Cat tree from the lowest bit up, and marks its inner nodes. A Cat
// with another user is a leaf.
func (g *gatherer) leaves(root ID, inner []bool) []leafAt {
	n := g.n
	var list []leafAt

	// A Cat used elsewhere is a value of its own; taking it apart would compute it twice.
	var walk func(x ID, at uint8)
	walk = func(x ID, at uint8) {
		nd := &n.N[x]
		if nd.Op != Cat || x != root && g.uses[x] > 1 {
			list = append(list, leafAt{x, at})
			return
		}
		inner[x] = true
		walk(nd.B, at)
		walk(nd.A, at+uint8(nd.Imm))
	}
	walk(root, 0)
	return list
}

// put places a run of cells (None: a 0 bit) in an output with room.
func (g *gatherer) put(run []ID, level int32) span {
	if len(run) == 1 {
		level = g.cells[g.cellOf[run[0]]].level
	}

	// A long run opens an output of its own without closing the previous one.
	k, ok := g.open[level]
	if !ok || len(g.outs[k].cells)+len(run) > 64 {
		k = int32(len(g.outs))
		g.outs = append(g.outs, output{level: level, bank: -1})
		if !ok || len(run) <= 32 {
			g.open[level] = k
		}
	}

	// A cell of several trees has one home, its first place. The later places compute it again.
	o := &g.outs[k]
	s := span{word: k, from: uint8(len(o.cells)), w: uint8(len(run))}
	for i, x := range run {
		if x >= 0 {
			if c := &g.cells[g.cellOf[x]]; c.word < 0 {
				c.word, c.at = k, s.from+uint8(i)
			}
		}
	}
	o.cells = append(o.cells, run...)
	return s
}
