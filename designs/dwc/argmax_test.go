package dwc

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc/model"
	"etch/testbench"
)

// TestClassesByTables: one to twelve classes of tables of six inputs, whose rounds are of
// two to four candidates, and codes of 16 bits, whose shared comparisons are kept, equal
// the Go model; with Icarus Verilog where the rounds are of another shape.
func TestClassesByTables(t *testing.T) {
	for classes := 1; classes <= 12; classes++ {
		for _, size := range []int{3, 10, 12, 14, 33} {
			t.Run(fmt.Sprintf("classes=%d/votes=%d", classes, size), func(t *testing.T) {
				m, err := model.Random(model.RandomSpec{Obs: 3, Groups: classes, Head: model.Argmax, B: 9,
					Widths: []int{classes * size}, N: []int{4}, SensorBits: 16, DACBits: 8}, uint64(classes))
				require.NoError(t, err)
				f, err := m.Fold()
				require.NoError(t, err)
				var opts []testbench.Option
				if size == 10 && (classes == 2 || classes == 5 || classes == 10) {
					opts = append(opts, testbench.CoSim("iverilog"))
				}
				c := Classifier{Net: Reduced(m), Pipeline: Registered, Form: LUT6}
				eval := model.NewEval(f)
				s, p := testbench.New(t, c, opts...)
				lockstep(t, s, p.Valid, p.Obs, p.ClassValid, c.Latency(), func(codes []int) { s.Expect(p.Class, eval.Class(codes)) })
			})
		}
	}
}
