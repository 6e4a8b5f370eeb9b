package float

import (
	"errors"
	"fmt"

	"etch/hw"
	"etch/hw/float"
	"etch/hw/pipe"
)

// Dot is the exact sum of N products in every cycle, rounded once, whatever their order.
type Dot struct {
	From Format `help:"format of the operands"`
	N    int    `help:"number of products" range:"1..256"`
	Op
}

// DotPorts are N pairs of factors in From and the sum of their products in Format.
type DotPorts struct {
	Control
	A, B []Num `dir:"in"`
	Y    Num   `dir:"out"`
}

func (c Dot) Validate() error { return errors.Join(c.from(c.From), someProducts(c.N)) }

func someProducts(n int) error {
	if n < 1 || n > 256 {
		return fmt.Errorf("%d products, want 1 to 256", n)
	}
	return nil
}

func (c Dot) Ports() DotPorts {
	n := Of(c.From)
	return DotPorts{Control: c.control(), A: hw.VecOf(c.N, n), B: hw.VecOf(c.N, n), Y: Of(c.Format)}
}

// ModuleName is dot4_e5m10_to_e8m23_3 for four products of fp16 in fp32 and three stages.
func (c Dot) ModuleName() string { return c.name(fmt.Sprintf("dot%d_%s_to", c.N, c.From.Name())) }

// Build puts the products in fixed point, as an [Accumulator] does, and adds them in a
// balanced tree.
func (c Dot) Build(m *hw.Module, p DotPorts) {
	s := c.steps(m, p.Control, productSteps(c.N)+3)

	// The exact sum takes its steps, and rounding is that of an accumulator.
	x := products{c.From, c.N}
	total, special := x.sum(s, p.A, p.B)
	top := x.top() + c.Format.Bias()
	abs := step(s, "magnitude", func(at int) sum { return c.fixedSum(total.At(at), top) })
	exact := step(s, "exact", func(at int) float.Exact { return c.exactOf(abs.At(at), special.At(at)) })
	s.finish(p.Y, p.Flags, exact)
}

// BlockDot is the product of two blocks of N numbers with a scale each, as the OCP
// Microscaling formats have it for N = 32: 2^(ScaleA + ScaleB - 254) · Σ A·B, exact and
// rounded once. A scale of 255 makes it NaN.
type BlockDot struct {
	From Format `help:"format of the operands, an MX one such as e4m3fn or e2m1"`
	N    int    `help:"number of products; 32 for the MX formats" range:"1..256"`
	Op
}

// BlockDotPorts are two blocks of N numbers in From, each with its scale, and the sum of the
// products in Format.
type BlockDotPorts struct {
	Control
	A, B           []Num   `dir:"in"`
	ScaleA, ScaleB hw.UInt `dir:"in"` // E8M0: 8 bits, 127 for 1
	Y              Num     `dir:"out"`
}

func (c BlockDot) Validate() error {
	if c.Format.Codes == float.Finite {
		return fmt.Errorf("a scale may be NaN, which the result's format %v has not", c.Format)
	}
	return errors.Join(c.from(c.From), someProducts(c.N))
}

func (c BlockDot) Ports() BlockDotPorts {
	n := Of(c.From)
	return BlockDotPorts{
		Control: c.control(), A: hw.VecOf(c.N, n), B: hw.VecOf(c.N, n),
		ScaleA: hw.Unsigned(8), ScaleB: hw.Unsigned(8), Y: Of(c.Format),
	}
}

// ModuleName is blockdot32_e4m3fn_to_e8m23_3 for 32 products of E4M3 in fp32.
func (c BlockDot) ModuleName() string {
	return c.name(fmt.Sprintf("blockdot%d_%s_to", c.N, c.From.Name()))
}

// Build is that of [Dot] with the scales added to the exponent of the sum, which may then
// lie anywhere.
func (c BlockDot) Build(m *hw.Module, p BlockDotPorts) {
	s := c.steps(m, p.Control, productSteps(c.N)+3)
	type scales struct{ A, B hw.UInt }
	scale := input(s, "scale", scales{p.ScaleA, p.ScaleB})
	in := products{c.From, c.N}
	total, special := in.sum(s, p.A, p.B)

	w, lift := in.width(), in.top()+c.Format.Bias()-2*float.ScaleBias
	abs := step(s, "magnitude", func(at int) magnitude {
		x, by := total.At(at), scale.At(at)

		// The scales move the place of the whole sum: only its exponent changes.
		neg := x.Bit(w - 1)
		mag := x.Xor(neg.Rep(w)).Add(neg.UInt().Extend(w)).Trunc(w - 1)
		e := topBits(lift, lift+2*float.NaNScale, w)
		top := by.A.AddGrow(by.B).Extend(e).Add(hw.S(lift).Extend(e).AsUnsigned())
		return magnitude{Neg: neg, Mag: mag, Top: top, Zero: mag.Any().Not()}
	})
	exact := step(s, "exact", func(at int) float.Exact {
		x, by := special.At(at), scale.At(at)
		e := c.fit(abs.At(at))

		// A scale of all ones is the NaN of E8M0. It is quiet.
		both, inf := x.Pos.And(x.Neg), x.Pos.Or(x.Neg)
		nan := x.NaN.Or(by.A.All(), by.B.All())
		e.Neg = hw.Mux(inf, x.Neg, e.Neg)
		e.Special, e.NaN = inf.Or(nan), nan.Or(both)
		e.Invalid = x.Invalid.Or(both.AndNot(nan))
		return e
	})
	s.finish(p.Y, p.Flags, exact)
}

// products is N products on their way to an exact sum.
type products struct {
	from Format
	n    int
}

// one is the number of bits of a product.
func (c products) one() int { return 2*(c.from.MaxExp()+1) - 2*(c.from.MinExp()-c.from.Frac) }

// width is the number of bits of the sum: a sign, the growth by n summands, and a product.
func (c products) width() int { return 1 + countTo(c.n) + c.one() }

// top is the exponent of the bit below the sign.
func (c products) top() int { return c.width() - 2 + 2*(c.from.MinExp()-c.from.Frac) }

// productSteps is the number of steps of [products.sum].
func productSteps(n int) int { return 3 + levels(n) }

// sum is the exact sum in units of the square of the least number: it multiplies, places
// the products, and adds neighbours until one is left. A negative product is
// complemented, and the ones that it lacks are counted and added once.
func (c products) sum(s *steps, a, b []Num) (pipe.Value[hw.UInt], pipe.Value[specials]) {
	// All products are made side by side, exact.
	in := input(s, "operands", [2][]Num{a, b})
	product := step(s, "product", func(at int) (list []wideProduct) {
		x := in.At(at)
		for i := range c.n {
			list = append(list, multiply(x[0][i], x[1][i]))
		}
		return list
	})

	// Both exponent fields are 1 at least, and at 1 and 1 a product lies at the bottom.
	at, w := s.stage(), c.width()
	var terms []hw.UInt
	var nan, invalid, pos, neg, minus []hw.Bit

	// A number stands in its place, complemented where it is negative; an infinity or a NaN is 0
	// there and is remembered beside the sum.
	for _, x := range product.At(at) {
		number := x.Inf.Or(x.NaN).Not()
		by := x.Exp.Sub(hw.U(2).Extend(x.Exp.Width()))
		mag := x.Sig.And(number.Rep(x.Sig.Width())).Extend(c.one()).ShlBy(by).Extend(w)
		terms, minus = append(terms, mag.Xor(x.Neg.Rep(w))), append(minus, x.Neg)
		nan, invalid = append(nan, x.NaN), append(invalid, x.Invalid)
		pos, neg = append(pos, x.Inf.AndNot(x.Neg)), append(neg, x.Inf.And(x.Neg))
	}

	// Specials and the missing ones of complements go beside the tree, and meet the sum at its end.
	special := spared(s, pipe.Of(s.run, "special", at, specials{hw.AnyOf(nan...), hw.AnyOf(invalid...), hw.AnyOf(pos...), hw.AnyOf(neg...)}))
	ones := spared(s, pipe.Of(s.run, "ones", at, resize(hw.FromBits(minus...).PopCount(), w)))
	level := step(s, "term", func(int) []hw.UInt { return terms })

	// Neighbours are added until one is left.
	for n := c.n; n > 1; n = (n + 1) / 2 {
		last := level
		level = step(s, hw.Name("level", n), func(at int) (out []hw.UInt) {
			x := last.At(at)
			for i := 0; i+1 < n; i += 2 {
				out = append(out, x[i].Add(x[i+1]))
			}
			if n%2 == 1 {
				out = append(out, x[n-1])
			}
			return out
		})
	}
	return step(s, "total", func(at int) hw.UInt { return level.At(at)[0].Add(ones.At(at)) }), special
}

// Tree is a sum of N products in floating point: each product is rounded, and each sum
// of a balanced tree of adders. It has no flags.
type Tree struct {
	Units
	N int `help:"number of products" range:"1..256"`
}

// TreePorts are N pairs of factors and the sum of their products, all of one format.
type TreePorts struct {
	En   hw.Bit `dir:"in"` // the unit moves; otherwise it stands still
	A, B []Num  `dir:"in"`
	Y    Num    `dir:"out"`
}

func (c Tree) Validate() error {
	if c.Rounding.ModeWidth() != 0 {
		return errors.New("a tree of adders has a Rounding that needs no port")
	}
	return errors.Join(c.op(0).Validate(), someProducts(c.N))
}

func (c Tree) Ports() TreePorts {
	n := c.Shape()
	return TreePorts{A: hw.VecOf(c.N, n), B: hw.VecOf(c.N, n), Y: n}
}

// Latency is that of a product and of the levels of the tree.
func (c Tree) Latency() int { return c.Mul + levels(c.N)*c.Add }

// levels is the height of a tree over n leaves.
func levels(n int) (k int) {
	for ; n > 1; n = (n + 1) / 2 {
		k++
	}
	return k
}

// Build is a dataflow.
func (c Tree) Build(m *hw.Module, p TreePorts) {
	u := c.In(m.Enabled(p.En))
	var list []Value
	for i := range p.A {
		list = append(list, u.Mul(u.Input(hw.Name("a_in", i), p.A[i]), u.Input(hw.Name("b_in", i), p.B[i])))
	}
	y := u.Sum(list...)
	p.Y.Set(y.At(y.Stage()))
}

// Model is the tree's result for codes of operands.
func (c Tree) Model(a, b []uint64) uint64 {
	var list []uint64
	for i := range a {
		list = append(list, c.MulCodes(a[i], b[i]))
	}
	return c.SumCodes(list...)
}

// Sum is the sum of numbers by a balanced tree of adders: neighbours are added, and one
// that is left over waits for the next level.
func (u *Flow) Sum(x ...Value) Value {
	for len(x) > 1 {
		var next []Value
		for i := 0; i+1 < len(x); i += 2 {
			next = append(next, u.Add(x[i], x[i+1]))
		}
		if len(x)%2 == 1 {
			next = append(next, x[len(x)-1])
		}
		x = next
	}
	return x[0]
}

// SumCodes is the model of [Flow.Sum].
func (u Units) SumCodes(x ...uint64) uint64 {
	for len(x) > 1 {
		var next []uint64
		for i := 0; i+1 < len(x); i += 2 {
			next = append(next, u.AddCodes(x[i], x[i+1]))
		}
		if len(x)%2 == 1 {
			next = append(next, x[len(x)-1])
		}
		x = next
	}
	return x[0]
}
