package learner

import (
	"etch/designs/learner/model"
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/fixed"
)

// actions are the outputs of an actor.
type actions struct {
	values lanes // a tile of them, at stage 11 of its last walk
	kept   *buffer
	count  int
	padded int // a whole number of tiles
}

// act makes actions of an actor's last sums and stores them.
func (s *stack) act(m *hw.Module, w walk, sums lanes, slots int) actions {
	x := actions{count: s.outputs(), padded: s.outputTiles(s.last()) * s.tile(s.last()).Out}
	for n, v := range sums {
		lane := m.Scope("lane", n)
		var tile word
		for o, z := range v {
			tile = append(tile, s.tanh(lane.Scope("tanh", o), z))
		}
		x.values = append(x.values, tile)
	}
	x.kept = s.newBuffer(m, "actions", s.arithmetic().Code(Activation), slots, s.dp, x.count, s.tile(s.last()).Out, x.padded)
	x.kept.write(w.summed(11), w.sample.At(11), w.output.At(11), x.values)
	return x
}

// read is all actions of a sample, a cycle later.
func (x actions) read(valid hw.Bit, sample hw.UInt, name string) (all lanes) {
	for _, v := range x.kept.read(name, valid, sample, hw.Zeros(1)) {
		all = append(all, v[:x.count])
	}
	return all
}

// acted leaves the actions when the learner has acted.
func (s *stack) acted(w walk, tile lanes, values word) {
	kept := hw.Reg(s.b.m, "values_kept", hw.Like(values))
	for i := range kept {
		there := w.summed(11).And(w.acting.At(11)).And(w.output.At(11).Is(i / len(tile[0])))
		kept[i].SetIf(there, tile[0][i%len(tile[0])])
		values[i].Set(kept[i])
	}
}

// tanh is [model.Tanh], linear pieces of a table. z is there at stage 6.
//
//	stage 7   absolute value
//	      8   piece
//	      9   slope times the way into the piece
//	      10  rounded
//	      11  with the sign
func (c common) tanh(m *hw.Module, z hw.UInt) hw.UInt {
	const table, within = model.TanhBits, model.TanhBits + 2 - 6 // fraction bits: of the table, and within a piece
	a := c.arithmetic()
	exact := a.Exact(Activation, z)
	absolute := hw.Delay(m, "absolute", hw.Mux(exact.IsNeg(), exact.Minus(), into(grown(exact), exact)), 1)
	negative := hw.Delay(m, "negative", exact.IsNeg(), 4)

	// Beyond 4 it is 1. What lies below the table's bits is dropped.
	aligned := absolute.Fit(fixed.Of(fixed.Format{Width: max(absolute.Width()-absolute.Frac(), 4) + table, Frac: table}), fixed.Floor, fixed.Wrap)
	bits := aligned.Raw.AsUnsigned()
	beyond := hw.Delay(m, "beyond", bits.Range(bits.Width()-1, table+2).Any(), 2)
	way := hw.Delay(m, "way", bits.Trunc(within), 1)
	piece := bits.Range(table+1, within)
	bases, slopes := model.TanhPieces()
	base, slope := hw.Vec[hw.UInt]{}, hw.Vec[hw.UInt]{}
	for i := range bases {
		base = append(base, hw.Unsigned(table+1).Lit(int(bases[i])))
		slope = append(slope, hw.Unsigned(within+1).Lit(int(slopes[i])))
	}
	from := hw.Delay(m, "base", base.At(piece), 2)
	step := hw.Delay(m, "step", hw.Delay(m, "slope", slope.At(piece), 1).Mul(way), 1)

	// Rounded as a magnitude, then signed, as the model does.
	y := from.Add(arith.Resize(step.Range(step.Width()-1, within), table+1))
	magnitude := hw.Mux(beyond, y.Lit(1<<table), y)
	code, _ := a.Round(m, "rounding", Activation, fixed.FromBits(magnitude.Extend(table+2), table)) // at most 1
	rounded := a.Exact(Activation, hw.Delay(m, "rounded", code, 1))
	signed := hw.Mux(negative, rounded.Minus(), into(grown(rounded), rounded))
	result, _ := a.Round(m, "rounding_signed", Activation, signed)
	return hw.Delay(m, "signed", result, 1)
}

// grown is the format of x with a bit more.
func grown(x fixed.Num) fixed.Format {
	return fixed.Format{Width: x.Width() + 1, Frac: x.Frac()}
}
