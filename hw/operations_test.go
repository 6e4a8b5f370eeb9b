package hw_test

import (
	"math/big"

	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
)

// operations are all operations on numbers and bits, with what each must give.
var operations = []operation{
	{"UInt.Add", u2(hw.UInt.Add), big2((*big.Int).Add), same},
	{"UInt.Sub", u2(hw.UInt.Sub), big2((*big.Int).Sub), same},
	{"UInt.AddGrow", u2(hw.UInt.AddGrow), big2((*big.Int).Add), more},
	{"UInt.SubGrow", func(p givenPorts) hw.UInt { return p.X.SubGrow(p.Y).AsUnsigned() }, big2((*big.Int).Sub), more},
	{"UInt.Mul", u2(hw.UInt.Mul), big2((*big.Int).Mul), sum},
	{"UInt.Div", u2(hw.UInt.Div), func(g *given) *big.Int {
		if g.y.Sign() == 0 {
			return ones(g.w)
		}
		return new(big.Int).Div(g.x, g.y)
	}, same},
	{"UInt.Rem", u2(hw.UInt.Rem), func(g *given) *big.Int {
		if g.y.Sign() == 0 {
			return g.x
		}
		return new(big.Int).Mod(g.x, g.y)
	}, same},
	{"UInt.Inc", onX(hw.UInt.Inc), func(g *given) *big.Int { return new(big.Int).Add(g.x, big.NewInt(1)) }, same},
	{"UInt.Dec", onX(hw.UInt.Dec), func(g *given) *big.Int { return new(big.Int).Sub(g.x, big.NewInt(1)) }, same},
	{"UInt.And", u2(hw.UInt.And), big2((*big.Int).And), same},
	{"UInt.Or", u2(hw.UInt.Or), big2((*big.Int).Or), same},
	{"UInt.Xor", u2(hw.UInt.Xor), big2((*big.Int).Xor), same},
	{"UInt.Not", onX(hw.UInt.Not), func(g *given) *big.Int { return new(big.Int).Not(g.x) }, same},
	{"UInt.Eq", cmpU(hw.UInt.Eq), order(func(c int) bool { return c == 0 }), one},
	{"UInt.Ne", cmpU(hw.UInt.Ne), order(func(c int) bool { return c != 0 }), one},
	{"UInt.Lt", cmpU(hw.UInt.Lt), order(func(c int) bool { return c < 0 }), one},
	{"UInt.Le", cmpU(hw.UInt.Le), order(func(c int) bool { return c <= 0 }), one},
	{"UInt.Gt", cmpU(hw.UInt.Gt), order(func(c int) bool { return c > 0 }), one},
	{"UInt.Ge", cmpU(hw.UInt.Ge), order(func(c int) bool { return c >= 0 }), one},
	{"UInt.Is", func(p givenPorts) hw.UInt { return p.X.Is(1).UInt() }, func(g *given) *big.Int { return truth(g.x.Cmp(big.NewInt(1)) == 0) }, one},
	{"UInt.IsNot", onX(func(x hw.UInt) hw.UInt { return x.IsNot(1).UInt() }), than(1, func(c int) bool { return c != 0 }), one},
	{"UInt.IsLt", onX(func(x hw.UInt) hw.UInt { return x.IsLt(1).UInt() }), than(1, func(c int) bool { return c < 0 }), one},
	{"UInt.IsLt all", onX(func(x hw.UInt) hw.UInt { return x.IsLt(past(x.Width())).UInt() }), func(g *given) *big.Int { return truth(g.x.Cmp(big.NewInt(int64(past(g.w)))) < 0) }, one},
	{"UInt.IsLe", onX(func(x hw.UInt) hw.UInt { return x.IsLe(1).UInt() }), than(1, func(c int) bool { return c <= 0 }), one},
	{"UInt.IsGt", onX(func(x hw.UInt) hw.UInt { return x.IsGt(1).UInt() }), than(1, func(c int) bool { return c > 0 }), one},
	{"UInt.IsGe", onX(func(x hw.UInt) hw.UInt { return x.IsGe(1).UInt() }), than(1, func(c int) bool { return c >= 0 }), one},
	{"UInt.IsGe none", onX(func(x hw.UInt) hw.UInt { return x.IsGe(past(x.Width())).UInt() }), func(g *given) *big.Int { return truth(g.x.Cmp(big.NewInt(int64(past(g.w)))) >= 0) }, one},
	{"UInt.SignExtend", onX(func(x hw.UInt) hw.UInt { return x.SignExtend(2 * x.Width()) }), func(g *given) *big.Int { return g.sx() }, sum},
	{"UInt.PadLow", onX(func(x hw.UInt) hw.UInt { return x.PadLow(x.Width()) }), func(g *given) *big.Int { return new(big.Int).Lsh(g.x, uint(g.w)) }, sum},
	{"UInt.PadLow by nothing", onX(func(x hw.UInt) hw.UInt { return x.PadLow(0) }), func(g *given) *big.Int { return g.x }, same},
	{"UInt.Rep", onX(func(x hw.UInt) hw.UInt { return x.Rep(2) }), func(g *given) *big.Int { return new(big.Int).Add(g.x, new(big.Int).Lsh(g.x, uint(g.w))) }, sum},
	{"UInt.Rep once", onX(func(x hw.UInt) hw.UInt { return x.Rep(1) }), func(g *given) *big.Int { return g.x }, same},
	{"UInt.Reverse", onX(hw.UInt.Reverse), func(g *given) *big.Int {
		v := new(big.Int)
		for i := range g.w {
			v.SetBit(v, g.w-1-i, g.x.Bit(i))
		}
		return v
	}, same},
	{"UInt.Shl", onX(func(x hw.UInt) hw.UInt { return x.Shl(3) }), func(g *given) *big.Int { return new(big.Int).Lsh(g.x, 3) }, same},
	{"UInt.Shl past the width", onX(func(x hw.UInt) hw.UInt { return x.Shl(1 << 40) }), func(g *given) *big.Int { return new(big.Int) }, same},
	{"UInt.Shr", onX(func(x hw.UInt) hw.UInt { return x.Shr(3) }), func(g *given) *big.Int { return new(big.Int).Rsh(g.x, 3) }, same},
	{"UInt.ShlBy", func(p givenPorts) hw.UInt { return p.X.ShlBy(p.By) }, func(g *given) *big.Int { return new(big.Int).Lsh(g.x, uint(g.by)) }, same},
	{"UInt.ShlBy wide", func(p givenPorts) hw.UInt { return p.X.ShlBy(p.Y) }, func(g *given) *big.Int {
		if !g.y.IsInt64() || g.y.Int64() >= int64(g.w) {
			return new(big.Int)
		}
		return new(big.Int).Lsh(g.x, uint(g.y.Int64()))
	}, same},
	{"UInt.ShlBy a literal", func(p givenPorts) hw.UInt { return p.X.ShlBy(hw.U(5)) }, func(g *given) *big.Int { return new(big.Int).Lsh(g.x, 5) }, same},
	{"UInt.ShrBy", func(p givenPorts) hw.UInt { return p.X.ShrBy(p.By) }, func(g *given) *big.Int { return new(big.Int).Rsh(g.x, uint(g.by)) }, same},
	{"UInt.RotL", onX(func(x hw.UInt) hw.UInt { return x.RotL(5) }), func(g *given) *big.Int { return rotated(g, 5) }, same},
	{"UInt.RotL to the right", onX(func(x hw.UInt) hw.UInt { return x.RotL(-3) }), func(g *given) *big.Int { return rotated(g, -3) }, same},
	{"UInt.Bit", onX(func(x hw.UInt) hw.UInt { return x.Bit(x.Width() / 2).UInt() }), func(g *given) *big.Int { return big.NewInt(int64(g.x.Bit(g.w / 2))) }, one},
	{"UInt.BitAt", func(p givenPorts) hw.UInt { return p.X.BitAt(p.By).UInt() }, func(g *given) *big.Int { return big.NewInt(int64(g.x.Bit(int(g.by)))) }, one},
	{"UInt.Range", onX(func(x hw.UInt) hw.UInt { return x.Range(x.Width()-1, x.Width()/3) }), func(g *given) *big.Int { return new(big.Int).Rsh(g.x, uint(g.w/3)) },
		func(w int) int { return w - w/3 }},
	{"UInt.Trunc", onX(func(x hw.UInt) hw.UInt { return x.Trunc((x.Width() + 1) / 2) }), func(g *given) *big.Int { return g.x }, func(w int) int { return (w + 1) / 2 }},
	{"UInt.Extend", onX(func(x hw.UInt) hw.UInt { return x.Extend(2 * x.Width()) }), func(g *given) *big.Int { return g.x }, sum},
	{"UInt.Extend by nothing", onX(func(x hw.UInt) hw.UInt { return x.Extend(x.Width()) }), func(g *given) *big.Int { return g.x }, same},
	{"UInt.Any", onX(func(x hw.UInt) hw.UInt { return x.Any().UInt() }), func(g *given) *big.Int { return truth(g.x.Sign() != 0) }, one},
	{"UInt.All", onX(func(x hw.UInt) hw.UInt { return x.All().UInt() }), func(g *given) *big.Int { return truth(g.x.Cmp(ones(g.w)) == 0) }, one},
	{"UInt.Parity", onX(func(x hw.UInt) hw.UInt { return x.Parity().UInt() }), func(g *given) *big.Int { return truth(popcount(g.x)%2 == 1) }, one},
	{"UInt.PopCount", onX(hw.UInt.PopCount), func(g *given) *big.Int { return big.NewInt(int64(popcount(g.x))) }, ir.CountWidth},
	{"UInt.BitLen", onX(hw.UInt.BitLen), func(g *given) *big.Int { return big.NewInt(int64(g.x.BitLen())) }, ir.CountWidth},
	{"UInt.BitLen of fewer", func(p givenPorts) hw.UInt { return p.X.ShrBy(p.By).BitLen() }, func(g *given) *big.Int { return big.NewInt(int64(max(0, g.x.BitLen()-int(g.by)))) }, ir.CountWidth},
	{"UInt.FirstOne", func(p givenPorts) hw.UInt { return p.X.ShlBy(p.By).FirstOne() }, func(g *given) *big.Int {
		x := new(big.Int).And(new(big.Int).Lsh(g.x, uint(g.by)), ones(g.w))
		if x.Sign() == 0 {
			return big.NewInt(int64(g.w))
		}
		return big.NewInt(int64(x.TrailingZeroBits()))
	}, ir.CountWidth},
	{"UInt.AsSigned", onX(func(x hw.UInt) hw.UInt { return x.AsSigned().Extend(x.Width() + 1).AsUnsigned() }), func(g *given) *big.Int { return g.sx() }, more},

	{"SInt.Add", s2(hw.SInt.Add), sbig2((*big.Int).Add), same},
	{"SInt.Sub", s2(hw.SInt.Sub), sbig2((*big.Int).Sub), same},
	{"SInt.AddGrow", s2(hw.SInt.AddGrow), sbig2((*big.Int).Add), more},
	{"SInt.SubGrow", s2(hw.SInt.SubGrow), sbig2((*big.Int).Sub), more},
	{"SInt.Mul", s2(hw.SInt.Mul), sbig2((*big.Int).Mul), sum},
	{"SInt.Div", s2(hw.SInt.Div), func(g *given) *big.Int {
		if g.y.Sign() == 0 {
			return ones(g.w)
		}
		return new(big.Int).Quo(g.sx(), g.sy())
	}, same},
	{"SInt.Rem", s2(hw.SInt.Rem), func(g *given) *big.Int {
		if g.y.Sign() == 0 {
			return g.sx()
		}
		return new(big.Int).Rem(g.sx(), g.sy())
	}, same},
	{"SInt.Minus", onS(func(x hw.SInt) hw.UInt { return x.Minus().AsUnsigned() }), func(g *given) *big.Int { return new(big.Int).Neg(g.sx()) }, same},
	{"SInt.Abs", onS(hw.SInt.Abs), func(g *given) *big.Int { return new(big.Int).Abs(g.sx()) }, same},
	{"SInt.Not", onS(func(x hw.SInt) hw.UInt { return x.Not().AsUnsigned() }), func(g *given) *big.Int { return new(big.Int).Not(g.x) }, same},
	{"SInt.Eq", cmpS(hw.SInt.Eq), sorder(func(c int) bool { return c == 0 }), one},
	{"SInt.Ne", cmpS(hw.SInt.Ne), sorder(func(c int) bool { return c != 0 }), one},
	{"SInt.Lt", cmpS(hw.SInt.Lt), sorder(func(c int) bool { return c < 0 }), one},
	{"SInt.Le", cmpS(hw.SInt.Le), sorder(func(c int) bool { return c <= 0 }), one},
	{"SInt.Gt", cmpS(hw.SInt.Gt), sorder(func(c int) bool { return c > 0 }), one},
	{"SInt.Ge", cmpS(hw.SInt.Ge), sorder(func(c int) bool { return c >= 0 }), one},
	{"SInt.Is", onS(func(x hw.SInt) hw.UInt { return x.Is(-1).UInt() }), func(g *given) *big.Int { return truth(g.x.Cmp(ones(g.w)) == 0) }, one},
	{"SInt.IsNot", onS(func(x hw.SInt) hw.UInt { return x.IsNot(-1).UInt() }), sthan(-1, func(c int) bool { return c != 0 }), one},
	{"SInt.IsLt", onS(func(x hw.SInt) hw.UInt { return x.IsLt(0).UInt() }), sthan(0, func(c int) bool { return c < 0 }), one},
	{"SInt.IsLt all", onS(func(x hw.SInt) hw.UInt { return x.IsLt(past(x.Width() - 1)).UInt() }), func(g *given) *big.Int { return truth(g.sx().Cmp(big.NewInt(int64(past(g.w-1)))) < 0) }, one},
	{"SInt.IsLe", onS(func(x hw.SInt) hw.UInt { return x.IsLe(-1).UInt() }), sthan(-1, func(c int) bool { return c <= 0 }), one},
	{"SInt.IsGt", onS(func(x hw.SInt) hw.UInt { return x.IsGt(-1).UInt() }), sthan(-1, func(c int) bool { return c > 0 }), one},
	{"SInt.IsGe", onS(func(x hw.SInt) hw.UInt { return x.IsGe(0).UInt() }), sthan(0, func(c int) bool { return c >= 0 }), one},
	{"SInt.And", s2(hw.SInt.And), sbig2((*big.Int).And), same},
	{"SInt.Or", s2(hw.SInt.Or), sbig2((*big.Int).Or), same},
	{"SInt.Xor", s2(hw.SInt.Xor), sbig2((*big.Int).Xor), same},
	{"SInt.Bit", onS(func(x hw.SInt) hw.UInt { return x.Bit(x.Width() / 2).UInt() }), func(g *given) *big.Int { return big.NewInt(int64(g.x.Bit(g.w / 2))) }, one},
	{"SInt.BitAt", func(p givenPorts) hw.UInt { return p.X.AsSigned().BitAt(p.By).UInt() }, func(g *given) *big.Int { return big.NewInt(int64(g.x.Bit(int(g.by)))) }, one},
	{"SInt.Range", onS(func(x hw.SInt) hw.UInt { return x.Range(x.Width()-1, x.Width()/3) }), func(g *given) *big.Int { return new(big.Int).Rsh(g.x, uint(g.w/3)) },
		func(w int) int { return w - w/3 }},
	{"SInt.Any", onS(func(x hw.SInt) hw.UInt { return x.Any().UInt() }), func(g *given) *big.Int { return truth(g.x.Sign() != 0) }, one},
	{"SInt.All", onS(func(x hw.SInt) hw.UInt { return x.All().UInt() }), func(g *given) *big.Int { return truth(g.x.Cmp(ones(g.w)) == 0) }, one},
	{"SInt.PadLow", onS(func(x hw.SInt) hw.UInt { return x.PadLow(3).Extend(x.Width() + 4).AsUnsigned() }), func(g *given) *big.Int { return new(big.Int).Lsh(g.sx(), 3) }, func(w int) int { return w + 4 }},
	{"SInt.IsNeg", onS(func(x hw.SInt) hw.UInt { return x.IsNeg().UInt() }), func(g *given) *big.Int { return truth(g.sx().Sign() < 0) }, one},
	{"SInt.Shl", onS(func(x hw.SInt) hw.UInt { return x.Shl(2).AsUnsigned() }), func(g *given) *big.Int { return new(big.Int).Lsh(g.sx(), 2) }, same},
	{"SInt.Shr", onS(func(x hw.SInt) hw.UInt { return x.Shr(2).AsUnsigned() }), func(g *given) *big.Int { return new(big.Int).Rsh(g.sx(), 2) }, same},
	{"SInt.Shr past the width", onS(func(x hw.SInt) hw.UInt { return x.Shr(5000).AsUnsigned() }), func(g *given) *big.Int { return new(big.Int).Rsh(g.sx(), 5000) }, same},
	{"SInt.ShlBy", func(p givenPorts) hw.UInt { return p.X.AsSigned().ShlBy(p.By).AsUnsigned() }, func(g *given) *big.Int { return new(big.Int).Lsh(g.sx(), uint(g.by)) }, same},
	{"SInt.ShrBy", func(p givenPorts) hw.UInt { return p.X.AsSigned().ShrBy(p.By).AsUnsigned() }, func(g *given) *big.Int { return new(big.Int).Rsh(g.sx(), uint(g.by)) }, same},
	{"SInt.Trunc", onS(func(x hw.SInt) hw.UInt { return x.Trunc((x.Width() + 1) / 2).AsUnsigned() }), func(g *given) *big.Int { return g.x }, func(w int) int { return (w + 1) / 2 }},
	{"SInt.Extend", onS(func(x hw.SInt) hw.UInt { return x.Extend(2 * x.Width()).AsUnsigned() }), func(g *given) *big.Int { return g.sx() }, sum},
	{"SInt.AsUnsigned", onS(hw.SInt.AsUnsigned), func(g *given) *big.Int { return g.x }, same},

	{"Bit.And", bit3(func(a, b, c hw.Bit) hw.Bit { return a.And(b, c) }), truth3(func(a, b, c bool) bool { return a && b && c }), one},
	{"Bit.And of one", bit3(func(a, b, c hw.Bit) hw.Bit { return a.And() }), truth3(func(a, b, c bool) bool { return a }), one},
	{"Bit.Or", bit3(func(a, b, c hw.Bit) hw.Bit { return a.Or(b, c) }), truth3(func(a, b, c bool) bool { return a || b || c }), one},
	{"Bit.Xor", bit3(func(a, b, c hw.Bit) hw.Bit { return a.Xor(b, c) }), truth3(func(a, b, c bool) bool { return (a != b) != c }), one},
	{"Bit.Not", bit3(func(a, b, c hw.Bit) hw.Bit { return a.Not() }), truth3(func(a, b, c bool) bool { return !a }), one},
	{"Bit.AndNot", bit3(func(a, b, c hw.Bit) hw.Bit { return a.AndNot(b) }), truth3(func(a, b, c bool) bool { return a && !b }), one},
	{"Bit.Implies", bit3(func(a, b, c hw.Bit) hw.Bit { return a.Implies(b) }), truth3(func(a, b, c bool) bool { return !a || b }), one},
	{"Bit.Eq", bit3(func(a, b, c hw.Bit) hw.Bit { return a.Eq(b) }), truth3(func(a, b, c bool) bool { return a == b }), one},
	{"Bit.Ne", bit3(func(a, b, c hw.Bit) hw.Bit { return a.Ne(b) }), truth3(func(a, b, c bool) bool { return a != b }), one},
	{"Bit.UInt", bit3(func(a, b, c hw.Bit) hw.Bit { return a }), truth3(func(a, b, c bool) bool { return a }), one},
	{"Bit.Rep", func(p givenPorts) hw.UInt { return p.C.Rep(p.X.Width()) }, func(g *given) *big.Int { return new(big.Int).Mul(truth(g.c), ones(g.w)) }, same},
	{"AllOf", bit3(func(a, b, c hw.Bit) hw.Bit { return hw.AllOf(a, b, c) }), truth3(func(a, b, c bool) bool { return a && b && c }), one},
	{"AnyOf", bit3(func(a, b, c hw.Bit) hw.Bit { return hw.AnyOf(a, b, c) }), truth3(func(a, b, c bool) bool { return a || b || c }), one},

	{"Cat", func(p givenPorts) hw.UInt { return hw.Cat(p.X, p.C.UInt(), p.Y) }, func(g *given) *big.Int {
		v := new(big.Int).Lsh(g.x, 1)
		v.Or(v, truth(g.c))
		return v.Or(v.Lsh(v, uint(g.w)), g.y)
	}, func(w int) int { return 2*w + 1 }},
	{"Cat of kinds", func(p givenPorts) hw.UInt { return hw.Cat(p.C, p.X.AsSigned(), hw.High, hw.Zeros(2)) }, func(g *given) *big.Int {
		v := new(big.Int).Lsh(truth(g.c), uint(g.w))
		v.Or(v, g.x)
		return v.Lsh(v.Or(v.Lsh(v, 1), big.NewInt(1)), 2)
	}, func(w int) int { return w + 4 }},
	{"Pack of bits", func(p givenPorts) hw.UInt { return hw.Pack([]hw.Bit{p.C, p.X.Bit(0), hw.High}) }, func(g *given) *big.Int {
		return new(big.Int).Add(truth(g.c), big.NewInt(int64(2*g.x.Bit(0)+4)))
	}, func(int) int { return 3 }},
	{"OneHotMux", func(p givenPorts) hw.UInt {
		return hw.OneHotMux(p.By.Trunc(3), []hw.UInt{p.X, p.Y, hw.U(1)})
	}, func(g *given) *big.Int {
		v := new(big.Int)
		for i, x := range []*big.Int{g.x, g.y, big.NewInt(1)} {
			if g.by>>i&1 == 1 {
				v.Or(v, x)
			}
		}
		return v
	}, same},
	{"PriorityMux", func(p givenPorts) hw.UInt {
		return hw.PriorityMux(p.By.Trunc(3), p.X.Not(), []hw.UInt{p.X, p.Y, hw.U(1)})
	}, func(g *given) *big.Int {
		for i, x := range []*big.Int{g.x, g.y, big.NewInt(1)} {
			if g.by>>i&1 == 1 {
				return x
			}
		}
		return new(big.Int).Not(g.x)
	}, same},
	{"Gate", func(p givenPorts) hw.UInt { return hw.Gate(p.C, p.X) }, func(g *given) *big.Int { return new(big.Int).Mul(truth(g.c), g.x) }, same},
	{"Reduce", func(p givenPorts) hw.UInt { return hw.Reduce([]hw.UInt{p.X, p.Y, p.X, p.X, p.Y}, hw.UInt.Add) }, func(g *given) *big.Int {
		v := new(big.Int).Mul(g.x, big.NewInt(3))
		return v.Add(v, new(big.Int).Lsh(g.y, 1))
	}, same},
	{"FromBits", onX(func(x hw.UInt) hw.UInt { return hw.FromBits(x.BitVec()...) }), func(g *given) *big.Int { return g.x }, same},
	{"Mux", func(p givenPorts) hw.UInt { return hw.Mux(p.C, p.X, p.Y) }, func(g *given) *big.Int {
		if g.c {
			return g.x
		}
		return g.y
	}, same},
	{"Mux of a literal", func(p givenPorts) hw.UInt { return hw.Mux(p.C, p.X, hw.U(1)) }, func(g *given) *big.Int {
		if g.c {
			return g.x
		}
		return big.NewInt(1)
	}, same},
	{"Choose", func(p givenPorts) hw.UInt {
		return hw.Choose(p.By, p.X, map[int]hw.UInt{0: p.Y, 2: p.X.Not(), 3: hw.U(1)})
	}, func(g *given) *big.Int {
		switch g.by {
		case 0:
			return g.y
		case 2:
			return new(big.Int).Not(g.x)
		case 3:
			return big.NewInt(1)
		}
		return g.x
	}, same},
	{"At", func(p givenPorts) hw.UInt { return hw.Vec[hw.UInt]{p.X, p.Y, p.X.Not()}.At(p.By) }, func(g *given) *big.Int {
		switch g.by {
		case 0:
			return g.x
		case 1:
			return g.y
		case 2:
			return new(big.Int).Not(g.x)
		}
		return new(big.Int)
	}, same},
	{"At by a narrow index", func(p givenPorts) hw.UInt { return hw.Vec[hw.UInt]{p.X, p.Y, p.X.Not()}.At(p.C.UInt()) }, func(g *given) *big.Int {
		if g.c {
			return g.y
		}
		return g.x
	}, same},
	{"Lut", bit3(func(a, b, c hw.Bit) hw.Bit { return hw.Lut(bits.New(8, 0b01101001), a, b, c) }), truth3(func(a, b, c bool) bool {
		at := 0
		for i, x := range []bool{a, b, c} {
			if x {
				at |= 1 << i
			}
		}
		return 0b01101001>>at&1 == 1
	}), one},
	{"Decode", func(p givenPorts) hw.UInt {
		return hw.Decode(p.By, p.X, map[string]hw.UInt{"0000_0000 001": p.Y, "-----------"[:9] + "1-": p.X.Not()})
	}, func(g *given) *big.Int {
		switch {
		case g.by == 1:
			return g.y
		case g.by&2 != 0:
			return new(big.Int).Not(g.x)
		}
		return g.x
	}, same},
	{"Zeros", onX(func(x hw.UInt) hw.UInt { return hw.Cat(x, hw.Zeros(3)) }), func(g *given) *big.Int { return new(big.Int).Lsh(g.x, 3) }, func(w int) int { return w + 3 }},
	{"Ones", onX(func(x hw.UInt) hw.UInt { return x.Xor(hw.Ones(x.Width())) }), func(g *given) *big.Int { return new(big.Int).Not(g.x) }, same},
	{"Zero", func(p givenPorts) hw.UInt { return p.X.Or(hw.Zero(p.X)) }, func(g *given) *big.Int { return g.x }, same},
	{"UVal", func(p givenPorts) hw.UInt { return p.X.Xor(hw.UVal(bits.Ones(p.X.Width()))) }, func(g *given) *big.Int { return new(big.Int).Not(g.x) }, same},
	{"SVal", func(p givenPorts) hw.UInt {
		return p.X.AsSigned().Sub(hw.SVal(bits.Ones(p.X.Width()))).AsUnsigned()
	}, func(g *given) *big.Int { return new(big.Int).Add(g.x, big.NewInt(1)) }, same},
	{"UBig", func(p givenPorts) hw.UInt { return p.X.And(hw.UBig(ones(p.X.Width() - p.X.Width()/2))) }, func(g *given) *big.Int { return new(big.Int).And(g.x, ones(g.w-g.w/2)) }, same},
	{"SBig", func(p givenPorts) hw.UInt {
		least := new(big.Int).Lsh(big.NewInt(-1), uint(p.X.Width()-1))
		return p.X.AsSigned().Add(hw.SBig(least)).AsUnsigned()
	}, func(g *given) *big.Int { return new(big.Int).Add(g.x, new(big.Int).Lsh(big.NewInt(1), uint(g.w-1))) }, same},
}

// bit3 applies to c, the top bit of x and the lowest of y.
func bit3(f func(a, b, c hw.Bit) hw.Bit) func(p givenPorts) hw.UInt {
	return func(p givenPorts) hw.UInt { return f(p.C, p.X.Bit(p.X.Width()-1), p.Y.Bit(0)).UInt() }
}

func truth3(f func(a, b, c bool) bool) func(g *given) *big.Int {
	return func(g *given) *big.Int { return truth(f(g.c, g.x.Bit(g.w-1) == 1, g.y.Bit(0) == 1)) }
}

// than compares x with a number, sthan x read as signed.
func than(v int64, f func(c int) bool) func(g *given) *big.Int {
	return func(g *given) *big.Int { return truth(f(g.x.Cmp(big.NewInt(v)))) }
}

func sthan(v int64, f func(c int) bool) func(g *given) *big.Int {
	return func(g *given) *big.Int { return truth(f(g.sx().Cmp(big.NewInt(v)))) }
}

// past is the number just past those of w bits, or of as many as Go numbers have.
func past(w int) int { return 1 << min(w, 61) }

// rotated is x rotated left by n.
func rotated(g *given, n int) *big.Int {
	n = ((n % g.w) + g.w) % g.w
	v := new(big.Int).Lsh(g.x, uint(n))
	return v.Or(v, new(big.Int).Rsh(g.x, uint(g.w-n)))
}
