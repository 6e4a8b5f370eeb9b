package lower_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var validIf = regexp.MustCompile(`validif\([^,]*,\s*([^()]*)\)`)

var versionLine = regexp.MustCompile(`(?m)^FIRRTL version`)

// modern is a text without version as today's firtool takes it: with a version
// line, and without validif, which is its second operand.
func modern(text string) string {
	if !versionLine.MatchString(text) {
		text = "FIRRTL version 2.0.0\n" + text
	}
	return validIf.ReplaceAllString(text, "$1")
}

// TestJudged reads the files of testdata/judged and compares their simulation with
// that of firtool's Verilog.
func TestJudged(t *testing.T) { judgeAll(t, "testdata/judged/*.fir") }

// TestFixedBugs does that with the ideas behind issues that fuzzing found in
// llvm/circt.
func TestFixedBugs(t *testing.T) { judgeAll(t, "testdata/fixedbugs/*.fir") }

func judgeAll(t *testing.T, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".fir"), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			other := modern(string(text))
			if by, err := os.ReadFile(strings.TrimSuffix(f, ".fir") + ".firtool"); err == nil {
				other = modern(string(by)) // translated by hand
			}
			if known := judge(t, string(text), other, 200, strings.Contains(f, "enables")); known < 0.6 {
				t.Errorf("only %.0f%% of the bits are known in Verilog", known*100)
			}
		})
	}
}
