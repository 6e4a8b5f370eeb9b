package arith

import (
	"fmt"

	"etch/hw"
	"etch/hw/stream"
)

// Multiplier multiplies unsigned numbers step by step, a bit of B a cycle, with
// the handshake and the timing of [Divider]: where a product is wanted now and
// then it takes no DSP block.
type Multiplier struct {
	A, B int // bits
}

// Factors are the inputs of a multiplication.
type Factors struct{ A, B hw.UInt }

type MultiplierPorts struct {
	In  stream.Stream[Factors] `dir:"in"`
	Out stream.Stream[hw.UInt] `dir:"out"` // A + B bits
}

func (x Multiplier) Validate() error {
	for _, w := range []struct {
		name string
		bits int
	}{{"A", x.A}, {"B", x.B}} {
		if w.bits < 1 || w.bits > MaxWidth {
			return fmt.Errorf("%s = %d, want 1 to %d bits", w.name, w.bits, MaxWidth)
		}
	}
	return nil
}

func (x Multiplier) Ports() MultiplierPorts {
	return MultiplierPorts{
		In:  stream.Of(Factors{hw.Unsigned(x.A), hw.Unsigned(x.B)}),
		Out: stream.Of(hw.Unsigned(x.A + x.B)),
	}
}

// Latency is the number of cycles from operands to result; it is also the number
// between one pair of operands and the next.
func (x Multiplier) Latency() int { return x.B + 1 }

// Build describes the body: the product moves down as B does, and A is added at
// its top.
func (x Multiplier) Build(m *hw.Module, p MultiplierPorts) {
	// One addition a cycle: the low bit of B decides whether A joins the top, then all moves down
	// by one bit.
	c := follow(m, p.In, p.Out, x.Latency())
	a := hw.Reg(m, "a", hw.Unsigned(x.A))
	line := hw.Reg(m, "line", hw.Unsigned(x.A+x.B)) // the product so far above the rest of B
	m.When(c.taken, func() {
		a.Set(p.In.Data.A)
		line.Set(p.In.Data.B.Extend(x.A + x.B))
	}).ElseWhen(c.within(x.B), func() {
		top := line.Range(x.A+x.B-1, x.B)
		sum := top.AddGrow(a.And(line.Bit(0).Rep(x.A)))
		below := sum
		if x.B > 1 {
			below = hw.Cat(sum, line.Range(x.B-1, 1))
		}
		line.Set(below)
	})
	p.Out.Data.Set(line)
}
