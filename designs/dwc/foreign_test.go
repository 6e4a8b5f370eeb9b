package dwc_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/dwc"
	"etch/designs/dwc/checkpoint"
	"etch/testbench"
)

// TestForeignCircuits: circuits of networks that torch_dwn and difflogic trained
// give those libraries' counts and classes (checkpoint/testdata/make_foreign.py),
// one observation a cycle.
func TestForeignCircuits(t *testing.T) {
	var all map[string]struct {
		Obs     [][]float64
		Counts  [][]int
		Classes []int
	}
	text, err := os.ReadFile("checkpoint/testdata/foreign.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &all))
	for file, opt := range map[string]checkpoint.Options{
		"dwn_state.pt":   {Name: "dwn_state", SensorBits: 8, SensorScale: []float64{1. / 16}, Classes: 5},
		"dwn_model.pt":   {Name: "dwn_model", SensorBits: 8, SensorScale: []float64{1. / 16}},
		"dwn_bits.pt":    {Name: "dwn_bits", Bits: 1, Inputs: 40, Classes: 10},
		"logic_model.pt": {Name: "logic"},
	} {
		t.Run(opt.Name, func(t *testing.T) {
			ck, err := checkpoint.Open("checkpoint/testdata/" + file)
			require.NoError(t, err)
			defer ck.Close()
			m, err := checkpoint.Convert(ck, opt)
			require.NoError(t, err)
			want := all[opt.Name]

			v := dwc.Voter{Net: dwc.Reduced(m), Pipeline: dwc.Registered}
			s, p := testbench.New(t, v, testbench.CoSim("iverilog"))
			c := dwc.Classifier{Net: dwc.Reduced(m), Pipeline: dwc.Registered}
			s2, q := testbench.New(t, c)
			s.Set(p.Valid, 1)
			s2.Set(q.Valid, 1)
			for i, n := 0, len(want.Obs); i < n+v.Latency(); i++ {
				if back := i - v.Latency(); back >= 0 {
					for g, count := range want.Counts[back] {
						s.Expect(p.Count[g], count)
					}
					s2.Expect(q.Class, want.Classes[back])
				}
				for d, x := range want.Obs[min(i, n-1)] {
					s.Set(p.Obs[d], m.Quantise(d, x))
					s2.Set(q.Obs[d], m.Quantise(d, x))
				}
				s.Step(1)
				s2.Step(1)
			}
		})
	}
}
