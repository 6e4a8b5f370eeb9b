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

// fewShared is the number of conditions whose sum is worth a register of its own: the logic that makes
// the sum may rest while the counter, which changes at every edge, goes on adding it.
const fewShared = 4

// share gives the module's counters their registers. Lines add counters up, as the multiplexers of
// a loop in the source do, so counters that stand in the same lines have one register, which counts
// how many of their conditions hold, or how many do not if most are usual.
func (c *counters) share() {
	byLines := map[string][]int{}
	var order []string
	for k, lines := range c.lines() {
		t := &c.instrumented.counters[c.counter+k]
		if t.every || lines == "" {
			continue
		}
		key := fmt.Sprint(t.clk, lines)
		if byLines[key] == nil {
			order = append(order, key)
		}
		byLines[key] = append(byLines[key], c.counter+k)
	}

	// Before the registers, whose logic would relate what they count.
	c.relate()
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
	for _, q := range c.instrumented.points[c.point:] {
		line := fmt.Sprint(q.kind, q.pos, q.name)
		note(line, q.plus, 1)
		note(line, q.minus, -1)
	}

	// The order of the points is no property of a counter.
	slices.SortFunc(terms, func(a, b term) int { return strings.Compare(a.line, b.line) })
	all := make([]string, len(c.instrumented.counters)-c.counter)
	for _, t := range terms {
		if n := times[t]; n != 0 {
			all[t.counter] += fmt.Sprintf("%d × %q ", n, t.line)
		}
	}
	return all
}

// register makes the register of some counters: the first has it. If most of their conditions are
// usual, it counts the edges at which they do not hold.
func (c *counters) register(group []int) {
	first := &c.instrumented.counters[group[0]]
	usual := c.mostlyUsual(group)
	if usual {
		first.inverse = len(group)
	}

	// Conditions that rest together have a register with the number of conditions that hold.
	sum := ir.None
	if len(group) < fewShared {
		sum = c.holding(group, usual)
	} else {
		width := int32(bits.Len(uint(len(group))))
		for _, related := range c.together(group) {
			holding := c.holding(related, usual)
			seen := c.state(fmt.Sprint("etch_cover_seen_", related[0]), c.m.Width(holding), first.clk)
			c.next(seen, holding)
			first.seen = append(first.seen, seen)

			term := c.m.Add(ir.Node{Op: ir.ZExt, Width: width}, seen)
			if sum == ir.None {
				sum = term
			} else {
				sum = c.m.Add(ir.Node{Op: ir.Add, Width: width}, sum, term)
			}
		}
	}

	// A register of several has as many bits more as let it wrap around no sooner than one of a
	// single condition.
	width := counterBits + bits.Len(uint(len(group)-1))
	first.reg = c.state(fmt.Sprint("etch_cover_", group[0]), width, first.clk)
	more := c.m.Add(ir.Node{Op: ir.ZExt, Width: int32(width)}, sum)
	c.next(first.reg, c.m.Add(ir.Node{Op: ir.Add, Width: int32(width)}, first.reg, more))
}

// holding is the number of conditions of some counters that hold or, with inverse, that do not: the
// population count of their concatenation.
func (c *counters) holding(group []int, inverse bool) ir.ID {
	conds := make([]ir.ID, len(group))
	for i, k := range group {
		conds[i] = c.instrumented.counters[k].cond
		if inverse {
			conds[i] = c.not(conds[i])
		}
	}
	if len(group) == 1 {
		return conds[0]
	}
	all := c.m.Add(ir.Node{Op: ir.Cat, Width: int32(len(conds))}, conds...)
	return c.m.Add(ir.Node{Op: ir.PopCount, Width: int32(bits.Len(uint(len(conds))))}, all)
}
