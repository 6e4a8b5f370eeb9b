package code

import (
	"etch/sim/lanes/internal/gates"
	"etch/sim/net"
)

// add is x + y + carry mod 2^w, a ripple-carry adder.
func (b *blaster) add(x, y []gates.Lit, carry gates.Lit, w int) []gates.Lit {
	return b.each(w, func(k int) gates.Lit {
		p, q := bit(x, k), bit(y, k)
		sum := b.g.Sum(p, q, carry)
		if k < w-1 {
			carry = b.g.Major(p, q, carry)
		}
		return sum
	})
}

func inverted(x []gates.Lit, w int) []gates.Lit {
	z := make([]gates.Lit, w)
	for k := range z {
		z[k] = bit(x, k).Not()
	}
	return z
}

// sub is x - y mod 2^w.
func (b *blaster) sub(x, y []gates.Lit, w int) []gates.Lit {
	return b.add(x, inverted(y, w), gates.True, w)
}

// less is x < y, or x ≤ y if equal is true. It is the borrow of x - y - equal.
// From the lowest bit up: a higher bit that differs overrides the borrow below.
func (b *blaster) less(x, y []gates.Lit, equal gates.Lit) gates.Lit {
	for k := range max(len(x), len(y)) {
		equal = b.g.Major(bit(x, k).Not(), bit(y, k), equal)
	}
	return equal
}

// differ is x ≠ y.
func (b *blaster) differ(x, y []gates.Lit) gates.Lit {
	z := gates.False
	for k := range max(len(x), len(y)) {
		// A gate of three operands adds a pair of bits at once: z or (p xor q).
		if p, q := bit(x, k), bit(y, k); b.g.Fanin == 3 {
			z = b.g.Any(z, p, q, 0xf6)
		} else {
			z = b.g.Or(z, b.g.Xor(p, q))
		}
	}
	return z
}

// mul is x · y mod 2^w, one row of partial products per bit of the operand with fewer bits.
func (b *blaster) mul(x, y []gates.Lit, w int) []gates.Lit {
	// The operand with fewer bits gives the rows.
	if ones(x) < ones(y) {
		x, y = y, x
	}

	z := constant(0, w)
	for k, l := range y {
		// Rows of known zeros cost nothing.
		if k >= w || l == gates.False {
			continue
		}
		row := b.each(min(w-k, len(x)), func(i int) gates.Lit { return b.g.And(x[i], l) })
		copy(z[k:], b.add(z[k:], row, gates.False, w-k))
	}
	return z
}

// ones is the number of bits not known to be 0.
func ones(x []gates.Lit) (n int) {
	for _, l := range x {
		if l != gates.False {
			n++
		}
	}
	return n
}

// count is the number of ones in x, by a tree of full adders (Wallace 1964). An adder is made as
// soon as three bits of one weight exist, so that few values are live.
func (b *blaster) count(x []gates.Lit, w int) []gates.Lit {
	from := int32(len(b.g.N))
	// wait holds at most two bits per weight.
	wait := make([][]gates.Lit, w)
	var put func(k int, l gates.Lit)
	put = func(k int, l gates.Lit) {
		if k >= w || l == gates.False {
			return
		}
		wait[k] = append(wait[k], l)
		if t := wait[k]; len(t) == 3 {
			wait[k] = append(t[:0:0], b.g.Sum(t[0], t[1], t[2]))
			put(k+1, b.g.Major(t[0], t[1], t[2]))
		}
	}

	for _, l := range x {
		put(0, l)
	}

	// Half adders finish the weights with two bits left.
	z := constant(0, w)
	for k := range z {
		switch t := wait[k]; len(t) {
		case 1:
			z[k] = t[0]
		case 2:
			z[k] = b.g.Xor(t[0], t[1])
			put(k+1, b.g.And(t[0], t[1]))
		}
	}
	// These gates must stay in this order, or all sums would be live at once.
	b.knots = append(b.knots, [2]int32{from, int32(len(b.g.N))})
	return z
}

// shl is x · 2^y mod 2^w, by a barrel shifter.
func (b *blaster) shl(x, y []gates.Lit, w int) []gates.Lit {
	z := resized(x, w)
	for k, s := range y {
		from := z
		z = b.each(w, func(i int) gates.Lit {
			// From k = 7 on, the amount exceeds every width.
			moved := gates.False
			if k < 7 && i >= 1<<k {
				moved = from[i-1<<k]
			}
			return b.g.Mux(s, moved, from[i])
		})
	}
	return z
}

// shr is x / 2^y, by a barrel shifter with fill coming in from the top.
func (b *blaster) shr(x, y []gates.Lit, fill gates.Lit) []gates.Lit {
	z := x
	for k, s := range y {
		from := z
		z = b.each(len(x), func(i int) gates.Lit {
			// From k = 7 on, the amount exceeds every width.
			moved := fill
			if k < 7 && i+1<<k < len(x) {
				moved = from[i+1<<k]
			}
			return b.g.Mux(s, moved, from[i])
		})
	}
	return z
}

// negated is -x mod 2^w if s, else x.
func (b *blaster) negated(s gates.Lit, x []gates.Lit, w int) []gates.Lit {
	flip := b.each(w, func(k int) gates.Lit { return b.g.Xor(bit(x, k), s) })
	return b.add(flip, nil, s, w)
}

// division is the four divisions of package net. sw is the width of signed operands.
func (b *blaster) division(op net.Op, x, y []gates.Lit, sw, w int) []gates.Lit {
	// Signed division divides absolute values and corrects the signs.
	a, d := x, y
	var signA, signD gates.Lit
	if op == net.DivS || op == net.RemS {
		a, d = resized(x, sw), resized(y, sw)
		signA, signD = a[sw-1], d[sw-1]
		a, d = b.negated(signA, a, sw), b.negated(signD, d, sw)
	}

	quo, rem := b.divide(a, d)
	zero := b.any(y).Not()

	// Division by 0 gives all ones, and the dividend as remainder.
	if op == net.Div || op == net.DivS {
		quo = b.negated(b.g.Xor(signA, signD), quo, w)
		return b.each(w, func(k int) gates.Lit { return b.g.Or(zero, quo[k]) })
	}

	rem = b.negated(signA, rem, w)
	return b.each(w, func(k int) gates.Lit { return b.g.Mux(zero, bit(x, k), rem[k]) })
}

// divide is the quotient and remainder of x / y by restoring division, one bit per step. They
// are undefined if y is 0.
func (b *blaster) divide(x, y []gates.Lit) (quo, rem []gates.Lit) {
	quo, rem = constant(0, len(x)), constant(0, len(y))

	// The loop ends early in a net that is too large, which Compile refuses.
	for i := len(x) - 1; i >= 0 && len(b.g.N) <= maxGates; i-- {
		// Shift the next bit in, subtract y if it fits.
		r := append([]gates.Lit{x[i]}, rem...)
		quo[i] = b.less(r, y, gates.False).Not()
		diff := b.sub(r, y, len(y))
		rem = b.each(len(y), func(k int) gates.Lit { return b.g.Mux(quo[i], diff[k], r[k]) })
	}
	return quo, rem
}
