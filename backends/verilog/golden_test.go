package verilog_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/text"
)

var update = flag.Bool("update", false, "write the expected texts of testdata anew")

func parse(t *testing.T, file string) *ir.Design {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := text.Parse(bytes.NewReader(b), file)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestGolden writes the netlists of testdata as Verilog. The texts are there to
// be read: would an engineer want to?
func TestGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.etch")
	if len(files) < 8 {
		t.Fatalf("only %v", files)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".etch"), func(t *testing.T) {
			got, err := verilog.Text(parse(t, file), verilog.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := strings.TrimSuffix(file, ".etch") + ".v"
			if *update {
				if err := os.WriteFile(want, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			b, err := os.ReadFile(want)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, b) {
				t.Errorf("not the text of %s (go test -update writes it):\n%s", want, difference(string(b), string(got)))
			}
		})
	}
}

// difference is the first line that differs.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return "- " + w[i] + "\n+ " + g[i]
		}
	}
	return "one text is longer"
}

// TestGoldenLint has the linters read them, black boxes apart.
func TestGoldenLint(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.etch")
	for _, file := range files {
		d := parse(t, file)
		if len(verilog.Externs(d)) > 0 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			lint(t, d, verilog.Options{})
			lint(t, d, verilog.Options{Zero: true, NoPositions: true, NoLUTRAM: true})
		})
	}
}
