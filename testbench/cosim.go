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

// CoSim has the emitted Verilog run what the test does, under the named tools or
// under all that are known ("iverilog", "verilator"), and compares every output
// with the simulator's before and after every edge and wherever the test looks.
// That happens when the test ends, unless it has failed by then. Tools that are
// missing are named in the log, and fail the test under ETCH_STRICT=1.
//
// With -short there is no co-simulation. ETCH_COSIM=iverilog,verilator in the
// environment gives it, by just these tools, to every bench whether it has the
// option or not, and also with -short; ETCH_COSIM=off takes it from all.
//
// State without initial value starts alike on both sides, at random unless the test
// says otherwise, so an X in an output is a difference. What the Verilog cannot follow
// must not happen meanwhile: a change of registers or memories by the methods of Sim.
func CoSim(names ...string) Option {
	return func(o *options) {
		if o.tools = names; len(names) == 0 {
			o.tools = cosim.Tools()
		}
	}
}

// judges are the tools that are to judge a test, and whether the test has named
// them itself.
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

// record begins to write down what the test does, if somebody is to judge it.
func (b *Bench) record(o *options) {
	b.t.Helper()
	switch b.t.(type) {
	case *exampleTB, *testing.B:
		return // examples end without a Cleanup; a benchmark's time is its own
	}
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

// CoSim runs the co-simulation of what the test has done so far, instead of at
// the end of the test, and ends the recording. Without the option of that name
// it does nothing.
func (b *Bench) CoSim() {
	b.t.Helper()
	r := b.recorder
	if r == nil {
		return
	}
	b.recorder = nil
	if b.t.Failed() || b.t.Skipped() {
		b.t.Logf("co-simulation skipped: the test has failed or was skipped")
		r.Close()
		return
	}
	ctx, cancel := b.untilDeadline()
	defer cancel()
	for _, j := range r.Judge(ctx, b.tools...) {
		b.pronounce(j)
	}
}

// untilDeadline is a context that ends a moment before go test would.
func (b *Bench) untilDeadline() (context.Context, context.CancelFunc) {
	if t, ok := b.t.(interface{ Deadline() (time.Time, bool) }); ok {
		if at, ok := t.Deadline(); ok {
			return context.WithDeadline(context.Background(), at.Add(-2*time.Second))
		}
	}
	return context.WithCancel(context.Background())
}

// pronounce tells the test what a tool has found.
func (b *Bench) pronounce(j cosim.Judgement) {
	b.t.Helper()
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

// keep copies the files of the recording where they stay, and says where.
func (b *Bench) keep() string {
	kept := filepath.Join(b.t.ArtifactDir(), "cosim-"+filepath.Base(b.recording))
	if _, err := os.Stat(kept); err != nil {
		if err := os.CopyFS(kept, os.DirFS(b.recording)); err != nil {
			return fmt.Sprintf("its files could not be kept: %v", err)
		}
	}
	return fmt.Sprintf("files, kept with go test -artifacts: %s", kept)
}
