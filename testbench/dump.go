package testbench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"etch/sim"
	"etch/sim/dump"
)

// WithDump writes the waves of all signals, from power-up to the test's end, to a file: a value
// change dump if its name ends in .vcd, GTKWave's compact format with the types of signals if it
// ends in .fst. The file is complete when the test has ended. [Example] cannot have a dump,
// since nothing tells its end. No two benches may dump to one file.
//
// ETCH_WAVES=fst (or vcd) in the environment gives every bench of a test a dump,
// in the test's folder of artifacts, which go test -artifacts keeps.
func WithDump(path string) Option { return func(o *options) { o.dumps = append(o.dumps, path) } }

// Dump starts the dump of [WithDump] later, for a window of time: from a time, a cycle, a
// condition or a failure on, and some events before. Dump sets the window's Tracer.
//
//	s.Dump("bug.fst", sim.Window{Trigger: sim.Failed, Before: 50, After: 5})
//
// When the window does not open there is no file, and the log says so.
func (b *Bench) Dump(path string, window sim.Window) {
	b.t.Helper()
	b.dump(path, &window)
}

// dump traces into a file until the test ends.
func (b *Bench) dump(path string, window *sim.Window) {
	b.t.Helper()

	if _, ok := b.t.(*exampleTB); ok {
		b.t.Fatalf("a dump to %s: an example has no end at which it is complete; package etch/sim/dump has a Close", path)
	}
	if err := ownFile(path, b.t.Name()); err != nil {
		b.t.Fatalf("%v", err)
	}

	w, err := dump.Create(path)
	if err != nil {
		b.t.Fatalf("%v", err)
	}

	// The file closes when the test ends; a window that never opened is no error.
	b.t.Cleanup(func() {
		b.t.Helper()
		switch err := w.Close(); {
		case errors.Is(err, dump.ErrNothing):
			b.t.Logf("no waves in %s: the window did not open", path)
		case err != nil:
			b.t.Errorf("%v", err)
		}
	})

	var t sim.Tracer = w
	if window != nil {
		window.Tracer = w
		t = window
	}
	if err := b.Sim.Trace(t); err != nil {
		b.t.Fatalf("%v", err)
	}
}

// owners has the test of this process that dumped to a file, by path.
var owners sync.Map

// ownFile registers a test as the only one that dumps to a file. Error: another test has, whose
// waves would be lost. (The same test may run again, as with go test -count.)
func ownFile(path, test string) error {
	key, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if first, _ := owners.LoadOrStore(key, test); first != test {
		return fmt.Errorf("a dump to %s: that of %s is there; give each test a file of its own", path, first)
	}
	return nil
}

// dumps begins the dumps of the test's options and of the environment.
func (b *Bench) dumps(o *options) {
	b.t.Helper()
	paths := o.dumps
	if path := b.environmentDump(); path != "" {
		paths = append(paths, path)
		b.t.Logf("waves, kept with go test -artifacts: %s", path)
	}
	for _, path := range paths {
		b.dump(path, nil)
	}
}

// environmentDump returns the file for ETCH_WAVES, "" if the variable is not set. Its name has
// the folder of the bench, for several benches in a test.
func (b *Bench) environmentDump() string {
	format := os.Getenv("ETCH_WAVES")
	if format == "" {
		return ""
	}
	switch b.t.(type) {
	case *exampleTB, *testing.B:
		return ""
	}

	// The folder of the bench is unique in the test, its name keeps files of several benches
	// apart.
	name := fileName(b.Design.Top.Name)
	number := filepath.Base(b.t.TempDir()) // another one for each bench of the test
	return filepath.Join(b.t.ArtifactDir(), fmt.Sprintf("%s-%s.%s", name, number, format))
}
