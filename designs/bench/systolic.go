package bench

import (
	"fmt"

	"etch/designs/examples/systolic"
	"etch/hw"
)

// Systolic is N×N multiply-accumulate elements of 16×16+32 bits, those of
// examples/systolic: activations pass to the right, sums down, and every 1024
// cycles new weights come down from the top.
type Systolic struct {
	N int // elements in a row and in a column
}

func (s Systolic) Validate() error {
	if s.N < 1 || s.N > 1023 {
		return fmt.Errorf("N = %d, want 1 to 1023", s.N)
	}
	return nil
}

func (s Systolic) Ports() Ports { return ports() }

func (s Systolic) Build(m *hw.Module, p Ports) {
	cycle := hw.Reg(m, "cycle", hw.Unsigned(10), hw.U(0))
	cycle.Set(cycle.Inc())
	load := cycle.IsLt(s.N).Named("load")

	random := noise(m, 16*s.N)
	word := func(i int) hw.SInt { return random.Range(16*i+15, 16*i).AsSigned() }

	pe := systolic.PE{Data: 16, Sum: 32}
	sums, weights := make([]hw.SInt, s.N), make([]hw.SInt, s.N)
	for j := range s.N {
		sums[j], weights[j] = hw.S(0).Extend(32), word(5*j%s.N)
	}

	// Weights are loaded in the first N of every 1024 cycles; sums then change in every element
	// and cycle.
	for i := range s.N {
		x := word(i)
		for j := range s.N {
			e := hw.Inst(m, hw.Name("pe", i, j), pe, systolic.PEPorts{
				Load: load, WeightIn: weights[j], XIn: x, SumIn: sums[j],
			})
			x, weights[j], sums[j] = e.XOut, e.WeightOut, e.SumOut
		}
	}
	fold(m, p, mixed(sums))
}

// mixed is mix twice over, for words of 32 bits.
func mixed(sums []hw.SInt) hw.UInt {
	var xs []hw.UInt
	for _, s := range sums {
		xs = append(xs, s.AsUnsigned())
	}
	x := mix(xs).Named("mixed")
	return hw.Cat(x, x)
}
