package net

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// index is the word that node x compares with a constant, and the constant. Make turns Cat(a, b) = 0
// into a | b = 0: the Cat is found again, so that all numbers have one index.
func (v *vectors) index(x ID) (index ID, k uint64, ok bool) {
	nd := &v.n.N[x]
	if nd.Op != Eq {
		return None, 0, false
	}
	k, ok = v.n.IsConst(nd.B)
	if !ok || v.n.Width(nd.A) == 1 || v.n.Width(nd.A) > 16 {
		return None, 0, false
	}
	if or := &v.n.N[nd.A]; k == 0 && or.Op == Or {
		if cat, ok := v.cats[[2]ID{min(or.A, or.B), max(or.A, or.B)}]; ok && cat < x {
			return cat, 0, true
		}
	}
	return nd.A, k, true
}

// terms lists the operands of a conjunction of bits, in order. The list is valid until the next
// call. A conjunction of too many is one term itself.
func (v *vectors) terms(x ID) []ID {
	// A walk with an explicit stack. An operand that several Ands share counts each time, so only
	// the bound keeps the walk short.
	list, todo := v.found[:0], append(v.todo[:0], x)
	steps := 0
	for ; len(todo) > 0; steps++ {
		y := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if nd := &v.n.N[y]; nd.Op != And || nd.W != 1 {
			list = append(list, y)
		} else if steps >= mostTerms {
			list = append(list[:0], x)
			break
		} else {
			todo = append(todo, nd.B, nd.A)
		}
	}
	v.found, v.todo = list, todo
	v.visits += steps
	return list
}

// find finds the vectors. Registers belong together if their next values are equal but for the
// numbers that indices are compared with.
func (v *vectors) find() {
	n := v.n
	v.cats = map[[2]ID]ID{}
	for i := range n.N {
		if nd := &n.N[i]; nd.Op == Eq && n.N[nd.A].Op == Cat {
			c := &n.N[nd.A]
			v.cats[[2]ID{min(c.A, c.B), max(c.A, c.B)}] = nd.A
		}
	}

	// A register is looked at once for each number that its next value compares with.
	groups, order := map[string][]element{}, []string{}
	for r := range n.Regs {
		v.of[r] = -1
		if g := &n.Regs[r]; g.Q < 0 || g.Next < 0 || g.Host {
			continue
		}

		// Each number walks the next value again, so a net made for it could take very long: then
		// the rest of the registers stay as they are.
		for _, k := range v.numbers(r) {
			if v.visits > mostVisits+mostVisits/1024*len(n.N) {
				break
			}
			s := shape{v: v, q: n.Regs[r].Q, k: k}
			if !s.walk(n.Regs[r].Next, false) || s.indices == 0 {
				continue
			}
			s.text = append(s.text, n.Regs[r].W)
			key := string(s.text)
			if groups[key] == nil {
				order = append(order, key)
			}
			groups[key] = append(groups[key], element{int32(r), k})
		}
	}

	// Large groups choose first.
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(len(groups[b]), len(groups[a])) })
	for _, key := range order {
		v.add(groups[key])
	}
}

// numbers are the constants that conditions in the next value of register r compare with.
func (v *vectors) numbers(r int) (all []uint64) {
	n, steps := v.n, 0
	var walk func(x ID)
	walk = func(x ID) {
		nd := &n.N[x]

		// Through muxes and slices that serve this register only: a shared one belongs to no element.
		if steps++; steps > v.most.Shape {
			return
		}
		if nd.Op == Slice && nd.Imm == 0 && v.uses[x] == 1 {
			walk(nd.A)
			return
		}
		if nd.Op != Mux || v.uses[x] != 1 {
			return
		}
		for _, t := range v.terms(nd.A) {
			if _, k, ok := v.index(t); ok && len(all) < mostNumbers && !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
		walk(nd.B)
		walk(nd.C)
	}
	walk(n.Regs[r].Next)
	return all
}

// shape describes a next value as element k of a vector.
type shape struct {
	v       *vectors
	q       ID
	k       uint64
	text    []byte
	steps   int
	indices int
	holds   bool // the value walked last keeps the register on some path
}

func (s *shape) put(kind byte, x ID) {
	s.text = append(s.text, kind)
	s.text = binary.LittleEndian.AppendUint32(s.text, uint32(x))
}

// split divides a condition into the index that selects element k, None without one, and the
// other terms.
func (s *shape) split(cond ID) (index ID, others []ID, ok bool) {
	if index = None; s.v.n.Width(cond) != 1 {
		return None, nil, false
	}
	for _, t := range s.v.terms(cond) {
		switch i, k, is := s.v.index(t); {
		case !is || k != s.k:
			others = append(others, t)
		case index >= 0:
			return None, nil, false
		default:
			index = i
		}
	}
	slices.Sort(others)
	return index, others, true
}

// walk describes x, a part of the next value; inside tells that an index has selected the
// element. It returns false if no vector can have such an element.
func (s *shape) walk(x ID, inside bool) bool {
	n := s.v.n
	nd := &n.N[x]
	s.steps++
	switch {
	case x == s.q:
		s.put('q', None)
		s.holds = true
		return true
	case nd.Op == Slice && nd.Imm == 0 && s.v.uses[x] == 1 && n.N[nd.A].Op == Mux && s.v.uses[nd.A] == 1:
		return s.walk(nd.A, inside)
	case nd.Op == Mux && s.v.uses[x] == 1 && s.steps < s.v.most.Shape:
		return s.mux(nd, inside)
	}

	// A value: it must be written by an index.
	s.put('v', x)
	s.holds = false
	return inside
}

func (s *shape) mux(nd *Node, inside bool) bool {
	index, others, ok := s.split(nd.A)
	if !ok || inside && index >= 0 {
		return false
	}
	s.put('m', index)
	for _, t := range others {
		s.put('c', t)
	}
	if index >= 0 {
		s.indices++
	}

	// A mux that selects the element (index >= 0) does not guard the writes of its other arm: in
	// the vector these happen too, but a write of this arm comes later and wins. Where this arm
	// holds, no write comes later, so the other arm must hold as well.
	if !s.walk(nd.B, inside || index >= 0) {
		return false
	}
	holds := s.holds
	from := len(s.text)
	if !s.walk(nd.C, inside) {
		return false
	}
	if index >= 0 && holds && s.text[from] != 'q' {
		return false
	}
	s.holds = s.holds || holds
	return true
}

// add makes a vector of the elements that belong to none, if these are numbered without gaps and
// lie at equal distances.
func (v *vectors) add(elems []element) {
	n := v.n
	elems = slices.DeleteFunc(slices.Clone(elems), func(e element) bool { return v.of[e.reg] >= 0 })
	if len(elems) < v.most.Least {
		return
	}
	slices.SortFunc(elems, func(a, b element) int { return cmp.Compare(a.k, b.k) })
	slot := func(i int) int64 { return int64(n.Regs[elems[i].reg].Slot) }
	step := slot(1) - slot(0)
	if step < 1 || step > v.most.Step {
		return
	}
	for i := range elems {
		if elems[i].k != elems[0].k+uint64(i) || slot(i) != slot(0)+step*int64(i) {
			return
		}
	}
	c := vector{lo: elems[0].k, hi: elems[len(elems)-1].k, elems: elems}

	// Every element has the same writes: those of the first one are the vector's.
	w := writer{v: v, s: shape{v: v, q: n.Regs[elems[0].reg].Q, k: c.lo}, w: n.Regs[elems[0].reg].W}
	w.walk(n.Regs[elems[0].reg].Next, indexed{index: None})
	c.writes = w.all
	c.mem = int32(len(n.Mems) + len(v.list))
	for _, e := range elems {
		v.of[e.reg], v.rank[e.reg] = int32(len(v.list)), e.k
	}
	v.list = append(v.list, c)
}

// writer collects the writes of a next value that a shape describes.
type writer struct {
	v   *vectors
	s   shape
	w   uint8
	all []indexed
}

// walk appends the writes of x, with the conditions and the index of under.
func (w *writer) walk(x ID, under indexed) {
	n := w.v.n
	nd := &n.N[x]
	w.s.steps++
	switch {
	case x == w.s.q:
		return
	case nd.Op == Slice && nd.Imm == 0 && w.v.uses[x] == 1 && n.N[nd.A].Op == Mux && w.v.uses[nd.A] == 1:
		w.walk(nd.A, under)
		return
	case nd.Op == Mux && w.v.uses[x] == 1 && w.s.steps < w.v.most.Shape:
	default:
		under.data = x
		w.all = append(w.all, under)
		return
	}

	// The walk visits the arms in the order of shape.walk, so that both see the same muxes.
	index, others, _ := w.s.split(nd.A)
	then, other := under, under
	then.on = slices.Concat(under.on, others)
	if index >= 0 {
		then.index = index
	} else {
		other.off = append(slices.Clip(under.off), nd.A)
	}
	from := len(w.all)
	w.walk(nd.B, then)
	mid := len(w.all)
	w.walk(nd.C, other)

	// What is written where the condition does not hold has the lower priority.
	w.all = append(w.all[:from], slices.Concat(w.all[mid:], w.all[from:mid])...)
}
