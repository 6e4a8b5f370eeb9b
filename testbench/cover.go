package testbench

import (
	"os"

	"etch/sim/cover"
)

// coverage adds the counts of this bench to the folder ETCH_COVER, at the end of the test.
func (b *Bench) coverage() {
	dir := os.Getenv("ETCH_COVER")
	if dir == "" {
		return
	}

	// The counts come from a replay after the test, which runs without counters.
	b.t.Cleanup(func() {
		b.t.Helper()
		c, err := cover.Of(b.Sim.Recorded(), b.Design)
		if err == nil {
			err = c.WriteFile(dir, b.t.Name())
		}
		if err != nil {
			b.t.Errorf("ETCH_COVER: %v", err)
		}
	})
}
