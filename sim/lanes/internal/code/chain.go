package code

import (
	"slices"

	"etch/sim/choose"
	"etch/sim/native/vector"
	"etch/sim/net"
)

// Bodies is code in the form Words with special bodies for certain control states. A body runs
// while all instances of a group are in its state; otherwise the general code runs. Results
// equal those of Compile.
type Bodies struct {
	l        *Layout
	t        Target
	c        *vector.Chain
	deciding []int32
	assumed  []bool // by register: all bodies assume a value
	leaves   []leaf // by body of the chain
	entries  []int  // bodies at which a cycle may begin
	instrs   int
}

// NewBodies returns an empty set of bodies of a net. deciding is the registers that tell them
// apart, as given by choose.Survey. Errors: those of Compile; a form other than Words.
func NewBodies(n *net.Net, l *Layout, t Target, deciding []int32) (*Bodies, error) {
	if l.Form != Words {
		return nil, errNoWords
	}
	b := &Bodies{l: l, t: t, deciding: deciding, c: &vector.Chain{Pool: vector.NewPool()}}
	var err error
	b.c.General, err = b.compile(n, nil)
	return b, err
}

// Program makes a program of the present bodies, nil if there are none. More may be added for a
// further program.
func (b *Bodies) Program() (Specialised, error) {
	if len(b.entries) == 0 {
		return nil, nil
	}
	// The program keeps its own list and constants: bodies added later must not change it.
	b.join()
	c, pool := *b.c, *b.c.Pool
	c.Bodies, c.Pool = slices.Clone(b.c.Bodies), &pool
	return newSpecialised(&c, b.l, b.t)
}

// Instrs returns the number of vector instructions of all bodies.
func (b *Bodies) Instrs() int { return b.instrs }

// leaf is a cycle in which all fork conditions are known.
type leaf struct {
	values []int64 // as in choose.Body
	net    *net.Net
}

// condition is tested before a body does anything. If it does not hold in all instances, body no
// runs instead, or vector.General.
type condition struct {
	net  *net.Net
	bit  net.ID
	want bool
	no   int
}

// compile makes the code of one cycle in the form Words, behind conditions.
func (b *Bodies) compile(n *net.Net, conditions []condition) (*vector.Program, error) {
	c := vector.NewCodeIn(b.c.Pool)
	// Each condition is a side exit of the body.
	for way, x := range conditions {
		w := newWorder(x.net, b.l, b.t, c)
		c.Expect(w.anyUnlike(x.bit, x.want), way)
		if w.fail {
			return nil, errNoWords
		}
	}

	w := newWorder(n, b.l, b.t, c)

	// A next value that is constant is not stored: it is written when the bodies are left.
	w.due = b.assumed
	w.cycle()
	if w.fail {
		return nil, errNoWords
	}

	c.Settle()
	return c.Allocate(b.t.Regs), nil
}

// Add compiles bodies, heaviest first, up to a limit, and reports whether any was added. A body
// replaces an earlier one for the same state. Bodies that assume values of other registers than
// the first one are left out.
func (b *Bodies) Add(bodies []choose.Body) (added bool) {
	for _, body := range bodies {
		if len(b.leaves) >= b.l.pol.MostBodies || b.instrs > b.l.pol.MostInstrs {
			break
		}

		// All bodies must assume the same registers, so that the choice between them is a
		// decision tree.
		assumed := make([]bool, len(body.Values))
		for r, v := range body.Values {
			assumed[r] = v >= 0
		}
		if b.assumed == nil {
			b.assumed = assumed
		}

		if !slices.Equal(b.assumed, assumed) {
			continue
		}
		if k, ok := b.fork(body.Fork, body.Values, nil, nil); ok {
			// An earlier body for the same state is no entry any longer.
			b.entries = append(slices.DeleteFunc(b.entries, func(k int) bool { return slices.Equal(b.leaves[k].values, body.Values) }), k)
			added = true
		}
	}
	return added
}

// fork compiles the bodies of a fork, and returns the one to begin with. conditions are tested
// before it.
func (b *Bodies) fork(f *choose.Fork, values []int64, words []vector.Equal, conditions []condition) (int, bool) {
	// Memory words assumed on the way apply to both sides.
	more, ok := b.words(f.Words)
	if !ok {
		return 0, false
	}
	words = slices.Concat(words, more)

	if f.On < 0 {
		return b.leaf(leaf{values, f.Net}, words, conditions)
	}

	// The no-side first: the yes-side leaves to it. It tests its own condition only, because it is
	// entered from the yes-side alone, which has tested the earlier ones.
	no, ok := b.fork(f.No, values, words, []condition{{f.Net, f.On, false, vector.General}})
	if !ok {
		return 0, false
	}
	return b.fork(f.Yes, values, words, append(conditions[:len(conditions):len(conditions)], condition{f.Net, f.On, true, no}))
}

// leaf compiles one body. ok is false if it has no code in this form.
func (b *Bodies) leaf(x leaf, words []vector.Equal, conditions []condition) (int, bool) {
	p, err := b.compile(x.net, conditions)
	if err != nil {
		return 0, false
	}
	body := vector.Body{Program: p, Words: words}

	for _, c := range conditions {
		body.Ways = append(body.Ways, c.no)
	}

	// A body knows its registers' values at the start, and some of them at the end: those are
	// written when the bodies are left.
	for r, v := range x.values {
		if v < 0 {
			continue
		}
		body.Begin = b.equal(body.Begin, int32(r), v)
		if next, known := x.next(r); known {
			body.End = b.equal(body.End, int32(r), next)
		}
	}

	b.instrs += len(p.Instrs)
	b.leaves = append(b.leaves, x)
	b.c.Bodies = append(b.c.Bodies, body)
	return len(b.leaves) - 1, true
}

// next is the value of register r after the cycle, if it is known.
func (x *leaf) next(r int) (v int64, known bool) {
	next := x.net.Regs[r].Next
	if next < 0 {
		return x.values[r], x.values[r] >= 0
	}
	k, known := x.net.IsConst(next)
	return int64(k & net.Mask(x.net.Regs[r].W)), known
}

// words lists the memory words that must be tested. Those of constant tables always hold.
func (b *Bodies) words(list []choose.Word) (eq []vector.Equal, ok bool) {
	for _, w := range list {
		m := &b.l.mems[w.Mem]
		if m.table != nil {
			continue
		}
		if !b.l.rows(m) || w.Addr >= uint64(m.Words) {
			return nil, false
		}
		// Words of a row are compared in all instances at once.
		want := b.c.Pool.Const(w.Value, 8*m.elem)
		at := b.l.rowAt(m, int(w.Addr), b.t)
		for k := range m.elem / 2 {
			eq = append(eq, vector.Equal{Row: true, Slot: at + int32(k), Want: want})
		}
	}

	return eq, true
}

// join fills in the choices of the next body after each body.
func (b *Bodies) join() {
	// Registers assumed by all bodies alike are guards, tested at the top only.
	for r, v := range b.leaves[b.entries[0]].values {
		if v >= 0 && !slices.Contains(b.deciding, int32(r)) {
			b.c.Guards = b.equal(b.c.Guards, int32(r), v)
		}
	}

	b.c.Top = b.choose(b.entries, b.deciding, b.deciding)
	for k := range b.leaves {
		b.c.Bodies[k].Next = b.next(&b.leaves[k])
	}
}

// next is the choice after a body, among the bodies that agree with the state known there.
func (b *Bodies) next(from *leaf) *vector.Choice {
	// A deciding register with unknown value must be tested; any unknown register must be
	// verified.
	var open, unsure []int32
	set := slices.Clone(b.entries)
	for r := range from.values {
		if from.values[r] < 0 {
			continue
		}
		v, known := from.next(r)
		if !known {
			unsure = append(unsure, int32(r))
			if slices.Contains(b.deciding, int32(r)) {
				open = append(open, int32(r))
			}
			continue
		}
		set = slices.DeleteFunc(set, func(k int) bool { return b.leaves[k].values[r] != v })
	}

	// Too many candidates: dispatch from the top.
	if len(set) > b.l.pol.MostAhead {
		return &vector.Choice{Body: vector.AtTop}
	}
	return b.choose(set, open, unsure)
}

// choose tests the registers of open in one instance, until one body of the set is left. Then
// the registers of unsure must be verified in all instances.
func (b *Bodies) choose(set []int, open, unsure []int32) *vector.Choice {
	switch {
	case len(set) == 0:
		return &vector.Choice{Body: vector.General}
	case len(set) == 1:
		h := &vector.Choice{Body: set[0]}
		for _, r := range unsure {
			h.Equal = b.equal(h.Equal, r, b.leaves[set[0]].values[r])
		}
		return h
	}

	// One comparison per step: with the heaviest body's value, or with the median if there are
	// many values.
	for _, r := range open {
		values := b.valuesOf(set, r)
		if len(values) == 1 {
			continue
		}
		v, below := b.leaves[set[0]].values[r], false // of the heaviest body
		if len(values) > b.l.pol.MostInHalf {
			v, below = values[len(values)/2], true
		}

		var yes, no []int
		for _, k := range set {
			if x := b.leaves[k].values[r]; x == v && !below || x < v && below {
				yes = append(yes, k)
			} else {
				no = append(no, k)
			}
		}

		h := &vector.Choice{Slot: b.l.Reg[r], Bits: elementOf(b.l.width[r]), Below: below, Value: asElement(uint64(v), b.l.width[r])}
		h.Yes, h.No = b.choose(yes, open, unsure), b.choose(no, open, unsure)
		return h
	}
	return b.choose(set[:1], open, unsure)
}

// valuesOf is the distinct values of register r in a set of bodies, ascending.
func (b *Bodies) valuesOf(set []int, r int32) (values []int64) {
	for _, k := range set {
		values = append(values, b.leaves[k].values[r])
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// equal adds the test that register r has value v in all instances.
func (b *Bodies) equal(list []vector.Equal, r int32, v int64) []vector.Equal {
	es := elementOf(b.l.width[r])
	want := b.c.Pool.Const(asElement(uint64(v), b.l.width[r]), es)

	// The element takes one vector per 16 bits.
	for k := range es / 16 {
		list = append(list, vector.Equal{Slot: b.l.Reg[r] + int32(k), Want: want})
	}
	return list
}
