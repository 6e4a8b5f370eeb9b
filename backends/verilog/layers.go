package verilog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"etch/ir"
)

// Blocks of When that overlap make a tree of multiplexers in which the value before
// a block, of the blocks above it, is at one or several leaves:
//
//	m.When(a, func() { x.Set(v) })                           mux(b, mux(c, w, old), old)
//	m.When(b, func() { m.When(c, func() { x.Set(w) }) })     with old = mux(a, v, x)
//
// As one tree that text would need a net for old, or say the blocks in the reverse
// order, where they share no condition with those of other registers. Here a tree is
// cut into layers, one for each block: a layer gives its target a value or leaves it
// as the layers before it did, so the layers stand one behind the other and the last
// assignment wins. Registers that have layers under one condition share it.

// layer is what one block means for a target: item.keep is the value before it.
type layer struct {
	item
	subject subject
}

// findBases finds the values that are the beginning of a layer and at several leaves
// of the one above it: all their uses are in one tree. bases has them by the top of
// that tree, the lowest choice that all of them are below.
func (p *module) findBases() {
	p.bases = map[ir.ID]ir.ID{}
	var w treeWalk
	for i := range p.m.Regs {
		if r := &p.m.Regs[i]; !p.m.IsLatch(r) {
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
func (p *module) isChoice(id ir.ID) bool {
	op := p.m.Op(id)
	return (op == ir.Mux || op == ir.Case) && !p.is(id, folded)
}

// treeWalk is a tree of choices: the choice above each, and the choices above each
// leaf that others use too.
type treeWalk struct {
	parent map[ir.ID]ir.ID
	users  map[ir.ID][]ir.ID
	leaves []ir.ID // the keys of users, as they come
	stack  []ir.ID
}

// maxShared bounds the leaves at which a value may be.
const maxShared = 64

// basesOf finds the bases in the tree of root, and in the trees of those.
func (p *module) basesOf(w *treeWalk, root ir.ID) {
	for p.isChoice(root) && p.walkTree(w, root) {
		next := ir.None
		for _, id := range w.leaves {
			if len(w.users[id]) != int(p.fanout[id]) {
				continue
			}
			top := w.commonTop(w.users[id])
			if top == ir.None || p.bases[top] != ir.None {
				continue
			}
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

// walkTree walks the choices below root that nothing else uses, and reports whether a
// leaf is a choice that is there more than once.
func (p *module) walkTree(w *treeWalk, root ir.ID) bool {
	again := false
	w.leaves, w.stack = w.leaves[:0], append(w.stack[:0], root)
	clear(w.users)
	clear(w.parent)
	for len(w.stack) > 0 {
		id := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		for _, a := range p.m.Args(id)[1:] {
			a = p.v(a)
			if !p.isChoice(a) || p.is(a, named) || p.fanout[a] > maxShared {
				continue
			}
			if w.parent == nil {
				w.parent, w.users = map[ir.ID]ir.ID{}, map[ir.ID][]ir.ID{}
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

// commonTop is the lowest choice that all the given ones are below or are.
func (w *treeWalk) commonTop(users []ir.ID) ir.ID {
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

// layers cuts the tree of an item, the last block first.
func (p *module) layers(it item) []layer {
	var list []layer
	for !p.isKept(&it) && p.inTree(it.value) && len(list) < maxTree {
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

// lineOf is where a choice was given one of its values.
func (p *module) lineOf(id, value ir.ID) ir.Pos {
	for i, a := range p.m.Args(id)[1:] {
		if p.v(a) == value {
			return p.m.ArmLine(id, i)
		}
	}
	return 0
}

// below is the value that a choice leaves as it is where its block says nothing:
// one that is at several leaves, or one that was made further up in the source.
func (p *module) below(id, keep ir.ID) ir.ID {
	if b := p.bases[id]; b != ir.None {
		return b
	}
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
		if s, t := p.subjectOf(id), p.subjectOf(c); !(s.id == t.id && s.isSel == t.isSel) && p.isAfter(p.m.Node(id).Pos, p.m.Node(c).Pos) {
			return c
		}
	}
	return ir.None
}

// isAfter reports whether a line, of several the first, comes after another of the same file.
func (p *module) isAfter(x, y ir.Pos) bool {
	if x == y || x == 0 || y == 0 {
		return false
	}
	fx, lx := splitLine(p.where(x))
	fy, ly := splitLine(p.where(y))
	return fx == fy && lx > ly
}

func splitLine(at string) (file string, line int) {
	at, _, _ = strings.Cut(at, ", ")
	colon := strings.LastIndexByte(at, ':')
	if colon < 0 {
		return at, 0
	}
	line, _ = strconv.Atoi(at[colon+1:])
	return at[:colon], line
}

// inLayers cuts items into rows of layers, the first of the source first; nil if no
// item has more than one.
func (p *module) inLayers(items []item) [][]item {
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
func (p *module) isCut(it item) bool {
	return !p.isKept(&it) && p.inTree(it.value) && p.below(p.v(it.value), it.keep) != ir.None
}

// rejoin takes back cuts that bring nothing: of trees that decide for good what their
// target is, and share no condition with another item. It reports whether any is left.
func (p *module) rejoin(items []item, stacks [][]layer) bool {
	count := map[subject]int{}
	for _, s := range stacks {
		for _, l := range s {
			count[l.subject.plain()]++
		}
	}
	left := false
	for i, s := range stacks {
		if len(s) < 2 {
			continue
		}
		shared := slices.ContainsFunc(s, func(l layer) bool { return l.subject.id != ir.None && count[l.subject.plain()] > 1 })
		if !shared && !p.canKeep(&s[len(s)-1]) && p.bases[p.v(s[0].value)] == ir.None {
			stacks[i] = []layer{{item: items[i], subject: s[0].subject}}
			continue
		}
		left = true
	}
	return left
}

func (s subject) plain() subject {
	s.negate = false
	return s
}

// canKeep reports whether a layer may leave its target as it is.
func (p *module) canKeep(l *layer) bool {
	if l.keep == ir.None || !p.inTree(l.value) {
		return false
	}
	return slices.ContainsFunc(p.m.Args(p.v(l.value))[1:], func(a ir.ID) bool { return p.v(a) == p.v(l.keep) })
}

// merge brings the layers of several items in one order that keeps each item's own:
// a shortest one but for rare cases. Of the layers that are next in some item it takes
// one that no item has further on, and of those the first of the netlist.
func merge(stacks [][]layer) [][]item {
	var rows [][]item
	for {
		var heads []layer
		for _, s := range stacks {
			if n := len(s); n > 0 {
				heads = append(heads, s[n-1])
			}
		}
		if len(heads) == 0 {
			return rows
		}
		slices.SortStableFunc(heads, func(a, b layer) int { return cmp.Compare(a.value, b.value) })
		pick := heads[0].subject.plain()
		for _, h := range heads {
			if !isLater(stacks, h.subject.plain()) {
				pick = h.subject.plain()
				break
			}
		}
		var row []item
		for i, s := range stacks {
			if n := len(s); n > 0 && s[n-1].subject.plain() == pick {
				row, stacks[i] = append(row, s[n-1].item), s[:n-1]
			}
		}
		rows = append(rows, row)
	}
}

// isLater reports whether an item has a layer of a subject behind its next one.
func isLater(stacks [][]layer, s subject) bool {
	if s.id == ir.None {
		return false
	}
	for _, list := range stacks {
		for i := 0; i < len(list)-1; i++ {
			if list[i].subject.plain() == s {
				return list[len(list)-1].subject.plain() != s
			}
		}
	}
	return false
}
