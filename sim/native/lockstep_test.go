package native_test

import (
	"testing"

	"etch/designs/bench"
	"etch/sim"
)

// TestDesignsInLockstep runs designs with control state long enough for bodies to
// come and go.
func TestDesignsInLockstep(t *testing.T) {
	cycles := map[string]int{"rv32i": 300_000, "protocol": 200_000, "cores_4": 60_000, "cores_16": 8_000, "systolic_16x16": 3000, "dwc_2x1024": 1000}
	for _, d := range bench.Designs() {
		n, ok := cycles[d.Name]
		if !ok {
			continue
		}
		if testing.Short() {
			n /= 10
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			m, err := d.Make()
			if err != nil {
				t.Fatal(err)
			}
			s, err := sim.New(m, sim.WithEngine(sim.Lockstep))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			s.Reset()
			s.Step(n)
			if s.Err() != nil {
				t.Fatal(s.Err())
			}
		})
	}
}
