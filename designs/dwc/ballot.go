package dwc

import (
	"slices"

	"etch/hw"
)

// ballot says how the votes of the groups are counted where only their order matters.
// columns is the number of bits of each weight, the lowest first: a binary count has
// one, a count of ten votes two of weight 4, whose sum is left to the comparison.
type ballot struct {
	chain   bool // of counters, rather than a tree of them
	columns []int
}

// chained are the group sizes that are counted by a chain, with the columns of their
// counts. They are those of 7 to 28 votes for which it was smaller than the tree, or equal, in
// every core that was measured (yosys 0.23, abc -lut 6; tree and chain): 10 votes of
// 4, 5, 6 groups 197/196, 110/108, 238/230, 12 votes of 10 groups 300/291, 14 votes of
// 3, 5, 10 groups 82/82, 164/147, 352/310. Of 7, 8, 9, 22, 28 and other sizes, one core at
// least becomes larger.
var chained = map[int][]int{10: {1, 1, 2}, 12: {1, 1, 1, 1}, 14: {1, 1, 1, 1}}

// ballot chooses for groups that are of one size once reduced. Otherwise, or with
// registers inside the count, it is a binary one.
func (v votes) ballot() ballot {
	size := v.net.Model.GroupSize()
	for _, g := range v.net.Groups {
		if len(g.Bits) != size || g.Base != 0 {
			size = 0
		}
	}

	// A chain may leave two bits of one weight, which only a comparison can read, and has no
	// place for a register.
	if columns, ok := chained[size]; ok && v.ranked && v.form == LUT6 && v.pipe.Counts == 0 {
		return ballot{true, columns}
	}
	return ballot{columns: slices.Repeat([]int{1}, hw.UpTo(v.net.Model.GroupSize()).Width())}
}

// chainCount counts votes by a chain of counters, each of which takes the last one's sum
// with four further votes, and its carry: five bits of a column and one of the next are
// seven at most, so that three tables are used as well as by six bits of a column. It
// stops where every column has the bits that it may keep.
func chainCount(xs []hw.Bit, keep []int) hw.UInt {
	// columns[c] are the bits of weight 2^c still to be counted. The last column stays empty: it
	// stands for the one above the highest.
	columns := make([][]hw.Bit, len(keep)+1)
	columns[0] = slices.Clone(xs)
	take := func(c, n int) []hw.Bit {
		at := len(columns[c]) - n
		bits := columns[c][at:]
		columns[c] = columns[c][:at:at]
		return bits
	}

	// The last bits of a column are the newest: the chain's.
	var out []hw.Bit
	for c := range keep {
		for len(columns[c]) > keep[c] {
			operands := [][]hw.Bit{nil}
			n := min(tablePins, len(columns[c]))
			if len(columns[c+1]) > 0 && n > 1 {
				n = min(tablePins-1, n)
				operands = append(operands, take(c+1, 1))
			}
			operands[0] = take(c, n)
			for i, b := range counter(operands...) {
				if c+i < len(keep) {
					columns[c+i] = append(columns[c+i], b)
				}
			}
		}

		// A column that is kept open may have fewer bits.
		for len(columns[c]) < keep[c] {
			columns[c] = append(columns[c], hw.Low)
		}
		out = append(out, columns[c]...)
	}
	return hw.FromBits(out...)
}
