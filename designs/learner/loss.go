package learner

import (
	"etch/designs/learner/model"
	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/pipe"
)

// Loss is a sample's result before the step's update: exact numbers, with
// model.Unit fraction bits more than an activation but for Q.
type Loss struct {
	Q      hw.UInt   // value of the action taken, a code
	Target fixed.Num // reward + discount · value of the next state
	Delta  fixed.Num // Target − Q, not clipped: the TD error
}

// Losses are the losses of DP samples, one a lane, in the cycle in which Valid is high.
type Losses struct {
	Valid  hw.Bit
	Sample hw.UInt // number of the first of them in the batch, over DP
	Lanes  hw.Vec[Loss]
}

// errorOf is the format of targets and TD errors.
func (c common) errorOf() fixed.Num {
	return fixed.Of(fixed.Format{Width: c.Activation.Width + model.Unit + 3, Frac: c.Activation.Frac + model.Unit})
}

func (c common) lossesOf() Losses {
	return Losses{Sample: hw.AddressOf(c.beats()), Lanes: hw.VecOf(c.dp, Loss{c.arithmetic().Code(Activation), c.errorOf(), c.errorOf()})}
}

// outcome is the outcome of a sample, delayed along the pipeline of the last forward stage.
type outcome struct{ reward, discount, weight pipe.Value[hw.UInt] }

// newOutcome is a memory's output at a stage.
func newOutcome(m *hw.Module, stage int, o Outcome) outcome {
	return outcome{pipe.Of(m, "reward", stage, o.Reward), pipe.Of(m, "discount", stage, o.Discount), pipe.Of(m, "weight", stage, o.Weight)}
}

// loss makes, for one lane, the negative gradient of the loss with respect to the value of the action
// taken: the TD error, clipped, times the importance weight.
//
//	stage s    next value, value of the action taken
//	      s+1  discounted value; reward − value
//	      s+2  target, TD error
//	      s+3  clipped
//	      s+4  rounded
//	      s+5  times the importance weight
//	      s+6  rounded
func (c common) loss(m *hw.Module, s int, next, taken hw.UInt, o outcome) (x Loss, gradient hw.UInt, overs []hw.Bit) {
	// Two short sums in place of a long one: reward − value goes beside the product.
	a := c.arithmetic()
	discounted := hw.Delay(m, "discounted", a.Exact(Activation, next).Mul(unit(o.discount.At(s))), 1)
	reward, q := a.Exact(Activation, o.reward.At(s)), a.Exact(Activation, taken)
	apart := hw.Delay(m, "apart", reward.Sub(q), 1)
	exact := c.errorOf().Format()

	// Target and TD error, exact.
	delta := hw.Delay(m, "delta", into(exact, apart.Add(discounted)), 1)
	target := hw.Delay(m, "target", into(exact, a.Exact(Activation, o.reward.At(s+1)).Add(discounted)), 1)
	x = Loss{hw.Delay(m, "q", taken, 2), target, delta}

	// The gradient of the loss: the TD error within its bound, times the importance weight.
	clipped := delta
	if most := c.clip(); most < 1<<(delta.Width()-1) {
		high, low := delta.LitRaw(most), delta.LitRaw(-most)
		clipped = hw.Mux(delta.Gt(high), high, hw.Mux(delta.Lt(low), low, delta))
	}
	clipped = hw.Delay(m, "clipped", clipped, 1)

	rounded, over := a.Round(m, "rounded", Gradient, clipped)
	g := hw.Delay(m, "gradient", rounded, 1)
	weighted := hw.Delay(m, "weighted", a.Exact(Gradient, g).Mul(unit(o.weight.At(s+4))), 1)
	result, overWeighted := a.Round(m, "rounded_weighted", Gradient, weighted)
	overs = []hw.Bit{c.flag(m, "over", over, 3), c.flag(m, "over_weighted", overWeighted, 1)}
	return x, hw.Delay(m, "result", result, 1), overs
}

// learnFrom gives out losses, whose operands were there at a stage of the last forward
// walk, and stores their gradients, of which some may be over.
func (s *stack) learnFrom(w walk, from int, losses Losses, results lanes, overs []hw.Bit) {
	done := func(stage int) hw.Bit {
		return w.summed(stage).And(w.lastOutput(stage)).AndNot(w.acting.At(stage))
	}
	losses.Valid.Set(done(from + 2))
	losses.Sample.Set(w.sample.At(from + 2))

	// The buffer has a single value a lane and sample.
	last := s.last()
	s.gradients[last] = s.newBuffer(s.b.m, "loss_gradients", s.arithmetic().Code(Gradient), s.Gradients[last], s.dp, 1, 1, 1)
	s.count(s.b.m, Gradient, done(from+6), overs...)
	s.gradients[last].write(done(from+6), w.sample.At(from+6), hw.Zeros(1), results)
}
