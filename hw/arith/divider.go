package arith

import (
	"fmt"

	"etch/hw"
	"etch/hw/stream"
)

// Divider divides step by step, one division at a time. It offers the result Latency cycles after it
// has taken the operands, and can take the next operands in the cycle in which the result is taken:
// without back-pressure the initiation interval is Latency too.
type Divider[T Integer] struct {
	Division[T]
	// BitsPerCycle subtractions are chained in each cycle: 1 is radix 2, 2 is radix 4.
	BitsPerCycle int `help:"bits of the quotient made in a cycle" range:"1..2049"`
}

type DividerPorts[T Integer] struct {
	In  stream.Stream[Operands[T]] `dir:"in"`
	Out stream.Stream[Result[T]]   `dir:"out"`
}

func (d Divider[T]) Validate() error {
	if err := d.Division.Validate(); err != nil {
		return err
	}
	return perCycle("BitsPerCycle", d.BitsPerCycle, d.digits())
}

// perCycle checks a number of bits made at a time.
func perCycle(name string, n, most int) error {
	if n < 1 || n > most {
		return fmt.Errorf("%s = %d, want 1 to %d", name, n, most)
	}
	return nil
}

func (d Divider[T]) Ports() DividerPorts[T] {
	return DividerPorts[T]{In: stream.Of(d.OperandsOf()), Out: stream.Of(d.ResultOf())}
}

// steps is the number of cycles that make the digits of the quotient.
func (d Divider[T]) steps() int { return atATime(d.digits(), d.BitsPerCycle) }

// Latency is the number of cycles from operands to result: one takes the
// operands, one ends the remainder, and with signs one more puts them on.
func (d Divider[T]) Latency() int {
	if signed[T]() {
		return d.steps() + 3
	}
	return d.steps() + 2
}

func (d Divider[T]) Build(m *hw.Module, p DividerPorts[T]) {
	// Steps first, then the remainder is restored, then signs are given.
	steps := d.steps()
	c := follow(m, p.In, p.Out, d.Latency())
	x := d.state(m)

	course := m.When(c.taken, func() { x.load(p.In.Data) }).
		ElseWhen(c.within(steps), func() { x.step(d.BitsPerCycle) }).
		ElseWhen(c.at(steps+1), x.settle)
	if signed[T]() {
		course.ElseWhen(c.at(steps+2), x.sign)
	}
	m.When(c.at(1), x.judge)
	hw.Set(p.Out.Data, x.result())
}

// dividing is the state of a division under way.
type dividing[T Integer] struct {
	Division[T]
	steps int     // bits that the steps make: digits, and fillers of the first cycle
	line  hw.UInt // at the top the rest of the numerator, at the bottom the quotient so far
	rest  hw.UInt // the remainder; see [DivideStep]
	by    hw.UInt // the divisor

	negative, flipped hw.Bit // the numerator, the quotient is below 0
	high, over, zero  hw.Bit // the numerator has bits above rest; the flags of the result
}

func (d Divider[T]) state(m *hw.Module) *dividing[T] {
	bits := d.steps() * d.BitsPerCycle
	x := &dividing[T]{
		Division: d.Division, steps: bits,
		line: hw.Reg(m, "line", hw.Unsigned(max(bits, d.QuotientWidth()))),
		rest: hw.Reg(m, "rest", hw.Unsigned(d.Divisor+1)),
		by:   hw.Reg(m, "by", hw.Unsigned(d.Divisor)),
		over: hw.Reg(m, "over", hw.Bit{}), zero: hw.Reg(m, "zero", hw.Bit{}),
		negative: hw.Low, flipped: hw.Low, high: hw.Low,
	}

	// Signs and the overflow of a wide numerator have registers only where they can occur.
	if signed[T]() {
		x.negative, x.flipped = hw.Reg(m, "negative", hw.Bit{}), hw.Reg(m, "flipped", hw.Bit{})
	}
	if d.shifted()-bits > d.Divisor {
		x.high = hw.Reg(m, "high", hw.Bit{})
	}
	return x
}

// load takes the operands' magnitudes. The bits of the numerator for which no step
// is left begin as the remainder.
func (x *dividing[T]) load(in Operands[T]) {
	n, below := magnitude(in.Numerator)
	by, byBelow := magnitude(in.Divisor)
	x.by.Set(by)
	if signed[T]() {
		x.negative.Set(below)
		x.flipped.Set(below.Xor(byBelow))
	}

	// A short numerator leaves nothing above the steps: the remainder begins at zero.
	n = append0(n, x.Fraction)
	if n.Width() <= x.steps {
		x.line.Set(n.Extend(x.line.Width()))
		x.rest.Set(hw.U(0))
		return
	}

	// Else its high bits begin as the remainder, and bits beyond the divisor's width mean that the
	// quotient cannot fit.
	x.line.Set(n.Trunc(x.steps).Extend(x.line.Width()))
	above := n.Range(n.Width()-1, x.steps)
	if above.Width() > x.Divisor {
		x.high.Set(above.Range(above.Width()-1, x.Divisor).Any())
		above = above.Trunc(x.Divisor)
	}

	x.rest.Set(above.Extend(x.Divisor + 1))
}

// judge tells, before the first step, whether the quotient fits: the numerator's bits above the
// steps must be less than the divisor.
func (x *dividing[T]) judge() {
	// The quotient overflows if what lies above its digits is not below the divisor: compare once,
	// before the first step.
	zero := x.by.Any().Not()
	x.zero.Set(zero)
	over := zero.Or(x.high)
	if x.shifted() > x.digits() {
		above := x.rest.Trunc(x.Divisor)
		if x.steps > x.digits() {
			above = hw.Cat(above, x.line.Range(x.steps-1, x.digits()))
		}
		over = over.Or(above.Ge(x.by.Extend(above.Width())))
	}
	x.over.Set(over)
}

// step makes n bits of the quotient.
func (x *dividing[T]) step(n int) {
	// Bits of the numerator leave the line at its top as digits of the quotient enter at the
	// bottom.
	rest := x.rest
	line := []hw.Signal{}
	if x.steps > n {
		line = append(line, x.line.Trunc(x.steps-n))
	}
	for i := range n {
		var digit hw.Bit
		rest, digit = DivideStep(rest, x.line.Bit(x.steps-1-i), x.by)
		line = append(line, digit)
	}
	x.rest.Set(rest)
	x.line.Set(hw.Cat(line...).Extend(x.line.Width()))
}

// settle ends the magnitudes.
func (x *dividing[T]) settle() {
	x.rest.Set(hw.Mux(x.over, hw.U(0), Remainder(x.rest, x.by).Extend(x.Divisor+1)))
	m := x.line.Trunc(x.digits())
	x.line.Set(m.Or(x.over.Rep(m.Width())).Extend(x.line.Width()))
}

// sign puts the signs on.
func (x *dividing[T]) sign() {
	x.rest.Set(negateIf(x.negative, x.rest))
	x.line.Set(negateIf(x.flipped, x.line))
}

func (x *dividing[T]) result() Result[T] {
	return Result[T]{
		Quotient:  read[T](x.line.Trunc(x.QuotientWidth())),
		Remainder: read[T](x.rest.Trunc(x.Divisor)),
		Negative:  x.flipped, Overflow: x.over, ByZero: x.zero,
	}
}
