package schedule

import "etch/sim/net"

// The code of a bank of look-ups (net.Tables) is a loop over its result words. First it copies
// the operands side by side into scratch words, as bytes. The results are scratch words of the
// bank's own, in which its TableWords live. The rest is the work area, which all banks of a body
// share.

// Parts of the work area, in words from its lowest address.
const (
	SavedWords  = 3    // machine registers that the loop borrows
	StagedWords = 8    // slack behind the operands: vectors of up to 64 bytes are loaded past their end
	SpreadRows  = 3    // copies of the operands with one byte per bit, see emit/x86_bank_scalar.go
	MaxSpread   = 8192 // bits of the largest operands that get such copies
)

// StagedBytes lays out a bank's operands side by side, each in whole bytes. at holds the first
// byte of each, size the total.
func StagedBytes(n *net.Net, x net.ID) (at []int32, size int32) {
	for _, y := range n.Operands(x) {
		at = append(at, size)
		size += int32(n.Width(y)+7) / 8
	}
	return at, size
}

// BankShape is a bank and the layout of its staged operands.
type BankShape struct {
	Of     *net.Bank
	Begins []int32 // by operand: its first staged byte
	Staged int32   // bytes
	Inputs int     // of the look-up with most inputs
}

// ShapeOf lays out the bank of Tables node x.
func ShapeOf(n *net.Net, x net.ID) BankShape {
	b := BankShape{Of: n.Banks[n.N[x].Imm]}
	b.Begins, b.Staged = StagedBytes(n, x)

	// The rounds of the loop have one shape for all look-ups, so the one with most inputs sets it.
	for _, w := range b.Of.Words {
		for _, l := range w {
			b.Inputs = max(b.Inputs, int(l.K))
		}
	}
	return b
}

// Place is the staged byte, and the bit in it, that input i of l reads.
func (b *BankShape) Place(l *net.Lookup, i int) (at int32, bit uint8) {
	in := l.In[i]
	return b.Begins[in/64] + in%64/8, uint8(in % 8)
}

// Full extends the table of l to six inputs, of which the upper ones do not matter.
func Full(l *net.Lookup) uint64 {
	// Each step doubles the table: a new upper input selects between equal halves.
	t := l.Table
	for k := l.K; k < 6; k++ {
		t |= t << (1 << k)
	}
	return t
}

// Lookup is look-up number k of word w; past the word's end it is constant 0.
func (b *BankShape) Lookup(w, k int) *net.Lookup {
	if word := b.Of.Words[w]; k < len(word) {
		return &word[k]
	}
	return &net.Lookup{}
}

// placeBank places x if it belongs to a bank, and reports whether it does. A bank keeps its
// words for the whole cycle. Scratch words grow downwards, so the first word has the highest
// index.
func (c *Code) placeBank(x net.ID) bool {
	n := c.N
	switch nd := &n.N[x]; nd.Op {
	case net.Tables:
		k := int32(len(n.Banks[nd.Imm].Words))
		c.Loc[x] = Where{K: InScratch, At: c.Scratch + k - 1}
		c.Scratch += k
		c.wantWork(x)
	case net.TableWord:
		c.Loc[x] = Where{K: InScratch, At: c.Loc[nd.A].At - int32(nd.Imm)}
	default:
		return false
	}
	return true
}

// wantWork makes the work area large enough for bank x.
func (c *Code) wantWork(x net.ID) {
	// Saved registers, the staged operands, slack for wide loads, and spread copies where operands are
	// small.
	_, size := StagedBytes(c.N, x)
	want := SavedWords + (size+7)/8 + StagedWords
	if 8*size <= MaxSpread {
		want += SpreadRows * size
	}
	if want > c.WorkSize { // a smaller area is abandoned: the last one serves all banks
		c.Work, c.WorkSize = c.Scratch, want
		c.Scratch += want
	}
}
