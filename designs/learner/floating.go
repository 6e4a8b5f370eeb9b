package learner

import (
	"etch/designs/float"
	"etch/hw"
	"etch/hw/fixed"
	bits "etch/hw/float"
)

// floatPoint is the arithmetic of floating-point codes. Exact numbers are fixed-point
// numbers wide enough for every value. Products are shifted to their place there
// (Kulisch's accumulator), so sums are fixed-point additions. Infinities and NaNs never
// come about; their codes are read as 0.
type floatPoint struct{ fixedPoint }

func (f floatPoint) grid(k Kind) float.Format {
	return f.number(k).Float
}

func (f floatPoint) Code(k Kind) hw.UInt { return hw.Unsigned(f.grid(k).Width()) }

// Exact moves the significand up by the exponent; the least number's lies at the bottom.
func (f floatPoint) Exact(k Kind, x hw.UInt) fixed.Num {
	p, to := f.parts(k, x), f.format(k)
	return placed(to, p.Neg, p.Sig, p.Exp.Dec())
}

// Multiply is a product of significands, moved up by both exponents.
func (f floatPoint) Multiply(j Kind, x hw.UInt, k Kind, y hw.UInt) fixed.Num {
	p, q := f.parts(j, x), f.parts(k, y)
	a, b := f.format(j), f.format(k)
	to := fixed.Format{Width: a.Width + b.Width, Frac: a.Frac + b.Frac}
	return placed(to, p.Neg.Xor(q.Neg), p.Sig.Mul(q.Sig), p.Exp.Dec().AddGrow(q.Exp.Dec()))
}

// placed is ±sig · 2^up in units of the format's last place.
func placed(to fixed.Format, neg hw.Bit, sig, up hw.UInt) fixed.Num {
	mag := sig.Extend(to.Width).ShlBy(up)
	return fixed.FromBits(mag.Xor(neg.Rep(to.Width)).Add(neg.UInt().Extend(to.Width)), to.Frac)
}

// Round takes the nearest number, of two the even one. A zero has no sign.
func (f floatPoint) Round(m *hw.Module, name string, k Kind, x fixed.Num) (code hw.UInt, over hw.Bit) {
	g := f.grid(k)
	unit := float.FromFixed{Fixed: x.Format(), Op: float.Op{Format: g, Flags: true}}
	p := hw.Inst(m, name, unit, float.FromFixedPorts{Control: float.Control{En: hw.High}, A: x.Raw.AsUnsigned()})
	hw.Unused(m, p.Flags) // a learner without counts reads none
	size := p.Y.Raw.Trunc(g.Width() - 1)
	return hw.Cat(p.Y.IsNeg().And(size.Any()), size), p.Flags.Bit(overflow)
}

// overflow is the flag of a number past the range, which becomes the greatest.
const overflow = 2

func (f floatPoint) Less(k Kind, x, y hw.UInt) hw.Bit { return f.num(k, x).Lt(f.num(k, y)) }

func (f floatPoint) Positive(k Kind, x hw.UInt) hw.Bit {
	n := f.num(k, x)
	return n.IsZero().Not().AndNot(n.IsNeg())
}

// parts splits a code into sign, exponent and significand, which is 0 for infinities and NaNs.
func (f floatPoint) parts(k Kind, x hw.UInt) bits.Parts {
	p := f.num(k, x).Parts()
	p.Sig = p.Sig.And(p.Special().Not().Rep(p.Sig.Width()))
	return p
}

func (f floatPoint) num(k Kind, x hw.UInt) float.Num { return bits.FromBits(f.grid(k), x) }
