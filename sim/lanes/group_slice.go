package lanes

// Activate marks the first n instances as in use; the others never stop.
func (g *Group) Activate(n int) {
	if g.parts != nil { // stops are in sliced form
		g.parts.sliced.Activate(n)
		return
	}

	at := int(g.l.active) * g.words

	// In word form, the mark of an instance is an element of 16 ones.
	if g.l.Form == Words {
		for lane := range g.lanes {
			g.put16(at, lane, -uint64(truth(lane < n)))
		}
		return
	}

	// In sliced form, it is one bit.
	for i := range g.words {
		g.state[at+i] = 0
		if n > 64*i {
			g.state[at+i] = ^uint64(0) >> (64 - min(64, n-64*i))
		}
	}
}

// SetWords sets word r of instance i to v[i].
func (g *Group) SetWords(r int, v []uint64) {
	if g.parts != nil {
		g.homes(g.l.mixed.word[r], func(h *Group, first int) { h.SetWords(r, within(v, first, h.lanes)) })
		return
	}
	if g.l.Form == Words {
		g.setElements(r, v)
		return
	}

	// Sliced: 64 instances at a time, by transposing a square of bits.
	s, w := g.slots(r), int(g.l.width[r])
	for i := 0; 64*i < len(v); i++ {
		var square [64]uint64
		k := copy(square[:], v[64*i:])
		bitsOf(&square, w)
		mask := ^uint64(0) >> (64 - k)
		for b := range w {
			p := &s[b*g.words+i]
			*p = *p&^mask | square[b]&mask
		}
	}
}

// Words stores word r of instance i in dst[i].
func (g *Group) Words(r int, dst []uint64) {
	if g.parts != nil {
		g.homes(g.l.mixed.word[r], func(h *Group, first int) { h.Words(r, within(dst, first, h.lanes)) })
		return
	}
	if g.l.Form == Words {
		g.elements(r, dst)
		return
	}

	// Sliced: collect 64 instances of every bit, and transpose.
	s, w := g.slots(r), int(g.l.width[r])
	for i := 0; 64*i < len(dst); i++ {
		var square [64]uint64
		for b := range w {
			square[b] = s[b*g.words+i]
		}
		numbersOf(&square, w)
		copy(dst[64*i:], square[:])
	}
}

// within is the up to n elements of v from first on.
func within(v []uint64, first, n int) []uint64 {
	first = min(first, len(v))
	return v[first:min(first+n, len(v))]
}

// fewBits is the width up to which numbers are split bit by bit instead of transposed.
const fewBits = 4

// bitsOf replaces 64 numbers of w bits by their bits: word k holds bit k of all numbers.
func bitsOf(x *[64]uint64, w int) {
	if w > fewBits {
		transpose64(x)
		return
	}

	var bits [fewBits]uint64
	for k, v := range x {
		for b := range bits[:w] {
			bits[b] |= v >> b & 1 << k
		}
	}
	copy(x[:], bits[:w])
}

// numbersOf is the inverse of bitsOf.
func numbersOf(x *[64]uint64, w int) {
	if w > fewBits {
		transpose64(x)
		return
	}

	bits := [fewBits]uint64(x[:])
	for k := range x {
		x[k] = 0
		for b, v := range bits[:w] {
			x[k] |= v >> k & 1 << b
		}
	}
}

// transpose64 exchanges bit i of word k with bit k of word i (Hacker's Delight, 7-3).
func transpose64(x *[64]uint64) {
	mask := uint64(0x00000000ffffffff)
	// Exchange blocks of half the size in each round.
	for s := 32; s > 0; s >>= 1 {
		for k := 0; k < 64; k = (k + s + 1) &^ s {
			t := (x[k]>>s ^ x[k+s]) & mask
			x[k+s] ^= t
			x[k] ^= t << s
		}
		mask ^= mask << (s / 2)
	}
}
