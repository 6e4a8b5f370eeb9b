package aig

import (
	mathbits "math/bits"

	"etch/ir/bits"
)

// Word is a value of several bits, the lowest first.
type Word []Lit

// wordOf is the word of a constant.
func wordOf(v bits.Value) Word {
	w := make(Word, v.Width())
	for i := range w {
		w[i] = Const(v.Bit(i) == 1)
	}
	return w
}

func (g *Graph) notWord(x Word) Word {
	z := make(Word, len(x))
	for i := range x {
		z[i] = x[i].Not()
	}
	return z
}

func (g *Graph) mapWord(x, y Word, f func(x, y Lit) Lit) Word {
	z := make(Word, len(x))
	for i := range x {
		z[i] = f(x[i], y[i])
	}
	return z
}

// MuxWord is x when c, else y.
func (g *Graph) MuxWord(c Lit, x, y Word) Word {
	return g.mapWord(x, y, func(x, y Lit) Lit { return g.Mux(c, x, y) })
}

// EqualWords is high when x and y agree in every bit.
func (g *Graph) EqualWords(x, y Word) Lit {
	return g.AndAll(g.mapWord(x, y, func(x, y Lit) Lit { return g.Xor(x, y).Not() }))
}

// equalConst is high when x is v, which has x's width.
func (g *Graph) equalConst(x Word, v bits.Value) Lit {
	z := make(Word, len(x))
	for i := range x {
		z[i] = x[i].NotIf(v.Bit(i) == 0)
	}
	return g.AndAll(z)
}

// equalNumber is high when x is n.
func (g *Graph) equalNumber(x Word, n int) Lit {
	z := make(Word, len(x))
	for i := range x {
		z[i] = x[i].NotIf(i >= 63 || n>>i&1 == 0)
	}

	// A word never equals a number that needs more bits than the word has.
	if len(x) < mathbits.Len(uint(n)) {
		return False
	}
	return g.AndAll(z)
}

// addWord is x + y + carry and the carry out: a ripple-carry adder.
func (g *Graph) addWord(x, y Word, carry Lit) (Word, Lit) {
	z := make(Word, len(x))
	for i := range x {
		half := g.Xor(x[i], y[i])
		z[i] = g.Xor(half, carry)
		carry = g.Or(g.And(x[i], y[i]), g.And(carry, half))
	}
	return z, carry
}

// subWord is x - y; the second result is high if x ≥ y, both unsigned.
func (g *Graph) subWord(x, y Word) (Word, Lit) { return g.addWord(x, g.notWord(y), True) }

// negateIf is -x if c, else x: inverted bits plus one.
func (g *Graph) negateIf(c Lit, x Word) Word {
	z := make(Word, len(x))

	// The carry into the lowest bit adds the one.
	carry := c
	for i := range x {
		flipped := g.Xor(x[i], c)
		z[i] = g.Xor(flipped, carry)
		carry = g.And(flipped, carry)
	}
	return z
}

// mulWord is x·y in w bits, of factors of w bits. Factors that are extensions are
// multiplied at their own width and the product is extended: a product of two bytes in 24
// bits takes the gates of 16 bits.
func (g *Graph) mulWord(x, y Word, w int) Word {
	if m := signedBits(x) + signedBits(y); m < w {
		z := g.mulWord(x[:m], y[:m], m)
		return extend(z, w, z[m-1])
	}

	// Shift and add, one row per bit of y that is not constant 0.
	sum := make(Word, w)
	for i, b := range y {
		if b == False {
			continue
		}
		part := make(Word, w-i)
		for k := range part {
			part[k] = g.And(x[k], b)
		}
		high, _ := g.addWord(sum[i:], part, False)
		copy(sum[i:], high)
	}
	return sum
}

// signedBits is the smallest number of low bits of x whose sign extension is x.
func signedBits(x Word) int {
	n := len(x)
	for n > 1 && x[n-2] == x[n-1] {
		n--
	}
	return n
}

// divWord is x / y and x mod y, unsigned, by restoring division. With y = 0 every
// subtraction succeeds: the quotient is all ones and the remainder x, as ir defines.
func (g *Graph) divWord(x, y Word) (quotient, rest Word) {
	w := len(x)
	quotient, rest = make(Word, w), make(Word, w)

	// The highest bit of x first, as in long division.
	for i := w - 1; i >= 0; i-- {
		over := rest[w-1] // the bit shifted out of the rest: with it, the rest exceeds any y
		copy(rest[1:], rest[:w-1])
		rest[0] = x[i]
		less, fits := g.subWord(rest, y)
		quotient[i] = g.Or(over, fits)
		rest = g.MuxWord(quotient[i], less, rest)
	}
	return quotient, rest
}

// lessWord is high when x < y, both unsigned.
func (g *Graph) lessWord(x, y Word) Lit {
	less := False
	// From the low end up: the highest bit that differs decides.
	for i := range x {
		less = g.Mux(g.Xor(x[i], y[i]), y[i], less)
	}
	return less
}

// lessSigned is high when x < y, both signed.
func (g *Graph) lessSigned(x, y Word) Lit {
	// Flipping the sign bits maps signed order to unsigned order.
	top := len(x) - 1
	a, b := append(Word(nil), x...), append(Word(nil), y...)
	a[top], b[top] = a[top].Not(), b[top].Not()
	return g.lessWord(a, b)
}

// shiftWord shifts x, up or down, by a variable number of bits: a barrel shifter with one
// stage per bit of by. Vacated bits are fill; beyond the width all bits are.
func (g *Graph) shiftWord(x, by Word, up bool, fill Lit) Word {
	z := append(Word(nil), x...)
	for k := range by {
		// Bits of by at or above the width shift everything out.
		past := k >= 31 || 1<<k >= len(z)
		moved := make(Word, len(z))
		for i := range z {
			from := -1
			switch {
			case past:
			case up:
				from = i - 1<<k
			case i+1<<k < len(z):
				from = i + 1<<k
			}
			moved[i] = fill
			if from >= 0 {
				moved[i] = z[from]
			}
		}
		z = g.MuxWord(by[k], moved, z)
	}
	return z
}

// countOnes is the number of ones of x in w bits: sums of halves, as the Verilog back
// end writes them, so that a design and its Verilog have gates in common that a proof
// can go by. Up to six bits are counted by full adders.
func (g *Graph) countOnes(x Word, w int) Word {
	const few = 6
	if len(x) <= few {
		return g.countColumns(x, w)
	}

	// The low half is a multiple of six bits, so that its pieces are full.
	low := max((len(x)+few-1)/few/2, 1) * few
	sum, _ := g.addWord(g.countOnes(x[low:], w), g.countOnes(x[:low], w), False)
	return sum
}

// countColumns is countOnes by full adders alone.
func (g *Graph) countColumns(x Word, w int) Word {
	z := make(Word, w)
	column := append(Word(nil), x...)
	for k := range w {
		var carries Word
		// Three bits of a column become a sum bit there and a carry in the next column.
		for len(column) > 1 {
			a, b, c := column[0], column[1], False
			rest := column[2:]
			if len(rest) > 0 {
				c, rest = rest[0], rest[1:]
			}
			sum := g.Xor(g.Xor(a, b), c)
			carries = append(carries, g.Majority(a, b, c))
			column = append(append(Word(nil), rest...), sum)
		}
		if len(column) == 1 {
			z[k] = column[0]
		}
		column = carries
	}
	return z
}

// lookUp is the bit of a table at address in, as a tree of multiplexers; the table has
// 2^len(in) bits.
func (g *Graph) lookUp(table []bool, in Word) Lit {
	if len(in) == 0 {
		return Const(table[0])
	}
	h, top := len(table)/2, len(in)-1
	return g.Mux(in[top], g.lookUp(table[h:], in[:top]), g.lookUp(table[:h], in[:top]))
}

// pick is row addr of rows, zero past the end, as a tree of multiplexers.
func (g *Graph) pick(rows []Word, addr Word, width int) Word {
	if len(rows) == 0 {
		return make(Word, width)
	}
	if len(addr) == 0 {
		return rows[0]
	}
	// The top bit of the address splits the rows.
	top := len(addr) - 1
	h := len(rows)
	if top < 31 {
		h = min(h, 1<<top)
	}
	return g.MuxWord(addr[top], g.pick(rows[h:], addr[:top], width), g.pick(rows[:h], addr[:top], width))
}
