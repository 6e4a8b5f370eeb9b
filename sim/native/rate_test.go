package native_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"etch/designs/bench"
	"etch/sim"
)

var rate = flag.String("rate", "", "design to time")

func TestRate(t *testing.T) {
	if *rate == "" {
		t.Skip("no -rate")
	}
	for _, d := range bench.Designs() {
		if *rate != "all" && d.Name != *rate {
			continue
		}
		m, err := d.Make()
		if err != nil {
			t.Fatal(err)
		}
		t0 := time.Now()
		s, err := sim.New(m, sim.WithEngine(sim.Native))
		if err != nil {
			t.Fatal(err)
		}
		t1 := time.Now()
		s.Reset()
		t2 := time.Now()
		n := 1000
		var el time.Duration
		for {
			t3 := time.Now()
			s.Step(n)
			el = time.Since(t3)
			if el > 500*time.Millisecond {
				break
			}
			n *= 2
		}
		sig, _ := s.Signal("sum")
		fmt.Printf("%-16s New %v, first %v, %.3f Mcyc/s, code %d, sum %x at %d\n", d.Name, t1.Sub(t0).Round(time.Microsecond), t2.Sub(t1).Round(time.Microsecond), float64(n)/el.Seconds()/1e6, s.CodeBytes(), s.Get(sig), s.Cycles())
	}
}
