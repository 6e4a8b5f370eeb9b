package float

import (
	"etch/hw"
	"etch/hw/float"
	"etch/ir/bits"
)

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

	// Long ways first: a way past the width leaves nothing but the sticky bit.
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

// shiftStickyFew is shiftSticky of a few bits. All ways past the width clear the result at
// the end, beside the shifter instead of before it.
func shiftStickyFew(x, n hw.UInt) (y hw.UInt, sticky hw.Bit) {
	w, bits := x.Width(), countTo(x.Width()-1)
	if n.Width() <= bits {
		return shiftSticky(x, n)
	}
	far := n.Range(n.Width()-1, bits).Any()
	y, sticky = shiftSticky(x, n.Trunc(bits))
	return y.And(far.Not().Rep(w)), hw.Mux(far, x.Any(), sticky)
}

// leadingZeros counts the zeros at the top of x, in bits bits of which 2^bits covers
// the width: by halves, of which the upper decides a digit and the one with the first
// one gives the others. Where x is 0 the count is at least the width of x, less one.
func leadingZeros(x hw.UInt, bits int) hw.UInt {
	if w := 1 << bits; x.Width() < w {
		x = x.PadLow(w - x.Width())
	}
	zeros, _ := countZeros(x)
	return zeros
}

// countZeros is leadingZeros of a power of two of bits, and whether all are zeros.
func countZeros(x hw.UInt) (zeros hw.UInt, none hw.Bit) {
	// Each half answers for itself; the lower one counts where the upper is all zeros.
	half := x.Width() / 2
	if half == 1 {
		return x.Bit(1).Not().UInt(), x.Any().Not()
	}
	top, noneTop := countZeros(x.Range(2*half-1, half))
	low, noneLow := countZeros(x.Trunc(half))
	return hw.Cat(noneTop, hw.Mux(noneTop, low, top)), noneTop.And(noneLow)
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
	Zero hw.Bit // of the number: its exponent is to be cleared

	// Below Mag is more than nothing and less than one where Rest is high, and a one where
	// Ones is, as a row of ones without end is; not both.
	Rest, Ones hw.Bit
}

// normalise moves a sum up and cuts the result out of it, which still lacks the operands'
// infinities and NaNs. Units that have registers do it in two steps.
func (o Op) normalise(s sum) float.Exact { return o.normalised(s, s.way()) }

// way is how far a sum moves up, and the exponent that is left.
type way struct{ By, Base hw.UInt }

// way is up by the leading zeros, but by no more than there is room, which leaves a
// subnormal number as it has to be. The base has as many bits as the room.
func (s sum) way() way {
	w, r := s.Mag.Width(), s.Room.Width()
	bits := countTo(w)
	zeros := leadingZeros(hw.Cat(s.Mag, s.Ones), bits)
	v := max(bits, r)
	if v <= 4 { // too few bits for a chain of carries
		limited := s.Room.Extend(v).Lt(zeros.Extend(v))
		by := hw.Mux(limited, resize(s.Room, bits), zeros)
		return way{by, s.Room.Sub(resize(by, r))}
	}

	// The room that is left is the base. If it is negative, the room limits the way. The
	// way is made of the base again: as chains of carries take the same cells as a choice
	// between two numbers, and the tables before and after them are less deep.
	left := s.Room.Extend(v + 1).Sub(zeros.Extend(v + 1))
	base := left.Trunc(r).And(left.Bit(v).Not().Rep(r))
	return way{resize(s.Room.Sub(base), bits), base}
}

// normalised moves a sum up and takes the bits that rounding looks at.
func (o Op) normalised(s sum, to way) float.Exact {
	shift := shiftUp
	if s.Room.Width() <= 4 && s.Mag.Width() <= 8 {
		shift = shiftUpFew
	}
	sig, some := shift(s.Mag, to.By, s.Ones, o.Format.Frac+1+o.Rounding.Tail())
	return float.Exact{
		Neg: s.Neg, Base: to.Base, Sig: sig, Rest: s.Rest.Or(some), Carry: s.Ones.AndNot(some),
		Zero: s.Zero, Special: hw.Low, NaN: hw.Low, Invalid: hw.Low, DivideZero: hw.Low,
	}
}

// shiftUp is the top keep bits of x · 2^n, into which fill moves from below, and whether
// any of the bits under them is not fill. After each step only the bits remain that
// later steps can bring to the top.
func shiftUp(x, n hw.UInt, fill hw.Bit, keep int) (top hw.UInt, some hw.Bit) {
	some = hw.Low
	for k := n.Width() - 1; k >= 0; k-- {
		by, w := 1<<k, x.Width()
		up := fill.Rep(w)
		if by < w {
			up = hw.Cat(x.Trunc(w-by), fill.Rep(by))
		}
		x = hw.Mux(n.Bit(k), up, x)

		// The later steps move by at most by-1 together: lower bits cannot come to the top any more,
		// and only whether they differ from fill is of use.
		if need := keep + by - 1; w > need {
			some = some.Or(x.Trunc(w - need).Xor(fill.Rep(w - need)).Any())
			x = x.Range(w-1, w-need)
		}
	}
	return x, some
}

// shiftUpFew is shiftUp of a few bits, by the short ways first: where the way is made
// without a chain, sums of E4M3 take 4 to 7 LUT less by it (RATIONALE.md).
func shiftUpFew(x, n hw.UInt, fill hw.Bit, keep int) (top hw.UInt, some hw.Bit) {
	w := x.Width()
	for k := range n.Width() {
		x = hw.Mux(n.Bit(k), hw.Cat(x, fill.Rep(1<<k)).Trunc(w), x)
	}
	below := w - keep
	if below == 0 {
		return x, hw.Low
	}
	return x.Range(w-1, below), x.Trunc(below).Xor(fill.Rep(below)).Any()
}

// limit is a base in one bit more than an exponent has; past that it stays past it.
func (o Op) limit(base hw.UInt) hw.UInt {
	// One bit says that it is past the range; the others are cleared, so that a carry of rounding
	// cannot bring it back.
	e, w := o.Format.Exp, base.Width()
	if w <= e {
		return base.Extend(e + 1)
	}
	over := base.Range(w-1, e).Any()
	return hw.Cat(over, base.Trunc(e).And(over.Not().Rep(e)))
}

// times is x · y, of significands of one width. Of small ones every bit is a table of at
// most six inputs.
func times(x, y hw.UInt) hw.UInt {
	// Significands of up to three bits make products of at most six inputs a bit: a table each,
	// where the multiplier would be a chain.
	n := x.Width()
	if n > 3 {
		return x.Mul(y)
	}

	// A table's index is x in its low n bits and y above.
	inputs := append(x.BitVec(), y.BitVec()...)
	var out []hw.Bit
	for i := range 2 * n {
		var table uint64
		for at := range uint64(1) << (2 * n) {
			table |= (at & (1<<n - 1)) * (at >> n) >> i & 1 << at
		}
		out = append(out, hw.Lut(bits.New(1<<(2*n), table), inputs...))
	}
	return hw.FromBits(out...)
}
