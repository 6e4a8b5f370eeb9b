package sac

import "math"

// Operations on lists of numbers, element by element: each is an operation in float32 and one
// rounding of the whole list, four numbers at a time. The result may be an operand. The operations
// of moments (times, sum, product, root and hypots) are there in float64 too.

// blockConstants are the constants of roundBlocks, repeated for each of four lanes.
type blockConstants struct {
	abs, exponent      [4]uint32  // masks
	least, shift, past [4]float32 // the least normal number, 2^shift, and the first power of two past the range
}

func (n *numbers) blockConstants() (c blockConstants) {
	for i := range 4 {
		c.abs[i], c.exponent[i] = 1<<31-1, 0xff<<23
		c.least[i] = math.Float32frombits(n.low)
		c.shift[i] = float32(uint32(1) << n.shift)
		c.past[i] = float32(math.Ldexp(1, n.format.MaxExp()+1))
	}
	return c
}

// round rounds y in place to the numbers of the format; plain float32 needs none.
func (n *numbers) round(y []float32) {
	if n.plain {
		return
	}

	// Numbers with wide exponents, and the rest of a list behind its blocks, go one by one.
	blocks := len(y) / 4
	if n.format.Exp > 5 {
		blocks = 0
	}
	if blocks > 0 {
		roundBlocks(&y[0], blocks, &n.blocks)
	}
	for i := 4 * blocks; i < len(y); i++ {
		y[i] = n.r(y[i])
	}
}

// from is a list of numbers of another format: x itself where the formats are one, else y.
func (n *numbers) from(other *numbers, y, x []float32) []float32 {
	if n == other {
		return x
	}
	y = y[:len(x)]
	copy(y, x)
	n.round(y)
	return y
}

// times is k · x.
func (n *numbers) times(y []float32, k float32, x []float32) {
	y = y[:len(x)]
	if n.double {
		for i, v := range x {
			y[i] = n.slices.Of(float64(k) * float64(v))
		}
		return
	}

	for i, v := range x {
		y[i] = k * v
	}
	n.round(y)
}

// over is x / k.
func (n *numbers) over(y, x []float32, k float32) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] = v / k
	}
	n.round(y)
}

// more is x + k.
func (n *numbers) more(y, x []float32, k float32) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] = v + k
	}
	n.round(y)
}

// sum is a + b.
func (n *numbers) sum(y, a, b []float32) {
	y, b = y[:len(a)], b[:len(a)]
	if n.double {
		n.slices.Add(y, a, b)
		return
	}

	for i, v := range a {
		y[i] = v + b[i]
	}
	n.round(y)
}

// difference is a - b.
func (n *numbers) difference(y, a, b []float32) {
	y, b = y[:len(a)], b[:len(a)]
	for i, v := range a {
		y[i] = v - b[i]
	}
	n.round(y)
}

// product is a · b.
func (n *numbers) product(y, a, b []float32) {
	y, b = y[:len(a)], b[:len(a)]
	if n.double {
		n.slices.Mul(y, a, b)
		return
	}

	for i, v := range a {
		y[i] = v * b[i]
	}
	n.round(y)
}

// quotient is a / b.
func (n *numbers) quotient(y, a, b []float32) {
	y, b = y[:len(a)], b[:len(a)]
	for i, v := range a {
		y[i] = v / b[i]
	}
	n.round(y)
}

// root is √x.
func (n *numbers) root(y, x []float32) {
	y = y[:len(x)]
	if n.double {
		n.slices.Sqrt(y, x)
		return
	}

	for i, v := range x {
		y[i] = float32(math.Sqrt(float64(v)))
	}
	n.round(y)
}

// hypots is √(a² + b²), rounded once.
func (n *numbers) hypots(y, a, b []float32) {
	y, b = y[:len(a)], b[:len(a)]
	if n.double {
		n.slices.Hypot(y, a, b)
		return
	}

	for i, v := range a {
		x, z := float64(v), float64(b[i])
		if n.format.Exp > 5 || !(math.Abs(x) <= 65504 && math.Abs(z) <= 65504) {
			y[i] = n.hypot(v, b[i])
			continue
		}

		// See hypot for why float64 is enough. On its way to the list's rounding the root is
		// rounded to odd in float32, which changes no rounding after it.
		y[i] = odd(math.Sqrt(x*x + z*z))
	}
	n.round(y)
}

// odd is the float32 of a number that is not negative and in float32's normal range, or 0: cut,
// with the last bit set where something is cut off.
func odd(v float64) float32 {
	b := math.Float64bits(v)
	if b == 0 {
		return 0
	}
	const cut = 52 - 23
	bits := uint32(b>>cut - (1023-127)<<23)
	if b&(1<<cut-1) != 0 {
		bits |= 1
	}
	return math.Float32frombits(bits)
}
