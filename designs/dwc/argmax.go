package dwc

import (
	"etch/hw"
	"etch/ir/bits"
)

// candidate is a group in the tournament for the most votes.
type candidate struct {
	Votes hw.UInt
	Index hw.UInt
}

// most is the index of the largest count, a number like class: a tournament in
// which the lower index wins a tie.
//
// Plain rounds are of pairs. Those of form LUT6 are of three: a table of six inputs
// chooses a bit of three candidates by their three comparisons, where two rounds
// of pairs take two tables. Up to four candidates are the last round, whose winner
// needs an index and no votes.
func most(counts hw.Vec[hw.UInt], class hw.UInt, form Form) hw.UInt {
	var round []candidate
	for i, n := range counts {
		round = append(round, candidate{n, class.Lit(i)})
	}

	size, last, above := 2, 2, hw.UInt.Gt
	if form == LUT6 {
		size, last, above = 3, 4, aboveByTables
	}

	// Matches of nearly equal size; a lone candidate passes to the next round.
	for len(round) > last {
		matches := (len(round) + size - 1) / size
		if form == LUT6 && len(round) == 5 {
			matches = 3 // two pairs and one, then three: 20 tables of 4-bit counts, 21 of three and two
		}
		start := func(match int) int { return (match*len(round) + matches - 1) / matches }
		var next []candidate
		for i := range matches {
			next = append(next, winner(round[start(i):start(i+1)], above))
		}
		round = next
	}
	return winner(round, above).Index
}

// winner is the first candidate that none behind it is above: every earlier one has
// fewer votes than it, since the largest stands behind them.
func winner(of []candidate, above func(x, y hw.UInt) hw.Bit) candidate {
	if len(of) == 1 {
		return of[0]
	}
	beaten := above(of[1].Votes, of[0].Votes)
	for _, later := range of[2:] {
		beaten = beaten.Or(above(later.Votes, of[0].Votes))
	}
	return hw.Mux(beaten, winner(of[1:], above), of[0])
}

// aboveByTables is x > y of equal widths by a chain of tables: three bits of both in
// the first, two and the result so far in each other.
func aboveByTables(x, y hw.UInt) hw.Bit {
	xs, ys := x.BitVec(), y.BitVec()
	first := min(3, len(xs))
	above := compareStep(nil, xs[:first], ys[:first])
	for at := first; at < len(xs); at += 2 {
		end := min(at+2, len(xs))
		above = compareStep([]hw.Bit{above}, xs[at:end], ys[at:end])
	}
	return above
}

// compareStep is x > y, or where they are equal the result of the bits below, if
// there are any.
func compareStep(below, x, y []hw.Bit) hw.Bit {
	pins := append(append(append([]hw.Bit(nil), below...), x...), y...)
	table := uint64(0)
	for a := range 1 << len(pins) {
		low := len(below) + len(x)
		// Below stands under x: the sum is compared with y and nothing under it.
		if a&(1<<low-1) > a>>low<<len(below) {
			table |= 1 << a
		}
	}
	return hw.Lut(bits.New(1<<len(pins), table), pins...)
}
