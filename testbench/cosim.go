package testbench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"etch/testbench/cosim"
	"etch/testbench/tools"
)

// CoSim runs the emitted Verilog through the same test, under the named tools or under all known
// ones ("iverilog", "verilator"), and compares every output with the simulator's before and
// after every edge and wherever the test reads. This happens when the test ends, unless it has
// failed by then. The log names missing tools; under ETCH_STRICT=1 they fail the test.
//
// With -short there is no co-simulation. ETCH_COSIM=iverilog,verilator in the environment gives
// it, by exactly these tools, to every bench with or without the option, and also with -short;
// ETCH_COSIM=off takes it from all.
//
// State without initial value starts alike on both sides, at random unless the test says
// otherwise, so an X in an output is a difference. The test must not change registers or
// memories by the methods of Sim: the Verilog cannot follow.
func CoSim(names ...string) Option {
	return func(o *options) {
		if o.tools = names; len(names) == 0 {
			o.tools = cosim.Tools()
		}
	}
}

// judges returns the tools that are to judge a test, and whether the test has named them itself.
func judges(o *options) (names []string, own bool) {
	switch env := os.Getenv("ETCH_COSIM"); {
	case env == "off":
		return nil, false
	case env != "":
		return strings.FieldsFunc(env, func(r rune) bool { return r == ',' || r == ' ' }), false
	case testing.Short():
		return nil, false
	}
	return o.tools, true
}

// record begins to record the stimulus of the test, if a tool is to judge it.
func (b *Bench) record(o *options) {
	b.t.Helper()

	switch b.t.(type) {
	case *exampleTB, *testing.B:
		return // examples end without a Cleanup; a benchmark's time is its own
	}

	// A missing tool is a skip, unless the environment is strict.
	var names []string
	names, b.asked = judges(o)
	for _, name := range names {
		if !cosim.Known(name) {
			b.t.Fatalf("co-simulation: no tool %q; there are %s", name, strings.Join(cosim.Tools(), ", "))
		}
		switch err := cosim.Find(name); {
		case err == nil:
			b.tools = append(b.tools, name)
		case tools.Strict(name):
			b.t.Fatalf("co-simulation: %v (ETCH_STRICT=%s)", err, os.Getenv("ETCH_STRICT"))
		default:
			b.t.Logf("co-simulation skipped: %v", err)
		}
	}
	if len(b.tools) == 0 {
		return
	}

	// A design that cannot be recorded fails the test only if the test itself asked for the judge.
	dir := b.t.TempDir()
	r, err := cosim.Record(b.Sim, dir)
	switch {
	case err == nil:
		b.recorder, b.recording = r, dir
		b.t.Cleanup(b.CoSim)
	case b.asked:
		b.t.Fatalf("co-simulation: %v", err)
	default:
		b.t.Logf("co-simulation skipped: %v", err)
	}
}

// CoSim runs the co-simulation of the test so far, instead of at the end of the test, and ends
// the recording. Without the option of that name it does nothing.
func (b *Bench) CoSim() {
	b.t.Helper()
	r := b.recorder
	if r == nil {
		return
	}

	// The recording ends here, also if nothing is judged.
	b.recorder = nil
	if b.t.Failed() || b.t.Skipped() {
		b.t.Logf("co-simulation skipped: the test has failed or was skipped")
		r.Close()
		return
	}

	// The judges have the time that the test has left.
	ctx, cancel := b.untilDeadline()
	defer cancel()
	for _, j := range r.Judge(ctx, b.tools...) {
		b.pronounce(j)
	}
}

// untilDeadline returns a context that ends two seconds before go test's own timeout, for the
// tool to be stopped and reported.
func (b *Bench) untilDeadline() (context.Context, context.CancelFunc) {
	if t, ok := b.t.(interface{ Deadline() (time.Time, bool) }); ok {
		if at, ok := t.Deadline(); ok {
			return context.WithDeadline(context.Background(), at.Add(-2*time.Second))
		}
	}
	return context.WithCancel(context.Background())
}

// pronounce reports the judgement of a tool to the test.
func (b *Bench) pronounce(j cosim.Judgement) {
	b.t.Helper()

	// A design without Verilog is a failure only for a test that asked for the judge.
	var text strings.Builder
	switch {
	case errors.Is(j.Err, cosim.ErrNoVerilog) && !b.asked:
		b.t.Logf("co-simulation skipped: %v", j.Err)
		return
	case j.Err != nil:
		fmt.Fprintf(&text, "co-simulation by %s: %v", j.Tool, j.Err)
	case len(j.Differences) > 0:
		fmt.Fprintf(&text, "the emitted Verilog of %s differs under %s:", b.Design.Top.Name, j.Tool)
		for _, d := range j.Differences {
			fmt.Fprintf(&text, "\n  %v", d)
		}
	default:
		if j.Note != "" {
			b.t.Logf("co-simulation by %s: %s", j.Tool, j.Note)
		}
		return
	}

	b.t.Errorf("%s\n%s", text.String(), b.keep())
}

// keep copies the files of the recording to the test's artifacts, which outlive the test, and
// returns a text with their place.
func (b *Bench) keep() string {
	kept := filepath.Join(b.t.ArtifactDir(), "cosim-"+filepath.Base(b.recording))
	if _, err := os.Stat(kept); err != nil {
		if err := os.CopyFS(kept, os.DirFS(b.recording)); err != nil {
			return fmt.Sprintf("its files could not be kept: %v", err)
		}
	}
	return fmt.Sprintf("files, kept with go test -artifacts: %s", kept)
}
