package gae

import (
	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/stream"
)

// Welford is the running mean and sum of squared differences, updated number by
// number as the paper's equations have it; see [model.Welford]. Its loop holds a
// division, so it takes a number every Interval cycles, where [Statistics] takes
// one every cycle and is exact.
type Welford struct {
	Frac int `help:"fraction bits of the mean" range:"16..40"`
}

type WelfordPorts struct {
	In    stream.Stream[hw.SInt] `dir:"in"` // S15.16
	Count hw.UInt                `dir:"out"`
	Mean  hw.SInt                `dir:"out"` // Frac fraction bits
	Sum   hw.SInt                `dir:"out"` // of squared differences, Frac fraction bits
}

func (w Welford) Ports() WelfordPorts {
	return WelfordPorts{
		In:    stream.Of(hw.Signed(model.Input.Width)),
		Count: hw.Unsigned(countBits),
		Mean:  hw.Signed(w.meanBits()),
		Sum:   hw.Signed(w.sumBits()),
	}
}

func (w Welford) meanBits() int { return 16 + w.Frac }
func (w Welford) sumBits() int  { return w.Frac + 2*17 + countBits }

// division is that of a difference, with its sign, by a count.
func (w Welford) division() arith.Division[hw.SInt] {
	return arith.Division[hw.SInt]{Numerator: w.meanBits() + 1, Divisor: countBits + 1}
}

type welfordPhase string

const (
	awaiting    welfordPhase = "awaiting"
	subtracting welfordPhase = "subtracting"
	dividing    welfordPhase = "dividing"
	multiplying welfordPhase = "multiplying"
	adding      welfordPhase = "adding"
)

// productCycles is the time that the multiplier has, in registers.
const productCycles = 3

// Interval is the number of cycles from one number to the next.
func (w Welford) Interval() int { return w.division().Iterative(1).Latency() + productCycles + 4 }

func (w Welford) Build(m *hw.Module, p WelfordPorts) {
	state := hw.Reg(m, "state", hw.EnumOf(awaiting, subtracting, dividing, multiplying, adding), hw.Val(awaiting))
	count := hw.Reg(m, "n", hw.Unsigned(countBits), hw.U(0))
	mean := hw.Reg(m, "m", hw.Signed(w.meanBits()), hw.S(0))
	sum := hw.Reg(m, "s", hw.Signed(w.sumBits()), hw.S(0))
	x := hw.Reg(m, "x", hw.Signed(w.meanBits()))
	before := hw.Reg(m, "before", hw.Signed(w.meanBits()+1))
	wait := hw.Reg(m, "wait", hw.UpTo(productCycles), hw.U(0))

	// S' = S + (x − M)·(x − M'): before is the first factor; after follows the mean and is right
	// once the mean has moved.
	after := hw.Delay(m, "after", x.SubGrow(mean), 1)
	product := hw.Delay(m, "product", hw.Delay(m, "factor", before, 1).Mul(after), productCycles-1)

	divider := hw.Inst(m, "divider", w.division().Iterative(1))
	divider.In.Send(state.Is(subtracting), arith.Operands[hw.SInt]{Numerator: before, Divisor: count.Extend(countBits + 1).AsSigned()})
	divider.Out.Ready.Set(state.Is(dividing))
	hw.Unused(m, divider.Out.Data.Remainder)
	hw.Unused(m, divider.Out.Data.Negative, divider.Out.Data.Overflow, divider.Out.Data.ByZero)
	p.In.Ready.Set(state.Is(awaiting))

	// One division a number decides the rate; the states follow the paper's equations in order.
	for s := range state.Cases() {
		switch s {
		case awaiting:
			in := p.In.Data.AsUnsigned().PadLow(w.Frac).AsSigned().Shr(16).Trunc(w.meanBits())
			x.Set(in)
			before.Set(in.SubGrow(mean))
			m.When(p.In.Fire(), func() {
				count.Set(count.Inc())
				state.Goto(subtracting)
			})
		case subtracting:
			state.GotoIf(divider.In.Fire(), dividing)
		case dividing:
			wait.Set(hw.U(productCycles))
			m.When(divider.Out.Fire(), func() {
				mean.Set(mean.Add(divider.Out.Data.Quotient.Trunc(w.meanBits())))
				state.Goto(multiplying)
			})
		case multiplying:
			wait.Set(wait.Dec())
			state.GotoIf(wait.Is(0), adding)
		case adding:
			sum.Set(sum.Add(product.Shr(w.Frac).Trunc(min(product.Width(), w.sumBits())).Extend(w.sumBits())))
			state.Goto(awaiting)
		}
	}

	p.Count.Set(count)
	p.Mean.Set(mean)
	p.Sum.Set(sum)

	m.Assert(state.Is(adding).Implies(hw.Past(m, state.Is(multiplying), productCycles)), "the product did not have its cycles")
	m.Assert(hw.Changed(m, count).Implies(hw.Past(m, p.In.Fire())), "%d numbers, and none came", count)
	m.Assert(hw.Changed(m, sum).Implies(hw.Past(m, state.Is(adding))), "the sum moved before its product was there")
}
