package verilog

import (
	"cmp"
	"slices"

	"etch/ir"
)

// Blocks of When that overlap make a tree of multiplexers in which the value before
// a block, of the blocks above it, is at one or several leaves:
//
//	m.When(a, func() { x.Set(v) })                           mux(b, mux(c, w, old), old)
//	m.When(b, func() { m.When(c, func() { x.Set(w) }) })     with old = mux(a, v, x)
//
// As one tree, that text would need a net for old, or list the blocks in reverse order and
// apart from those of other registers with the same condition. Here a tree is cut into
// layers, one for each block. A layer gives its target a value or leaves the value of the
// layers before it. So the layers follow each other and the last assignment wins. Registers
// with layers under one condition share its if.

// layer is the effect of one block on a target: item.keep is the value before it.
type layer struct {
	item
	subject subject
}

// findBases finds the values at which trees are cut into layers. A base is the first value of a
// layer; it occurs at several leaves of the tree above it and nowhere else. p.bases maps the lowest
// choice that is above all these leaves to the base.
func (p *choices) findBases() {
	p.bases = map[ir.ID]ir.ID{}
	w := treeWalk{parent: map[ir.ID]ir.ID{}, users: map[ir.ID][]ir.ID{}}

	// Registers are always printed as statements.
	for i := range p.m.Regs {
		if r := &p.m.Regs[i]; r.Kind != ir.Latch {
			p.basesOf(&w, p.v(r.Next))
		}
	}

	// A value of the user's becomes a block instead of a chain of ?: only if there is
	// something to cut.
	for _, id := range p.order {
		if root := p.to[id]; p.isNet(id) && !p.is(id, folded) && p.isChoice(root) && (root == id || !p.is(root, named)) {
			p.basesOf(&w, root)
		}
	}
}

// isChoice reports whether a value is a multiplexer or a case.
func (p *choices) isChoice(id ir.ID) bool {
	op := p.m.Op(id)
	return (op == ir.Mux || op == ir.Case) && !p.is(id, folded)
}

// treeWalk is a tree of choices: the parent of each choice, and the users of each leaf that
// has several.
type treeWalk struct {
	parent map[ir.ID]ir.ID
	users  map[ir.ID][]ir.ID
	leaves []ir.ID // the keys of users, in order of discovery
	stack  []ir.ID
}

// maxShared bounds the leaves at which a base may occur.
const maxShared = 64

// basesOf finds the base in the tree of root, then the base in the tree of that base, and
// so on.
func (p *choices) basesOf(w *treeWalk, root ir.ID) {
	// Each round goes on below the base that the last one has found.
	for p.isChoice(root) && p.walkTree(w, root) {
		// A candidate has all its uses within the tree.
		next := ir.None
		for _, id := range w.leaves {
			if len(w.users[id]) != int(p.fanout[id]) {
				continue
			}

			top := w.commonTop(w.users[id])
			if top == ir.None || p.bases[top] != ir.None {
				continue
			}

			// The choices above the base become a block, unless they belong to a register.
			p.bases[top] = id
			p.marks[id] |= base
			for n := top; n != ir.None; n = w.parent[n] {
				p.marks[n] |= big // what is no register is a block
			}
			next = id
			break
		}

		if next == ir.None {
			return
		}
		root = next
	}
}

// walkTree walks the choices below root that have no use elsewhere, and records the others
// as leaves. It reports whether a leaf occurs more than once.
func (p *choices) walkTree(w *treeWalk, root ir.ID) bool {
	again := false
	w.leaves, w.stack = w.leaves[:0], append(w.stack[:0], root)
	clear(w.users)
	clear(w.parent)

	// A choice with one use is inside the tree; one with several is a leaf.
	for len(w.stack) > 0 {
		id := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]

		// The first operand is the condition. Choices continue in the values only.
		for _, a := range p.m.Args(id)[1:] {
			a = p.v(a)
			if !p.isChoice(a) || p.is(a, named) || p.fanout[a] > maxShared {
				continue
			}
			if p.fanout[a] == 1 {
				w.parent[a] = id
				w.stack = append(w.stack, a)
				continue
			}
			if w.users[a] == nil {
				w.leaves = append(w.leaves, a)
			}
			w.users[a] = append(w.users[a], id)
			again = again || len(w.users[a]) > 1
		}
	}
	return again
}

// commonTop is the lowest choice that is above all the given ones, or one of them; None if
// there is none.
func (w *treeWalk) commonTop(users []ir.ID) ir.ID {
	// The path up from the first user; at moves up it until all users are below.
	path := w.pathUp(users[0])
	at := 0
	for _, u := range users[1:] {
		found := -1
		for _, n := range w.pathUp(u) {
			if k := slices.Index(path[at:], n); k >= 0 {
				found = at + k
				break
			}
		}
		if found < 0 {
			return ir.None
		}
		at = found
	}
	return path[at]
}

func (w *treeWalk) pathUp(id ir.ID) (path []ir.ID) {
	for ; id != ir.None && len(path) < maxTree; id = w.parent[id] {
		path = append(path, id)
	}
	return path
}

// layers cuts the tree of an item into layers, the last block first.
func (p *choices) layers(it item) []layer {
	var list []layer
	for !p.isKept(&it) && p.inTree(it.value) && len(list) < maxTree {
		// Each layer keeps the value below it; the next one goes on from there.
		id := p.v(it.value)
		below := p.below(id, it.keep)
		l := layer{item: it, subject: p.subjectOf(id)}
		if below == ir.None {
			return append(list, l)
		}
		l.keep = below
		list = append(list, l)
		it.value, it.pos = below, p.lineOf(id, below)
	}

	if !p.isKept(&it) {
		list = append(list, layer{item: it})
	}
	return list
}

// lineOf is the line that gave a choice one of its values.
func (p *choices) lineOf(id, value ir.ID) ir.Pos {
	for i, a := range p.m.Args(id)[1:] {
		if p.v(a) == value {
			return p.m.ArmLine(id, i)
		}
	}
	return 0
}

// below is the value that a choice keeps where its block does not set the target: a base,
// or a tree that was made further up in the source. None if the tree is one block.
func (p *choices) below(id, keep ir.ID) ir.ID {
	if b := p.bases[id]; b != ir.None {
		return b
	}

	// The value kept is the last operand of a Mux, or the default of a Case. If the last
	// operand is itself the register, only it counts; in an Else it may be the other one.
	args := p.m.Args(id)
	candidates := args[1:2]
	if p.m.Op(id) == ir.Mux {
		candidates = args[2:]
		if keep == ir.None || p.v(args[2]) != p.v(keep) {
			candidates = []ir.ID{args[2], args[1]} // the latter of an Else
		}
	}

	for _, c := range candidates {
		c = p.v(c)
		if keep != ir.None && c == p.v(keep) || !p.inTree(c) || p.is(c, base) {
			continue
		}

		// A tree on another subject, from an earlier line.
		if p.subjectOf(id) != p.subjectOf(c) && p.isAfter(p.m.Node(id).Pos, p.m.Node(c).Pos) {
			return c
		}
	}
	return ir.None
}

// isAfter reports whether line x comes after line y of the same file; of several lines the
// first counts.
func (p *choices) isAfter(x, y ir.Pos) bool {
	a, b := p.src.At(x), p.src.At(y)
	return a.File == b.File && a.Line > b.Line
}

// inLayers cuts items into rows of layers, in order of the source; nil if no item has more
// than one layer.
func (p *choices) inLayers(items []item) [][]item {
	if !slices.ContainsFunc(items, p.isCut) {
		return nil
	}
	stacks := make([][]layer, len(items))
	for i, it := range items {
		stacks[i] = p.layers(it)
	}
	if !p.rejoin(items, stacks) {
		return nil
	}
	return merge(stacks)
}

// isCut reports whether an item has more than one layer.
func (p *choices) isCut(it item) bool {
	return !p.isKept(&it) && p.inTree(it.value) && p.below(p.v(it.value), it.keep) != ir.None
}

// rejoin undoes cuts without benefit: those of trees that always set their target and share
// no condition with another item. It reports whether any cut is left.
func (p *choices) rejoin(items []item, stacks [][]layer) bool {
	// How often each condition occurs among all layers.
	count := map[subject]int{}
	for _, s := range stacks {
		for _, l := range s {
			count[l.subject]++
		}
	}

	left := false
	for i, s := range stacks {
		if len(s) < 2 {
			continue
		}

		shared := slices.ContainsFunc(s, func(l layer) bool { return l.subject.id != ir.None && count[l.subject] > 1 })
		if !shared && !p.canKeep(&s[len(s)-1]) && p.bases[p.v(s[0].value)] == ir.None {
			stacks[i] = []layer{{item: items[i], subject: s[0].subject}}
			continue
		}
		left = true
	}
	return left
}

// canKeep reports whether a layer may leave its target unchanged.
func (p *choices) canKeep(l *layer) bool {
	if l.keep == ir.None || !p.inTree(l.value) {
		return false
	}
	return slices.ContainsFunc(p.m.Args(p.v(l.value))[1:], func(a ir.ID) bool { return p.v(a) == p.v(l.keep) })
}

// merge brings the layers of several items into one order that keeps the order of each. It
// is greedy, and shortest in all but rare cases: among the layers that come next in some
// item, it takes one that no item needs later, and among those the first of the netlist.
func merge(stacks [][]layer) [][]item {
	var rows [][]item
	for {
		// The next layer of each item; lists are in reverse.
		var heads []layer
		for _, s := range stacks {
			if n := len(s); n > 0 {
				heads = append(heads, s[n-1])
			}
		}

		if len(heads) == 0 {
			return rows
		}

		// Any of them can come next. Prefer one that is nowhere needed later, so that its
		// items share one statement.
		slices.SortStableFunc(heads, func(a, b layer) int { return cmp.Compare(a.value, b.value) })
		pick := heads[0].subject
		for _, h := range heads {
			if !isLater(stacks, h.subject) {
				pick = h.subject
				break
			}
		}

		// All items whose next layer has the chosen subject advance together.
		var row []item
		for i, s := range stacks {
			if n := len(s); n > 0 && s[n-1].subject == pick {
				row, stacks[i] = append(row, s[n-1].item), s[:n-1]
			}
		}
		rows = append(rows, row)
	}
}

// isLater reports whether an item has a layer on subject s after its next one.
func isLater(stacks [][]layer, s subject) bool {
	if s.id == ir.None {
		return false
	}
	for _, list := range stacks {
		// The last layer of a list is its next one.
		for i := 0; i < len(list)-1; i++ {
			if list[i].subject == s {
				return list[len(list)-1].subject != s
			}
		}
	}
	return false
}
