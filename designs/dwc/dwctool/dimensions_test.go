package dwctool

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc"
	"etch/designs/dwc/model"
	"etch/testbench"
	"etch/testbench/tools"
)

// The comparators of each dimension by themselves are those of the whole encoder, less
// the constant ones, reduced or not.
func TestDimensions(t *testing.T) {
	_, m := modelFile(t, model.SAC)
	for name, net := range map[string]*dwc.Net{"reduced": dwc.Reduced(m), "whole": dwc.Whole(m)} {
		t.Run(name, func(t *testing.T) {
			s, p := testbench.New(t, dimensions{net, 0, len(m.Obs)})
			r := rand.New(rand.NewPCG(1, 2))
			for range 50 {
				code := make([]int, len(p.Obs))
				for dim := range code {
					code[dim] = r.IntN(255) - 127
					s.Set(p.Obs[dim], code[dim])
				}
				for dim := range p.Bits {
					for i, c := range comparators(net, dim) {
						want := code[dim] > c.T
						require.Equal(t, want, s.Get(p.Bits[dim])>>i&1 == 1, "%s dimension %d, %v", name, dim, c)
					}
				}
				s.Step(1)
			}
		})
	}
}

// Cells of a controller are counted alike with the encoder apart, to one in twenty, and
// a run of yosys that takes too long says so.
func TestSizeApart(t *testing.T) {
	tools.Need(t, "yosys")
	_, m := modelFile(t, model.SAC)
	together, err := sizeOf("small", m, true, false, time.Hour)
	require.NoError(t, err)
	apart, err := sizeOf("small", m, true, true, time.Hour)
	require.NoError(t, err)
	require.Positive(t, together.Encoder.LUT)
	require.InEpsilon(t, together.Encoder.LUT, apart.Encoder.LUT, 0.05)
	require.Equal(t, together.Core, apart.Core)
	require.Equal(t, together.Total.FF, apart.Total.FF)

	_, err = sizeOf("small", m, true, true, time.Nanosecond)
	require.ErrorContains(t, err, "the encoder of small, W = 8: dimensions 0 to 1: yosys did not end within 1ns")
}
