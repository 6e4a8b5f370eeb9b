package fuzz

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"etch/ir/text"
	"etch/testbench/tools"
)

// target is a fuzz target: the input chooses the seed and the size of a circuit.
func target(f *testing.F, names ...string) {
	var judges []*Judge
	for _, name := range names {
		j := find(name)
		tools.Need(f, j.Tools...)
		judges = append(judges, j)
	}
	for seed := range uint64(16) {
		f.Add(seed, byte(4*seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, size byte) {
		c := NewCase(seed, int(size%64))
		w := &workshop{dir: t.TempDir()}
		for _, j := range judges {
			verdicts, err := j.look(t.Context(), w, []*Case{c})
			if err != nil {
				t.Fatal(err)
			}
			if v := verdicts[0]; v.Kind != None {
				t.Errorf("seed %d, size %d: %s %s: %s", seed, size%64, j.Name, v.Kind, v.Text)
			}
		}
	})
}

func FuzzEngines(f *testing.F)   { target(f, "interp", "native", "lanes") }
func FuzzPasses(f *testing.F)    { target(f, "passes") }
func FuzzVerilog(f *testing.F)   { target(f, "iverilog", "slang") }
func FuzzVerilator(f *testing.F) { target(f, "verilator") }
func FuzzSynthesis(f *testing.F) { target(f, "yosys") }
func FuzzFirtool(f *testing.F)   { target(f, "firtool") }
func FuzzFirrtl(f *testing.F)    { target(f, "firrtl") }

// TestRandomCircuits lets every judge look at a few dozen circuits, those of tools
// in one batch.
func TestRandomCircuits(t *testing.T) {
	for _, j := range Judges() {
		t.Run(j.Name, func(t *testing.T) {
			tools.Need(t, j.Tools...)
			n, size := uint64(96), 0
			switch {
			case j.Name == "yosys": // synthesises small ones only
				n, size = 64, 6
			case testing.Short():
				n, size = 24, 6
			}
			var cases []*Case
			for seed := range n {
				cases = append(cases, NewCase(seed, size))
			}
			verdicts, err := j.look(context.Background(), &workshop{dir: t.TempDir()}, cases)
			if err != nil {
				t.Fatal(err)
			}
			judged := 0
			for i, v := range verdicts {
				if v.Kind != None {
					t.Errorf("%s: %s: %s", cases[i].Name, v.Kind, v.Text)
				}
				if v.Skipped == "" {
					judged++
				}
			}
			if judged < len(cases)/12 {
				t.Errorf("only %d of %d circuits were judged", judged, len(cases))
			}
		})
	}
}

// TestFixedBugs has all judges look at the cases of mistakes that were mended, and
// at the netlists of backends/firrtl after issues of llvm/circt.
func TestFixedBugs(t *testing.T) {
	cases := append(fixedBugs(t), netlists(t, "../../backends/firrtl/testdata/fixedbugs")...)
	for _, j := range Judges() {
		t.Run(j.Name, func(t *testing.T) {
			tools.Need(t, j.Tools...)
			verdicts, err := j.look(t.Context(), &workshop{dir: t.TempDir()}, cases)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range verdicts {
				if v.Kind != None {
					t.Errorf("%s: %s: %s", cases[i].Name, v.Kind, v.Text)
				}
			}
		})
	}
}

// netlists makes cases of the netlists of a folder, with random stimuli.
func netlists(t *testing.T, dir string) (cases []*Case) {
	files, err := filepath.Glob(dir + "/*" + netlistExt)
	if err != nil || len(files) < 18 {
		t.Fatalf("only %v, %v", files, err)
	}
	for seed, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		d, err := text.Parse(f, path)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		c := CaseOf(d, uint64(seed))
		c.Name = path
		cases = append(cases, c)
	}
	return cases
}

const fixedBugsDir = "testdata/fixedbugs"

func fixedBugs(t *testing.T) (cases []*Case) {
	entries, err := os.ReadDir(fixedBugsDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		path := fixedBugsDir + "/" + e.Name()
		if len(path) < len(netlistExt) || path[len(path)-len(netlistExt):] != netlistExt {
			continue
		}
		c, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		t.Fatal("there are no cases")
	}
	return cases
}
