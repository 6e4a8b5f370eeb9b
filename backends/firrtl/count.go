package firrtl

import (
	mathbits "math/bits"

	"etch/ir"
)

// bitsPerPart is the number of bits counted on one line.
const bitsPerPart = 8

// count prints the number of ones in a value as a tree of adders. FIRRTL's add grows by a
// bit per level, so the result is cut.
func (p *module) count(n ir.ID) {
	w := p.m.Width(n)

	// prepareCount has printed the pieces.
	if parts := p.parts; len(parts) > 0 {
		p.parts = nil

		// A part is as wide as its largest count.
		widths := make([]int, len(parts))
		for i := range parts {
			widths[i] = mathbits.Len(uint(parts[i].first))
		}
		p.cut(sumWidth(widths), w, func() { p.tree("add", len(parts), func(i int) { p.str(parts[i].name) }) })
		return
	}
	x := p.m.Args(n)[0]
	p.countBits(x, 0, p.m.Width(x), w)
}

// prepareCount prints the counts of the pieces of a long value; first of a part is its
// largest count.
func (p *module) prepareCount(n ir.ID) {
	x := p.m.Args(n)[0]
	total := p.m.Width(x)
	if total <= 2*bitsPerPart {
		return
	}
	var parts []part
	for lo := 0; lo < total; lo += bitsPerPart {
		k := min(bitsPerPart, total-lo)
		name := p.helper(n, "bits")
		p.countBits(x, lo, k, mathbits.Len(uint(k)))
		p.end(p.m.Node(n).Pos)
		parts = append(parts, part{name, k})
	}
	p.parts = parts
}

// countBits prints the number of ones in k bits of x as a value of w bits.
func (p *module) countBits(x ir.ID, lo, k, w int) {
	widths := make([]int, k)
	for i := range widths {
		widths[i] = 1
	}
	p.cut(sumWidth(widths), w, func() { p.tree("add", k, func(i int) { p.part(x, lo+i, 1) }) })
}

// sumWidth is the width that FIRRTL gives a tree of adders.
func sumWidth(widths []int) int {
	if len(widths) == 1 {
		return widths[0]
	}

	// The same halves as in tree.
	half := (len(widths) + 1) / 2
	return 1 + max(sumWidth(widths[:half]), sumWidth(widths[half:]))
}

// cut prints an expression of have bits as one of w bits, w ≤ have.
func (p *module) cut(have, w int, expr func()) {
	if have == w {
		expr()
		return
	}
	p.str("bits(")
	expr()
	p.range_(0, w)
}
