package cover

import (
	"etch/ir"
	"etch/ir/disjoint"
)

// relate joins the logic of each condition of the module's counters. Nodes are related if they are
// made of logic in common, as the operations between two stages of a pipeline are: registers, inputs
// and constants end it.
func (c *counters) relate() {
	m := c.m
	c.related = disjoint.New[ir.ID](m.Len())
	var stack []ir.ID
	for _, t := range c.instrumented.counters[c.counter:] {
		stack = append(stack, t.cond)
	}

	seen := make([]bool, m.Len())
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[x] {
			continue
		}
		seen[x] = true

		// A constant has no part in when an operation changes.
		for _, y := range m.Args(x) {
			if m.Op(y) == ir.Const {
				continue
			}
			c.related.Join(x, y)
			stack = append(stack, y)
		}
	}
}

// together divides counters by related conditions, which change and rest together. Conditions
// with few relatives are one list.
func (c *counters) together(group []int) (lists [][]int) {
	number := map[ir.ID]int{} // by representative
	var all [][]int
	for _, k := range group {
		of := c.related.Find(c.instrumented.counters[k].cond)
		i, ok := number[of]
		if !ok {
			i = len(all)
			number[of] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], k)
	}

	// A register for each of a few would cost more than it saves.
	var rest []int
	for _, related := range all {
		if len(related) < fewShared {
			rest = append(rest, related...)
		} else {
			lists = append(lists, related)
		}
	}
	if rest != nil {
		lists = append(lists, rest)
	}
	return lists
}
