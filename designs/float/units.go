package float

import (
	"etch/hw"
	"etch/hw/float"
	"etch/hw/number"
	"etch/hw/pipe"
)

// Units is floating point as a dataflow, with the latency of each unit:
//
//	run := m.Enabled(p.En)
//	u := float.Units{Format: float.F16, Add: 3, Mul: 2}.In(run)
//	g := u.Input("g", p.G)
//	m1 := u.Add(u.Mul(u.Const(.9), m0), u.Mul(u.Const(.1), g)) // pipe.Value[float.Num]
//	p.M.Set(m1.At(m1.Stage()))
//
// A result knows its stage, and an operand that is there earlier waits in registers, so
// no latency is counted by hand. Every call makes an instance; modules are shared.
// Units is also a [number.Kind].
type Units struct {
	Format   Format   `help:"format of all numbers"`
	Rounding Rounding `help:"rounding of all results, none that needs a port"`
	Add      int      `help:"latency of a sum in cycles" range:"0..64"`
	Mul      int      `help:"latency of a product in cycles" range:"0..64"`
	FMA      int      `help:"latency of a fused multiply-add in cycles" range:"0..64"`
	Div      int      `help:"latency of a quotient in cycles" range:"0..64"`
	Root     int      `help:"latency of a square root in cycles" range:"0..64"`
	Hypot    int      `help:"latency of a root of two squares in cycles" range:"0..64"`
	Convert  int      `help:"latency of a conversion from another format in cycles" range:"0..64"`
	Sum      int      `help:"registers in the rounding of an exact accumulator, which takes two cycles itself" range:"0..64"`
}

var _ number.Kind[Num] = Units{}

// op is a unit's parameters.
func (u Units) op(stages int) Op { return Op{Format: u.Format, Rounding: u.Rounding, Stages: stages} }

// Shape is a number of the format.
func (u Units) Shape() Num { return Of(u.Format) }

// Lit is the literal nearest to v.
func (u Units) Lit(v float64) Num { return u.Shape().Lit(v) }

// AddLatency is the latency of sums and differences.
func (u Units) AddLatency() int { return u.Add }

// MulLatency is the latency of products.
func (u Units) MulLatency() int { return u.Mul }

// SumLatency is the latency of accumulators.
func (u Units) SumLatency() int { return 2 + u.Sum }

// On is the units in a module, for a component that is written for every kind.
func (u Units) On(run *hw.Module) number.Arith[Num] { return u.In(run) }

// In is the units in a module or in a view of it with a clock enable.
func (u Units) In(run *hw.Module) *Flow { return &Flow{Units: u, run: run, made: map[string]int{}} }

// Flow makes the units of a dataflow in a module.
type Flow struct {
	Units
	run    *hw.Module
	made   map[string]int // units so far, by operation
	called string         // the name of the one unit that this flow is for
}

// Value is a number of a dataflow.
type Value = pipe.Value[Num]

// Named is the flow for one unit that has a name: u.Named("m").Add(x, y). Others are
// called by their operation and counted.
func (u *Flow) Named(name string) *Flow {
	one := *u
	one.called = name
	return &one
}

// name is the name of the next unit.
func (u *Flow) name(op string) string {
	if u.called != "" {
		return u.called
	}
	u.made[op]++
	return hw.Name(op, u.made[op]-1)
}

// Input is a number that comes in at stage 0.
func (u *Flow) Input(name string, x Num) Value { return pipe.Of(u.run, name, 0, x) }

// Const is a constant, there at every stage.
func (u *Flow) Const(v float64) Value { return pipe.Always(u.run, u.Lit(v)) }

// Add is x + y.
func (u *Flow) Add(x, y Value) Value { return u.add("add", x, y, hw.Low) }

// Sub is x - y.
func (u *Flow) Sub(x, y Value) Value { return u.add("sub", x, y, hw.High) }

func (u *Flow) add(op string, x, y Value, sub hw.Bit) Value {
	at := pipe.Later(x, y)
	return pipe.Through(u.run, u.name(op), Adder{u.op(u.Units.Add)}, at,
		AdderPorts{Control: Control{En: u.run.Enable()}, A: x.At(at), B: y.At(at), Sub: sub},
		func(p AdderPorts) Num { return u.result(p.Y, p.Control) })
}

// Mul is x · y.
func (u *Flow) Mul(x, y Value) Value {
	at := pipe.Later(x, y)
	return pipe.Through(u.run, u.name("mul"), Multiplier{u.op(u.Units.Mul)}, at,
		BinaryPorts{Control: Control{En: u.run.Enable()}, A: x.At(at), B: y.At(at)},
		func(p BinaryPorts) Num { return u.result(p.Y, p.Control) })
}

// FMA is x · y + z, rounded once.
func (u *Flow) FMA(x, y, z Value) Value {
	at := pipe.Later(x, y, z)
	return pipe.Through(u.run, u.name("fma"), FMA{u.op(u.Units.FMA)}, at,
		FMAPorts{Control: Control{En: u.run.Enable()}, A: x.At(at), B: y.At(at), C: z.At(at), Neg: hw.Low, MinusC: hw.Low},
		func(p FMAPorts) Num { return u.result(p.Y, p.Control) })
}

// Div is x / y.
func (u *Flow) Div(x, y Value) Value {
	at := pipe.Later(x, y)
	return pipe.Through(u.run, u.name("div"), Divider{u.op(u.Units.Div)}, at,
		BinaryPorts{Control: Control{En: u.run.Enable()}, A: x.At(at), B: y.At(at)},
		func(p BinaryPorts) Num { return u.result(p.Y, p.Control) })
}

// Hypot is √(x² + y²), rounded once.
func (u *Flow) Hypot(x, y Value) Value {
	at := pipe.Later(x, y)
	return pipe.Through(u.run, u.name("hypot"), Hypot{u.op(u.Units.Hypot)}, at,
		BinaryPorts{Control: Control{En: u.run.Enable()}, A: x.At(at), B: y.At(at)},
		func(p BinaryPorts) Num { return u.result(p.Y, p.Control) })
}

// Sqrt is √x.
func (u *Flow) Sqrt(x Value) Value {
	return pipe.Through(u.run, u.name("root"), Root{u.op(u.Units.Root)}, x.Stage(),
		UnaryPorts{Control: Control{En: u.run.Enable()}, A: x.At(x.Stage())},
		func(p UnaryPorts) Num { return u.result(p.Y, p.Control) })
}

// Convert is x, a number of any format, rounded to the flow's. A number that has that format
// already takes no unit and no stage.
func (u *Flow) Convert(x Value) Value {
	from := x.At(x.Stage()).Format()
	if from == u.Format {
		return x
	}
	return pipe.Through(u.run, u.name("convert"), Converter{From: from, Op: u.op(u.Units.Convert)}, x.Stage(),
		ConverterPorts{Control: Control{En: u.run.Enable()}, A: x.At(x.Stage())},
		func(p ConverterPorts) Num { return u.result(p.Y, p.Control) })
}

// result is a unit's result; a dataflow has no flags.
func (u *Flow) result(y Num, c Control) Num {
	hw.Unused(u.run, c.Flags)
	return y
}

// Neg is -x.
func (u *Flow) Neg(x Value) Value { return u.same("neg", x, Num.Minus) }

// Abs is x without its sign.
func (u *Flow) Abs(x Value) Value { return u.same("abs", x, Num.Abs) }

func (u *Flow) same(op string, x Value, f func(Num) Num) Value {
	return pipe.Of(u.run, u.name(op), x.Stage(), f(x.At(x.Stage())))
}

// Min is the lesser of x and y, the number where one is a NaN.
func (u *Flow) Min(x, y Value) Value { return u.choose("min", x, y, Num.Min) }

// Max is the greater of x and y, the number where one is a NaN.
func (u *Flow) Max(x, y Value) Value { return u.choose("max", x, y, Num.Max) }

func (u *Flow) choose(op string, x, y Value, f func(x, y Num) Num) Value {
	at := pipe.Later(x, y)
	return pipe.Of(u.run, u.name(op), at, f(x.At(at), y.At(at)))
}

// Less is x < y.
func (u *Flow) Less(x, y Num) hw.Bit { return x.Lt(y) }

// Accumulator is the exact one, for at least so many products.
func (u *Flow) Accumulator(products int) number.Accumulator[Num] {
	return flowSum{u, Accumulator{Op: u.op(u.Units.Sum), Guard: countTo(max(products, 1))}}
}

type flowSum struct {
	u *Flow
	c Accumulator
}

func (s flowSum) Latency() int { return s.c.Latency() }

func (s flowSum) Sum(name string, stage int, clear, en hw.Bit, a, b Num) Value {
	p := hw.Inst(s.u.run, name, s.c, AccumulatorPorts{Control: Control{En: s.u.run.Enable()}, Clear: clear, Valid: en, A: a, B: b})
	return pipe.Of(s.u.run, name+"_out", stage+s.c.Latency(), s.u.result(p.Y, p.Control))
}

// Code is the code nearest to v, saturated.
func (u Units) Code(v float64) uint64 {
	f := u.Format
	f.Saturate = true
	return f.Code(v)
}

// Value is the number that a code stands for.
func (u Units) Value(code uint64) float64 { return u.Format.Float64(code) }

// AddCodes is the model of Add.
func (u Units) AddCodes(x, y uint64) uint64 { return only(u.Format.Add(x, y, u.Rounding)) }

// SubCodes is the model of Sub.
func (u Units) SubCodes(x, y uint64) uint64 { return only(u.Format.Sub(x, y, u.Rounding)) }

// MulCodes is the model of Mul.
func (u Units) MulCodes(x, y uint64) uint64 { return only(u.Format.Mul(x, y, u.Rounding)) }

// MaxCodes is the model of Max.
func (u Units) MaxCodes(x, y uint64) uint64 { return only(u.Format.Max(x, y)) }

// DotCodes is the model of an accumulator.
func (u Units) DotCodes(x, y []uint64) uint64 {
	s := float.NewSum(u.Format)
	for i := range x {
		s.AddProduct(x[i], y[i])
	}
	return only(s.Round(u.Rounding))
}

func only(code uint64, _ Flags) uint64 { return code }
