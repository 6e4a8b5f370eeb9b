package lanes

import "math"

// cutter finds which of two sides the vertices of a graph are on when what is cut
// costs least: maximum flow by blocking flows (Dinic 1970).
type cutter struct {
	out   [][]int32 // by vertex: its edges; edge e and e^1 are the two directions of one
	to    []int32
	room  []int64
	level []int32
	next  []int // by vertex: the first edge that may lead on
	work  int   // edges that may still be looked at
}

// The two sides.
const (
	source = 0
	sink   = 1
)

// unbreakable is a cost that is never worth it.
const unbreakable = math.MaxInt64 / 4

// cutWork bounds the edges that are looked at.
const cutWork = 4 << 20

func newCutter() *cutter { return &cutter{out: make([][]int32, 2), work: cutWork} }

// vertex adds a vertex.
func (c *cutter) vertex() int32 {
	c.out = append(c.out, nil)
	return int32(len(c.out) - 1)
}

// edge says what it costs to have a on the side of the source and b on that of the
// sink.
func (c *cutter) edge(a, b int32, cost int64) {
	for _, v := range [2]int32{a, b} {
		c.out[v] = append(c.out[v], int32(len(c.to)))
		c.to = append(c.to, a+b-v)
		c.room = append(c.room, cost)
		cost = 0
	}
}

// cut returns what the cheapest cut costs; false if it takes too long to find.
func (c *cutter) cut() (cost int64, ok bool) {
	c.level, c.next = make([]int32, len(c.out)), make([]int, len(c.out))
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

// onSource reports, after cut, which side a vertex is on.
func (c *cutter) onSource(v int32) bool { return c.level[v] >= 0 }

// levels finds how far vertices are from the source, and whether the sink can be
// reached.
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

// push sends up to limit from v to the sink along one path.
func (c *cutter) push(v int32, limit int64) int64 {
	if v == sink {
		return limit
	}
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
