package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/hw"
	"etch/sim"
	"etch/sim/choose"
	"etch/sim/internal/contest/contesttest"
	"etch/sim/internal/drive"
	"etch/testbench/tools"
)

// TestCodeUnderClocks: the contests with plain code and of gates end alike under all clocks of a
// family.
func TestCodeUnderClocks(t *testing.T) {
	if !drive.Supported() || tools.Emulated() {
		t.Skip("no machine code, or none whose speed means something")
	}
	for name, x := range map[string]struct {
		c      hw.Component[bench.Ports]
		note   string // a contest leaves it
		cycles int
		kind   string // the faster code, by far
	}{
		"rv32i": {bench.RV32I{}, "ns with bodies", 200_000, "bodies"},
		"quiet": {bench.Quiet{Units: 8, Stages: 8, Ops: 50}, "ns without gates", 60_000, "gated"},
	} {
		d, _, err := hw.Build(x.c)
		require.NoError(t, err)
		for i, family := range contesttest.Families {
			var want uint64
			for k, make := range family {
				clock := make()
				p := choose.Standard()
				p.Clock, p.FirstTrial = clock.Read, 1<<14
				s, err := sim.New(d, sim.WithEngine(sim.Native), sim.WithPolicy(p))
				require.NoError(t, err)
				for range x.cycles / 1000 {
					s.Step(1000 + 1024)
				}
				code := s.Report().Codes[0]
				require.NoError(t, s.Close())

				require.Contains(t, strings.Join(code.Notes, "\n"), x.note, "%s, %s: the contest was not held", name, clock.Name)
				if k == 0 {
					want = code.Hash
				}
				require.Equal(t, want, code.Hash, "%s, %s\n%v", name, clock.Name, code)
				if i == 0 {
					require.Equal(t, x.kind, code.Kind, "%s, %s\n%v", name, clock.Name, code)
				}
			}
		}
	}
}
