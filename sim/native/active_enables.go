package native

import "etch/sim/native/internal/emit"

// coldParts is successive parts to be written behind all others. More than one have enables that were
// tested together.
type coldParts struct {
	k, n     int // the number of the first, and how many
	in, back emit.Label
}

// putAside notes parts to be written behind all others.
func (t *activeText) putAside(k, n int) coldParts {
	c := coldParts{k, n, t.Declare(), t.Declare()}
	t.colds = append(t.colds, c)
	return c
}

// cold writes parts that were put aside.
func (t *activeText) cold(c coldParts) {
	t.Define(c.in)
	if c.n == 1 {
		t.part(c.k)
	} else {
		for k := c.k; k < c.k+c.n; k++ {
			t.partIfEnabled(k)
		}
	}
	t.Jump(c.back)
}

// enableOf is the cell of a part's enable.
func (t *activeText) enableOf(k int) emit.Cell { return t.p.cells.kept[t.p.r.Parts[k].Enable] }

// partIfEnabled writes a part with an enable, and its test.
func (t *activeText) partIfEnabled(k int) {
	skip := t.Declare()
	t.a.IfCell(t.enableOf(k), false, skip)
	t.part(k)
	t.Define(skip)
}

// together is the number of enables that one test serves: their cells are the bytes of a word.
const together = 8

// enabledFrom writes the parts with enables from number k on, and returns the number behind the last.
func (t *activeText) enabledFrom(k int) int {
	parts, rare := t.p.r.Parts, t.p.pol.Parts.Rare
	end := k
	for end < len(parts) && parts[end].Enable >= 0 {
		end++
	}

	// Those that are 1 most often come first. Behind them one test serves for a whole word, since its
	// enables are seldom 1.
	for k < end {
		n, often := min(together, end-k), 0.0
		for i := k; i < k+n; i++ {
			often += parts[i].Share
		}
		if n < together || often >= rare {
			n = 1
		}

		cell := t.enableOf(k)
		cell.Bytes *= uint8(n)
		if parts[k].Share < rare {
			c := t.putAside(k, n)
			t.a.IfCell(cell, true, c.in)
			t.Entry(c.back)
		} else {
			t.partIfEnabled(k)
		}
		k += n
	}
	return k
}
