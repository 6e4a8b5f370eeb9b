package gates

import "slices"

// cut is a way to make a node: a function of at most three nodes, largest first, -1 for none.
type cut struct {
	leaf  [3]int32
	fn    uint8
	depth float32 // area flow: gates needed, shared ones divided among their users
}

// maxCuts is the number of cuts kept per node.
const maxCuts = 5

// patterns are the tables of a, b and c.
var patterns = [3]uint8{0xf0, 0xcc, 0xaa}

// Remap covers a three-operand graph with as few gates as it finds (technology mapping by cut
// enumeration): each new gate replaces all gates between its node and a cut of at most three
// nodes. It returns a graph with the same leaves and everything that roots need, and by node the
// literal that replaces it, None if it is gone.
func (g *Graph) Remap(roots []Lit) (to *Graph, became []Lit) {
	best := g.bestCuts(roots)
	// Needed nodes, from the roots down through the chosen cuts.
	need := make([]bool, len(g.N))
	for _, r := range roots {
		need[r.Node()] = true
	}
	for i := len(g.N) - 1; i >= 0; i-- {
		if need[i] && g.N[i].Fn != 0 {
			for _, x := range best[i].leaf {
				if x >= 0 {
					need[x] = true
				}
			}
		}
	}

	// Then build the new graph upwards.
	to = New(3)
	became = make([]Lit, len(g.N))
	for i := range g.N {
		switch {
		case i == 0:
			became[i] = False
		case g.N[i].Fn == 0:
			became[i] = to.Leaf()
		case !need[i]:
			became[i] = None
		default:
			var in [3]Lit
			for k, x := range best[i].leaf {
				if in[k] = None; x >= 0 {
					in[k] = became[x]
				}
			}
			became[i] = to.Any(in[0], in[1], in[2], best[i].fn)
		}
	}
	return to, became
}

// bestCuts finds the cheapest cut of every gate, by area flow.
func (g *Graph) bestCuts(roots []Lit) []cut {
	// Fan-outs, by which the cost of shared nodes is divided.
	fan := make([]float32, len(g.N))
	for i := range g.N {
		for _, l := range g.Operands(int32(i)) {
			fan[l.Node()]++
		}
	}

	for _, r := range roots {
		fan[r.Node()]++
	}

	best, cuts := make([]cut, len(g.N)), make([][]cut, len(g.N))
	var found []cut
	for i := range g.N {
		itself := cut{leaf: [3]int32{int32(i), -1, -1}, fn: patterns[0]}
		if g.N[i].Fn == 0 {
			cuts[i] = []cut{itself}
			continue
		}
		// All cuts that follow from the operands' cuts, the cheapest first.
		found = g.merge(&g.N[i], cuts, found[:0])
		for k := range found {
			c := &found[k]

			// Area flow: this gate, and each input's share of its own.
			c.depth = 1
			for _, x := range c.leaf {
				if x >= 0 {
					c.depth += best[x].depth / max(1, fan[x])
				}
			}
		}

		slices.SortStableFunc(found, func(a, b cut) int {
			switch {
			case a.depth < b.depth:
				return -1
			case a.depth > b.depth:
				return 1
			}
			return 0
		})

		best[i] = found[0]

		// The node itself is a cut for its users.
		cuts[i] = append(slices.Clone(found[:min(len(found), maxCuts)]), itself)
	}
	return best
}

// none is the cut of a missing operand.
var none = []cut{{leaf: [3]int32{-1, -1, -1}}}

// merge lists the cuts of a gate that combine cuts of its operands.
func (g *Graph) merge(gt *Gate, cuts [][]cut, found []cut) []cut {
	var of [3][]cut
	for k, l := range [3]Lit{gt.A, gt.B, gt.C} {
		if of[k] = none; l >= 0 {
			of[k] = cuts[l.Node()]
		}
	}
	// One cut of each operand; the union must not exceed three nodes.
	for _, a := range of[0] {
		for _, b := range of[1] {
			for _, c := range of[2] {
				leaf, ok := union(a.leaf, b.leaf, c.leaf)
				if !ok || slices.ContainsFunc(found, func(f cut) bool { return f.leaf == leaf }) {
					continue
				}
				fn := apply(gt.Fn, a.over(leaf), b.over(leaf), c.over(leaf))
				found = append(found, cut{leaf: leaf, fn: fn})
			}
		}
	}
	return found
}

// union is the nodes of several cuts, largest first; ok is false if there are more than three.
func union(sets ...[3]int32) (all [3]int32, ok bool) {
	n := 0
	all = [3]int32{-1, -1, -1}
	for _, s := range sets {
		for _, x := range s {
			if x < 0 || slices.Contains(all[:n], x) {
				continue
			}
			if n == 3 {
				return all, false
			}
			// Insertion sort.
			at := n
			for ; at > 0 && all[at-1] < x; at-- {
				all[at] = all[at-1]
			}
			all[at] = x
			n++
		}
	}
	return all, true
}

// over is the table of a cut over leaf, which contains its nodes.
func (c *cut) over(leaf [3]int32) uint8 {
	var in [3]uint8
	for k, x := range c.leaf {
		if x >= 0 {
			in[k] = patterns[slices.Index(leaf[:], x)]
		}
	}
	return apply(c.fn, in[0], in[1], in[2])
}

// apply applies fn to three tables, as a sum of its minterms.
func apply(fn, a, b, c uint8) (out uint8) {
	for i := range 8 {
		if fn>>i&1 != 0 {
			out |= (a ^ (uint8(i>>2&1) - 1)) & (b ^ (uint8(i>>1&1) - 1)) & (c ^ (uint8(i&1) - 1))
		}
	}
	return out
}
