package gae

import (
	"etch/designs/gae/model"
	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/pipe"
)

// Statistics measures rewards and values, one step a cycle, and turns the exact sums into the
// settings that standardise and restore them; see [model.Statistics] and [model.System.Settle].
type Statistics struct{ model.System }

type StatisticsPorts struct {
	Valid         hw.Bit  `dir:"in"` // Reward and Value are a step
	Reward, Value hw.SInt `dir:"in"` // of the step, S15.16
	Clear         hw.Bit  `dir:"in"` // forget everything
	Settle        hw.Bit  `dir:"in"`
	Shift         hw.UInt `dir:"in"`  // of data
	Settled       hw.Bit  `dir:"out"` // the last Settle is finished
	SetReward     hw.Bit  `dir:"out"` // Out has the settings for rewards
	SetValue      hw.Bit  `dir:"out"` // Out has the settings for values
	Out           Settled `dir:"out"`
	Count         hw.UInt `dir:"out"` // rewards measured since Clear or, by block, since Settle
}

// Settled holds the settings that the statistics of a quantity give; see [model.Settled].
type Settled struct {
	Norm          Norm
	Scale, Offset fixed.Num
}

func (s Statistics) Ports() StatisticsPorts {
	x, data := hw.Signed(model.Input.Width), fixed.Of(s.Format())
	return StatisticsPorts{
		Reward: x,
		Value:  x,
		Shift:  hw.Unsigned(stepBits),
		Out:    Settled{normOf(), data, data},
		Count:  hw.Unsigned(countBits),
	}
}

// The widths of the sums: enough for 2^32 numbers of 32 bits.
const (
	countBits   = 32
	sumBits     = 64
	squaresBits = 96
	productBits = 128
)

// The widths of a deviation and of its square.
const (
	deviationBits = 16 + model.DeviationFrac
	varianceBits  = 2*deviationBits - 1
)

// settlePhase is the step of the computation, for one quantity after the other.
type settlePhase string

const (
	resting    settlePhase = "resting"
	flushing   settlePhase = "flushing"    // the last steps reach the sums
	choose     settlePhase = "choose"      // whether there is anything
	mean       settlePhase = "mean"        // Σx / n
	meanSquare settlePhase = "mean_square" // n · Σx²
	squareMean settlePhase = "square_mean" // (Σx)²
	squareN    settlePhase = "square_n"    // n²
	variance   settlePhase = "variance"    // (n · Σx² − (Σx)²) / n²
	deviation  settlePhase = "deviation"   // its root
	inverse    settlePhase = "inverse"     // its reciprocal
	storing    settlePhase = "storing"
)

// sums are of one quantity.
type sums struct {
	n       hw.UInt
	sum     hw.SInt
	squares hw.UInt
}

// sums adds a quantity up.
func (s Statistics) sums(m *hw.Module, name string, valid hw.Bit, x hw.SInt, clear hw.Bit) sums {
	m = m.Scope(name)

	// A square takes statisticsDepth cycles; count and sum wait for it, so that the three always
	// agree.
	there := pipe.Of(m, "there", 0, valid, hw.Low)
	in := pipe.Of(m, "x", 0, x)
	square := squared(m, in.At(1))
	t := sums{
		n:       hw.Reg(m, "n", hw.Unsigned(countBits), hw.U(0)),
		sum:     hw.Reg(m, "sum", hw.Signed(sumBits), hw.S(0)),
		squares: hw.Reg(m, "squares", hw.Unsigned(squaresBits), hw.U(0)),
	}

	m.When(clear, func() {
		t.n.Set(hw.U(0))
		t.sum.Set(hw.S(0))
		t.squares.Set(hw.U(0))
	}).ElseWhen(there.At(statisticsDepth), func() {
		t.n.Set(t.n.Inc())
		t.sum.Set(t.sum.Add(in.At(statisticsDepth).Extend(sumBits)))
		t.squares.Set(t.squares.Add(square.At(statisticsDepth).Extend(squaresBits)))
	})
	return t
}

// squared is x² of an x that is there at stage 1, from stage 2 on: x is h·2^16 + l, and
// three products of 17 bits and less have a register each before the only addition,
// since h²·2^32 and l² lie side by side.
func squared(m *hw.Module, x hw.SInt) pipe.Value[hw.UInt] {
	half := model.Input.Width / 2
	high, low := x.Shr(half).Trunc(half), x.Range(half-1, 0)
	hh := pipe.Of(m, "high_square", 1, high.Mul(high).AsUnsigned())
	ll := pipe.Of(m, "low_square", 1, low.Mul(low))
	hl := pipe.Of(m, "cross", 1, high.Mul(low.Extend(half+1).AsSigned()))
	twice := hl.At(2).PadLow(half + 1).Extend(2 * model.Input.Width).AsUnsigned()
	return pipe.Of(m, "square", 2, hw.Cat(hh.At(2), ll.At(2)).Add(twice))
}

// statisticsDepth is the number of registers before the sums.
const statisticsDepth = 3

// quantities are the sums of rewards and of values; x are the sums of the quantity that is
// being settled. A quantity that is not standardised has no sums.
func (s Statistics) quantities(m *hw.Module, p StatisticsPorts, stored, second hw.Bit) (x sums) {
	reward := sums{n: hw.Zeros(countBits), sum: hw.S(0).Extend(sumBits), squares: hw.Zeros(squaresBits)}
	value := reward

	// Rewards by block begin anew with each settlement, dynamic ones go on.
	if s.Rewards != model.Raw {
		clear := p.Clear
		if s.Rewards == model.Block {
			clear = clear.Or(stored.AndNot(second))
		}
		reward = s.sums(m, "reward", p.Valid, p.Reward, clear)
		p.Count.Set(reward.n)
	}

	if s.CodeBits != 0 {
		value = s.sums(m, "value", p.Valid, p.Value, p.Clear.Or(stored.And(second)))
		if s.Rewards == model.Raw {
			p.Count.Set(value.n)
		}
	}

	// With one quantity no multiplexer is needed.
	switch {
	case s.Rewards == model.Raw:
		return value
	case s.CodeBits == 0:
		return reward
	}
	return sums{hw.Mux(second, value.n, reward.n), hw.Mux(second, value.sum, reward.sum), hw.Mux(second, value.squares, reward.squares)}
}

func (s Statistics) Build(m *hw.Module, p StatisticsPorts) {
	state := hw.Reg(m, "state", hw.EnumOf(resting, flushing, choose, mean, meanSquare, squareMean, squareN, variance, deviation, inverse, storing), hw.Val(resting))
	second := hw.Reg(m, "second", hw.Bit{}, hw.Low) // of the two quantities
	x := s.quantities(m, p, state.Is(storing), second)
	one, two := s.Rewards != model.Raw, s.CodeBits != 0

	c := newCalculator(m)
	flush := hw.Reg(m, "flush", hw.UpTo(statisticsDepth), hw.U(0))
	centre := hw.Reg(m, "centre", hw.Signed(model.Input.Width))
	total := hw.Reg(m, "total", hw.Unsigned(productBits))   // n · Σx², then less (Σx)²
	square := hw.Reg(m, "square", hw.Unsigned(2*countBits)) // n²
	spread := hw.Reg(m, "spread", hw.Unsigned(varianceBits))
	sigma := hw.Reg(m, "sigma", hw.Unsigned(deviationBits))
	reciprocal := hw.Reg(m, "reciprocal", hw.Unsigned(model.MantissaBits+2))
	length := sigma.BitLen().Named("sigma_length")
	p.Settled.Set(state.Is(resting))

	// One quantity after the other: mean, variance n·Σx² − (Σx)² over n², its root, and the
	// reciprocal of that. Each state waits for the calculator.
	for now := range state.Cases() {
		switch now {
		case resting:
			second.Set(hw.B(!one))
			flush.Set(hw.U(statisticsDepth))
			state.GotoIf(p.Settle, flushing)
		case flushing:
			flush.Set(flush.Dec())
			state.GotoIf(flush.Is(0), choose)
		case choose:
			state.GotoIf(x.n.Any(), mean).
				Else(func() { s.next(m, state, second, one && two) })
		case mean: // floor((2·(Σx + n·2³¹) + n) / 2n) − 2³¹
			positive := x.sum.AsUnsigned().Add(x.n.Extend(sumBits).Shl(31))
			twice := positive.PadLow(1).Add(x.n.Extend(sumBits + 1))
			c.divide(twice, x.n.PadLow(1), func(q hw.UInt) {
				centre.Set(q.Trunc(model.Input.Width).Xor(hw.U(1 << 31)).AsSigned())
				state.Goto(meanSquare)
			})
		case meanSquare:
			c.multiply(x.squares, x.n, func(y hw.UInt) {
				total.Set(y)
				state.Goto(squareMean)
			})
		case squareMean:
			c.multiply(x.sum.Abs(), x.sum.Abs(), func(y hw.UInt) {
				total.Set(total.Sub(y))
				state.Goto(squareN)
			})
		case squareN:
			c.multiply(x.n, x.n, func(y hw.UInt) {
				square.Set(y.Trunc(square.Width()))
				state.Goto(variance)
			})
		case variance:
			c.divide(total.PadLow(2*(model.DeviationFrac-model.Input.Frac)), square, func(q hw.UInt) {
				spread.Set(q)
				state.Goto(deviation)
			})
		case deviation:
			c.squareRoot(spread, func(r hw.UInt) {
				sigma.Set(hw.Mux(r.Lt(r.Lit(model.LeastDeviation)), r.Lit(model.LeastDeviation), r))
				state.Goto(inverse)
			})
		case inverse: // 2^(length + 17) / σ, rounded where it is stored
			c.divide(hw.U(1<<model.MantissaBits).Extend(deviationBits+model.MantissaBits+2).ShlBy(length), sigma, func(q hw.UInt) {
				reciprocal.Set(q.Trunc(reciprocal.Width()))
				state.Goto(storing)
			})
		case storing:
			s.next(m, state, second, one && two)
		}
	}

	p.SetReward.Set(state.Is(storing).AndNot(second))
	p.SetValue.Set(state.Is(storing).And(second))
	s.settle(p, centre, sigma, length, reciprocal)

	m.Assert(state.Is(inverse, storing).Implies(sigma.Ge(sigma.Lit(model.LeastDeviation))), "the deviation %d is less than the least", sigma)
	m.Assert(state.Is(mean, meanSquare, squareMean, squareN, variance, deviation, inverse).Or(c.asked.Not()), "a calculation that nobody waits for")
}

// next goes on to the second quantity, if there are two, or ends.
func (s Statistics) next(m *hw.Module, state hw.Enum[settlePhase], second hw.Bit, two bool) {
	state.Goto(resting)
	if two {
		m.When(second.Not(), func() {
			second.Set(hw.High)
			state.Goto(choose)
		})
	}
}

// settle turns mean, deviation and its reciprocal into settings.
func (s Statistics) settle(p StatisticsPorts, centre hw.SInt, sigma, length, reciprocal hw.UInt) {
	// The reciprocal has one bit more than its mantissa: round it, and take a power of two as a
	// mantissa of half with the shift one less.
	data := fixed.Of(s.Format())
	rounded := reciprocal.Inc().Shr(1)
	whole := rounded.Bit(model.MantissaBits) // 2^17: the deviation is a power of two
	offset := model.Input.Frac - s.StandardFrac() - 8
	shift := length.Extend(7).AsSigned().Add(hw.S(offset).Extend(7)).AsUnsigned().Trunc(6)

	p.Out.Norm.Mean.Set(centre)
	p.Out.Norm.Mantissa.Set(hw.Mux(whole, hw.U(1<<(model.MantissaBits-1)).Extend(model.MantissaBits), rounded.Trunc(model.MantissaBits)))
	p.Out.Norm.Shift.Set(hw.Mux(whole, shift.Dec(), shift))

	spread := fixed.FromInt(sigma.Extend(deviationBits + 1).AsSigned()).Scale(-model.DeviationFrac - s.StandardFrac())
	p.Out.Scale.Set(shifted(spread.Fit(data, fixed.HalfUp, fixed.Saturate), p.Shift))
	p.Out.Offset.Set(shifted(fixed.FromInt(centre).Scale(-model.Input.Frac), p.Shift).Fit(data, fixed.Floor, fixed.Saturate))
}

// shifted is x with its raw value shifted right.
func shifted(x fixed.Num, by hw.UInt) fixed.Num {
	return fixed.FromInt(x.Raw.ShrBy(by)).Scale(-x.Frac())
}
