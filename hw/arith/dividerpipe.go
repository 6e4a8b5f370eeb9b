package arith

import (
	"etch/hw"
	"etch/hw/pipe"
)

// PipelinedDivider takes a division in every cycle and gives its result Latency
// cycles later.
type PipelinedDivider[T Integer] struct {
	Division[T]
	// BitsPerStage subtractions are chained between two registers.
	BitsPerStage int `help:"bits of the quotient made between two registers" range:"1..2049"`
}

type PipelinedDividerPorts[T Integer] struct {
	En       hw.Bit      `dir:"in"` // the pipeline moves; otherwise it stands still
	Valid    hw.Bit      `dir:"in"` // In is a division
	In       Operands[T] `dir:"in"`
	OutValid hw.Bit      `dir:"out"` // Out is a result
	Out      Result[T]   `dir:"out"`
}

func (d PipelinedDivider[T]) Validate() error {
	if err := d.Division.Validate(); err != nil {
		return err
	}
	return perCycle("BitsPerStage", d.BitsPerStage, d.digits())
}

func (d PipelinedDivider[T]) Ports() PipelinedDividerPorts[T] {
	return PipelinedDividerPorts[T]{In: d.OperandsOf(), Out: d.ResultOf()}
}

// first is the stage of the first digits: magnitudes take one of their own.
func (d PipelinedDivider[T]) first() int {
	if signed[T]() {
		return 1
	}
	return 0
}

// end is the stage at which all digits are there.
func (d PipelinedDivider[T]) end() int { return d.first() + atATime(d.digits(), d.BitsPerStage) }

// Latency is the number of cycles from operands to result: the stages of the
// digits, one that ends the remainder, and with signs one to take them off and one
// to put them on.
func (d PipelinedDivider[T]) Latency() int { return d.end() + 1 + d.first() }

func (d PipelinedDivider[T]) Build(m *hw.Module, p PipelinedDividerPorts[T]) {
	run := m.Enabled(p.En)

	// Unsigned digits over the magnitudes, BitsPerStage in a stage.
	n, below := magnitude(p.In.Numerator)
	by, byBelow := magnitude(p.In.Divisor)
	x := &dividingPipe[T]{PipelinedDivider: d, run: run, by: pipe.Of(run, "by", 0, by)}
	x.split(pipe.Of(run, "numerator", 0, n))
	for stage, left := d.first(), d.digits(); left > 0; stage, left = stage+1, left-d.BitsPerStage {
		x.digits(stage, min(left, d.BitsPerStage))
	}

	x.settle()

	out := d.Latency()
	p.OutValid.Set(pipe.Of(run, "valid", 0, p.Valid, hw.Low).At(out))
	run.Assert(p.OutValid.Eq(hw.Past(run, p.Valid, out)), "a result without its operands, or operands without a result")
	p.Out.Overflow.Set(x.over.At(out))
	p.Out.ByZero.Set(x.zero.At(out))

	// Without signs the results are the digits themselves.
	if !signed[T]() {
		hw.Set(p.Out.Remainder, read[T](x.rest.At(out)))
		hw.Set(p.Out.Quotient, read[T](x.quotient.value.At(out)))
		p.Out.Negative.Set(hw.Low)
		return
	}

	// With signs: the remainder has the numerator's, the quotient is negative if they differ.
	// Negating takes a stage of its own.
	negative := pipe.Of(run, "negative", 0, below)
	flipped := pipe.Of(run, "flipped", 0, below.Xor(byBelow))
	remainder := pipe.Of(run, "remainder_signed", out-1, negateIf(negative.At(out-1), x.rest.At(out-1)))
	quotient := x.quotient.value.At(out - 1).Extend(d.QuotientWidth())
	quotient = pipe.Of(run, "quotient_signed", out-1, negateIf(flipped.At(out-1), quotient)).At(out)
	hw.Set(p.Out.Remainder, read[T](remainder.At(out)))
	hw.Set(p.Out.Quotient, read[T](quotient))
	p.Out.Negative.Set(flipped.At(out))
}

// dividingPipe is the magnitudes in the pipeline.
type dividingPipe[T Integer] struct {
	PipelinedDivider[T]
	run        *hw.Module
	by         pipe.Value[hw.UInt]
	line       *tape // the rest of the numerator
	rest       pipe.Value[hw.UInt]
	quotient   number
	over, zero pipe.Value[hw.Bit]
}

// split parts the numerator into the first remainder and the source of the digits, and tells
// whether the quotient fits.
func (x *dividingPipe[T]) split(numerator pipe.Value[hw.UInt]) {
	// Without bits above the digits nothing can overflow but a division by 0.
	at := x.first()
	n, by := numerator.At(at), x.by.At(at)
	rest := hw.Wire(x.run, "rest_start", hw.Unsigned(x.Divisor+1), hw.U(0))
	x.zero = pipe.Of(x.run, "by_zero", at, by.Any().Not())
	x.over = x.zero
	above := x.shifted() - x.Division.digits()
	if above > 0 {
		long := append0(n, x.Fraction)
		start := long.Range(x.shifted()-1, x.Division.digits())
		w := max(above, x.Divisor) + 1
		x.over = pipe.Of(x.run, "over", at, start.Extend(w).Ge(by.Extend(w)))
		rest.Set(start.Extend(w).Trunc(x.Divisor + 1))
	}

	// The rest of the numerator goes down a tape, a bit for each digit.
	x.rest = pipe.Of(x.run, "rest", at, rest)
	x.line = newTape(x.run, "line", at, n, x.Numerator-above)
	x.quotient = number{m: x.run, name: "quotient"}
}

// digits makes n digits of the quotient in a stage.
func (x *dividingPipe[T]) digits(stage, n int) {
	rest, by := x.rest.At(stage), x.by.At(stage)
	digits := make([]hw.Bit, n)
	for i, next := range x.line.take(stage, n) {
		rest, digits[i] = DivideStep(rest, next, by)
	}
	x.rest = pipe.Of(x.run, "rest", stage, rest)
	x.quotient.put(stage, digits)
}

// settle ends the magnitudes.
func (x *dividingPipe[T]) settle() {
	at := x.end()
	over := x.over.At(at)
	x.rest = pipe.Of(x.run, "remainder", at, hw.Mux(over, hw.U(0), Remainder(x.rest.At(at), x.by.At(at))))
	q := x.quotient.value.At(at)
	x.quotient.value = pipe.Of(x.run, "magnitude", at, q.Or(over.Rep(q.Width())))
}
