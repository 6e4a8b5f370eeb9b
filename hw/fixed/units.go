package fixed

import (
	"math/big"
	mathbits "math/bits"

	"etch/hw"
	"etch/hw/number"
	"etch/hw/pipe"
)

// Units is fixed point as a [number.Kind]: sums and products are fitted to the format.
type Units struct {
	Format   Format
	Rounding Rounding `help:"of products and of sums of them"`
	Overflow Overflow `help:"of all results"`
	Add      int      `help:"latency of a sum in cycles" range:"0..16"`
	Mul      int      `help:"latency of a product in cycles" range:"0..16"`
	Sum      int      `help:"registers behind an accumulator, which takes a cycle itself" range:"0..16"`
}

var _ number.Kind[Num] = Units{}

// Shape is a number of the format.
func (u Units) Shape() Num { return Of(u.Format) }

// Lit is the literal nearest to v.
func (u Units) Lit(v float64) Num { return u.Shape().Lit(v) }

// AddLatency is the latency of sums, differences.
func (u Units) AddLatency() int { return u.Add }

// MulLatency is the latency of products.
func (u Units) MulLatency() int { return u.Mul }

// SumLatency is the latency of accumulators.
func (u Units) SumLatency() int { return 1 + u.Sum }

// On returns arithmetic whose operators and registers are added to run.
func (u Units) On(run *hw.Module) number.Arith[Num] { return unitsOn{u, run} }

type unitsOn struct {
	Units
	run *hw.Module
}

func (u unitsOn) Const(v float64) pipe.Value[Num] { return pipe.Always(u.run, u.Lit(v)) }

func (u unitsOn) Add(x, y pipe.Value[Num]) pipe.Value[Num] {
	return u.delayed(pipe.Later(x, y), u.Units.Add, func(at int) Num { return x.At(at).Add(y.At(at)) })
}

func (u unitsOn) Sub(x, y pipe.Value[Num]) pipe.Value[Num] {
	return u.delayed(pipe.Later(x, y), u.Units.Add, func(at int) Num { return x.At(at).Sub(y.At(at)) })
}

func (u unitsOn) Mul(x, y pipe.Value[Num]) pipe.Value[Num] {
	return u.delayed(pipe.Later(x, y), u.Units.Mul, func(at int) Num { return x.At(at).Mul(y.At(at)) })
}

func (u unitsOn) Max(x, y pipe.Value[Num]) pipe.Value[Num] {
	at := pipe.Later(x, y)
	a, b := x.At(at), y.At(at)
	return pipe.Of(u.run, "max", at, hw.Mux(a.Lt(b), b, a))
}

func (u unitsOn) Less(x, y Num) hw.Bit { return x.Lt(y) }

// delayed is an exact value n registers later, fitted. The registers stand before the
// rounding, where a multiplier has them.
func (u unitsOn) delayed(at, n int, f func(at int) Num) pipe.Value[Num] {
	exact := pipe.Of(u.run, "exact", at, f(at))
	return pipe.Of(u.run, "fitted", at+n, exact.At(at+n).Fit(u.Shape(), u.Rounding, u.Overflow))
}

func (u unitsOn) Accumulator(products int) number.Accumulator[Num] {
	return accumulator{u, mathbits.Len(uint(max(products, 1) - 1))}
}

// accumulator sums products in a register that is grow bits wider than a product, so that the sum
// cannot overflow.
type accumulator struct {
	unitsOn
	grow int
}

func (c accumulator) Latency() int { return c.SumLatency() }

func (c accumulator) Sum(name string, stage int, clear, en hw.Bit, a, b Num) pipe.Value[Num] {
	// Products are summed exactly; the only rounding is in fitted.
	product := a.Mul(b)
	shape := Of(Format{Width: product.Width() + c.grow, Frac: product.frac})
	wide := Num{product.Raw.Extend(shape.Width()), product.frac}

	total := hw.Reg(c.run, name, shape, shape.Lit(0))
	total.SetIf(en, Num{hw.Mux(clear, hw.S(0), total.Raw).Add(wide.Raw), product.frac})
	return c.fitted(name, stage, total)
}

func (c accumulator) fitted(name string, stage int, total Num) pipe.Value[Num] {
	at := stage + c.Latency()

	// The accumulator's register is the first stage, the registers of Units.Sum follow.
	sum := pipe.Of(c.run, name+"_sum", stage+1, total)
	return pipe.Of(c.run, name+"_out", at, sum.At(at).Fit(c.Shape(), c.Rounding, c.Overflow))
}

// Code is the code of the number nearest to v, saturated.
func (u Units) Code(v float64) uint64 { return u.code(u.Format.Raw(v)) }

func (u Units) code(raw int64) uint64 { return uint64(raw) & (1<<u.Format.Width - 1) }

func (u Units) raw(code uint64) int64 {
	up := 64 - u.Format.Width
	return int64(code<<up) >> up
}

// Value is the number that a code stands for.
func (u Units) Value(code uint64) float64 { return u.Format.Float(u.raw(code)) }

// AddCodes is the model of Add.
func (u Units) AddCodes(x, y uint64) uint64 {
	return u.fit(big.NewInt(u.raw(x)+u.raw(y)), u.Format.Frac)
}

// SubCodes is the model of Sub.
func (u Units) SubCodes(x, y uint64) uint64 {
	return u.fit(big.NewInt(u.raw(x)-u.raw(y)), u.Format.Frac)
}

// MulCodes is the model of Mul.
func (u Units) MulCodes(x, y uint64) uint64 {
	return u.DotCodes([]uint64{x}, []uint64{y})
}

// MaxCodes is the model of Max.
func (u Units) MaxCodes(x, y uint64) uint64 { return u.code(max(u.raw(x), u.raw(y))) }

// DotCodes is the model of an accumulator.
func (u Units) DotCodes(x, y []uint64) uint64 {
	sum, p := new(big.Int), new(big.Int)
	for i := range x {
		sum.Add(sum, p.Mul(big.NewInt(u.raw(x[i])), big.NewInt(u.raw(y[i]))))
	}
	return u.fit(sum, 2*u.Format.Frac)
}

func (u Units) fit(raw *big.Int, frac int) uint64 {
	return u.code(u.Format.Fit(raw, frac, u.Rounding, u.Overflow).Int64())
}
