package native_test

import (
	"strings"
	"testing"

	"etch/designs/bench"
	"etch/passes"
	"etch/sim"
	"etch/sim/choose"
)

// TestDesignsInLockstep runs designs with control state long enough for bodies to
// come and go; flat ones are machines that go their own way.
func TestDesignsInLockstep(t *testing.T) {
	cycles := map[string]int{"rv32i": 300_000, "protocol": 200_000, "cores_4": 60_000, "cores_4 flat": 60_000, "cores_16": 8_000, "systolic_16x16": 3000, "dwc_2x1024": 1000}
	for _, d := range bench.Designs() {
		for _, name := range []string{d.Name, d.Name + " flat"} {
			n, ok := cycles[name]
			if !ok {
				continue
			}
			if testing.Short() {
				n /= 10
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				m, err := d.Make()
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(name, "flat") {
					m = passes.Optimize(m, passes.Options{Flatten: true})
				}

				// Flat nets run by parts, the others by bodies.
				pol := choose.Eager()
				if strings.HasSuffix(name, "flat") {
					pol = choose.EagerParts()
				}
				s, err := sim.New(m, sim.WithEngine(sim.Lockstep), sim.WithPolicy(pol))
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
}
