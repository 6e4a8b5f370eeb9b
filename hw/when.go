package hw

import (
	"cmp"
	"slices"

	"etch/ir"
	"etch/ir/bits"
)

// Chain is a When that can go on with ElseWhen and Else.
type Chain struct {
	b        *body
	outer    *frame
	branches []arm
	pos      ir.Pos
	flushed  bool
	sel      ir.ID    // of a case over an enumeration or number
	seen     []ir.Pos // of the conditions, for messages
}

// arm is one branch of a chain.
type arm struct {
	cond ir.ID // None for Else
	key  bits.Value
	sets []setting
	text string // the condition as its designer would say it
}

// When runs then once, now; what it Sets takes effect when c is high.
func (m *Module) When(c Bit, then func()) *Chain { return m.b.when(nil, c, "When", then) }

// ElseWhen continues a chain: no earlier condition holds and c does.
func (ch *Chain) ElseWhen(c Bit, then func()) *Chain { return ch.b.when(ch, c, "ElseWhen", then) }

// Else ends a chain: no earlier condition holds.
func (ch *Chain) Else(then func()) { branch(ch.b, ch, ir.None, then) }

func (b *body) when(ch *Chain, c Bit, op string, then func()) *Chain {
	xs := [1]sig{c.sig}
	if bad := b.resolve(op, xs[:], false); bad {
		xs[0] = sig{b: b, id: b.constant(bits.New(1, 0), 0)}
	}
	return branch(b, ch, xs[0].id, then)
}

// branch adds one condition to a chain (nil starts one); None is Else.
func branch(b *body, ch *Chain, cond ir.ID, then func()) *Chain {
	if ch == nil {
		b.flush()
		ch = &Chain{b: b, outer: b.frame, pos: b.d.pos()}
		b.frame.pending = ch
	}
	if ch.flushed || b.frame != ch.outer || len(ch.branches) > 0 && ch.last().cond == ir.None {
		b.d.report(newDiag("when", []Note{{b.d.src.At(ch.pos), "the When is here"}},
			"Else: it must follow its When at once, and nothing may follow Else"))
		return ch
	}
	prior := len(ch.branches)
	b.push(func() ir.ID { return ch.condition(prior, cond) })
	then()
	sets := b.pop()
	ch.branches = append(ch.branches, arm{cond: cond, sets: sets})
	return ch
}

func (ch *Chain) last() *arm { return &ch.branches[len(ch.branches)-1] }

// condition is the full condition of a branch: its own, and none before it.
func (ch *Chain) condition(prior int, own ir.ID) ir.ID {
	b, all := ch.b, own
	if ch.sel != ir.None {
		return own
	}
	for _, a := range ch.branches[:prior] {
		all = b.and(b.not(a.cond), all)
	}
	return all
}

func (b *body) not(x ir.ID) ir.ID {
	return b.m.Add(ir.Node{Op: ir.Not, Type: ir.TypeID(ir.Bool), Width: 1, Pos: b.m.Node(x).Pos}, x)
}

// flush merges the pending chain of the current frame into it.
func (b *body) flush() {
	ch := b.frame.pending
	if ch == nil {
		return
	}
	b.frame.pending, ch.flushed = nil, true
	row := map[int32]int{}
	var order []int32
	for _, a := range ch.branches {
		for _, s := range a.sets {
			if _, ok := row[s.at]; !ok {
				row[s.at] = len(order)
				order = append(order, s.at)
			}
		}
	}
	table := make([]value, len(order)*len(ch.branches))
	set := make([]bool, len(table))
	for i, a := range ch.branches {
		for _, s := range a.sets {
			at := row[s.at]*len(ch.branches) + i
			table[at], set[at] = s.v, true
		}
	}
	for j, at := range order {
		vs, has := table[j*len(ch.branches):][:len(ch.branches)], set[j*len(ch.branches):][:len(ch.branches)]
		pre := b.targets[at].cur
		for i := range vs {
			if !has[i] {
				vs[i] = pre
			}
		}
		v := ch.merge(at, pre, vs, has)
		b.put(at, v, ch.pos, true)
	}
}

// merge is what a chain means for one target: vs are the values of the branches.
func (ch *Chain) merge(at int32, pre value, vs []value, has []bool) value {
	if ch.sel != ir.None {
		return ch.mergeCase(at, pre, vs, has)
	}
	b, v := ch.b, pre
	for i := len(vs) - 1; i >= 0; i-- {
		c := ch.branches[i].cond
		if c == ir.None {
			v = vs[i]
			continue
		}
		v = value{b.mux(ch.pos, at, c, vs[i].id, v.id), b.join(c, vs[i], v)}
	}
	return v
}

// join is where a choice between two values has a hole.
func (b *body) join(c ir.ID, t, f value) *hole {
	switch {
	case t.id == ir.None && f.id == ir.None:
		return nil
	case t.id == ir.None:
		return &hole{b.describe(c, 2) + " is high", nil}
	case f.id == ir.None:
		return &hole{b.describe(c, 2) + " is low", nil}
	case t.hole != nil:
		return &hole{b.describe(c, 2) + " is high", t.hole}
	case f.hole != nil:
		return &hole{b.describe(c, 2) + " is low", f.hole}
	}
	return nil
}

// mux chooses between two values of a target; either may be None. Enables of
// one bit come out as and, or.
func (b *body) mux(pos ir.Pos, at int32, c, t, f ir.ID) ir.ID {
	switch {
	case t == ir.None || t == f:
		return f
	case f == ir.None:
		return t
	}
	m := b.m
	n := ir.Node{Op: ir.Mux, Type: m.Node(b.targets[at].id).Type, Width: m.Node(t).Width, Pos: pos}
	if n.Width == 1 {
		switch one, zero := m.Op(t) == ir.Const, m.Op(f) == ir.Const && m.ConstOf(f).IsZero(); {
		case one && zero && m.ConstOf(t).IsOnes():
			return c
		case zero && b.targets[at].kind == portTarget:
			n.Op = ir.And
			return m.Add(n, c, t)
		case one && m.ConstOf(t).IsOnes() && b.targets[at].kind == portTarget:
			n.Op = ir.Or
			return m.Add(n, c, f)
		}
	}
	return m.Add(n, c, t, f)
}

// mergeCase is merge for branches that are the values of one selector. Values
// of the selector without a branch do as the last branch does, or as before the
// case where some branch does not set the target.
func (ch *Chain) mergeCase(at int32, pre value, vs []value, has []bool) value {
	b, deflt := ch.b, vs[len(vs)-1]
	if slices.Contains(has, false) {
		deflt = pre
	}
	out := value{id: deflt.id, hole: deflt.hole}
	type pick struct {
		key bits.Value
		id  ir.ID
	}
	var picks []pick
	for i, v := range vs {
		switch is := b.describe(ch.sel, 1) + " is " + ch.branches[i].text; {
		case v.id == ir.None:
			out.hole = &hole{is, nil}
			continue
		case v.hole != nil:
			out.hole = &hole{is, v.hole}
		}
		if v.id != deflt.id {
			picks = append(picks, pick{ch.branches[i].key, v.id})
		}
	}
	if out.id == ir.None && len(picks) > 0 {
		out.id = picks[len(picks)-1].id
		picks = picks[:len(picks)-1]
	}
	if len(picks) == 0 {
		return out
	}
	slices.SortFunc(picks, func(x, y pick) int { return x.key.Cmp(y.key) })
	keys, args := make([]bits.Value, 0, len(picks)), []ir.ID{ch.sel, out.id}
	for _, p := range picks {
		keys, args = append(keys, p.key), append(args, p.id)
	}
	t := b.m.Node(b.targets[at].id)
	out.id = b.m.AddCase(int(t.Width), ch.pos, keys, args...)
	b.m.Node(out.id).Type = b.m.Node(b.targets[at].id).Type
	return out
}

// cases runs body once per key of a selector.
func (b *body) cases(sel sig, n int, key func(i int) (bits.Value, string), body func(i int) bool) {
	b.flush()
	ch := &Chain{b: b, outer: b.frame, pos: b.d.pos(), sel: sel.id}
	t := b.m.Node(sel.id).Type
	for i := range n {
		v, text := key(i)
		b.push(func() ir.ID {
			return b.add(ir.Eq, ir.TypeID(ir.Bool), 1, sel.id, b.constant(v, t))
		})
		more := body(i)
		ch.branches = append(ch.branches, arm{key: v, sets: b.pop(), text: text})
		if !more {
			if i < n-1 {
				b.d.report(newDiag("when", nil, "Cases: the loop was left early; every case must run"))
			}
			break
		}
	}
	b.frame.pending = ch
	b.flush()
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
