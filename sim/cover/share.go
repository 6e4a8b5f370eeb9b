package cover

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"etch/ir"
)

// mostShared is the largest number of conditions that one register counts.
const mostShared = 256

// fewShared is the number of conditions whose sum is worth a register of its own: what the sum
// depends on may rest while the counter, which changes at every edge, goes on adding it.
const fewShared = 4

// share gives the module's counters their registers. Lines add counters up, as the multiplexers of
// a loop in the source do, so counters that stand in the same lines have one register, which counts
// how many of their conditions hold.
func (c *counters) share() {
	byLines := map[string][]int{}
	var order []string
	for k, lines := range c.lines() {
		t := &c.plan.counters[c.counter+k]
		if t.every || lines == "" {
			continue
		}
		key := fmt.Sprint(t.clk, lines)
		if byLines[key] == nil {
			order = append(order, key)
		}
		byLines[key] = append(byLines[key], c.counter+k)
	}

	for _, key := range order {
		for group := range slices.Chunk(byLines[key], mostShared) {
			c.register(group)
		}
	}
}

// lines describes, for each counter of the module, the lines that it stands in, and how often it is
// added there: empty if in none.
func (c *counters) lines() []string {
	type term struct {
		line    string
		counter int
	}
	times := map[term]int{}
	var terms []term
	note := func(line string, list []int, by int) {
		for _, k := range list {
			t := term{line, k - c.counter}
			if _, known := times[t]; !known {
				terms = append(terms, t)
			}
			times[t] += by
		}
	}
	for _, q := range c.plan.points[c.point:] {
		line := fmt.Sprint(q.kind, q.pos, q.name)
		note(line, q.plus, 1)
		note(line, q.minus, -1)
	}

	// The order of the points is no property of a counter.
	slices.SortFunc(terms, func(a, b term) int { return strings.Compare(a.line, b.line) })
	all := make([]string, len(c.plan.counters)-c.counter)
	for _, t := range terms {
		if n := times[t]; n != 0 {
			all[t.counter] += fmt.Sprintf("%d × %q ", n, t.line)
		}
	}
	return all
}

// register makes the register of some counters: the first has it.
func (c *counters) register(group []int) {
	first := &c.plan.counters[group[0]]

	// The number of conditions that hold is the population count of their concatenation.
	sum := first.cond
	if len(group) > 1 {
		conds := make([]ir.ID, len(group))
		for i, k := range group {
			conds[i] = c.plan.counters[k].cond
		}
		all := c.m.Add(ir.Node{Op: ir.Cat, Width: int32(len(conds))}, conds...)
		sum = c.m.Add(ir.Node{Op: ir.PopCount, Width: int32(bits.Len(uint(len(conds))))}, all)
	}

	if len(group) >= fewShared {
		first.seen = c.state(fmt.Sprint("etch_cover_seen_", group[0]), c.m.Width(sum), first.clk)
		c.next(first.seen, sum)
		sum = first.seen
	}

	// A register of several has as many bits more as let it wrap around no sooner than one of a
	// single condition.
	width := counterBits + bits.Len(uint(len(group)-1))
	first.reg = c.state(fmt.Sprint("etch_cover_", group[0]), width, first.clk)
	more := c.m.Add(ir.Node{Op: ir.ZExt, Width: int32(width)}, sum)
	c.next(first.reg, c.m.Add(ir.Node{Op: ir.Add, Width: int32(width)}, first.reg, more))
}
