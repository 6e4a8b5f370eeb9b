package lanes

import (
	"slices"

	"etch/sim/lanes/vector"
	"etch/sim/native"
	"etch/sim/net"
)

// Limits of programs with bodies.
const (
	mostBodies = 256
	mostAhead  = 16 // bodies that may come next before all of the state is looked at
	mostInHalf = 6  // values of a register that are tried one by one
	mostInstrs = 1 << 19
)

// CompileBodies makes a program in word form with bodies of their own for certain
// control states: they work where all instances of a group are in one of those
// states, and the code for any state elsewhere. Results are those of Compile.
// deciding is the registers that tell bodies apart, as native.Survey gives them.
// It returns nil when no body can be compiled. Errors: those of Compile.
func CompileBodies(n *net.Net, l *Layout, t Target, deciding []int32, bodies []native.Body) (*Program, error) {
	if l.Form != Words {
		return nil, nil
	}
	b := &chainer{l: l, t: t, deciding: deciding, c: &vector.Chain{Pool: vector.NewPool()}}
	general, err := compileCycle(n, l, t, b.c.Pool)
	if err != nil {
		return nil, err
	}
	b.c.General = general
	b.add(bodies)
	if len(b.bodies) == 0 {
		return nil, nil
	}
	b.join()
	b.c.Finish()
	p := &Program{Program: general, chain: b.c, t: t, l: l}
	return p, p.assemble()
}

// compileCycle makes the code of one cycle in word form.
func compileCycle(n *net.Net, l *Layout, t Target, pool *vector.Pool) (*vector.Program, error) {
	w := newWorder(n, l, t, vector.NewCodeIn(pool))
	w.cycle()
	if w.fail {
		return nil, errNoWords
	}
	w.c.Settle()
	return w.c.Allocate(t.Regs), nil
}

// chainer builds a chain.
type chainer struct {
	l        *Layout
	t        Target
	c        *vector.Chain
	deciding []int32
	bodies   []native.Body // parallel to the chain's
}

// add compiles bodies, the heaviest first.
func (b *chainer) add(bodies []native.Body) {
	instrs := 0
	for _, body := range bodies {
		if len(b.bodies) >= mostBodies || instrs > mostInstrs {
			return
		}
		words, ok := b.words(body.Words)
		if !ok {
			continue
		}
		p, err := compileCycle(body.Net, b.l, b.t, b.c.Pool)
		if err != nil {
			continue
		}
		instrs += len(p.Instrs)
		b.bodies = append(b.bodies, body)
		b.c.Bodies = append(b.c.Bodies, vector.Body{Program: p, Words: words})
	}
}

// words is what has to hold of memories; that of tables always does.
func (b *chainer) words(list []native.Word) (eq []vector.Equal, ok bool) {
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
func (b *chainer) join() {
	first := b.bodies[0].Values
	for r, v := range first {
		if v >= 0 && !slices.Contains(b.deciding, int32(r)) {
			b.c.Guards = b.equal(b.c.Guards, int32(r), v)
		}
	}
	all := make([]int, len(b.bodies))
	for k := range all {
		all[k] = k
	}
	b.c.Top = b.choose(all, b.deciding, b.deciding)
	for k := range b.bodies {
		b.c.Bodies[k].Next = b.next(&b.bodies[k], all)
	}
}

// next is the choice behind a body: of those that agree with what is known of the
// state then.
func (b *chainer) next(from *native.Body, all []int) *vector.Choice {
	var open, unsure []int32
	set := slices.Clone(all)
	for r, v := range from.Values {
		if v < 0 {
			continue
		}
		decides := slices.Contains(b.deciding, int32(r))
		if next := from.Net.Regs[r].Next; next >= 0 {
			k, known := from.Net.IsConst(next)
			if !known {
				unsure = append(unsure, int32(r))
				if decides {
					open = append(open, int32(r))
				}
				continue
			}
			v = int64(k)
		}
		set = slices.DeleteFunc(set, func(k int) bool { return b.bodies[k].Values[r] != v })
	}
	if len(set) > mostAhead {
		return &vector.Choice{Body: vector.AtTop}
	}
	return b.choose(set, open, unsure)
}

// choose tests the registers of open, by one instance, until one body of the set
// is left; then those of unsure have to be right in all instances.
func (b *chainer) choose(set []int, open, unsure []int32) *vector.Choice {
	switch {
	case len(set) == 0:
		return &vector.Choice{Body: vector.General}
	case len(set) == 1:
		h := &vector.Choice{Body: set[0]}
		for _, r := range unsure {
			h.Equal = b.equal(h.Equal, r, b.bodies[set[0]].Values[r])
		}
		return h
	}
	for _, r := range open {
		values := b.valuesOf(set, r)
		if len(values) == 1 {
			continue
		}
		v, below := b.bodies[set[0]].Values[r], false // the heaviest
		if len(values) > mostInHalf {
			v, below = values[len(values)/2], true
		}
		var yes, no []int
		for _, k := range set {
			if x := b.bodies[k].Values[r]; x == v && !below || x < v && below {
				yes = append(yes, k)
			} else {
				no = append(no, k)
			}
		}
		h := &vector.Choice{Slot: b.l.Reg[r], Bits: elementOf(b.l.width[r]), Below: below, Value: b.element(r, v)}
		h.Yes, h.No = b.choose(yes, open, unsure), b.choose(no, open, unsure)
		return h
	}
	return b.choose(set[:1], open, unsure)
}

// valuesOf is the values that register r has in a set of bodies, in order.
func (b *chainer) valuesOf(set []int, r int32) (values []int64) {
	for _, k := range set {
		values = append(values, b.bodies[k].Values[r])
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// element is a value as the elements of register r have it.
func (b *chainer) element(r int32, v int64) uint64 {
	if b.l.width[r] == 1 {
		return uint64(-v) & 0xffff
	}
	return uint64(v)
}

// equal adds that register r has value v in all instances.
func (b *chainer) equal(list []vector.Equal, r int32, v int64) []vector.Equal {
	es := elementOf(b.l.width[r])
	want := b.c.Pool.Const(b.element(r, v), es)
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
