package dwc_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc"
	"etch/designs/dwc/model"
	"etch/designs/dwc/pretrained"
	"etch/hw"
	"etch/passes"
	"etch/testbench/equiv"
)

// TestReducedIsWhole: a controller with all reductions is equal, for every sequence
// of observations, to the one without any; both as they are and as the passes leave
// them. So is the one of tables of six inputs.
func TestReducedIsWhole(t *testing.T) {
	sizes := [][]int{{30, 20, 24}}
	if !testing.Short() {
		sizes = append(sizes, []int{64, 64}, []int{128, 128})
	}
	if os.Getenv("ETCH_SLOW") != "" { // up to a minute and a half
		sizes = append(sizes, []int{256, 256})
	}
	for _, widths := range sizes {
		n := make([]int, len(widths))
		for i := range n {
			n[i] = 6
		}
		groups := 3
		if widths[0] > 30 {
			groups = 4
		}
		m, err := model.Random(model.RandomSpec{Obs: 3, Groups: groups, Head: model.SAC, B: 15, Widths: widths, N: n, SensorBits: 8, DACBits: 8}, 1)
		require.NoError(t, err)
		pipes := []dwc.Pipeline{{}, dwc.Full}
		if widths[0] > 128 {
			pipes = pipes[1:] // of this size the pipeline only: it says as much
		}
		for _, pipe := range pipes {
			t.Run(fmt.Sprintf("%v/%+v", widths, pipe), func(t *testing.T) { reduced(t, m, pipe) })
		}
	}
	t.Run("pendulum", func(t *testing.T) {
		m, err := pretrained.Pendulum()
		require.NoError(t, err)
		reduced(t, m, dwc.Full)
	})
}

func reduced(t *testing.T, m *model.Model, pipe dwc.Pipeline) {
	whole, _, err := hw.Build(dwc.Controller{Net: dwc.Whole(m), Pipeline: pipe})
	require.NoError(t, err)
	small, _, err := hw.Build(dwc.Controller{Net: dwc.Reduced(m), Pipeline: pipe})
	require.NoError(t, err)
	start := time.Now()
	// Data registers have no reset: what they hold at power-up has to run out first.
	flushed := equiv.Reset(max(1, dwc.Controller{Net: dwc.Whole(m), Pipeline: pipe}.Latency()))
	r := equiv.CheckDesigns(t, whole, small, flushed, equiv.WithoutABC(), equiv.Limit(5*time.Minute))
	t.Log("reduced:", time.Since(start).Round(time.Millisecond), r)
	start = time.Now()
	if pipe == dwc.Full {
		tables, _, err := hw.Build(dwc.Controller{Net: dwc.Reduced(m), Pipeline: pipe, Form: dwc.LUT6})
		require.NoError(t, err)
		r = equiv.CheckDesigns(t, small, tables, flushed, equiv.WithoutABC(), equiv.Limit(5*time.Minute))
		t.Log("lut6:", time.Since(start).Round(time.Millisecond), r)
		start = time.Now()
	}
	r = equiv.CheckDesigns(t, whole, passes.Optimize(whole, passes.Options{Flatten: true}), equiv.WithoutABC(), equiv.Limit(5*time.Minute))
	t.Log("optimised:", time.Since(start).Round(time.Millisecond), r)
}
