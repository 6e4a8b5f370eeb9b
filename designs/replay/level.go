package replay

import (
	"etch/hw"
	"etch/hw/arith"
	"etch/hw/pipe"
	"etch/ir/bits"
)

// rowOf is the shape of a row: running sums, each of its own width.
func (l Level) rowOf() []hw.UInt {
	row := make([]hw.UInt, l.Words())
	for j := range row {
		row[j] = hw.Unsigned(l.WordBits(j))
	}
	return row
}

// level is a level of the pipeline: Read cycles until the row is there (none at the
// root, whose row is in registers), one to compare, one to choose.
func (t Pipelined) level(m *hw.Module, l Level, h head, n node) node {
	at := n.stage
	root := n.path == pipe.Value[hw.UInt]{}
	if !root {
		at += t.Read
	}
	x := n.x.At(at)

	// The row as all operations before have left it; the first insert under it since
	// a clear begins it with zeros.
	var row []hw.UInt
	var store func([]hw.UInt)
	if root {
		held := hw.Reg(m, "row", l.rowOf())
		row, store = held, func(next []hw.UInt) { hw.SetIf(held, h.write.At(at), next) }
	} else {
		n.fresh = pipe.Of(m, "fresh", at-1, h.fresh.At(at-1).And(h.write.At(at-1)).AndNot(n.y.At(at-1).Trunc(l.Below+l.Digit).Any()))
		rows := bankOf(m, t, shallowLevel, "rows", l.Rows, l.rowOf(), n.stage, n.path, h.write)
		row, store = rows.element, rows.store
	}
	if t.flaw != staleRows {
		row = hw.Gate(n.fresh.At(at).Not(), row)
	}

	// A write adds its difference to the running sums from its child's on.
	digit := n.y.At(at).Range(l.Below+l.Digit-1, l.Below)
	difference := x.Trunc(t.Leaf + 1).AsSigned()
	next := make([]hw.UInt, len(row))
	for j, sum := range row {
		next[j] = sum.Add(hw.Gate(digit.IsLe(j), sizedS(difference, sum.Width()).AsUnsigned()))
	}
	store(next)

	// A draw takes the child whose running sum is the first above x. The distances
	// from all running sums tell which, and two of them are x and y below it.
	below := l.Sum - l.Digit
	apart, passed := t.distances(m, l, row, x)
	child := thermometer(passed)
	digitNow := hw.Delay(m, "digit", digit, 1)

	// The digits of a write are chosen already: x and y pass by.
	draw := h.draw.At(at + 1)
	keep := max(below, t.Leaf+1)
	xs, ys := hw.Vec[hw.UInt]{n.x.At(at + 1).Trunc(keep)}, hw.Vec[hw.UInt]{}
	for _, d := range apart {
		xs, ys = append(xs, arith.Resize(d, keep)), append(ys, d)
	}
	ys = append(ys, n.y.At(at+1).Trunc(below))
	chosen := hw.Mux(draw, child, digitNow)
	out := node{stage: at + 2, miss: n.miss}
	out.x = pipe.Of(m, "x", at+1, xs.At(hw.Gate(draw, child)))
	out.y = pipe.Of(m, "y", at+1, ys.At(child.Or(draw.Not().Rep(l.Digit))))
	if root {
		out.path = pipe.Of(m, "path", at+1, chosen)
	} else {
		out.path = pipe.Of(m, "path", at+1, hw.Cat(n.path.At(at+1), chosen))
	}
	return out
}

// distances compares x with the running sums of a row. After a cycle there are x − row[j], as wide
// as sums below the level are, and whether row[j] ≤ x.
func (t Pipelined) distances(m *hw.Module, l Level, row []hw.UInt, x hw.UInt) (apart []hw.UInt, passed []hw.Bit) {
	w, below := l.Sum, l.Sum-l.Digit
	apart, passed = make([]hw.UInt, len(row)), make([]hw.Bit, len(row))
	for j, sum := range row {
		d := x.Trunc(w).SubGrow(sum.Extend(w))
		apart[j] = hw.Delay(m, hw.Name("apart", j), d.Trunc(below).AsUnsigned(), 1)
		is := d.IsNeg().Not()
		if t.flaw == inclusiveStep {
			is = x.Trunc(w).Gt(sum.Extend(w))
		}
		passed[j] = hw.Delay(m, hw.Name("passed", j), is, 1)
	}
	return apart, passed
}

// thermometer is the number of ones in 2^n − 1 bits, all ones below all zeros. It is a
// binary search for the first zero.
func thermometer(ones []hw.Bit) hw.UInt {
	if len(ones) == 1 {
		return ones[0].UInt()
	}
	middle := len(ones) / 2
	top := ones[middle]
	half := hw.Mux(top, hw.FromBits(ones[middle+1:]...), hw.FromBits(ones[:middle]...))
	return hw.Cat(top, thermometer(half.BitVec()))
}

// sizedS is v with its sign at the top, or without its top bits.
func sizedS(v hw.SInt, width int) hw.SInt {
	switch {
	case v.Width() < width:
		return v.Extend(width)
	case v.Width() > width:
		return v.Trunc(width)
	}
	return v
}

// oneAt is 2^at.
func oneAt(width, at int) bits.Value { return bits.New(width, 1).Shl(uint64(at)) }
