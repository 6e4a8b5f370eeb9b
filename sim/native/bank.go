package native

import "etch/sim/net"

// The code of a bank of look-ups (net.Tables) is a loop over its result words. First it copies
// the operands side by side into scratch words, as bytes. The results are scratch words of the
// bank's own, in which its TableWords live. The rest is the work area, which all banks of a body
// share.

// Parts of the work area, in words from its lowest address.
const (
	savedWords  = 3    // machine registers that the loop borrows
	stagedWords = 8    // slack behind the operands: vectors of up to 64 bytes are loaded past their end
	spreadRows  = 3    // copies of the operands with one byte per bit, see x86_bank_scalar.go
	maxSpread   = 8192 // bits of the largest operands that get such copies
)

// stagedBytes lays out a bank's operands side by side, each in whole bytes. at holds the first
// byte of each, size the total.
func stagedBytes(n *net.Net, x net.ID) (at []int32, size int32) {
	for _, y := range n.Operands(x) {
		at = append(at, size)
		size += int32(n.Width(y)+7) / 8
	}
	return at, size
}

// bankShape is a bank and the layout of its staged operands.
type bankShape struct {
	of     *net.Bank
	begins []int32 // by operand: its first staged byte
	staged int32   // bytes
	inputs int     // of the look-up with most inputs
}

// shapeOf lays out the bank of Tables node x.
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

// place is the staged byte, and the bit in it, that input i of l reads.
func (b *bankShape) place(l *net.Lookup, i int) (at int32, bit uint8) {
	in := l.In[i]
	return b.begins[in/64] + in%64/8, uint8(in % 8)
}

// full extends the table of l to six inputs, of which the upper ones do not matter.
func full(l *net.Lookup) uint64 {
	t := l.Table
	for k := l.K; k < 6; k++ {
		t |= t << (1 << k)
	}
	return t
}

// lookup is look-up number lane of word w; past the word's end it is constant 0.
func (b *bankShape) lookup(w, lane int) *net.Lookup {
	if word := b.of.Words[w]; lane < len(word) {
		return &word[lane]
	}
	return &net.Lookup{}
}

// placeBank places x if it belongs to a bank, and reports whether it does. A bank keeps its
// words for the whole cycle. Scratch words grow downwards, so the first word has the highest
// index.
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
	if want > c.workSize { // a smaller area is abandoned: the last one serves all banks
		c.work, c.workSize = c.scratch, want
		c.scratch += want
	}
}
