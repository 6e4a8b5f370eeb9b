package bench

import (
	"testing"

	"etch/hw"
	"etch/sim"

	"github.com/stretchr/testify/require"
)

// TestEqualRuns: equal runs end with the same machine code, byte by byte. The contest with plain code,
// which comes later, leaves times in its note.
func TestEqualRuns(t *testing.T) {
	for name, c := range map[string]hw.Component[Ports]{"rv32i": RV32I{}, "protocol": Protocol{}, "cores": Cores{K: 4}} {
		d, _, err := hw.Build(c)
		require.NoError(t, err)
		var first sim.Report
		for run := range 3 {
			s, err := sim.New(d, sim.WithEngine(sim.Native))
			if err != nil {
				t.Skip(err)
			}
			s.Step(200_000)
			r := s.Report()
			require.NoError(t, s.Close())

			require.Len(t, r.Codes, 1)
			require.Greater(t, r.Codes[0].Bodies, 2, "%s: the test compares nothing", name)
			if run == 0 {
				first = r
			}
			require.Equal(t, first.Codes[0].Hash, r.Codes[0].Hash, name)
			require.Equal(t, first.Codes[0].Notes, r.Codes[0].Notes, name)
		}
	}
}
