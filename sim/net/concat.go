package net

import "slices"

// Concats returns a net in which concatenations of bits take fewer scalar instructions. It joins
// them from the top: a shift and an OR with a word in memory for each piece, where bits that are
// added on top take a load besides. And it compares bits with constants where they come from,
// without joining them. Both are worth it only for concatenations that nothing else uses, unless the
// compared bits are those of one word.
func (n *Net) Concats() *Net {
	c := &concats{n: n, m: NewSized(len(n.Regs), len(n.N)), uses: n.Uses(), at: make([]ID, len(n.N))}
	c.m.Regs, c.m.Mems, c.m.Banks = slices.Clone(n.Regs), n.Mems, n.Banks
	for i := range c.m.Regs {
		c.m.Regs[i].Q = None
	}
	for i := range n.N {
		c.at[i] = c.copy(ID(i))
	}

	// The effects, in terms of the copies.
	m := c.m
	for r := range n.Regs {
		m.Regs[r].Next = c.arg(n.Regs[r].Next)
	}
	for i := range n.Writes {
		m.Writes = append(m.Writes, n.Writes[i].Map(c.arg))
	}
	for _, o := range n.Outs {
		m.Outs = append(m.Outs, Out{o.Slot, c.arg(o.Node)})
	}
	m.Stop, m.Entry = c.arg(n.Stop), c.arg(n.Entry)
	return m.Compact()
}

// concats is a net on its way to another form.
type concats struct {
	n, m   *Net
	uses   []int32
	at     []ID // by node: its copy
	pieces []piece
	words  []field // that the pieces come from
}

// piece is a value in a concatenation, and its lowest bit there.
type piece struct {
	x  ID
	lo uint8
}

func (c *concats) arg(x ID) ID {
	if x < 0 {
		return None
	}
	return c.at[x]
}

// copy makes node x of the new net.
func (c *concats) copy(x ID) ID {
	n, m := c.n, c.m
	switch nd := &n.N[x]; nd.Op {
	case Leaf:
		return m.Leaf(int(nd.Imm))
	case Cat:
		if c.split(x, false); len(c.pieces) > 2 {
			return c.join()
		}
	case Eq, Ne:
		if v, ok := n.constant(nd.B); ok && n.N[nd.A].Op == Cat {
			if y := c.match(nd.A, v); y >= 0 && nd.Op == Eq {
				return y
			} else if y >= 0 {
				return m.Not(y, 1)
			}
		}
	}
	return m.Copy(n, x, c.arg)
}

// match is 1 if concatenation x is v, or None if it stays to be joined and compared.
func (c *concats) match(x ID, v uint64) ID {
	// Bits of a single word, as in decoders, are an AND with a mask. Concatenations that other
	// comparisons share are no reason against it: the others do not need them either.
	if c.split(x, true); !c.fields(v) {
		return c.m.Const(0)
	}

	// Bits of several words are taken apart only if nothing else joins them.
	if len(c.words) > 1 {
		if c.uses[x] > 1 {
			return None
		}
		if c.split(x, false); !c.fields(v) || !c.pays() {
			return None
		}
	}

	m, y := c.m, c.m.Const(1)
	for _, b := range c.words {
		y = m.And(y, m.Eq(m.And(b.x, m.Const(b.mask)), m.Const(b.v)))
	}
	return y
}

// pays reports whether it takes fewer instructions to compare the words than to join the pieces:
// joining takes three for each piece and a comparison. A bit is an operand of an AND; a word has its own
// mask, comparison and AND.
func (c *concats) pays() bool {
	joined, apart := 3*len(c.pieces), 0
	for _, b := range c.words {
		if apart++; c.m.Width(b.x) > 1 {
			apart += 4
		}
	}
	return apart <= joined
}

// split lists the pieces of concatenation x, from the top. Concatenations inside are pieces if
// something else uses them too, unless deep.
func (c *concats) split(x ID, deep bool) {
	c.pieces = c.pieces[:0]
	todo := []piece{{x, 0}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		nd := &c.n.N[p.x]
		if nd.Op == Cat && (p.x == x || deep || c.uses[p.x] == 1) {
			todo = append(todo, piece{nd.B, p.lo}, piece{nd.A, p.lo + uint8(nd.Imm)})
			continue
		}
		c.pieces = append(c.pieces, p)
	}
}

// join concatenates the pieces from the top.
func (c *concats) join() ID {
	x, lo := c.at[c.pieces[0].x], c.pieces[0].lo
	for _, p := range c.pieces[1:] {
		x, lo = c.m.Cat(x, c.at[p.x], lo-p.lo), p.lo
	}
	return x
}

// field is bits of a word, and their values in a comparison.
type field struct {
	x       ID
	mask, v uint64
}

// fields finds the words that the pieces come from, and the values of their bits if the pieces are those
// of constant v. It reports whether they can be.
func (c *concats) fields(v uint64) bool {
	c.words = c.words[:0]
	for i, p := range c.pieces {
		w, high := c.n.Width(p.x), uint8(64)
		if i > 0 {
			high = c.pieces[i-1].lo
		}
		want := v >> p.lo & Mask(high-p.lo)
		if want > Mask(w) {
			return false // bits that no piece has
		}

		// Bits of one word are compared together, under a mask.
		b := c.source(p.x, want)
		k := slices.IndexFunc(c.words, func(o field) bool { return o.x == b.x })
		if k < 0 {
			c.words = append(c.words, b)
			continue
		}
		o := &c.words[k]
		if o.mask&b.mask&(o.v^b.v) != 0 {
			return false // a bit would have to be 0 and 1
		}
		o.mask, o.v = o.mask|b.mask, o.v|b.v
	}
	return true
}

// source finds where the bits of node x come from: out of a word, inverted or not. want is their
// value.
func (c *concats) source(x ID, want uint64) field {
	w, lo := c.n.Width(x), uint8(0)
	x, want = c.inverted(x, want, Mask(w))
	if nd := &c.n.N[x]; nd.Op == Slice {
		x, lo = nd.A, uint8(nd.Imm)
	}
	x, want = c.inverted(x, want<<lo, Mask(w)<<lo)
	return field{c.at[x], Mask(w) << lo, want}
}

// inverted goes from an inverted word to the word, and inverts the values of some of its bits.
func (c *concats) inverted(x ID, v, mask uint64) (ID, uint64) {
	if nd := &c.n.N[x]; nd.Op == Not && nd.W >= c.n.Width(nd.A) && mask&^Mask(nd.W) == 0 {
		return nd.A, v ^ mask
	}
	return x, v
}
