package dwc

import (
	mathbits "math/bits"

	"etch/hw"
	"etch/ir/bits"
)

// compress is the sum of xs in width bits, which hold it, by generalised parallel
// counters (Parandeh-Afshar, Brisk and Ienne, "Efficient synthesis of compressor
// trees on FPGAs", 2008) of at most six inputs, a table an output. Six bits of a
// column become three of different weight: three bits fewer for three tables, the
// best there is. The last bits, at most five a column, are taken from the lowest
// column up, with as many of the columns above as six inputs hold.
func compress(xs []hw.UInt, width int) hw.UInt {
	// columns[c] are the bits of weight 2^c. Carries past the width are 0, since it holds the
	// sum, and end in the further columns.
	columns := make([][]hw.Bit, width+4)
	for _, x := range xs {
		for i, b := range x.BitVec() {
			columns[i] = append(columns[i], b)
		}
	}
	put := func(at int, sum []hw.Bit) {
		for i, b := range sum {
			columns[at+i] = append(columns[at+i], b)
		}
	}

	// Whole counters of six inputs, from the lowest column up.
	for c := 0; c < width; c++ {
		for len(columns[c]) >= tablePins {
			six := columns[c][:tablePins]
			columns[c] = columns[c][tablePins:]
			put(c, counter(six))
		}
	}

	// The rest of a column goes with the columns above it, a column whole where a
	// further one follows.
	for c := range width {
		for len(columns[c]) > 1 {
			low := columns[c]
			columns[c] = nil
			operands, left := [][]hw.Bit{low}, tablePins-len(low)
			for at := c + 1; at < width && left > 0; at++ {
				n := min(len(columns[at]), left)
				if at > c+1 && n < len(columns[at]) {
					break
				}
				operands = append(operands, columns[at][:n])
				columns[at] = columns[at][n:]
				if left -= n; len(columns[at]) > 0 {
					break
				}
			}
			sum := counter(operands...)
			put(c, sum[:min(len(sum), width-c)])
		}
	}

	// Every column has one bit left at most.
	out := make([]hw.Bit, width)
	for c := range out {
		out[c] = hw.Low
		if len(columns[c]) > 0 {
			out[c] = columns[c][0]
		}
	}
	return hw.FromBits(out...)
}

// counter is the weighted number of ones of at most six bits, those of columns[i]
// having weight 2^i, lowest bit first: a table an output.
func counter(columns ...[]hw.Bit) []hw.Bit {
	var pins []hw.Bit
	var weight []int
	most := 0
	for i, column := range columns {
		for _, b := range column {
			pins, weight, most = append(pins, b), append(weight, 1<<i), most+(1<<i)
		}
	}

	out := make([]hw.Bit, mathbits.Len(uint(most)))
	for i := range out {
		// Bit i does not depend on heavier pins, which come last.
		used := 0
		for used < len(pins) && weight[used] <= 1<<i {
			used++
		}
		if used == 1 {
			out[i] = pins[0]
			continue
		}

		table := uint64(0)
		for a := range uint64(1) << used {
			sum := 0
			for p := range used {
				sum += int(a>>p&1) * weight[p]
			}
			table |= uint64(sum>>i&1) << a
		}
		out[i] = hw.Lut(bits.New(1<<used, table), pins[:used]...)
	}
	return out
}
