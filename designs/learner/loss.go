package learner

import (
	"etch/designs/learner/model"
	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/pipe"
)

// Loss is what a sample gave before the step's update: exact numbers, with
// model.Unit fraction bits more than an activation but for Q.
type Loss struct {
	Q      hw.UInt   // value of the action taken, a code
	Target fixed.Num // reward + discount · value of what comes next
	Delta  fixed.Num // Target − Q, not clipped: the TD error
}

// Losses are those of the samples side by side.
type Losses struct {
	Valid  hw.Bit
	Sample hw.UInt // number of the first of them in the batch, over DP
	Lanes  hw.Vec[Loss]
}

// errorOf is the format of targets and TD errors.
func (c Config) errorOf() fixed.Num {
	return fixed.Of(fixed.Format{Width: c.Activation.Width + model.Unit + 3, Frac: c.Activation.Frac + model.Unit})
}

func (c Config) lossesOf() Losses {
	return Losses{Sample: hw.AddressOf(c.beats()), Lanes: hw.VecOf(c.DP, Loss{c.arithmetic().Code(Activation), c.errorOf(), c.errorOf()})}
}

// candidate is an action that may be the best.
type candidate struct {
	Key    hw.UInt // compared: the value of the network that picks
	Value  hw.UInt // of the target network
	Action hw.UInt
}

// choice is the best action.
type choice struct{ Value, Action hw.UInt }

// better is the candidate with the greater key; of equal ones the first.
func (c Config) better(x, y candidate) candidate {
	return hw.Mux(c.arithmetic().Less(Activation, x.Key, y.Key), y, x)
}

// values are the last layers' outputs: a tile of each lane at stage 6 of the last
// forward stage.
type values struct{ now, next, chosen lanes }

// best finds the best of all actions, tile by tile; it is there at stage 8. While the
// learner acts, that is the best of the online network for the observation.
func (c Config) best(m *hw.Module, w walk, now, next, chosen word) choice {
	var tile []candidate
	b, shape := c.tile(c.last()).Out, hw.AddressOf(c.actions())
	base := hw.Zeros(shape.Width())
	if n := c.outputTiles(c.last()); n > 1 {
		bases := map[int]hw.UInt{}
		for i := range n {
			bases[i] = shape.Lit(i * b)
		}
		base = hw.Delay(m, "base", hw.Choose(w.output.At(5), shape.Lit(0), bases), 1)
	}
	for o := range b {
		key := next[o]
		if c.Double {
			key = chosen[o]
		}
		tile = append(tile, candidate{hw.Mux(w.acting.At(6), now[o], key), next[o], base.Add(shape.Lit(o))})
	}
	winner := hw.Reduce(tile, c.better)
	found := hw.Delay(m, "tile", choice{winner.Value, winner.Action}, 1)

	// Of several tiles, the first one and those with a greater key.
	take := w.summed(7)
	if c.outputTiles(c.last()) > 1 {
		key := hw.Delay(m, "tile_key", winner.Key, 1)
		greatest := hw.Reg(m, "best_key", hw.Like(key))
		take = take.And(w.output.At(7).Is(0).Or(c.arithmetic().Less(Activation, greatest, key)))
		greatest.SetIf(take, key)
	}
	best := hw.Reg(m, "best", hw.Like(found))
	hw.SetIf(best, take, found)
	return best
}

// taken finds the value of the action taken among tiles of values; it is there at
// stage 8. hot is at stage 6.
func (c Config) taken(m *hw.Module, w walk, now word, hot hw.Vec[hw.Bit]) hw.UInt {
	tile := hw.Delay(m, "taken_tile", hw.OneHotMux(hw.FromBits(hot...), now), 1)
	taken := hw.Reg(m, "taken", hw.Like(tile))
	taken.SetIf(w.summed(7), tile.Or(hw.Gate(w.output.At(7).Any(), taken)))
	return taken
}

// outcome is that of a sample, along the pipeline of the last forward stage.
type outcome struct{ reward, discount, weight pipe.Value[hw.UInt] }

// loss makes the gradient of the loss by the value of the action taken, of one lane.
//
//	stage 8   best next value, value of the action taken
//	      9   discounted value; reward − value
//	      10  target, TD error
//	      11  clipped
//	      12  rounded
//	      13  times the importance weight
//	      14  rounded
func (c Config) loss(m *hw.Module, best, taken hw.UInt, o outcome) (x Loss, gradient hw.UInt) {
	a := c.arithmetic()
	discounted := hw.Delay(m, "discounted", a.Exact(Activation, best).Mul(unit(o.discount.At(8))), 1)
	reward, q := a.Exact(Activation, o.reward.At(8)), a.Exact(Activation, taken)
	apart := hw.Delay(m, "apart", reward.Sub(q), 1)
	exact := c.errorOf().Format()

	delta := hw.Delay(m, "delta", into(exact, apart.Add(discounted)), 1)
	target := hw.Delay(m, "target", into(exact, a.Exact(Activation, o.reward.At(9)).Add(discounted)), 1)
	x = Loss{hw.Delay(m, "q", taken, 2), target, delta}

	clipped := delta
	if most := c.clip(); most < 1<<(delta.Width()-1) {
		high, low := delta.LitRaw(most), delta.LitRaw(-most)
		clipped = hw.Mux(delta.Gt(high), high, hw.Mux(delta.Lt(low), low, delta))
	}
	clipped = hw.Delay(m, "clipped", clipped, 1)
	g := hw.Delay(m, "gradient", a.Round(Gradient, clipped), 1)
	weighted := hw.Delay(m, "weighted", a.Exact(Gradient, g).Mul(unit(o.weight.At(12))), 1)
	return x, hw.Delay(m, "result", a.Round(Gradient, weighted), 1)
}
