package view

import (
	"cmp"
	"math"
	"slices"
)

// layouter gives the boxes of a schematic their places and the edges their lines.
type layouter interface{ layout(*Graph) }

// layered puts boxes in columns, each behind the boxes that it depends on (Sugiyama, Tagawa and
// Toda 1981): edges that close a cycle are turned round, long edges get a place of their own in
// the columns that they cross, and the order in a column is that of the mean place of the
// neighbours.
type layered struct{}

// Distances in pixels.
const (
	columnGap = 70
	rowGap    = 18
	laneGap   = 10 // height of a place that an edge passes through
	margin    = 16
	sweeps    = 12 // over all columns, alternately to the right and to the left
)

// slot is a box, or a place that an edge passes through, in a column.
type slot struct {
	box    int // -1: an edge's
	column int
	y, h   int
	prev   []int // slots in the column before
	next   []int
	mean   float64
}

func (layered) layout(g *Graph) {
	if len(g.Boxes) == 0 {
		return
	}
	columns := columnsOf(g)
	slots, chains := slotsOf(g, columns)

	// Every edge now leads from a column to the next, and orders can be improved pair by pair.
	order := make([][]int, slices.Max(columns)+1)
	for i, s := range slots {
		order[s.column] = append(order[s.column], i)
	}
	place(slots, order)

	// Lines need the places of all boxes.
	draw(g, slots, chains, put(g, slots, order))
}

// columnsOf gives each box a column behind its sources, where no cycle forbids it: inputs come
// first, and an edge that leads back to a box on the way to it does not count.
func columnsOf(g *Graph) []int {
	n := len(g.Boxes)
	next := make([][]int, n)
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], e.To)
	}

	// Depth-first from inputs, then registers, then the rest, in the order of the boxes.
	rank := map[string]int{"input": 0, "inout": 0, "register": 1, "memory": 1, "instance": 1, "wire": 2, "output": 3}
	starts := make([]int, n)
	for i := range starts {
		starts[i] = i
	}
	slices.SortStableFunc(starts, func(a, b int) int { return cmp.Compare(rank[g.Boxes[a].Kind], rank[g.Boxes[b].Kind]) })
	state := make([]byte, n) // 1 on the way, 2 done
	var done []int
	kept := make([][]int, n)
	var visit func(i int)
	visit = func(i int) {
		state[i] = 1
		for _, to := range next[i] {
			if state[to] == 1 {
				continue
			}
			kept[i] = append(kept[i], to)
			if state[to] == 0 {
				visit(to)
			}
		}
		state[i] = 2
		done = append(done, i)
	}
	for _, i := range starts {
		if state[i] == 0 {
			visit(i)
		}
	}

	// Longest path in the order that the search leaves behind.
	columns := make([]int, n)
	for _, i := range slices.Backward(done) {
		for _, to := range kept[i] {
			columns[to] = max(columns[to], columns[i]+1)
		}
	}
	return columns
}

// slotsOf makes the slots of boxes, whose numbers are the boxes' own, and of the columns between
// the ends of each edge. An edge's chain lists its slots from left to right, without the boxes. An
// edge that leads to the left is turned round.
func slotsOf(g *Graph, columns []int) (slots []slot, chains [][]int) {
	// Slot i is box i.
	slots = make([]slot, len(g.Boxes))
	for i := range slots {
		slots[i] = slot{box: i, column: columns[i], h: g.Boxes[i].H}
	}

	// Dummy vertices: an edge over several columns becomes a chain of edges between neighbouring
	// columns, so that crossings are counted between neighbours only (Sugiyama's method).
	chains = make([][]int, len(g.Edges))
	for e := range g.Edges {
		a, b := g.Edges[e].From, g.Edges[e].To
		if columns[a] >= columns[b] {
			g.Edges[e].Back = true
			a, b = b, a
		}

		at := a
		for c := columns[a] + 1; c <= columns[b]; c++ {
			to := b
			if c < columns[b] {
				to = len(slots)
				slots = append(slots, slot{box: -1, column: c, h: laneGap})
				chains[e] = append(chains[e], to)
			}
			slots[at].next, slots[to].prev = append(slots[at].next, to), append(slots[to].prev, at)
			at = to
		}
	}
	return slots, chains
}

// extent is the left and the right side of a column, in pixels.
type extent struct{ left, right int }

// put gives the boxes their places and the graph its size. A column is as wide as its widest box,
// and boxes stand in its middle.
func put(g *Graph, slots []slot, order [][]int) []extent {
	// Heights are there already, in the slots; columns get their place from left to right. Slots of
	// edges have no width, but count for the height of the graph.
	x := margin
	extents := make([]extent, len(order))
	for c, list := range order {
		width := 0
		for _, i := range list {
			if b := slots[i].box; b >= 0 {
				width = max(width, g.Boxes[b].W)
			}
		}

		extents[c] = extent{x, x + width}
		for _, i := range list {
			if b := slots[i].box; b >= 0 {
				g.Boxes[b].X, g.Boxes[b].Y = x+(width-g.Boxes[b].W)/2, slots[i].y
				g.H = max(g.H, g.Boxes[b].Y+g.Boxes[b].H+margin)
			}
			g.H = max(g.H, slots[i].y+slots[i].h+margin)
		}
		x += width + columnGap
	}
	g.W = x - columnGap + margin
	return extents
}

// draw gives the edges their lines. A line runs from the right side of its source through its
// slots, straight across each column, to the left side of its target. A turned edge passes them in
// the other direction.
func draw(g *Graph, slots []slot, chains [][]int, columns []extent) {
	for e := range g.Edges {
		edge := &g.Edges[e]
		from, to := g.Boxes[edge.From], g.Boxes[edge.To]
		if edge.Back {
			slices.Reverse(chains[e])
		}

		edge.Path = append(edge.Path, [2]int{from.X + from.W, from.Y + from.H/2})
		for _, i := range chains[e] {
			c, y := columns[slots[i].column], slots[i].y+laneGap/2
			ends := [2][2]int{{c.left, y}, {c.right, y}}
			if edge.Back {
				ends[0], ends[1] = ends[1], ends[0]
			}
			edge.Path = append(edge.Path, ends[:]...)
		}
		edge.Path = append(edge.Path, [2]int{to.X, to.Y + to.H/2})
	}
}

// place orders the slots of each column by their neighbours and gives them heights.
func place(slots []slot, order [][]int) {
	middle := func(i int) float64 { return float64(slots[i].y) + float64(slots[i].h)/2 }
	stack := func(list []int) {
		y := margin
		for _, i := range list {
			slots[i].y = y
			y += slots[i].h + rowGap
		}
	}
	for _, list := range order {
		stack(list)
	}

	// Barycentre heuristic: each slot moves towards the mean of its neighbours in the column that
	// the sweep comes from.
	for sweep := range sweeps {
		for k := range order {
			c, toRight := k, sweep%2 == 0
			if !toRight {
				c = len(order) - 1 - k
			}
			for _, i := range order[c] {
				near := slots[i].prev
				if !toRight {
					near = slots[i].next
				}
				slots[i].mean = middle(i)
				if len(near) > 0 {
					sum := 0.0
					for _, j := range near {
						sum += middle(j)
					}
					slots[i].mean = sum / float64(len(near))
				}
			}
			slices.SortStableFunc(order[c], func(a, b int) int { return cmp.Compare(slots[a].mean, slots[b].mean) })
			settle(slots, order[c])
		}
	}

	// The whole begins at the margin.
	top := slots[0].y
	for _, s := range slots {
		top = min(top, s.y)
	}
	for i := range slots {
		slots[i].y -= top - margin
	}
}

// settle puts the slots of a column as near to their means as the slot above allows, and then all
// of them as far up as they came to lie below their means on average.
func settle(slots []slot, column []int) {
	above, lower := math.MinInt, 0
	for _, i := range column {
		wish := int(slots[i].mean) - slots[i].h/2
		slots[i].y = max(above, wish)
		lower += slots[i].y - wish
		above = slots[i].y + slots[i].h + rowGap
	}
	for _, i := range column {
		slots[i].y -= lower / len(column)
	}
}
