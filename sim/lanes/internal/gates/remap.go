package gates

import (
	"math/bits"
	"slices"
)

// cut is a way to make a node: a function of at most three nodes.
type cut struct {
	leaf  leaves
	fn    uint8
	depth float32 // area flow: gates needed, shared ones divided among their users
	marks uint64  // a bit for each node, by its number's last digits: more than three bits are more than three nodes
}

// leaves is at most three nodes, largest first, -1 for none.
type leaves [3]int32

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
	// Technology mapping by priority cuts (Mishchenko, Cho, Chatterjee and Brayton, "Combinational and
	// sequential mapping with priority cuts", ICCAD 2007): gates in topological order, of each the
	// maxCuts cheapest cuts. Area flow divides the cost of a shared node by its fan-out, which is
	// estimated in the graph before mapping.
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
		itself := cut{leaf: leaves{int32(i), -1, -1}, fn: patterns[0], marks: mark(int32(i))}
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
		kept := found[:min(len(found), maxCuts)]
		cuts[i] = append(append(make([]cut, 0, len(kept)+1), kept...), itself)
	}
	return best
}

// none is the cut of a missing operand.
var none = []cut{{leaf: leaves{-1, -1, -1}}}

// merge lists the cuts of a gate that combine cuts of its operands.
func (g *Graph) merge(gt *Gate, cuts [][]cut, found []cut) []cut {
	var of [3][]cut
	for k, l := range [3]Lit{gt.A, gt.B, gt.C} {
		if of[k] = none; l >= 0 {
			of[k] = cuts[l.Node()]
		}
	}

	// One cut of each operand; the union must not exceed three nodes. Most unions do, and their marks
	// tell it of nearly all.
	for i := range of[0] {
		a := &of[0][i]
		for j := range of[1] {
			b := &of[1][j]
			if bits.OnesCount64(a.marks|b.marks) > 3 {
				continue
			}
			ab, ok := union(a.leaf, b.leaf)
			if !ok {
				continue
			}
			for k := range of[2] {
				c := &of[2][k]
				marks := a.marks | b.marks | c.marks
				if bits.OnesCount64(marks) > 3 {
					continue
				}
				leaf, ok := union(ab, c.leaf)
				if !ok || slices.ContainsFunc(found, func(f cut) bool { return f.leaf == leaf }) {
					continue
				}
				fn := apply(gt.Fn, a.over(leaf), b.over(leaf), c.over(leaf))
				found = append(found, cut{leaf: leaf, fn: fn, marks: marks})
			}
		}
	}
	return found
}

// mark is the bit of a node.
func mark(x int32) uint64 { return 1 << (x & 63) }

// union is the nodes of two cuts; ok is false if there are more than three.
func union(a, b leaves) (all leaves, ok bool) {
	all = leaves{-1, -1, -1}
	i, j := 0, 0
	for n := 0; ; n++ {
		x, y := int32(-1), int32(-1)
		if i < len(a) {
			x = a[i]
		}
		if j < len(b) {
			y = b[j]
		}

		// The larger of the two next ones, or both where they are one.
		next := max(x, y)
		if next < 0 {
			return all, true
		}
		if n == len(all) {
			return all, false
		}
		all[n] = next
		if x == next {
			i++
		}
		if y == next {
			j++
		}
	}
}

// over is the table of a cut over leaf, which contains its nodes.
func (c *cut) over(leaf leaves) uint8 {
	if c.leaf == leaf {
		return c.fn
	}

	var in [3]uint8
	for k, x := range c.leaf {
		if x >= 0 {
			in[k] = patterns[slices.Index(leaf[:], x)]
		}
	}
	return apply(c.fn, in[0], in[1], in[2])
}

// apply applies fn to three tables: a multiplexer of its bits by c, b and a, for all rows at once.
func apply(fn, a, b, c uint8) uint8 {
	of := func(low, high, by uint8) uint8 { return low ^ (low^high)&by }
	bit := func(i int) uint8 { return -(fn >> i & 1) }

	without := of(of(bit(0), bit(1), c), of(bit(2), bit(3), c), b)
	with := of(of(bit(4), bit(5), c), of(bit(6), bit(7), c), b)
	return of(without, with, a)
}
