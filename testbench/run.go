package testbench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"etch/sim/dump"
	"etch/sim/replay"
)

// mostRecorded is the size in bytes of the recording of a bench, of which the last half at least
// is kept.
const mostRecorded = 64 << 20

// mostCovered is the same where the bench is covered, which takes its whole run.
const mostCovered = 1 << 30

// mostRuns is the number of benches of a failing test whose runs are kept, the latest: a test
// may have thousands.
const mostRuns = 4

// lastCycles is the number of cycles in the waves of a failing test.
const lastCycles = 200

// recordRun records what is done to the simulator. At the end of a test that has failed, the
// run goes to a file, with the waves of its last cycles. With ETCH_RECORD=all in the environment
// passing tests keep their runs too; with ETCH_RECORD=off nothing is recorded, unless for coverage, so
// that no failure is explained.
func (b *Bench) recordRun() {
	most := mostRecorded
	if os.Getenv("ETCH_COVER") != "" {
		most = mostCovered
	} else if os.Getenv("ETCH_RECORD") == "off" {
		return
	}
	b.Sim.Record(most)

	switch b.t.(type) {
	case *exampleTB, *testing.B:
		return // an example has no end, a benchmark no failure worth a file
	}

	// The number of files is the test's, whichever of its benches writes them.
	if _, known := keptRuns.LoadOrStore(b.t, 0); !known {
		b.t.Cleanup(func() { keptRuns.Delete(b.t) })
	}
	b.t.Cleanup(b.keepRun)
}

// keptRuns has the number of runs kept, by running test.
var keptRuns sync.Map

// keepRun writes the files at the end of a test.
func (b *Bench) keepRun() {
	b.t.Helper()
	all := os.Getenv("ETCH_RECORD") == "all"
	if !b.t.Failed() && !all {
		return
	}

	// A test keeps a few runs, unless all are asked for.
	kept, _ := keptRuns.Load(b.t)
	n, _ := kept.(int)
	if n >= mostRuns && !all {
		return
	}
	keptRuns.Store(b.t, n+1)

	// Benches end in reverse order, so the last one that was made is number 1.
	base := filepath.Join(b.t.ArtifactDir(), fmt.Sprintf("%s-%d", fileName(b.Design.Top.Name), n+1))
	if err := replay.Create(base+".run", b.Design, b.Sim.Recorded()); err != nil {
		b.t.Logf("no run is kept: %v", err)
		return
	}
	from, to, err := b.lastWaves(base + ".fst")
	if err != nil {
		b.t.Logf("the run, kept with go test -artifacts: %s.run; it has no waves: %v", base, err)
		return
	}
	b.t.Logf("the run, kept with go test -artifacts: %s.run; waves of cycles %d to %d: %[1]s.fst", base, from, to)
}

// lastWaves replays the last cycles into a file of waves, and returns which.
func (b *Bench) lastWaves(path string) (from, to uint64, err error) {
	run, err := replay.Of(b.Sim.Recorded())
	if err != nil {
		return 0, 0, err
	}
	first, to := run.Cycles()
	// The difference is unsigned and must not go below 0.
	from = max(first, to-min(to, lastCycles))
	if err := run.Go(from); err != nil {
		return 0, 0, err
	}

	w, err := dump.Create(path)
	if err != nil {
		return 0, 0, err
	}

	// The file is closed in any case, and the first error counts.
	err = run.Sim().Trace(w)
	if err == nil {
		err = run.Go(to)
	}
	if err2 := w.Close(); err == nil {
		err = err2
	}
	return from, to, err
}

// fileName returns a name without separators of folders.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == os.PathSeparator {
			return '_'
		}
		return r
	}, name)
}
