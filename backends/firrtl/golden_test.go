package firrtl_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"etch/backends/firrtl"
)

var update = flag.Bool("update", false, "write the expected texts of testdata anew")

// TestGolden writes the netlists of the Verilog back end's tests as FIRRTL. The
// texts are there to be read, and firtool has to read them without a warning.
func TestGolden(t *testing.T) {
	files, _ := filepath.Glob("../verilog/testdata/*.etch")
	if len(files) < 8 {
		t.Fatalf("only %v", files)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".etch")
		t.Run(name, func(t *testing.T) {
			d := parse(t, file)
			got, err := firrtl.Text(d, firrtl.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := filepath.Join("testdata", name+".fir")
			if *update {
				write(t, want, got)
			}
			b, err := os.ReadFile(want)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, b) {
				t.Errorf("not the text of %s (go test -update writes it):\n%s", want, difference(string(b), string(got)))
			}
			firtoolText(t, got, folder(t))
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
