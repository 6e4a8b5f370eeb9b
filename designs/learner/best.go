package learner

import "etch/hw"

// valuation is DQN's result from the last layers' outputs: a tile of each lane at stage 6
// of the last forward stage.
type valuation struct {
	Config
	x      *stack
	w      walk
	values streams
}

// kept leaves the values of all actions when the learner has acted.
func (v valuation) kept(values word) {
	// A register a value: tiles come one after the other, and the answer is all of them.
	m, tile := v.x.b.m, v.x.tile(v.x.last()).Out
	kept := hw.Reg(m, "values_kept", hw.Like(values))
	for i := range kept {
		there := v.w.summed(6).And(v.w.acting.At(6)).And(v.w.output.At(6).Is(i / tile))
		kept[i].SetIf(there, v.values.now[0][i%tile])
		values[i].Set(kept[i])
	}
}

// losses makes the loss and its gradient, and the best action.
func (v valuation) losses(actions samples[hw.UInt], losses Losses, answer hw.UInt) {
	// The memories of the batch are read at stage 4, in time for the loss behind the last tile.
	b, w := v.x.b, v.w
	m := b.m.Scope("loss")
	outcomes := b.outcomes.read("loss", w.sample.At(4))
	action := hw.Delay(m, "action", actions.read("loss", w.sample.At(4)), 1)

	var results lanes
	var overs []hw.Bit
	for n := range v.DP {
		// Double DQN picks by the online network's values of the next state.
		lane := m.Scope("lane", n)
		now, next, key := v.values.now[n], v.values.next[n], v.values.next[n]
		if v.Double {
			key = v.values.other[n]
			if len(v.values.now[n]) == 1 && v.x.outputs() == 1 {
				hw.Unused(lane, key...) // there is nothing to choose
			}
		}

		best := v.best(lane, now, next, key)
		taken := v.taken(lane, now, v.x.hot(action[n], w.output.At(6)))
		loss, gradient, over := b.loss(lane, 8, best.Value, taken, newOutcome(lane, 5, outcomes[n]))
		hw.Set(losses.Lanes[n], loss)
		results, overs = append(results, word{gradient}), append(overs, over...)

		// Acting uses the first lane alone.
		if n == 0 {
			answer.Set(best.Action)
		} else {
			hw.Unused(lane, best.Action)
		}
	}
	v.x.learnFrom(w, 8, losses, results, overs)
}

// candidate is an action that may be the best.
type candidate struct {
	Key    hw.UInt // compared: the value of the network that picks
	Value  hw.UInt // of the target network
	Action hw.UInt
}

// choice is the best action.
type choice struct{ Value, Action hw.UInt }

// best finds the best action, tile by tile. key is the values of the network that picks; while the
// learner acts, that is the online network with the observation. The result is there at stage 8.
func (v valuation) best(m *hw.Module, now, next, key word) choice {
	// The number of a tile's first action, a cycle before it is added.
	x, w, a := v.x, v.w, v.x.arithmetic()
	shape, tiles := hw.AddressOf(x.outputs()), x.outputTiles(x.last())
	base := hw.Zeros(shape.Width())
	if tiles > 1 {
		bases := map[int]hw.UInt{}
		for i := range tiles {
			bases[i] = shape.Lit(i * len(next))
		}
		base = hw.Delay(m, "base", hw.Choose(w.output.At(5), shape.Lit(0), bases), 1)
	}

	// Of a tile: the greatest key, of equal ones the first. Outputs past the end of the layer do not
	// take part.
	var winner candidate
	for o := range next {
		c := candidate{hw.Mux(w.acting.At(6), now[o], key[o]), next[o], base.Add(shape.Lit(o % (1 << shape.Width())))}
		if o == 0 {
			winner = c
			continue
		}
		better := a.Less(Activation, winner.Key, c.Key)
		if rest := x.outputs() % len(next); rest > 0 && o >= rest {
			better = better.AndNot(w.lastOutput(6))
		}
		winner = hw.Mux(better, c, winner)
	}
	found := hw.Delay(m, "tile", choice{winner.Value, winner.Action}, 1)

	// Of several tiles, the first, then each with a greater key.
	take := w.summed(7)
	if tiles > 1 {
		key := hw.Delay(m, "tile_key", winner.Key, 1)
		greatest := hw.Reg(m, "best_key", hw.Like(key))
		take = take.And(w.output.At(7).Is(0).Or(a.Less(Activation, greatest, key)))
		greatest.SetIf(take, key)
	}
	best := hw.Reg(m, "best", hw.Like(found))
	hw.SetIf(best, take, found)
	return best
}

// taken finds the value of the action taken among tiles of values; it is there at
// stage 8. hot is at stage 6.
func (v valuation) taken(m *hw.Module, now word, hot hw.Vec[hw.Bit]) hw.UInt {
	// At most one tile has the action. Its value, or 0 from the others, is added to the tiles
	// before.
	tile := hw.Delay(m, "taken_tile", hw.OneHotMux(hw.FromBits(hot...), now), 1)
	taken := hw.Reg(m, "taken", hw.Like(tile))
	taken.SetIf(v.w.summed(7), tile.Or(hw.Gate(v.w.output.At(7).Any(), taken)))
	return taken
}

// hot says which output of a tile of the last layer an action is.
func (t tiling) hot(action, output hw.UInt) hw.Vec[hw.Bit] {
	// Outputs past the end of the layer are no action.
	tile := t.tile(t.last()).Out
	var tiles hw.Vec[hw.Vec[hw.Bit]]
	for i := range t.outputTiles(t.last()) * tile {
		if i%tile == 0 {
			tiles = append(tiles, nil)
		}
		is := hw.Low
		if i < t.outputs() {
			is = action.Is(i)
		}
		tiles[i/tile] = append(tiles[i/tile], is)
	}

	if len(tiles) == 1 {
		return tiles[0]
	}
	return tiles.At(output)
}
