package net

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// leastVector is the number of registers from which a vector becomes a memory.
const leastVector = 4

// mostStep bounds the words from one register of a vector to the next.
const mostStep = 1 << 16

// vector is registers that only indexed writes change: element k takes a value if an index is k
// and conditions hold that are the same for all elements. Elements lie at equal distances.
type vector struct {
	mem    int32
	lo, hi uint64 // the numbers of the first and the last element
	elems  []element
	writes []indexed // lowest priority first
}

// element is a register of a vector, and its number there.
type element struct {
	reg int32
	k   uint64
}

// indexed is a write to the element with the number of index, if all of on are 1 and no term of
// off is. data is a node of the original net.
type indexed struct {
	on, off []ID // off: conjunctions, of which none holds; they are nodes
	index   ID
	data    ID
}

// vectors replaces vectors of registers by memories.
type vectors struct {
	n    *Net
	uses []int32
	cats map[[2]ID]ID // concatenations that are compared, by their halves in ascending order

	list  []vector
	of    []int32  // by register: its vector, or -1
	place []uint64 // by register: its number there

	m     *Net
	at    []ID // by node: its copy
	views map[Mem]int32
}

// Vectors returns a net in which vectors of registers are memories: registers of which one takes
// a value by an index, as FIRRTL's vectors do. The state stays where it is: such a memory lies
// over the registers' words (Mem.Step). A look-up over all elements becomes one read, and the
// muxes of all elements become one write. It returns n itself if there are none.
func (n *Net) Vectors() *Net {
	v := &vectors{n: n, uses: n.Uses(), views: map[Mem]int32{}, of: make([]int32, len(n.Regs)), place: make([]uint64, len(n.Regs))}
	v.find()
	m := v.rebuild()
	if len(m.Mems) == len(n.Mems) {
		return n
	}
	return m
}

// index is the word that node x compares with a constant, and the constant. A concatenation is
// compared with 0 by its halves.
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

// terms appends the operands of a conjunction of bits.
func (v *vectors) terms(x ID, to []ID) []ID {
	if nd := &v.n.N[x]; nd.Op == And && nd.W == 1 {
		return v.terms(nd.B, v.terms(nd.A, to))
	}
	return append(to, x)
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
		for _, k := range v.numbers(r) {
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
		if steps++; steps > mostShape {
			return
		}
		if nd.Op == Slice && nd.Imm == 0 && v.uses[x] == 1 {
			walk(nd.A)
			return
		}
		if nd.Op != Mux || v.uses[x] != 1 {
			return
		}
		for _, t := range v.terms(nd.A, nil) {
			if _, k, ok := v.index(t); ok && !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
		walk(nd.B)
		walk(nd.C)
	}
	walk(n.Regs[r].Next)
	return all
}

// mostShape bounds the muxes of a next value that are looked at.
const mostShape = 64

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
	for _, t := range s.v.terms(cond, nil) {
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
	case nd.Op == Mux && s.v.uses[x] == 1 && s.steps < mostShape:
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

	// An index that selects the element must write it where a write of lower priority might.
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
	if len(elems) < leastVector {
		return
	}
	slices.SortFunc(elems, func(a, b element) int { return cmp.Compare(a.k, b.k) })
	slot := func(i int) int64 { return int64(int32(n.Regs[elems[i].reg].Slot)) }
	step := slot(1) - slot(0)
	if step < 1 || step > mostStep {
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
		v.of[e.reg], v.place[e.reg] = int32(len(v.list)), e.k
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

// walk appends the writes of x, which happen if those of under do.
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
	case nd.Op == Mux && w.v.uses[x] == 1 && w.s.steps < mostShape:
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

// rebuild makes the net with memories.
func (v *vectors) rebuild() *Net {
	n := v.n
	m := NewSized(len(n.Regs), len(n.N))
	v.m = m
	m.Regs = slices.Clone(n.Regs)
	m.Mems = slices.Clone(n.Mems)
	for r := range m.Regs {
		m.Regs[r].Q, m.Regs[r].Next = None, None
	}
	for i := range v.list {
		c := &v.list[i]
		first, second := &n.Regs[c.elems[0].reg], &n.Regs[c.elems[1].reg]
		step := second.Slot - first.Slot
		m.Mems = append(m.Mems, Mem{At: first.Slot - uint32(c.lo)*step, Words: 1 << bits.Len64(c.hi), Depth: int(c.hi) + 1, W: first.W, Step: step, Lowest: int(c.lo)})
	}

	// The nodes in their order; those that only the old next values use are dropped behind.
	v.at = make([]ID, len(n.N))
	for i := range n.N {
		v.at[i] = v.node(ID(i))
	}
	m.Stop, m.Entry = v.copied(n.Stop), v.copied(n.Entry)
	for r := range n.Regs {
		if v.of[r] < 0 {
			m.Regs[r].Next = v.copied(n.Regs[r].Next)
		}
	}
	for i := range n.Writes {
		m.Writes = append(m.Writes, n.Writes[i].Map(v.copied))
	}
	for _, o := range n.Outs {
		m.Outs = append(m.Outs, Out{o.Slot, v.copied(o.Node)})
	}
	for i := range v.list {
		for k := range v.list[i].writes {
			v.write(&v.list[i], &v.list[i].writes[k])
		}
	}
	return m.Compact().Verified("Vectors")
}

func (v *vectors) copied(x ID) ID {
	if x < 0 {
		return None
	}
	return v.at[x]
}

// write makes a write of vector c.
func (v *vectors) write(c *vector, w *indexed) {
	m := v.m
	en := m.Const(1)
	for _, x := range w.on {
		en = m.And(en, v.copied(x))
	}
	for _, x := range w.off {
		en = m.And(en, m.IsZero(v.copied(x)))
	}
	addr := v.copied(w.index)
	if in := v.within(c.lo, c.hi, addr); in >= 0 {
		en = m.And(en, in)
	}
	if k, ok := m.IsConst(en); ok && k != 0 {
		en = None
	}
	m.Writes = append(m.Writes, Write{Mem: c.mem, En: en, Addr: addr, Data: m.Slice(v.copied(w.data), 0, m.Mems[c.mem].W), Mask: None})
}

// within is the condition that x is from lo to hi, None if it always is.
func (v *vectors) within(lo, hi uint64, x ID) ID {
	m, in := v.m, None
	if lo > 0 {
		in = m.Make(Le, 1, m.Const(lo), x, None, 0)
	}
	if hi < Mask(m.Width(x)) {
		below := m.Make(Le, 1, x, m.Const(hi), None, 0)
		if in >= 0 {
			below = m.And(in, below)
		}
		in = below
	}
	return in
}

// node makes the copy of node x.
func (v *vectors) node(x ID) ID {
	m, nd := v.m, &v.n.N[x]
	switch nd.Op {
	case Leaf:
		if k := v.of[nd.Imm]; k >= 0 {
			return m.Read(v.list[k].mem, m.Const(v.place[nd.Imm]))
		}
		return m.Leaf(int(nd.Imm))
	case Mux:
		if y := v.look(x); y >= 0 {
			return y
		}
	}
	return m.Copy(v.n, x, v.copied)
}

// look makes the read that x is if it is a look-up: muxes that compare one index with numbers,
// each giving the register of that number. The registers are a vector, or lie at equal distances.
// It returns None for other muxes.
func (v *vectors) look(x ID) ID {
	n, m := v.n, v.m
	l := lookup{v: v, index: None}
	for {
		nd := &n.N[x]
		if nd.Op != Mux {
			break
		}
		i, k, ok := v.index(nd.A)
		if !ok || l.index >= 0 && i != l.index || !l.take(nd.B, k) {
			break
		}
		l.index, x = i, nd.C
	}
	if l.count < leastLooked {
		return None
	}

	// The register for all other numbers may be that of the only one that is left.
	switch l.count {
	case l.hi - l.lo:
		for k := l.lo; k <= l.hi; k++ {
			l.take(x, k)
		}
	case l.hi - l.lo + 1:
		if l.hi < Mask(n.Width(l.index)) {
			l.take(x, l.hi+1)
		} else if l.lo > 0 {
			l.take(x, l.lo-1)
		}
	}
	if l.count != l.hi-l.lo+1 {
		return None
	}
	mem, addr := l.mem(), v.copied(l.index)
	in := v.within(l.lo, l.hi, addr)
	if in < 0 {
		return m.Read(mem, addr)
	}
	return m.Mux(in, m.Read(mem, m.Mux(in, addr, m.Const(l.lo))), v.copied(x))
}

const (
	leastLooked = 3    // registers of a look-up that becomes a read
	mostLooked  = 1024 // the numbers of these registers are smaller
)

// lookup is a look-up found so far.
type lookup struct {
	v      *vectors
	index  ID
	of     int32  // the vector of all registers, or -1
	reg    int32  // the first one taken
	at     uint64 // its number
	step   int64
	lo, hi uint64
	count  uint64
	w      uint8
	seen   [mostLooked / 64]uint64
}

// take adds node x as the value for number k. It returns false if that is not possible.
func (l *lookup) take(x ID, k uint64) bool {
	v := l.v
	nd := &v.n.N[x]
	if nd.Op != Leaf || k >= mostLooked || l.seen[k/64]>>(k%64)&1 != 0 {
		return false
	}
	r := int32(nd.Imm)
	switch {
	case l.count == 0:
		l.of, l.reg, l.at, l.lo, l.hi = v.of[r], r, k, k, k
	case v.of[r] != l.of:
		return false
	}
	if l.of >= 0 && v.place[r] != k {
		return false
	}

	// The second register gives the distance of neighbours.
	if l.of < 0 && l.count > 0 {
		by, far := int64(k)-int64(l.at), int64(int32(v.n.Regs[r].Slot))-int64(int32(v.n.Regs[l.reg].Slot))
		if l.count == 1 {
			l.step = far / by
		}
		if far != l.step*by || l.step < 1 || l.step > mostStep {
			return false
		}
	}
	l.seen[k/64] |= 1 << (k % 64)
	l.lo, l.hi, l.count, l.w = min(l.lo, k), max(l.hi, k), l.count+1, max(l.w, v.n.Regs[r].W)
	return true
}

// mem is the memory that the look-up reads: the vector's, or a view of the registers.
func (l *lookup) mem() int32 {
	v := l.v
	if l.of >= 0 {
		return v.list[l.of].mem
	}
	step := uint32(l.step)
	m := Mem{At: v.n.Regs[l.reg].Slot - uint32(l.at)*step, Words: 1 << bits.Len64(l.hi), Depth: int(l.hi) + 1, W: l.w, Step: step, Lowest: int(l.lo)}
	k, ok := v.views[m]
	if !ok {
		k = int32(len(v.m.Mems))
		v.m.Mems = append(v.m.Mems, m)
		v.views[m] = k
	}
	return k
}
