package float

import "etch/hw"

// countTo is the number of bits that count up to n.
func countTo(n int) int {
	w := 1
	for n>>w != 0 {
		w++
	}
	return w
}

// resize is x in width bits: zeros come on top or, where they are known to be 0, top
// bits go.
func resize(x hw.UInt, width int) hw.UInt {
	if x.Width() > width {
		return x.Trunc(width)
	}
	return x.Extend(width)
}

// shiftSticky is x · 2^-n, cut, and whether anything but zeros was cut off.
func shiftSticky(x, n hw.UInt) (y hw.UInt, sticky hw.Bit) {
	w := x.Width()
	sticky = hw.Low
	for k := n.Width() - 1; k >= 0; k-- {
		c, by := n.Bit(k), 1<<k
		if k > 30 || by >= w {
			sticky = sticky.Or(c.And(x.Any()))
			x = x.And(c.Not().Rep(w))
			continue
		}
		sticky = sticky.Or(c.And(x.Trunc(by).Any()))
		x = hw.Mux(c, x.Shr(by), x)
	}
	return x, sticky
}

// leadingZeros counts the zeros at the top of x, in bits bits of which 2^bits covers
// the width: by halves, of which the upper decides a digit and the one with the first
// one goes on. Where x is 0 the count is at least the width of x, less one.
func leadingZeros(x hw.UInt, bits int) hw.UInt {
	if w := 1 << bits; x.Width() < w {
		x = x.PadLow(w - x.Width())
	}
	digits := make([]hw.Signal, bits)
	for k := bits - 1; k >= 0; k-- {
		half := 1 << k
		top := x.Range(2*half-1, half)
		none := top.Any().Not()
		digits[bits-1-k] = none
		x = hw.Mux(none, x.Trunc(half), top)
	}
	return hw.Cat(digits...)
}

// addSub is x + y, or x - y where minus is high, modulo 2^width: one addition, a bit
// longer, that carries from below.
func addSub(x, y hw.UInt, minus hw.Bit) hw.UInt {
	w := x.Width()
	return hw.Cat(x, hw.High).Add(hw.Cat(y.Xor(minus.Rep(w)), minus)).Range(w, 1)
}

// sum is a magnitude that is to be normalised.
type sum struct {
	Neg  hw.Bit
	Room hw.UInt // by how much it may move up: the exponent field of its top bit, less one
	Mag  hw.UInt
	Zero hw.Bit // of the magnitude
}

// normalise moves a sum up by its leading zeros, but by no more than it has room, which
// leaves a subnormal number as it has to be; then it cuts the result out of it. The
// base has as many bits as the room.
func (o Op) normalise(s sum) (base, sig hw.UInt, rest hw.Bit) {
	w := s.Mag.Width()
	bits := countTo(w - 1)
	zeros, most := leadingZeros(s.Mag, bits), s.Room
	v := max(bits, most.Width())
	limited := most.Extend(v).Lt(zeros.Extend(v))
	by := hw.Mux(limited, resize(most, bits), zeros)
	up := s.Mag.ShlBy(by)
	base = most.Sub(resize(by, most.Width()))

	keep := o.Format.Frac + 1 + o.Rounding.Tail()
	return base, up.Range(w-1, w-keep), up.Trunc(w - keep).Any()
}

// limit is a base in one bit more than an exponent has; past that it stays past it.
func (o Op) limit(base hw.UInt) hw.UInt {
	e, w := o.Format.Exp, base.Width()
	if w <= e {
		return base.Extend(e + 1)
	}
	over := base.Range(w-1, e).Any()
	return hw.Cat(over, base.Trunc(e).And(over.Not().Rep(e)))
}
