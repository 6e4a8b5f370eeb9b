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
// column up, two columns at a time.
func compress(xs []hw.UInt, width int) hw.UInt {
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

	for c := 0; c < width; c++ {
		for len(columns[c]) >= 6 {
			six := columns[c][:6]
			columns[c] = columns[c][6:]
			put(c, counter(six, nil))
		}
	}
	for c := range width {
		for len(columns[c]) > 1 {
			low := columns[c]
			columns[c] = nil
			var high []hw.Bit
			if len(low) <= 3 {
				n := min(len(columns[c+1]), 6-len(low))
				high, columns[c+1] = columns[c+1][:n], columns[c+1][n:]
			}
			put(c, counter(low, high))
		}
	}

	out := make([]hw.Bit, width)
	for c := range out {
		out[c] = hw.Low
		if len(columns[c]) > 0 {
			out[c] = columns[c][0]
		}
	}
	return hw.FromBits(out...)
}

// counter is the number of ones in low plus twice that in high, lowest bit first.
func counter(low, high []hw.Bit) []hw.Bit {
	pins := append(append([]hw.Bit(nil), low...), high...)
	n := mathbits.Len(uint(len(low) + 2*len(high)))
	tables := make([]uint64, n)
	for a := range uint64(1) << len(pins) {
		sum := mathbits.OnesCount64(a&(1<<len(low)-1)) + 2*mathbits.OnesCount64(a>>len(low))
		for i := range tables {
			tables[i] |= uint64(sum>>i&1) << a
		}
	}
	out := make([]hw.Bit, n)
	for i := range out {
		used := pins
		if i == 0 { // the parity of low alone
			used = low
		}
		mask := uint64(1)<<(1<<len(used)) - 1
		if len(used) == 6 {
			mask = ^uint64(0)
		}
		out[i] = hw.Lut(bits.New(1<<len(used), tables[i]&mask), used...)
	}
	return out
}
