package view

import (
	"fmt"
	"slices"

	"etch/sim/why"
)

// mostReasons is the number of causes that the page lists.
const mostReasons = 30

// reason is a row of an explanation. The rows of a tree stand in its order: behind each the rows of
// its causes, one deeper.
type reason struct {
	Text   string `json:"text"`
	Signal string `json:"signal"` // "" for an expression without a name
	Cycle  uint64 `json:"cycle"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Source string `json:"source"`
	Depth  int    `json:"depth"`
	Again  bool   `json:"again,omitempty"` // another row has its causes
}

// why explains the value of a signal at a cycle.
func (v *View) why(q query) (any, error) {
	sig, err := v.signal(q.Get("name"))
	if err != nil {
		return nil, err
	}
	if err := v.at(q); err != nil {
		return nil, err
	}

	// The search for causes moves the run to earlier cycles, so it is brought back at the end.
	cycle := v.run.Cycle()
	e := why.New(v.run)
	root, err := e.Explain(sig, cycle, mostReasons)
	if err != nil {
		return nil, err
	}
	return reasonTree(e, root), v.run.Go(cycle)
}

// reasonTree lists the rows of an explanation as a tree. A cause of several others stands below the
// one that is nearest to the root, and below the others once more, without its own causes.
func reasonTree(e *why.Explainer, root *why.Cause) []reason {
	hasRow := map[*why.Cause]bool{}
	for _, c := range e.Rows() {
		hasRow[c] = true
	}

	// Breadth first: the first to reach a cause is the nearest, and keeps it.
	below, parent := map[*why.Cause][]*why.Cause{}, map[*why.Cause]*why.Cause{root: nil}
	for list := []*why.Cause{root}; len(list) > 0; list = list[1:] {
		c := list[0]
		below[c] = rowsBelow(c, hasRow)
		for _, k := range below[c] {
			if _, found := parent[k]; !found {
				parent[k] = c
				list = append(list, k)
			}
		}
	}

	// Depth first: the order of the rows.
	rows := []reason{}
	var place func(c, from *why.Cause, depth int)
	place = func(c, from *why.Cause, depth int) {
		elsewhere := parent[c] != from
		rows = append(rows, reason{c.String(), c.Signal, c.Since, c.At.File, c.At.Line, e.Source(c.At), depth, elsewhere})
		if elsewhere {
			return
		}

		// Conditions of several lines may read alike: one row tells the value of all of them, and
		// another has its place only where rows of its own stand below.
		told := map[string]bool{}
		for _, k := range below[c] {
			text := fmt.Sprint(k.Since, " ", k)
			owns := parent[k] == c && slices.ContainsFunc(below[k], func(x *why.Cause) bool { return parent[x] == k })
			if !told[text] || owns {
				place(k, c, depth+1)
			}
			told[text] = true
		}
	}
	place(root, nil, 0)

	// A row to which no way leads, since it was folded, is a cause of the root all the same.
	for _, c := range e.Rows() {
		if _, found := parent[c]; !found {
			parent[c] = root
			place(c, root, 1)
		}
	}
	return rows
}

// rowsBelow are the nearest causes of a cause that have rows. Causes between, as an input that its
// reader's row names or a condition that was told before, have none.
func rowsBelow(c *why.Cause, hasRow map[*why.Cause]bool) (list []*why.Cause) {
	seen := map[*why.Cause]bool{c: true}
	var visit func(c *why.Cause)
	visit = func(c *why.Cause) {
		for _, k := range c.Why {
			if seen[k] {
				continue
			}
			if seen[k] = true; hasRow[k] {
				list = append(list, k)
			} else {
				visit(k)
			}
		}
	}
	visit(c)
	return list
}
