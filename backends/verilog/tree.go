package verilog

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// A step is one statement of an always block: target <= value, an if or a case.
type step struct {
	target ir.ID // of an assignment
	bits   lane  // of the target, if only some of its bits are assigned
	value  ir.ID
	typ    ir.TypeID // of an assigned constant, or of the keys of a case
	pos    ir.Pos    // of an assignment, where its value was given; of others, the condition's
	cond   ir.ID     // of an if; the selector of a case
	opens  bool      // of an if: cond is the enable of latches
	then   []step
	els    []step
	arms   []arm // of a case, keys rising; els is the default
}

type arm struct {
	keys []bits.Value
	body []step
}

// item is a target with its next value, often a tree of multiplexers.
type item struct {
	target ir.ID
	bits   lane // of the target, if they are not all, see pieces.go
	value  ir.ID
	keep   ir.ID  // the value that the target has already, which needs no statement
	pos    ir.Pos // where the value was given, 0 if unknown
}

// choices turns multiplexers and cases into the statements of always blocks.
type choices struct {
	*design
	*view
	root    ir.ID            // the value for which a combinational always block is being built
	bases   map[ir.ID]ir.ID  // see findBases
	follows []int32          // of registers, see group
	layered map[blockKey]int // see findLayered
	itemBuf []item
	stepBuf []step
}

func (p *choices) reset() { p.layered, p.root = nil, ir.None }

// maxTree bounds the nesting of one always block.
const maxTree = 100

// inTree reports whether a value can become statements inside a tree: it has no other use,
// or it is the value that the tree is for.
func (p *choices) inTree(id ir.ID) bool {
	id = p.v(id)
	if id == p.root || p.is(id, base) {
		return true
	}
	if p.fanout[id] != 1 || p.is(id, named|folded) {
		return false
	}
	op := p.m.Op(id)
	return op == ir.Mux || op == ir.Case
}

// test splits a comparison of a selector with a constant.
func (p *view) test(cond ir.ID) (sel ir.ID, key bits.Value, ok bool) {
	cond = p.v(cond)
	if p.m.Op(cond) != ir.Eq || p.is(cond, named|folded) {
		return ir.None, key, false
	}
	x, key, ok := p.besideConst(p.m.Args(cond))
	return p.v(x), key, ok && key.Width() > 1
}

// subject is the condition or selector at the top of a tree. An inverted condition is the same
// subject as the condition, so that both share an if.
type subject struct {
	id    ir.ID
	isSel bool // a selector that is compared with constants, not a condition
}

func (p *view) subjectOf(id ir.ID) subject {
	args := p.m.Args(id)
	if p.m.Op(id) == ir.Case {
		return subject{id: p.v(args[0]), isSel: true}
	}

	// A comparison with a constant may be an arm of a case.
	if sel, _, ok := p.test(args[0]); ok {
		return subject{id: sel, isSel: true}
	}
	c := p.v(args[0])
	if x := p.negated(c); x != ir.None {
		c = x
	}
	return subject{id: c}
}

// negated is x if c is an inlined !x, else None.
func (p *view) negated(c ir.ID) ir.ID {
	if p.m.Op(c) == ir.Not && !p.is(c, named|folded) && p.m.Width(c) == 1 {
		return p.v(p.m.Args(c)[0])
	}
	return ir.None
}

// build turns values into statements. Overlapping blocks of When come in the order of the
// source, see layers.go.
func (p *choices) build(items []item, depth int) []step {
	rows := p.inLayers(items)
	if rows == nil {
		return p.buildTrees(items, depth)
	}
	var out []step
	for _, row := range rows {
		out = append(out, p.buildTrees(row, depth)...)
	}
	return out
}

// isKept reports whether an item's target has its value already.
func (p *choices) isKept(it *item) bool { return it.keep != ir.None && p.v(it.value) == p.v(it.keep) }

// buildTrees turns values into statements, each of which sets a target completely. Targets
// whose trees have the same subject share an if or a case, as their designer wrote it.
func (p *choices) buildTrees(items []item, depth int) []step {
	// Items are taken in order; each takes the later ones with its subject along.
	var out []step
	used := make([]bool, len(items))
	for i := range items {
		it := &items[i]
		if used[i] || p.isKept(it) {
			continue
		}
		if !p.inTree(it.value) || depth > maxTree {
			out = append(out, p.plainStep(*it))
			continue
		}

		s := p.subjectOf(p.v(it.value))
		p.consume(it.value)
		var group []item
		for j := i; j < len(items); j++ {
			if used[j] || p.isKept(&items[j]) || !p.inTree(items[j].value) {
				continue
			}
			if p.subjectOf(p.v(items[j].value)) == s {
				p.consume(items[j].value)
				group, used[j] = append(group, items[j]), true
			}
		}

		if s.isSel {
			out = append(out, p.buildCase(s.id, group, depth)...)
		} else {
			out = append(out, p.buildIf(s.id, group, depth)...)
		}
	}
	return out
}

// plainStep is the assignment of an item's value.
func (p *choices) plainStep(it item) step {
	s := step{target: it.target, bits: it.bits, value: it.value, pos: p.stepPos(it)}
	if it.bits.width == 0 {
		s.typ = p.m.Node(it.target).Type
	}
	return s
}

// with is the item with another value, given at a line.
func (it item) with(value ir.ID, pos ir.Pos) item {
	it.value, it.pos = value, pos
	return it
}

// consume notes that a choice became statements, and its condition with it.
func (p *choices) consume(id ir.ID) {
	id = p.v(id)
	p.marks[id] |= tree
	p.marks[p.v(p.m.Args(id)[0])] |= tree
}

// stepPos is the source line of an assignment: that of its Set, else that of the value if
// it is computed here.
func (p *choices) stepPos(it item) ir.Pos {
	if it.pos != 0 {
		return p.withArms(it.pos, it.value, maxEqual)
	}
	if id := p.v(it.value); !p.isState(id) && !p.is(id, named) && p.m.Op(id) != ir.Const {
		return p.m.Node(id).Pos
	}
	return 0
}

// withArms adds the lines that gave the values of choices inside an expression, down to a
// depth.
func (p *choices) withArms(pos ir.Pos, id ir.ID, depth int) ir.Pos {
	id = p.v(id)

	// Values with a text elsewhere have their lines there.
	if depth == 0 || p.isState(id) || p.isConst(id) || p.is(id, named) || p.fanout[id] > 1 {
		return pos
	}
	for i, a := range p.m.ArmPos(id) {
		if a != 0 && a != p.m.Node(id).Pos && p.m.Arms(id) > i {
			pos = p.src.Join(pos, a)
		}
	}
	for _, a := range p.m.Args(id) {
		pos = p.withArms(pos, a, depth-1)
	}
	return pos
}

// buildIf splits each item into its values for condition high and low, and builds both
// sides.
func (p *choices) buildIf(cond ir.ID, group []item, depth int) []step {
	var then, els []item
	for _, it := range group {
		id := p.v(it.value)
		args := p.m.Args(id)
		a, b := it.with(args[1], p.m.ArmLine(id, 0)), it.with(args[2], p.m.ArmLine(id, 1))

		// An inverted condition exchanges the sides, so that the whole group shares one if.
		if p.negated(p.v(args[0])) != ir.None {
			a, b = b, a
		}
		then, els = append(then, a), append(els, b)
	}

	// Both sides may turn out equal.
	s := step{cond: cond, pos: p.m.Node(p.v(group[0].value)).Pos, then: p.build(then, depth+1), els: p.build(els, depth+1)}
	if p.sameSteps(s.then, s.els) {
		return s.then
	}
	return []step{s}
}

// chain is the value of one item for each value of a selector.
type chain struct {
	item
	keys   []bits.Value
	values []ir.ID
	lines  []ir.Pos // of values
	other  ir.ID    // the value for all other keys
}

// chainOf follows the comparisons of one selector down a tree and collects their keys.
func (p *choices) chainOf(sel ir.ID, it item) chain {
	c := chain{item: it, other: it.value}
	// The walk goes along the values for "not equal", until the tree leaves the selector.
	for p.inTree(c.other) && (it.keep == ir.None || p.v(c.other) != p.v(it.keep)) {
		id := p.v(c.other)
		if p.bases[id] != ir.None && id != p.v(it.value) {
			break // it is cut into layers below this
		}
		args := p.m.Args(id)
		p.consume(id)
		if p.m.Op(id) == ir.Case {
			if p.v(args[0]) != sel {
				break
			}
			for i, k := range p.m.KeysOf(id) {
				c.add(k, args[2+i], p.m.ArmLine(id, 1+i))
			}
			c.other, c.pos = args[1], p.m.ArmLine(id, 0)
			continue
		}

		s, k, ok := p.test(args[0])
		if !ok || s != sel {
			break
		}
		c.add(k, args[1], p.m.ArmLine(id, 0))
		c.other, c.pos = args[2], p.m.ArmLine(id, 1)
	}
	return c
}

// add records the value for a key, unless an earlier comparison has it.
func (c *chain) add(k bits.Value, v ir.ID, pos ir.Pos) {
	at, found := slices.BinarySearchFunc(c.keys, k, bits.Value.Cmp)
	if !found {
		c.keys, c.values = slices.Insert(c.keys, at, k), slices.Insert(c.values, at, v)
		c.lines = slices.Insert(c.lines, at, pos)
	}
}

// at is the item with its value for a key.
func (c *chain) at(k bits.Value) item {
	if at, found := slices.BinarySearchFunc(c.keys, k, bits.Value.Cmp); found {
		return c.with(c.values[at], c.lines[at])
	}
	return c.with(c.other, c.pos)
}

// buildCase makes one case of the items that can share it without repeating text, and
// separate ones of the others. The value of an item for keys not its own appears in the
// arms of the other items' keys. So at most one item may do anything there, and it must
// have all the keys of the others.
func (p *choices) buildCase(sel ir.ID, group []item, depth int) []step {
	// Items that are idle for other keys can share; busy ones cannot, except for one.
	var out []step
	var shared, busy []chain
	var keys []bits.Value
	for _, it := range group {
		c := p.chainOf(sel, it)
		if id := p.v(c.other); c.keep != ir.None && id == p.v(c.keep) || p.isConst(id) || p.is(id, named) {
			shared, keys = append(shared, c), union(keys, c.keys)
		} else {
			busy = append(busy, c)
		}
	}

	joined := false
	for _, c := range busy {
		if !joined && len(union(c.keys, keys)) == len(c.keys) {
			shared, joined = append([]chain{c}, shared...), true
			continue
		}
		out = append(out, p.caseOf(sel, []chain{c}, depth)...)
	}
	if len(shared) > 0 {
		out = append(p.caseOf(sel, shared, depth), out...)
	}
	return out
}

// union merges two lists of rising keys.
func union(x, y []bits.Value) []bits.Value {
	x = slices.Clone(x)
	for _, k := range y {
		if at, found := slices.BinarySearchFunc(x, k, bits.Value.Cmp); !found {
			x = slices.Insert(x, at, k)
		}
	}
	return x
}

// caseOf builds a case of some items over all their keys.
func (p *choices) caseOf(sel ir.ID, group []chain, depth int) []step {
	var keys []bits.Value
	for i := range group {
		keys = union(keys, group[i].keys)
	}

	s := step{cond: sel, pos: p.m.Node(p.v(group[0].value)).Pos, typ: p.m.Node(sel).Type}
	empty := true

	// Keys with equal bodies share an arm.
	for _, k := range keys {
		var items []item
		for i := range group {
			items = append(items, group[i].at(k))
		}
		body := p.build(items, depth+1)
		if at := slices.IndexFunc(s.arms, func(a arm) bool { return p.sameSteps(a.body, body) }); at >= 0 {
			s.arms[at].keys = append(s.arms[at].keys, k)
			continue
		}
		empty = empty && len(body) == 0
		s.arms = append(s.arms, arm{[]bits.Value{k}, body})
	}

	// A default is needed unless the keys are complete.
	if w := p.m.Width(sel); w > 30 || len(keys) < 1<<w {
		var items []item
		for i := range group {
			items = append(items, group[i].with(group[i].other, group[i].pos))
		}
		s.els = p.build(items, depth+1)
	}

	// Without a default, an arm that does nothing can go.
	if len(s.els) == 0 {
		if empty {
			return nil
		}
		s.arms = slices.DeleteFunc(s.arms, func(a arm) bool { return len(a.body) == 0 })
	}
	return []step{s}
}

// sameSteps reports whether two lists make the same assignments, all of them plain.
func (p *choices) sameSteps(a, b []step) bool {
	return slices.EqualFunc(a, b, func(x, y step) bool {
		return x.cond == ir.None && y.cond == ir.None && x.target == y.target && x.bits == y.bits && p.equal(x.value, y.value, maxEqual)
	})
}

// eachStep calls f with steps and those inside of them.
func eachStep(steps []step, f func(s *step)) {
	for i := range steps {
		s := &steps[i]
		f(s)
		eachStep(s.then, f)
		eachStep(s.els, f)
		for _, a := range s.arms {
			eachStep(a.body, f)
		}
	}
}

// isBlock reports whether a value is printed as a combinational always block.
func (p *choices) isBlock(id ir.ID) bool {
	if p.isState(id) || p.is(id, folded) {
		return false
	}
	b := p.to[id]
	return p.is(b, big) && (b == id || p.inTree(b))
}

// combSteps is the body of such a block.
func (p *choices) combSteps(id ir.ID) []step {
	p.root = p.to[id]
	s := p.build([]item{{target: id, value: p.to[id]}}, 0)
	p.root = ir.None
	return s
}
