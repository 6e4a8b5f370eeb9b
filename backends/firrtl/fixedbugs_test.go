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

// issues are those of llvm/circt, found by fuzzing, whose ideas have cases of our
// reader and of our emitters.
const issues = "353 354 366 368 428 671 679 844 1100 1117 1139 1142 1215 1288 1643 1680 2516"

// TestIssuesHaveCases: each issue is named in the comment of a case on both sides.
func TestIssuesHaveCases(t *testing.T) {
	for _, pattern := range []string{"testdata/fixedbugs/*.etch", "lower/testdata/fixedbugs/*.fir"} {
		files, _ := filepath.Glob(pattern)
		named := map[string]bool{}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if !strings.HasPrefix(line, ";") && !strings.HasPrefix(line, "//") {
					break
				}
				for _, word := range strings.FieldsFunc(line, func(c rune) bool { return c < '0' || c > '9' }) {
					named[word] = true
				}
			}
		}
		for _, n := range strings.Fields(issues) {
			if !named[n] {
				t.Errorf("%s: no case names issue %s", pattern, n)
			}
		}
	}
}

// TestFixedBugs runs netlists that once went wrong, here or in firtool: after the
// ideas of issues that fuzzing found in llvm/circt, and after what these tests
// found in firtool 1.155.
func TestFixedBugs(t *testing.T) {
	files, _ := filepath.Glob("testdata/fixedbugs/*.etch")
	if len(files) < 20 {
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
