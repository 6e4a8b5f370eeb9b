package hw

import (
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// Chain is a When, or a SetIf, that can go on with ElseWhen and Else.
type Chain struct {
	b       *body
	outer   *frame
	arms    []arm
	pos     ir.Pos
	flushed bool
	sel     ir.ID   // of Cases: the selector; None for a When
	other   bool    // of Cases: the last branch is for all values that have none
	none    []ir.ID // none of the first 1, 2, … conditions holds; made when asked for
}

// arm is one branch of a chain.
type arm struct {
	cond ir.ID // None for Else
	pos  ir.Pos
	key  bits.Value
	text string // of a case
	sets []setting
}

// When runs then once, immediately; its Sets take effect while c is high. Later Sets win
// over earlier ones. Wires, and inputs of instances, that are made inside belong to the
// block: they need no value outside it.
func (m *Module) When(c Bit, then func()) *Chain { return m.b.when(nil, c, "When", then) }

// ElseWhen continues a chain: no earlier condition holds and c does.
func (ch *Chain) ElseWhen(c Bit, then func()) *Chain {
	if ch.b == nil {
		return ch // of a SetIf without a module, which is reported
	}
	return ch.b.when(ch, c, "ElseWhen", then)
}

// Else ends a chain: no earlier condition holds.
func (ch *Chain) Else(then func()) {
	if ch.b != nil {
		branch(ch.b, ch, "Else", ir.None, then)
	}
}

func (b *body) when(ch *Chain, c Bit, op string, then func()) *Chain {
	if b.done {
		return branch(b, ch, op, ir.None, then)
	}

	xs := [1]sig{c.sig}

	// A plain bit of this module needs no check.
	if !c.isPlain() || c.b != b {
		if b.resolve(op, xs[:], false) {
			xs[0].id = b.low()
		}
	}
	return branch(b, ch, op, xs[0].id, then)
}

// branch adds one branch to a chain; ch nil starts a chain, cond None is an Else. The body
// runs in a new block, whose settings the arm keeps until flush.
func branch(b *body, ch *Chain, op string, cond ir.ID, then func()) *Chain {
	if b.done {
		b.d.report(newDiag("module", nil, "%s: module %s is finished", op, b.m.Name))
		return &Chain{b: b, flushed: true}
	}

	// A When ends the chain before it.
	if ch == nil {
		b.flush()
		ch = &Chain{b: b, outer: b.frame, pos: b.d.pos()}
		b.frame.pending = ch
	}

	prior, pos := len(ch.arms), ch.pos
	if prior > 0 {
		pos = b.d.pos()
	}

	// A chain that is over, one of another block, or one that has its Else.
	if ch.flushed || b.frame != ch.outer || prior > 0 && ch.arms[prior-1].cond == ir.None {
		b.d.report(newDiag("when", []Note{{b.d.src.At(ch.pos), "the When is here"}},
			"%s: it must follow its When at once, and nothing may follow Else", op))
		ch, prior = &Chain{b: b, outer: b.frame, pos: ch.pos, flushed: true}, 0
		b.blind = true // the body runs for its mistakes only
	}

	// Only statements and memory ports ask for the condition; it is built on demand.
	b.push(func() ir.ID { return ch.condition(prior, cond) })
	if then == nil {
		b.d.report(newDiag("when", nil, "%s: there is no body", op))
	} else {
		then()
	}
	ch.arms = append(ch.arms, arm{cond: cond, pos: pos, sets: b.pop()})
	return ch
}

// condition is the full condition of a branch: its own holds and none of the earlier ones.
// The conjunctions of the negations are shared by all branches of the chain.
func (ch *Chain) condition(prior int, own ir.ID) ir.ID {
	before := ir.None
	for i, a := range ch.arms[:prior] {
		if i == len(ch.none) {
			ch.none = append(ch.none, ch.b.and(before, ch.b.not(a.cond)))
		}
		before = ch.none[i]
	}
	return ch.b.and(before, own)
}

// flush merges the pending chain of the current block into it: each target that some branch
// set gets a choice among the values of the branches.
func (b *body) flush() {
	ch := b.frame.pending
	if ch == nil {
		return
	}
	b.frame.pending, ch.flushed = nil, true
	if len(ch.arms) == 1 && ch.sel == ir.None { // the common case, without tables
		for _, s := range ch.arms[0].sets {
			ch.merge(s.at, s.pos, []value{s.v}, []bool{true})
		}
		return
	}

	// Targets in order of first Set, each with the position of its last one.
	row := map[int32]int{}
	var order []int32
	var pos []ir.Pos // of the last one of each
	for _, a := range ch.arms {
		for _, s := range a.sets {
			if _, ok := row[s.at]; !ok {
				row[s.at] = len(order)
				order, pos = append(order, s.at), append(pos, s.pos)
			}
			pos[row[s.at]] = s.pos
		}
	}

	// A table with a row per target and a column per branch.
	n := len(ch.arms)
	values, set := make([]value, len(order)*n), make([]bool, len(order)*n)
	for i, a := range ch.arms {
		for _, s := range a.sets {
			at := row[s.at]*n + i
			values[at], set[at] = s.v, true
		}
	}

	for j, at := range order {
		ch.merge(at, pos[j], values[j*n:][:n], set[j*n:][:n])
	}
}

// merge applies the chain to one target. vs are its values in the branches, set says which
// branches set it, pos is the line of the last Set.
func (ch *Chain) merge(at int32, pos ir.Pos, vs []value, set []bool) {
	b := ch.b
	if b.parts.split[at] {
		ch.mergePieces(at, pos)
		return
	}

	t := b.targets.at(at)
	cond := !ch.alone(t, t.cur, set)
	b.put(at, ch.choice(at, t.cur, vs, set), pos, cond)
}

// alone reports whether a target was made inside the one branch that sets it. The
// conditions around do not matter to it then.
func (ch *Chain) alone(t *target, pre value, set []bool) bool {
	if pre.id != ir.None || t.depth <= ch.b.frame.depth {
		return false
	}
	i := slices.Index(set, true)
	return !slices.Contains(set[i+1:], true)
}

// choice is the value after the chain of a target (or of some of its bits) that held pre
// before. It changes vs.
func (ch *Chain) choice(at int32, pre value, vs []value, set []bool) value {
	if ch.alone(ch.b.targets.at(at), pre, set) {
		return vs[slices.Index(set, true)]
	}

	// A branch that does not set the target keeps its earlier value.
	for i := range vs {
		if !set[i] {
			vs[i] = pre
		}
	}

	if ch.sel != ir.None {
		return ch.mergeCase(at, pre, vs, set)
	}
	return ch.mergeWhen(at, pre, vs)
}

// mergeWhen builds a chain of multiplexers, the first condition outermost.
func (ch *Chain) mergeWhen(at int32, pre value, vs []value) value {
	b, v := ch.b, pre
	for i := len(vs) - 1; i >= 0; i-- {
		c := ch.arms[i].cond
		if c == ir.None {
			v = vs[i]
			continue
		}
		v = b.mux(ch.arms[i].pos, at, c, vs[i], v)
	}
	return v
}

// holeOf is the hole in the choice by c between t and f: the path on which neither gives a
// value, nil if there is none.
func holeOf(c ir.ID, t, f value) *hole {
	switch {
	case t.id == ir.None && f.id == ir.None:
		return nil
	case t.id == ir.None || f.id != ir.None && t.hole != nil:
		return &hole{c, "high", t.hole}
	case f.id == ir.None || f.hole != nil:
		return &hole{c, "low", f.hole}
	}
	return nil
}

// mux chooses between two values of a target, either of which may be none. Enables of
// memory ports become and, or. The positions of the two values go to the arms of the node;
// if no node is needed, the value has the positions of both.
func (b *body) mux(pos ir.Pos, at int32, c ir.ID, t, f value) value {
	v := value{id: f.id, hole: holeOf(c, t, f), pos: f.pos}

	switch {
	case t.id == f.id:
		v.pos = b.d.src.Join(t.pos, f.pos)
		return v
	case t.id == ir.None:
		return v
	case f.id == ir.None:
		v.id, v.pos = t.id, t.pos
		return v
	}

	// Two values: a node, or plain logic where that is enough.
	m := b.m
	n := ir.Node{Op: ir.Mux, Type: m.Node(b.targets.at(at).id).Type, Width: m.Node(t.id).Width, Pos: pos}
	if n.Width == 1 {
		if v.id = b.enableOf(n, at, c, t.id, f.id); v.id != ir.None {
			v.pos = b.d.src.Join(t.pos, f.pos)
			return v
		}
	}

	v.id, v.pos = b.emit(n, c, t.id, f.id), 0
	m.SetArmPos(v.id, t.pos, f.pos)
	return v
}

// enableOf is the choice of one bit by c as plain logic if that reads better: c itself
// between 1 and 0, and and, or in enables of memory ports. Else it is None.
func (b *body) enableOf(n ir.Node, at int32, c, t, f ir.ID) ir.ID {
	ones, zero := b.isConst(t, 1), b.isConst(f, 0)
	enable := b.targets.at(at).kind == portTarget
	switch {
	case ones && zero:
		return c
	case zero && enable:
		n.Op = ir.And
		return b.emit(n, c, t)
	case ones && enable:
		n.Op = ir.Or
		return b.emit(n, c, f)
	}
	return ir.None
}

// isConst reports whether a node is the constant v.
func (b *body) isConst(id ir.ID, v uint64) bool {
	if b.m.Op(id) != ir.Const {
		return false
	}
	c := b.m.ConstOf(id)
	return c.IsUint64() && c.Uint64() == v
}

// cases runs body once per key of a selector; with other, once more for all values without
// a key. key(i) is the i-th key and its text in messages.
func (b *body) cases(sel sig, n int, other bool, key func(i int) (bits.Value, string), body func(i int) bool) {
	b.flush()
	ch := &Chain{b: b, outer: b.frame, pos: b.d.pos(), sel: sel.id, other: other}
	t := b.m.Node(sel.id).Type
	is := func(i int) ir.ID {
		v, _ := key(i)
		return b.bit(ir.Eq, sel.id, b.constant(v, t))
	}

	if other {
		n++
	}
	for i := range n {
		v, text := bits.Value{}, "another value"
		if i < n-1 || !other {
			v, text = key(i)
		}

		// The condition is built on demand, as in branch.
		b.push(func() ir.ID {
			if i == n-1 && other {
				return b.noneOf(n-1, is)
			}
			return is(i)
		})

		// Even a loop that is left early closes its block.
		more := body(i)
		ch.arms = append(ch.arms, arm{key: v, sets: b.pop(), text: text})
		if !more && i < n-1 {
			b.d.report(newDiag("when", nil, "Cases: the loop was left early; every case must run"))
			b.blind = true
			break
		}
	}

	b.frame.pending = ch
	b.flush()
}

// noneOf is high when none of n conditions is.
func (b *body) noneOf(n int, is func(i int) ir.ID) ir.ID {
	if n == 0 {
		return b.high()
	}
	any := make([]ir.ID, n)
	for i := range any {
		any[i] = is(i)
	}
	if n == 1 {
		return b.not(any[0])
	}
	return b.not(b.bit(ir.Or, any...))
}

// mergeCase is choice for branches that are the values of one selector. A value of the
// selector without a branch behaves like the last branch. If some branch does not set the
// target, it keeps the value from before the case.
func (ch *Chain) mergeCase(at int32, pre value, vs []value, set []bool) value {
	b, deflt := ch.b, vs[len(vs)-1]
	if slices.Contains(set, false) && !ch.other {
		deflt = pre
	}

	// Branches that give the default need no entry; their lines become its lines.
	out := deflt
	type pick struct {
		key bits.Value
		v   value
	}
	var picks []pick
	for i, v := range vs {
		if v.id == ir.None || v.hole != nil {
			out.hole = &hole{ch.sel, ch.arms[i].text, v.hole}
		}
		switch {
		case v.id == ir.None:
		case v.id == deflt.id:
			out.pos = b.d.src.Join(out.pos, v.pos)
		default:
			picks = append(picks, pick{ch.arms[i].key, v})
		}
	}

	// Without a default, the last value serves as one: the hole is reported anyway.
	if last := len(picks) - 1; out.id == ir.None && last >= 0 {
		out.id, out.pos = picks[last].v.id, picks[last].v.pos
		picks = picks[:last]
	}
	if len(picks) == 0 {
		return out
	}

	// A Case node holds its keys in rising order.
	slices.SortFunc(picks, func(x, y pick) int { return x.key.Cmp(y.key) })
	keys, args, pos := make([]bits.Value, 0, len(picks)), []ir.ID{ch.sel, out.id}, []ir.Pos{out.pos}
	for _, p := range picks {
		keys, args, pos = append(keys, p.key), append(args, p.v.id), append(pos, p.v.pos)
	}
	typ, width := b.m.Node(b.targets.at(at).id).Type, b.m.Width(out.id)
	out.id, out.pos = b.m.AddCase(width, ch.pos, keys, args...), 0
	b.m.Node(out.id).Type = typ
	b.m.SetArmPos(out.id, pos...)
	return out
}
