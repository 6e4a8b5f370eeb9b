package float_test

import (
	"testing"
	"time"

	"etch/designs/float"
	"etch/hw"
	"etch/testbench/equiv"
)

// sumPorts are those of an adder that only adds.
type sumPorts struct {
	A, B  float.Num `dir:"in"`
	Y     float.Num `dir:"out"`
	Flags hw.UInt   `dir:"out"`
}

// sumOf adds p.A and p.B, or the other way round, in so many stages, of which those that
// the adder lacks follow it.
func sumOf(f float.Format, swap bool, stages, after int) hw.Component[sumPorts] {
	n := float.Of(f)
	return hw.Func("sum", sumPorts{A: n, B: n, Y: n, Flags: hw.Unsigned(5)}, func(m *hw.Module, p sumPorts) {
		a, b := p.A, p.B
		if swap {
			a, b = b, a
		}
		y := hw.Inst(m, "add", float.Adder{Op: op(f, float.NearestEven, stages)},
			float.AdderPorts{Control: float.Control{En: hw.High}, A: a, B: b, Sub: hw.Low})
		p.Y.Set(hw.Delay(m, "y_after", y.Y, after))
		p.Flags.Set(hw.Delay(m, "flags_after", y.Flags, after))
	})
}

// Sums are the same for all operands in either order, and in any number of stages:
// proved, for an FP8 format and fp16.
func TestAdderProofs(t *testing.T) {
	for _, f := range []float.Format{float.E5M2, float.F16} {
		if testing.Short() && f == float.F16 {
			continue
		}
		t.Run(f.String()+"_commutes", func(t *testing.T) {
			r := equiv.Check(t, sumOf(f, false, 0, 0), sumOf(f, true, 0, 0), equiv.Limit(3*time.Minute))
			t.Log(r)
		})
		for _, stages := range []int{1, 3} {
			t.Run(f.String()+"_stages", func(t *testing.T) {
				r := equiv.Check(t, sumOf(f, false, 0, stages), sumOf(f, false, stages, 0), equiv.Reset(stages+1), equiv.Limit(3*time.Minute))
				t.Log(stages, "stages:", r)
			})
		}
	}
}
