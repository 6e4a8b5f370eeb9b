package net

import (
	"math/bits"
	"slices"
)

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
	most *VectorLimits
	n    *Net
	uses []int32
	cats map[[2]ID]ID // concatenations that are compared, by their halves in ascending order

	found, todo []ID // of terms: the last result, and its stack
	visits      int  // its steps so far

	list []vector
	of   []int32  // by register: its vector, or -1
	rank []uint64 // by register: its number there

	m     *Net
	at    []ID // by node: its copy
	views map[Mem]int32
}

// Vectors returns a net in which vectors of registers are memories: registers of which one takes
// a value by an index, as FIRRTL's vectors do. The state stays where it is: such a memory lies
// over the registers' words (Mem.Step). A look-up over all elements becomes one read, and the
// muxes of all elements become one write. It returns n itself if there are none.
func (n *Net) Vectors(limits *VectorLimits) *Net {
	v := &vectors{most: limits, n: n, uses: n.Uses(), views: map[Mem]int32{}, of: make([]int32, len(n.Regs)), rank: make([]uint64, len(n.Regs))}
	v.find()
	m := v.rebuild()
	if len(m.Mems) == len(n.Mems) {
		return n
	}
	return m
}

// Bounds of the search for terms, which keep it from taking long.
const (
	mostNumbers = 256     // constants that the conditions of a next value compare with
	mostTerms   = 256     // Ands of a condition and their operands: a condition of more is one term
	mostVisits  = 1 << 20 // Ands and operands of all conditions; 1024 more for each node
)

// rebuild makes the net with memories.
func (v *vectors) rebuild() *Net {
	// Registers and memories keep their numbers. A register of a vector keeps its slot too, but no
	// longer has a next value: writes of the memory over the same words replace it.
	n := v.n
	m := NewSized(len(n.Regs), len(n.N))
	v.m = m
	m.Regs = slices.Clone(n.Regs)
	m.Mems = slices.Clone(n.Mems)
	for r := range m.Regs {
		m.Regs[r].Q, m.Regs[r].Next = None, None
	}

	// A memory per vector, Step words from row to row as the registers lie. Row 0 may lie before the
	// first register, if the lowest index is above 0. Words is a power of two, Depth is exact.
	for i := range v.list {
		c := &v.list[i]
		first, second := &n.Regs[c.elems[0].reg], &n.Regs[c.elems[1].reg]
		step := uint32(second.Slot - first.Slot)
		m.Mems = append(m.Mems, Mem{At: uint32(first.Slot) - uint32(c.lo)*step, Words: 1 << bits.Len64(c.hi), Depth: int(c.hi) + 1, W: first.W, Step: step, Lowest: int(c.lo)})
	}

	// The nodes in their order; those that only the old next values use are dropped afterwards, by Compact.
	v.at = make([]ID, len(n.N))
	for i := range n.N {
		v.at[i] = v.node(ID(i))
	}

	// Roots: next values of the other registers, writes and outputs.
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

	// Writes of a memory act in order, so the last one wins, as the outermost mux did.
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

// write adds a memory write in place of writes to registers, enabled by w's conditions and by an
// index within the vector.
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
			return m.Read(v.list[k].mem, m.Const(v.rank[nd.Imm]))
		}
		return m.Leaf(int(nd.Imm))
	case Mux:
		if y := v.look(x); y >= 0 {
			return y
		}
	}
	return m.Copy(v.n, x, v.copied)
}

// mostLooked is above the numbers of all registers of a look-up: the size of a set of them.
const mostLooked = 1024
