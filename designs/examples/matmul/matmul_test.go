package matmul

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/float"
	"etch/hw"
	"etch/hw/fixed"
	"etch/hw/number"
	"etch/ir/bits"
	"etch/testbench"
)

// The same array in fixed point, fp16, bf16 and E4M3 gives what the kind's model does.
func TestKinds(t *testing.T) {
	q := fixed.Units{Format: fixed.Format{Width: 24, Frac: 8}, Rounding: fixed.HalfEven, Overflow: fixed.Saturate, Sum: 1}
	t.Run("fixed 16.8", func(t *testing.T) { multiply[fixed.Num](t, q, func(x fixed.Num) hw.Signal { return x.Raw }) })
	for _, f := range []float.Format{float.F16, float.BF16, float.E4M3FN} {
		u := float.Units{Format: f, Sum: 2}
		t.Run(f.String(), func(t *testing.T) { multiply[float.Num](t, u, func(x float.Num) hw.Signal { return x.Raw }) })
	}
}

func multiply[T any](t *testing.T, kind number.Kind[T], raw func(T) hw.Signal) {
	c := Array[T]{Rows: 3, Cols: 2, Products: 8, Number: kind}
	s, p := testbench.New(t, hw.Component[ArrayPorts[T]](c), testbench.CoSim("iverilog"))
	r := rand.New(rand.NewPCG(7, 8))
	w := hw.WidthOf(kind.Shape())
	for _, k := range []int{1, 5, 8} {
		left, right := make([][]uint64, c.Rows), make([][]uint64, c.Cols)
		put := func(port T, list *[]uint64) {
			code := kind.Code(r.NormFloat64())
			*list = append(*list, code)
			s.SetBits(raw(port), bits.New(w, code))
		}
		for step := range k {
			s.Set(p.Valid, 1)
			s.Set(p.First, map[bool]int{true: 1}[step == 0])
			for i := range left {
				put(p.Left[i], &left[i])
			}
			for j := range right {
				put(p.Right[j], &right[j])
			}
			s.Step(1)
		}
		s.Set(p.Valid, 0)
		s.Step(c.Settled())
		for i, row := range p.Product {
			for j, y := range row {
				require.Equal(t, kind.DotCodes(left[i], right[j]), s.GetBits(raw(y)).Uint64(), "%d %d", i, j)
			}
		}
	}
}
