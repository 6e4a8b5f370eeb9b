package code

import "math"

// cutter finds a minimum cut of a graph by maximum flow with blocking flows (Dinic 1970).
type cutter struct {
	out   [][]int32 // by vertex: its edges; edge e and e^1 are the two directions of one
	to    []int32
	room  []int64 // by edge: remaining capacity
	level []int32 // by vertex: distance from the source, or -1
	next  []int   // by vertex: the first edge not yet exhausted
	work  int     // edges that may still be visited
}

// The two sides.
const (
	source = 0
	sink   = 1
)

// unbreakable is a cost that no cut accepts.
const unbreakable = math.MaxInt64 / 4

// newCutter returns a cutter that visits at most work edges.
func newCutter(work int) *cutter { return &cutter{out: make([][]int32, 2), work: work} }

// vertex adds a vertex.
func (c *cutter) vertex() int32 {
	c.out = append(c.out, nil)
	return int32(len(c.out) - 1)
}

// edge adds the cost of having a on the source's side and b on the sink's.
func (c *cutter) edge(a, b int32, cost int64) {
	// The direction back begins without capacity.
	for _, v := range [2]int32{a, b} {
		c.out[v] = append(c.out[v], int32(len(c.to)))
		c.to = append(c.to, a+b-v)
		c.room = append(c.room, cost)
		cost = 0
	}
}

// cut returns the cost of a minimum cut; ok is false if that takes too long.
func (c *cutter) cut() (cost int64, ok bool) {
	c.level, c.next = make([]int32, len(c.out)), make([]int, len(c.out))
	// Each phase sends flow along shortest paths until none is left.
	for c.levels() {
		clear(c.next)
		for flow := c.push(source, unbreakable); flow > 0; flow = c.push(source, unbreakable) {
			cost += flow
		}
		if c.work < 0 {
			return 0, false
		}
	}
	return cost, true
}

// onSource reports, after cut, whether a vertex is on the source's side.
func (c *cutter) onSource(v int32) bool { return c.level[v] >= 0 }

// levels computes the distances from the source by breadth-first search, and reports whether the
// sink is reachable.
func (c *cutter) levels() bool {
	for v := range c.level {
		c.level[v] = -1
	}

	c.level[source] = 0
	for queue := []int32{source}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		c.work -= len(c.out[v])
		for _, e := range c.out[v] {
			if w := c.to[e]; c.room[e] > 0 && c.level[w] < 0 {
				c.level[w] = c.level[v] + 1
				queue = append(queue, w)
			}
		}
	}
	return c.level[sink] >= 0
}

// push sends up to limit from v to the sink along one path, and returns the flow.
func (c *cutter) push(v int32, limit int64) int64 {
	if v == sink {
		return limit
	}
	// Only edges to the next level; exhausted ones are not tried again in this phase.
	for ; c.next[v] < len(c.out[v]) && c.work > 0; c.next[v]++ {
		c.work--
		e := c.out[v][c.next[v]]
		if c.room[e] == 0 || c.level[c.to[e]] != c.level[v]+1 {
			continue
		}
		if flow := c.push(c.to[e], min(limit, c.room[e])); flow > 0 {
			c.room[e] -= flow
			c.room[e^1] += flow
			return flow
		}
	}
	return 0
}
