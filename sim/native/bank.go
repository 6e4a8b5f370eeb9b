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
