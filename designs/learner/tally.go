package learner

import (
	"math/bits"

	"etch/hw"
	"etch/hw/arith"
)

// Saturated counts, modulo 2^32, the values since the reset that did not fit where they
// were stored, in acting too. The counts stand two cycles after Busy is low.
type Saturated struct{ Activation, Gradient, Weight hw.UInt }

func saturatedOf() Saturated {
	n := hw.Unsigned(32)
	return Saturated{n, n, n}
}

// tally collects the quantities to be counted while a learner is built.
type tally struct{ now [3][]hw.UInt }

// flag is a flag some stages later, if anything is counted.
func (c common) flag(m *hw.Module, name string, over hw.Bit, stages int) hw.Bit {
	if c.tally == nil {
		return hw.Low
	}
	return hw.Delay(m, name, over, stages)
}

// count adds the number of flags that are high, when valid is, to the counter of a kind.
func (c common) count(m *hw.Module, k Kind, valid hw.Bit, over ...hw.Bit) {
	if c.tally == nil {
		return
	}
	n := hw.Gate(valid, hw.FromBits(over...).PopCount())
	c.tally.now[k] = append(c.tally.now[k], hw.Delay(m, hw.Name("saturated", len(c.tally.now[k])), n, 1, hw.U(0)))
}

// total makes the counters.
func (t *tally) total(m *hw.Module, p Saturated) {
	for k, out := range []hw.UInt{Weight: p.Weight, Activation: p.Activation, Gradient: p.Gradient} {
		if t == nil {
			out.Set(hw.Zeros(out.Width()))
			continue
		}
		// All flags of a cycle are added; the sum's width is that of the most there can be.
		most := 0
		for _, n := range t.now[k] {
			most += 1<<n.Width() - 1
		}
		now := hw.Zeros(bits.Len(uint(most)))
		for i, n := range t.now[k] {
			if n = arith.Resize(n, now.Width()); i == 0 {
				now = n
			} else {
				now = now.Add(n)
			}
		}

		// A register between the sum and the counter keeps both short.
		count := hw.Reg(m, hw.Name("saturated_kind", k), hw.Unsigned(out.Width()), hw.U(0))
		count.Set(count.Add(arith.Resize(hw.Delay(m, hw.Name("saturated_now", k), now, 1, hw.U(0)), out.Width())))
		out.Set(count)
	}
}
