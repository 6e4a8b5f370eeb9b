package arith

import (
	"etch/hw"
	"etch/hw/pipe"
)

// tape is bits that a pipeline takes from the top, stage by stage, and zeros after
// them.
type tape struct {
	m     *hw.Module
	name  string
	value pipe.Value[hw.UInt]
	left  int
}

// newTape makes a tape of the low width bits of x; with a width below 1 it gives only zeros.
func newTape(m *hw.Module, name string, stage int, x hw.UInt, width int) *tape {
	if width > 0 && width < x.Width() {
		x = x.Trunc(width)
	}
	return &tape{m, name, pipe.Of(m, name, stage, x), width}
}

// take is the next n bits at a stage, which later stages do not see.
func (t *tape) take(stage, n int) []hw.Bit {
	var out []hw.Bit

	// Past its end the tape gives zeros: the fraction of a radicand or numerator.
	for i := range n {
		if i >= t.left {
			out = append(out, hw.Low)
			continue
		}
		out = append(out, t.value.At(stage).Bit(t.left-1-i))
	}
	if t.left -= n; t.left > 0 {
		t.value = pipe.Of(t.m, t.name, stage, t.value.At(stage).Trunc(t.left))
	}
	return out
}

// number is a number that a pipeline builds from bits, stage by stage, the top first.
type number struct {
	m     *hw.Module
	name  string
	value pipe.Value[hw.UInt]
	width int
}

// put appends bits at a stage.
func (n *number) put(stage int, bits []hw.Bit) {
	var parts []hw.Signal
	if n.width > 0 {
		parts = append(parts, n.value.At(stage))
	}
	for _, b := range bits {
		parts = append(parts, b)
	}
	n.width += len(bits)
	n.value = pipe.Of(n.m, n.name, stage, hw.Cat(parts...))
}

// under is the number at a stage with bit above its top.
func (n *number) under(bit hw.UInt, stage int) hw.UInt {
	if n.width == 0 {
		return bit
	}
	return hw.Cat(bit, n.value.At(stage))
}
