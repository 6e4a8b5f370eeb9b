package testbench

import (
	"os"
	"testing"

	"etch/ir"
	"etch/sim"
	"etch/sim/cover"
	"etch/sim/lanes"
)

// Lanes makes n instances of a design in lock step, for tests with many stimuli at once. They are
// closed at the end of the test, which ends at once if they cannot be made. With ETCH_COVER they have
// counters, and add the counts of all of them to the folder; unlike a Bench they are not recorded.
func Lanes(t testing.TB, d *ir.Design, n int, opts ...sim.Option) *lanes.Lanes {
	t.Helper()

	// The counters are part of the design that runs, so the instrumented one replaces it.
	dir := os.Getenv("ETCH_COVER")
	var instrumented *cover.Instrumented
	if dir != "" {
		instrumented = cover.New(d, cover.All)
		d = instrumented.Design
	}
	l, err := lanes.New(d, n, opts...)
	if err != nil {
		t.Fatal(err)
	}

	// Counts are read before the lanes close, and also of a test that has failed.
	t.Cleanup(func() {
		t.Helper()
		defer l.Close()
		if instrumented == nil {
			return
		}
		c, err := instrumented.CountLanes(l)
		if err == nil {
			err = c.WriteFile(dir, t.Name())
		}
		if err != nil {
			t.Errorf("ETCH_COVER: %v", err)
		}
	})
	return l
}
