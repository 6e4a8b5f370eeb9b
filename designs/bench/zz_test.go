package bench_test

import (
	"fmt"
	"io"
	"testing"
	"time"

	"etch/designs/bench"
	"etch/ir"
	"etch/sim"
	"etch/sim/cover"
)

func TestZZ(t *testing.T) {
	for _, d := range bench.Designs() {
		n, err := d.Make()
		if err != nil {
			t.Fatal(err)
		}
		rate := func(x *ir.Design) float64 {
			s, err := sim.New(x, sim.WithOutput(io.Discard), sim.WithEngine(sim.Native))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			s.Reset()
			steps := 64
			end := time.Now().Add(1500 * time.Millisecond)
			for time.Now().Before(end) {
				b := time.Now()
				s.Step(steps)
				if time.Since(b) < 20*time.Millisecond {
					steps *= 2
				}
			}
			b := time.Now()
			k := 0
			for time.Since(b) < 300*time.Millisecond {
				s.Step(steps)
				k += steps
			}
			return float64(k) / time.Since(b).Seconds()
		}
		p := rate(n)
		br := cover.New(n, cover.Parts{})
		al := cover.New(n, cover.All)
		a, b := rate(br.Design), rate(al.Design)
		fmt.Printf("%-16s plain %10.0f branches %.2f toggles %.2f\n", d.Name, p, p/a, p/b)
	}
}
