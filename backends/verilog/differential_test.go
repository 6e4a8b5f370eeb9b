package verilog_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"etch/ir"
	"etch/testbench/fuzz"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

var (
	circuits = flag.Int("circuits", 12, "random circuits to compare with the simulator")
	from     = flag.Uint64("from", 1, "seed of the first one")
)

// TestAgainstSimulator runs random circuits through package sim and their text
// through iverilog, on the same inputs, and compares all outputs before and after
// every edge, and what statements say. An x would differ too.
func TestAgainstSimulator(t *testing.T) {
	n := *circuits
	if testing.Short() {
		n = min(n, 6)
	}
	agree(t, n, func(seed uint64) *ir.Design {
		widths := randcircuit.Widths
		if seed%2 == 0 { // quotients that Icarus Verilog 11 can compute
			widths = []int{1, 7, 8, 31, 32, 33, 63, 64}
		}
		return randcircuit.Design(seed, randcircuit.Config{
			Widths: widths, Nodes: 20 + int(seed%5)*20, Modules: int(seed % 4), State: seed%7 != 0, Stmts: seed%3 == 0, Split: true, Falls: seed%4 == 0,
		})
	})
}

// agree has Icarus Verilog judge n designs.
func agree(t *testing.T, n int, design func(seed uint64) *ir.Design) {
	t.Helper()
	tools.Need(t, "iverilog", "vvp")
	judges, err := fuzz.Lookup("iverilog")
	if err != nil {
		t.Fatal(err)
	}
	var cases []*fuzz.Case
	for i := range uint64(n) {
		d := design(*from + i)
		if err := ir.Verify(d); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, fuzz.CaseOf(d, *from+i))
	}
	verdicts, err := judges[0].LookAll(t.Context(), cases)
	if err != nil {
		t.Fatal(err)
	}
	skipped := 0
	for i, v := range verdicts {
		switch {
		case v.Kind != fuzz.None:
			t.Errorf("%s: %s %s", cases[i].Name, v.Kind, v.Text)
		case v.Skipped != "":
			skipped++
			t.Logf("%s: %s", cases[i].Name, v.Skipped)
		}
	}
	if skipped*3 > n {
		t.Errorf("%d of %d designs were not judged", skipped, n)
	}
}

// iverilog compiles a text with all warnings, none of which is fine, and runs it.
func iverilog(t *testing.T, dir string, text []byte, top string) string {
	t.Helper()
	src, bin := filepath.Join(dir, top+".v"), filepath.Join(dir, top+".vvp")
	if err := os.WriteFile(src, text, 0o644); err != nil {
		t.Fatal(err)
	}
	bench := tools.Need(t, "iverilog", "vvp")
	standard := "-g2005"
	if bytes.Contains(text, []byte("always @(negedge ")) { // in which a clock's first 0 is no edge
		standard = "-g2012"
	}
	out, err := bench[0].Command(t.Context(), standard, "-Wall", "-Wno-timescale", "-s", top, "-o", bin, src).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Fatalf("iverilog: %v\n%s", err, head(out))
	}
	out, err = bench[1].Command(t.Context(), "-n", bin).CombinedOutput()
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, head(out))
	}
	return string(out)
}
