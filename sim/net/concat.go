package net

import "slices"

// Concats returns a net in which concatenations of bits take fewer scalar instructions. It joins
// them from the top: a shift and an OR with a word in memory for each piece, where bits that are
// added on top take a load besides. And it compares bits with constants where they come from,
// without joining them. Both are worth it only for concatenations that nothing else uses.
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
		if c.split(x); len(c.pieces) > 2 {
			return c.join()
		}
	case Eq, Ne:
		if v, ok := n.constant(nd.B); ok && n.N[nd.A].Op == Cat && c.uses[nd.A] == 1 {
			c.split(nd.A)
			if y := c.compare(v); y >= 0 && nd.Op == Eq {
				return y
			} else if y >= 0 {
				return m.Not(y, 1)
			}
		}
	}
	return m.Copy(n, x, c.arg)
}

// split lists the pieces of concatenation x, from the top. Concatenations inside are pieces if
// something else uses them too.
func (c *concats) split(x ID) {
	c.pieces = c.pieces[:0]
	todo := []piece{{x, 0}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		nd := &c.n.N[p.x]
		if nd.Op == Cat && (p.x == x || c.uses[p.x] == 1) {
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

// compare is 1 if the pieces are those of constant v, or None if it takes fewer instructions to join
// and compare them.
func (c *concats) compare(v uint64) ID {
	// Bits of one word are compared together, under a mask.
	var words []field
	for i, p := range c.pieces {
		w, high := c.n.Width(p.x), uint8(64)
		if i > 0 {
			high = c.pieces[i-1].lo
		}
		want := v >> p.lo & Mask(high-p.lo)
		if want > Mask(w) {
			return c.m.Const(0) // bits that no piece has
		}
		b := c.source(p.x, want)
		k := slices.IndexFunc(words, func(o field) bool { return o.x == b.x })
		if k < 0 {
			words = append(words, b)
			continue
		}
		o := &words[k]
		if o.mask&b.mask&(o.v^b.v) != 0 {
			return c.m.Const(0) // a bit would have to be 0 and 1
		}
		o.mask, o.v = o.mask|b.mask, o.v|b.v
	}

	// Instructions: joining takes three for each piece and a comparison. A bit is an operand of an AND;
	// a word has its own mask, comparison and AND.
	joined, apart := 3*len(c.pieces), 0
	for _, b := range words {
		if apart++; c.m.Width(b.x) > 1 {
			apart += 4
		}
	}
	if apart > joined {
		return None
	}
	m, x := c.m, c.m.Const(1)
	for _, b := range words {
		x = m.And(x, m.Eq(m.And(b.x, m.Const(b.mask)), m.Const(b.v)))
	}
	return x
}

// source finds where the bits of node x come from: out of a word, inverted or not. want is their
// value.
func (c *concats) source(x ID, want uint64) field {
	n, w, lo := c.n, c.n.Width(x), uint8(0)
	if nd := &n.N[x]; nd.Op == Not && nd.W == w && n.Width(nd.A) <= w {
		x, want = nd.A, want^Mask(w)
	}
	if nd := &n.N[x]; nd.Op == Slice {
		x, lo = nd.A, uint8(nd.Imm)
	}
	return field{c.at[x], Mask(w) << lo, want << lo}
}
