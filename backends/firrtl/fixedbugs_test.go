package firrtl_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"etch/ir"
	"etch/ir/text"
	"etch/testbench/tools"
)

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
	if err := ir.Verify(d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestFixedBugs runs netlists that once went wrong, here or in firtool: after the
// ideas of issues that fuzzing found in llvm/circt, and after what these tests
// found in firtool 1.155.
func TestFixedBugs(t *testing.T) {
	files, _ := filepath.Glob("testdata/fixedbugs/*.etch")
	if len(files) < 10 {
		t.Fatalf("only %v", files)
	}
	tools.Need(t, "firtool", "iverilog", "vvp")
	var runs []*run
	for _, file := range files {
		d := parse(t, file)
		startAtZero(d)
		guardWideQuotients(d)
		runs = append(runs, runOf(strings.TrimSuffix(filepath.Base(file), ".etch"), 1, d, 200))
	}
	compare(t, runs, plainVerilog...)
}
