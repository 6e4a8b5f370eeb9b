package lanes

import (
	"slices"

	"etch/sim/lanes/vector"
	"etch/sim/native"
	"etch/sim/net"
)

// Limits of programs with bodies.
const (
	mostBodies = 1024
	mostAhead  = 16 // bodies that may come next before all of the state is looked at
	mostInHalf = 6  // values of a register that are tried one by one
	mostInstrs = 1 << 19
)

// Bodies is code in word form with bodies of their own for certain control states:
// they work where all instances of a group are in one of those states, and the code
// for any state elsewhere. Results are those of Compile.
type Bodies struct {
	l        *Layout
	t        Target
	c        *vector.Chain
	deciding []int32
	assumed  []bool // by register: all bodies assume a value
	leaves   []leaf // parallel to the chain's bodies
	entries  []int  // the bodies to begin a cycle with
	instrs   int
}

// NewBodies returns no bodies yet of a net. deciding is the registers that tell them
// apart, as native.Survey gives them. Errors: those of Compile; another form than
// Words.
func NewBodies(n *net.Net, l *Layout, t Target, deciding []int32) (*Bodies, error) {
	if l.Form != Words {
		return nil, errNoWords
	}
	b := &Bodies{l: l, t: t, deciding: deciding, c: &vector.Chain{Pool: vector.NewPool()}}
	var err error
	b.c.General, err = b.compile(n, nil)
	return b, err
}

// Program makes a program of the bodies there are, nil if there are none. More may
// be added for another one.
func (b *Bodies) Program() (*Program, error) {
	if len(b.entries) == 0 {
		return nil, nil
	}
	b.join()
	c := *b.c
	c.Bodies = slices.Clone(b.c.Bodies)
	p := &Program{Program: c.General, chain: &c, t: b.t, l: b.l}
	return p, p.assemble()
}

// leaf is a cycle in which all conditions are known that it forks by.
type leaf struct {
	values []int64 // as of native.Body
	net    *net.Net
}

// condition is what a body finds out before it does anything: where it does not
// hold in all instances, another body is right, or vector.General.
type condition struct {
	net  *net.Net
	bit  net.ID
	want bool
	no   int
}

// compile makes the code of one cycle in word form, behind conditions.
func (b *Bodies) compile(n *net.Net, conditions []condition) (*vector.Program, error) {
	c := vector.NewCodeIn(b.c.Pool)
	for way, x := range conditions {
		w := newWorder(x.net, b.l, b.t, c)
		c.Expect(w.anyUnlike(x.bit, x.want), way)
		if w.fail {
			return nil, errNoWords
		}
	}
	w := newWorder(n, b.l, b.t, c)
	w.due = b.assumed
	w.cycle()
	if w.fail {
		return nil, errNoWords
	}
	c.Settle()
	return c.Allocate(b.t.Regs), nil
}

// Add compiles bodies, the heaviest first, as long as there are not too many, and
// reports whether there are any new ones, which take the place of others for the same
// state. Those are left out that do not assume values
// of the registers that the first one does.
func (b *Bodies) Add(bodies []native.Body) (added bool) {
	for _, body := range bodies {
		if len(b.leaves) >= mostBodies || b.instrs > mostInstrs {
			break
		}
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
			b.entries = append(slices.DeleteFunc(b.entries, func(k int) bool { return slices.Equal(b.leaves[k].values, body.Values) }), k)
			added = true
		}
	}
	return added
}

// fork compiles the bodies of a fork, and returns the one to begin with, behind
// conditions.
func (b *Bodies) fork(f *native.Fork, values []int64, words []vector.Equal, conditions []condition) (int, bool) {
	more, ok := b.words(f.Words)
	if !ok {
		return 0, false
	}
	words = slices.Concat(words, more)
	if f.On < 0 {
		return b.leaf(leaf{values, f.Net}, words, conditions)
	}
	no, ok := b.fork(f.No, values, words, []condition{{f.Net, f.On, false, vector.General}})
	if !ok {
		return 0, false
	}
	return b.fork(f.Yes, values, words, append(conditions[:len(conditions):len(conditions)], condition{f.Net, f.On, true, no}))
}

// leaf compiles one body.
func (b *Bodies) leaf(x leaf, words []vector.Equal, conditions []condition) (int, bool) {
	p, err := b.compile(x.net, conditions)
	if err != nil {
		return 0, false
	}
	body := vector.Body{Program: p, Words: words}
	for _, c := range conditions {
		body.Ways = append(body.Ways, c.no)
	}
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

// next is the value of register r behind the cycle, if that is known.
func (x *leaf) next(r int) (v int64, known bool) {
	next := x.net.Regs[r].Next
	if next < 0 {
		return x.values[r], x.values[r] >= 0
	}
	k, known := x.net.IsConst(next)
	return int64(k & net.Mask(x.net.Regs[r].W)), known
}

// words is what has to hold of memories; that of tables always does.
func (b *Bodies) words(list []native.Word) (eq []vector.Equal, ok bool) {
	for _, w := range list {
		m := &b.l.mems[w.Mem]
		if m.table != nil {
			continue
		}
		if !b.l.rows(m) || w.Addr >= uint64(m.Words) {
			return nil, false
		}
		want := b.c.Pool.Const(w.Value, 8*m.elem)
		at := b.l.rowAt(m, int(w.Addr), b.t)
		for k := range m.elem / 2 {
			eq = append(eq, vector.Equal{Row: true, Slot: at + int32(k), Want: want})
		}
	}
	return eq, true
}

// join says which body follows which.
func (b *Bodies) join() {
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

// next is the choice behind a body: of those that agree with what is known of the
// state then.
func (b *Bodies) next(from *leaf) *vector.Choice {
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
	if len(set) > mostAhead {
		return &vector.Choice{Body: vector.AtTop}
	}
	return b.choose(set, open, unsure)
}

// choose tests the registers of open, by one instance, until one body of the set
// is left; then those of unsure have to be right in all instances.
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
	for _, r := range open {
		values := b.valuesOf(set, r)
		if len(values) == 1 {
			continue
		}
		v, below := b.leaves[set[0]].values[r], false // the heaviest
		if len(values) > mostInHalf {
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

// valuesOf is the values that register r has in a set of bodies, in order.
func (b *Bodies) valuesOf(set []int, r int32) (values []int64) {
	for _, k := range set {
		values = append(values, b.leaves[k].values[r])
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// equal adds that register r has value v in all instances.
func (b *Bodies) equal(list []vector.Equal, r int32, v int64) []vector.Equal {
	es := elementOf(b.l.width[r])
	want := b.c.Pool.Const(asElement(uint64(v), b.l.width[r]), es)
	for k := range es / 16 {
		list = append(list, vector.Equal{Slot: b.l.Reg[r] + int32(k), Want: want})
	}
	return list
}

// Bodies is the number of bodies.
func (p *Program) Bodies() int {
	if p.chain == nil {
		return 0
	}
	return len(p.chain.Bodies)
}
