package dwc

import (
	"slices"

	"etch/hw"
	"etch/ir/bits"
)

// candidate is a group in the tournament for the most votes.
type candidate struct {
	Votes hw.UInt
	Index hw.UInt
}

// most is the index of the largest count, a number like class: a tournament in
// which the lower index wins a tie. A count has columns as of a ballot.
//
// Plain rounds are of pairs. Those of form LUT6 are of three: a table of six inputs
// chooses a bit of three candidates by their three comparisons, where two rounds
// of pairs take two tables. Up to four candidates are the last round, whose winner
// needs an index and no votes.
func most(counts hw.Vec[hw.UInt], columns []int, class hw.UInt, form Form) hw.UInt {
	var round []candidate
	for i, n := range counts {
		round = append(round, candidate{n, class.Lit(i)})
	}

	size, last, above := 2, 2, hw.UInt.Gt
	if form == LUT6 {
		size, last, above = 3, 4, aboveByTables(columns)
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

// winner is the candidate with the most votes, of equal ones the first. It is the first candidate
// that no later one exceeds: each one before it is exceeded by a later one, so by the winner too.
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

// aboveByTables is x > y of numbers of these columns by a chain of tables: three bits of both
// in the first, two and the result so far in each other, and no column divided.
func aboveByTables(columns []int) func(x, y hw.UInt) hw.Bit {
	return func(x, y hw.UInt) hw.Bit {
		xs, ys := x.BitVec(), y.BitVec()
		var above []hw.Bit

		for at, c := 0, 0; c < len(columns); {
			// A table takes whole columns, from the lowest up, beside the result of the table before.
			end, pins := at, len(above)
			var weight []int
			for first := c; c < len(columns) && pins+2*columns[c] <= tablePins; c++ {
				weight = append(weight, slices.Repeat([]int{1 << (c - first)}, columns[c])...)
				end, pins = end+columns[c], pins+2*columns[c]
			}
			above = []hw.Bit{compareStep(above, xs[at:end], ys[at:end], weight)}
			at = end
		}
		return above[0]
	}
}

// compareStep is x > y of bits of these weights, or where they are equal the result of the
// bits below, if there are any.
func compareStep(below, x, y []hw.Bit, weight []int) hw.Bit {
	pins := slices.Concat(below, x, y)
	table := uint64(0)
	for a := range 1 << len(pins) {
		// Below counts half a unit: it decides where the sums are equal.
		difference := a & (1<<len(below) - 1)
		for i, w := range weight {
			at := len(below) + i
			difference += 2 * w * (a>>at&1 - a>>(at+len(x))&1)
		}
		if difference > 0 {
			table |= 1 << a
		}
	}
	return hw.Lut(bits.New(1<<len(pins), table), pins...)
}
