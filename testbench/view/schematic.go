package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"etch/ir"
)

// mostBoxes bounds a schematic. A module of more has the cone of one signal instead.
const mostBoxes = 60

// Box is a named thing: a port, register, named wire, memory or instance.
type Box struct {
	Name  string   `json:"name"`
	Full  string   `json:"full"` // of its signal; an instance's path
	Kind  string   `json:"kind"` // input, output, register, wire, memory, instance
	Width int      `json:"width,omitempty"`
	Lines []string `json:"lines"` // its expression, wrapped
	Value string   `json:"value,omitempty"`
	Parts []part   `json:"parts,omitempty"` // of a bundle, in its order
	More  bool     `json:"more,omitempty"`  // it has sources that are not shown
	X     int      `json:"x"`               // pixels, of the upper left corner
	Y     int      `json:"y"`
	W     int      `json:"w"`
	H     int      `json:"h"`

	from   []string // keys of the boxes that it depends on
	key    string
	bundle string // that it is a part of
}

// part is a signal of a bundle's box.
type part struct {
	Name  string `json:"name"`
	Full  string `json:"full"`
	Value string `json:"value"`
}

// Edge leads from a box to one that depends on it.
type Edge struct {
	From  int      `json:"from"`
	To    int      `json:"to"`
	Path  [][2]int `json:"path"` // of the line, from right side to left side
	Bold  bool     `json:"bold,omitempty"`
	Whole bool     `json:"whole,omitempty"` // of a bundle or stream
	Back  bool     `json:"back,omitempty"`  // it leads to the left, as from a register to its own next value
}

// Graph is a schematic.
type Graph struct {
	Boxes []*Box `json:"boxes"`
	Edges []Edge `json:"edges"`
	W     int    `json:"w"`
	H     int    `json:"h"`
	All   int    `json:"all"` // number of boxes of the module
}

// schematic answers with the boxes of an instance, or with the cone of one of its signals (focus).
func (v *View) schematic(q query) (any, error) {
	c, err := v.instance(q)
	if err != nil {
		return nil, err
	}
	if err := v.at(q); err != nil {
		return nil, err
	}

	// An unknown focus is an error, not an empty schematic.
	boxes := boxesOf(c)
	g := &Graph{All: len(boxes)}
	focus := q.Get("focus")
	if err := v.hasBox(focus); err != nil {
		return nil, err
	}

	// Values of the boxes that are shown. A bundle has one value per part and none of its own;
	// memories and instances have none.
	g.Boxes = choose(boxes, focus, q.Get("cone") != "")
	for _, b := range g.Boxes {
		if b.Kind == "memory" || b.Kind == "instance" {
			continue
		}
		for i := range b.Parts {
			if sig, err := v.signal(b.Parts[i].Full); err == nil {
				b.Parts[i].Value = v.text(sig)
			}
		}
		if sig, err := v.signal(b.Full); err == nil && b.Parts == nil {
			b.Value = v.text(sig)
		}
	}

	// Sizes need the values, and places need the sizes.
	g.cut()
	g.connect()
	var l layouter = layered{}
	l.layout(g)
	return g, nil
}

// hasBox returns an error for a focus that has no box: it is neither a signal nor a memory nor an
// instance. The empty focus is fine.
func (v *View) hasBox(focus string) error {
	if _, ok := v.scopes[focus]; ok || focus == "" {
		return nil
	}
	if _, err := v.run.Sim().Mem(focus); err == nil {
		return nil
	}
	_, err := v.signal(focus)
	return err
}

// exprText2 is the text of a value where it is used: a named node is its name.
func exprText2(m *ir.Module, id ir.ID) string {
	if named(m, id) {
		return nameOf(m, id)
	}
	return exprText(m, id)
}

// nonzero drops the references to no node.
func nonzero(ids ...ir.ID) []ir.ID {
	return slices.DeleteFunc(ids, func(id ir.ID) bool { return id == ir.None })
}

// nodeKey names the box of a named node: an instance's output is the instance's, a read port's the
// memory's.
func nodeKey(m *ir.Module, id ir.ID) string {
	n := m.Node(id)
	switch n.Op {
	case ir.InstOut:
		return "inst " + m.Insts[n.Aux].Name
	case ir.MemOut:
		return "mem " + m.Mems[n.Aux].Name
	}
	return fmt.Sprintf("node %d", id)
}

// sources are the keys of the named things that nodes depend on, through operations without name.
func sources(m *ir.Module, ids ...ir.ID) (keys []string) {
	// Depth-first with a stack of its own: expressions may be deeper than recursion should go. A
	// named node ends the way.
	seen := map[ir.ID]bool{}
	for stack := slices.Clone(ids); len(stack) > 0; {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[id] {
			continue
		}
		seen[id] = true
		if named(m, id) {
			keys = append(keys, nodeKey(m, id))
			continue
		}

		// An asynchronous read without a name depends on the memory as well as on its address.
		if n := m.Node(id); n.Op == ir.MemRead {
			keys = append(keys, "mem "+m.Mems[n.Aux].Name)
		}
		stack = append(stack, m.Args(id)...)
	}
	return keys
}

// choose returns at most mostBoxes boxes: all of them; or the cone of the focus back to registers,
// inputs, memories and instances, with the boxes that read it, the nearest first.
func choose(all []*Box, focus string, cone bool) []*Box {
	if len(all) == 0 || len(all) <= mostBoxes && !cone {
		return all
	}

	// The start is the focus, else the first output, else the first box.
	byKey := map[string]*Box{}
	start := all[0]
	for _, b := range all {
		if byKey[b.key] = b; b.Kind == "output" && start.Kind != "output" {
			start = b
		}
	}
	for _, b := range all {
		if b.Full == focus || slices.ContainsFunc(b.Parts, func(p part) bool { return p.Full == focus }) {
			start = b
		}
	}

	// Backwards by breadth, through wires only.
	chosen := map[*Box]bool{start: true}
	list := []*Box{start}
	for i := 0; i < len(list); i++ {
		b := list[i]
		if b != start && b.Kind != "wire" && b.Kind != "output" {
			b.More = len(b.from) > 0
			continue
		}
		for _, k := range b.from {
			if from := byKey[k]; !chosen[from] {
				if len(list) == mostBoxes {
					b.More = true
					break
				}
				chosen[from] = true
				list = append(list, from)
			}
		}
	}

	// And one step forwards.
	for _, b := range all {
		if !chosen[b] && slices.Contains(b.from, start.key) && len(list) < mostBoxes {
			chosen[b] = true
			b.More = len(b.from) > 1
			list = append(list, b)
		}
	}
	return list
}

// Sizes of boxes, in pixels; the page draws texts of these metrics.
const (
	charWidth  = 7
	lineHeight = 16
	wrapAt     = 34
	mostLines  = 5
)

// wrap cuts an expression into lines at blanks.
func wrap(text string) (lines []string) {
	line := ""

	// Greedy: a word goes to the present line while it fits. A word longer than a line is cut.
	for word := range strings.FieldsSeq(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > wrapAt {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
		if r := []rune(line); len(r) > wrapAt+6 {
			line = string(r[:wrapAt+5]) + "…"
		}
	}
	if line != "" {
		lines = append(lines, line)
	}

	// The last line that fits tells that more would follow.
	if len(lines) > mostLines {
		lines = append(lines[:mostLines-1], lines[mostLines-1]+" …")
	}
	return lines
}

// mostParts bounds the parts that a bundle's box lists.
const mostParts = 12

// cut leaves out the parts of long bundles and vectors that have no room.
func (g *Graph) cut() {
	for _, b := range g.Boxes {
		if n := len(b.Parts); n > mostParts {
			b.Parts = append(b.Parts[:mostParts-1], part{Name: fmt.Sprintf("… %d more", n-mostParts+1), Full: b.Parts[mostParts-1].Full})
		}
	}
}

// connect sizes the boxes and makes the edges between boxes that are shown.
func (g *Graph) connect() {
	// The size follows from the texts: the widest row, and a row for each line and part. Values
	// count up to the 18 characters that the page shows.
	index := map[string]int{}
	for i, b := range g.Boxes {
		index[b.key] = i
		widest := len([]rune(b.Name)) + 4 + min(len([]rune(b.Value)), 18)
		for _, l := range b.Lines {
			widest = max(widest, len([]rune(l)))
		}
		for _, p := range b.Parts {
			widest = max(widest, len([]rune(p.Name))+min(len([]rune(p.Value)), 18)+4)
		}

		b.W = max(80, charWidth*widest+20)
		b.H = 28 + lineHeight*(len(b.Lines)+len(b.Parts))
	}

	// Sources that choose left out have no edge. A register's own value would only be an edge to
	// itself.
	for to, b := range g.Boxes {
		for _, k := range b.from {
			if from, ok := index[k]; ok && from != to {
				g.Edges = append(g.Edges, Edge{From: from, To: to, Bold: g.Boxes[from].Width > 1, Whole: g.Boxes[from].Parts != nil})
			}
		}
	}
	slices.SortFunc(g.Edges, func(a, b Edge) int { return cmp.Or(a.From-b.From, a.To-b.To) })
}
