package testbench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"etch/hw"
	"etch/ir/output"
	"etch/sim"
	"etch/sim/wave"
)

// Waves is the recorded waves of a test, to be compared with a file; see [Golden].
type Waves struct {
	b       *Bench
	name    string
	signals []sim.Signal
	wave    *wave.Wave
	cycles  []uint64 // of the columns
}

// Golden records signals of the top, all ports if none are given, from now to the
// end of the test, and then compares their waves with the file
// testdata/name.wave of the package under test. With the flag -update, or with
// ETCH_UPDATE=1 in the environment, it writes the file instead:
//
//	testbench.Golden(s, "handshake", p.In.Valid, p.In.Ready).Inside("queue.level")
//	…
//	go test -run TestHandshake -update
//
// A name may contain slashes, as those of subtests do.
func Golden(b *Bench, name string, signals ...hw.Signal) *Waves {
	b.t.Helper()
	if !filepath.IsLocal(name) || filepath.Base(name) == "." {
		b.t.Fatalf("Golden: %q is no name for a file below testdata", name)
	}
	w := &Waves{b: b, name: name}

	for _, h := range signals {
		p := b.port(h)
		if p == nil {
			b.t.Fatal(b.noPort("Golden", h))
		}
		w.signals = append(w.signals, p.sig)
	}
	if len(signals) == 0 {
		w.signals = b.Sim.Top()
	}

	// The tracer begins late: the first cycle is the one after the call.
	if err := b.Sim.Trace(late{w}); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(w.compare)
	return w
}

// Inside records signals of instances too, by their paths. It must be called before the first
// edge.
func (w *Waves) Inside(paths ...string) *Waves {
	w.b.t.Helper()
	if w.wave != nil {
		w.b.t.Fatalf("Golden %s: Inside must come before the first edge", w.name)
	}

	for _, path := range paths {
		s, err := w.b.Sim.Signal(path)
		if err != nil {
			w.b.t.Fatal(err)
		}
		w.signals = append(w.signals, s)
	}
	return w
}

// late is a tracer that begins to draw at the first edge, after the calls of Inside.
type late struct{ *Waves }

// Start does nothing: Sample starts the drawing.
func (w late) Start(*sim.Sim) error { return nil }

// Sample draws a moment.
func (w late) Sample(m sim.Moment) error {
	if w.wave == nil {
		w.wave = wave.New(w.signals...)
		if err := w.wave.Start(w.b.Sim); err != nil {
			return err
		}
	}
	err := w.wave.Sample(m)

	// A column that was added has the present cycle.
	if w.wave.Len() > len(w.cycles) {
		w.cycles = append(w.cycles, w.b.Sim.Cycles())
	}
	return err
}

// compare compares the recorded waves with the file, or writes it.
func (w *Waves) compare() {
	t := w.b.t
	t.Helper()

	file := filepath.Join("testdata", filepath.FromSlash(w.name)+".wave")
	var got []byte
	if w.wave != nil {
		got = []byte(w.wave.String())
	}

	// An update after a failure would make the failure the reference.
	if updating() {
		if t.Failed() {
			t.Logf("%s is not updated: the test failed", file)
		} else if err := replaceFile(file, got); err != nil {
			t.Errorf("Golden: %v", err)
		}
		return
	}

	// A checkout on Windows may have changed the ends of lines.
	want, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.Errorf("%s does not exist yet; go test -update writes it:\n%s", file, got)
	case err != nil:
		t.Errorf("Golden: %v", err)
	default:
		want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
		if !bytes.Equal(want, got) {
			t.Errorf("%s differs (- file, + this run; go test -update rewrites it):\n%s", file, diffWaves(string(want), string(got)))
			if sig, cycle, ok := w.first(string(want), string(got)); ok {
				w.b.whyAt(sig, cycle)
			}
		}
	}
}

// first is the signal that differs first, and the cycle, by the columns of this run's drawing.
func (w *Waves) first(want, got string) (sig sim.Signal, cycle uint64, ok bool) {
	before := map[string]string{}
	for _, l := range drawn(want) {
		before[signalOf(l)] = l
	}

	// The first column that differs, among the signals that both drawings have.
	first := len(w.cycles)
	for _, l := range drawn(got) {
		old, known := before[signalOf(l)]
		if !known || old == l {
			continue
		}
		at := w.wave.Column(firstDifference(old, l))
		i := slices.IndexFunc(w.signals, func(s sim.Signal) bool { return s.Name() == signalOf(l) })
		if i >= 0 && at >= 0 && at < first {
			sig, cycle, first, ok = w.signals[i], w.cycles[at], at, true
		}
	}
	return sig, cycle, ok
}

// diffWaves shows two drawings line by line: an equal line once, different lines both, with a
// mark below the first column that differs. Lines are matched by the signal's name.
func diffWaves(want, got string) string {
	// Lines are matched by name, so that an added signal shifts nothing.
	var b strings.Builder
	left, right := drawn(want), drawn(got)
	at := map[string]string{}
	for _, l := range right {
		at[signalOf(l)] = l
	}
	seen := map[string]bool{}
	for _, l := range left {
		r, ok := at[signalOf(l)]
		seen[signalOf(l)] = true
		switch {
		case !ok:
			fmt.Fprintf(&b, "- %s\n", l)
		case l == r:
			fmt.Fprintf(&b, "  %s\n", l)
		default:
			fmt.Fprintf(&b, "- %s\n+ %s\n  %s^\n", l, r, strings.Repeat(" ", firstDifference(l, r)))
		}
	}

	// Signals that only the new drawing has.
	for _, r := range right {
		if !seen[signalOf(r)] {
			fmt.Fprintf(&b, "+ %s\n", r)
		}
	}
	return b.String()
}

// drawn returns the lines of a drawing.
func drawn(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// signalOf returns the name at the start of a line of a drawing.
func signalOf(line string) string {
	name, _, _ := strings.Cut(line, " ")
	return name
}

// firstDifference returns the length of the common prefix of two lines, in characters.
func firstDifference(a, b string) int {
	x, y := []rune(a), []rune(b)
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// replaceFile writes a file and the folders above it.
func replaceFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return output.Replace(path, 0o644, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
