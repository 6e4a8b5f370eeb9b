package native

import "etch/sim/net"

// A bank of look-ups (net.Tables) is computed by a loop over its words. Its code
// copies the operands side by side into scratch words, as bytes; the results are
// scratch words of its own, where its TableWords live. What it needs meanwhile is
// the work area, which all banks of a body share.

// Parts of the work area, in words from its lowest address.
const (
	savedWords  = 3    // registers that the loop takes
	stagedWords = 8    // more than operands have: vectors of up to 64 bytes are loaded past them
	spreadRows  = 3    // copies of the operands with a byte for every bit, see x86_bank_scalar.go
	maxSpread   = 8192 // bits of operands that may have such copies
)

// stagedBytes is the bytes of a bank's operands side by side, each in whole
// bytes; at tells where each begins.
func stagedBytes(n *net.Net, x net.ID) (at []int32, size int32) {
	for _, y := range n.Operands(x) {
		at = append(at, size)
		size += int32(n.Width(y)+7) / 8
	}
	return at, size
}

// bankShape is a bank and how its operands are staged.
type bankShape struct {
	of     *net.Bank
	begins []int32 // by operand: its first staged byte
	staged int32   // bytes
	inputs int     // of the look-up with the most
}

// shapeOf is the shape of Tables node x.
func shapeOf(n *net.Net, x net.ID) bankShape {
	b := bankShape{of: n.Banks[n.N[x].Imm]}
	b.begins, b.staged = stagedBytes(n, x)
	for _, w := range b.of.Words {
		for _, l := range w {
			b.inputs = max(b.inputs, int(l.K))
		}
	}
	return b
}

// place is the byte and the bit in it that input i of l reads.
func (b *bankShape) place(l *net.Lookup, i int) (at int32, bit uint8) {
	in := l.In[i]
	return b.begins[in/64] + in%64/8, uint8(in % 8)
}

// full is the table of l over six inputs, the upper of which do not count.
func full(l *net.Lookup) uint64 {
	t := l.Table
	for k := l.K; k < 6; k++ {
		t |= t << (1 << k)
	}
	return t
}

// lookup is look-up lane of word w; one past its end is always 0.
func (b *bankShape) lookup(w, lane int) *net.Lookup {
	if word := b.of.Words[w]; lane < len(word) {
		return &word[lane]
	}
	return &net.Lookup{}
}

// placeBank gives node x its place if it is of a bank. A bank's words stay its
// own for the whole cycle; the lowest address has the first word.
func (c *code) placeBank(x net.ID) bool {
	n := c.n
	switch nd := &n.N[x]; nd.Op {
	case net.Tables:
		k := int32(len(n.Banks[nd.Imm].Words))
		c.loc[x] = where{k: inScratch, at: c.scratch + k - 1}
		c.scratch += k
		c.wantWork(x)
	case net.TableWord:
		c.loc[x] = where{k: inScratch, at: c.loc[nd.A].at - int32(nd.Imm)}
	default:
		return false
	}
	return true
}

// wantWork makes the work area large enough for bank x.
func (c *code) wantWork(x net.ID) {
	_, size := stagedBytes(c.n, x)
	want := savedWords + (size+7)/8 + stagedWords
	if 8*size <= maxSpread {
		want += spreadRows * size
	}
	if want > c.workSize { // what was smaller is given up: the last one serves all
		c.work, c.workSize = c.scratch, want
		c.scratch += want
	}
}
