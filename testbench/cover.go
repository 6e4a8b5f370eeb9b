package testbench

import (
	"fmt"
	"os"

	"etch/sim/cover"
)

// coverage adds the counts of this bench to the folder ETCH_COVER, at the end of the test.
func (b *Bench) coverage() {
	dir := os.Getenv("ETCH_COVER")
	if dir == "" {
		return
	}

	// The counts come from a replay after the test, which runs without counters. A bench that cannot be
	// replayed is in the folder all the same, with the reason.
	b.t.Cleanup(func() {
		b.t.Helper()
		c, err := cover.Of(b.Sim.Recorded(), b.Design)
		if err != nil {
			b.t.Logf("ETCH_COVER: this bench is not counted: %v", err)
			c = &cover.Counts{Design: b.Design.Top.Name, Uncounted: []string{fmt.Sprintf("%s, %s: %v", b.t.Name(), b.Design.Top.Name, err)}}
		}
		if err := c.WriteFile(dir, b.t.Name()); err != nil {
			b.t.Errorf("ETCH_COVER: %v", err)
		}
	})
}
