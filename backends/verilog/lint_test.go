package verilog_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"etch/backends/verilog"
	"etch/ir"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// TestLint reads the text of random circuits with verilator -Wall and with
// yosys's check. There may be no warning, but for comparisons of which verilator
// finds out that something random is a constant.
func TestLint(t *testing.T) {
	n := (*circuits + 1) / 2
	if testing.Short() {
		n = min(n, 4)
	}
	for seed := *from; seed < *from+uint64(n); seed++ {
		widths := []int{1, 2, 7, 8, 31, 32, 33, 63, 64, 65, 129}
		if seed%10 == 0 {
			widths = randcircuit.Widths
		}
		c := randcircuit.Config{Widths: widths, Nodes: 20 + int(seed%5)*20, Modules: int(seed % 3), State: seed%7 != 0, Stmts: seed%3 == 0}
		d := randcircuit.Design(seed, c)
		t.Run(fmt.Sprint(seed), func(t *testing.T) { lint(t, d, verilog.Options{Zero: seed%2 == 0}) })
	}
}

// markAll marks every value as unused on purpose: most of a random circuit is read
// nowhere.
func markAll(d *ir.Design) {
	for _, m := range d.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			m.Unused = append(m.Unused, id)
		}
	}
}

// hasUnreadMemory reports whether a memory has no port that reads, or only at constant
// addresses, which may be past its end: marks are of values, so a linter is right to
// name it.
func hasUnreadMemory(d *ir.Design) bool {
	for _, m := range d.Modules {
		read := make([]bool, len(m.Mems))
		for i := range m.Mems {
			read[i] = len(m.Mems[i].Reads) > 0
		}
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if m.Op(id) == ir.MemRead && m.Op(m.Args(id)[0]) != ir.Const {
				read[m.Node(id).Aux] = true
			}
		}
		if slices.Contains(read, false) {
			return true
		}
	}
	return false
}

// lint writes a design to a file and has the tools look at it.
func lint(t *testing.T, d *ir.Design, o verilog.Options) {
	t.Helper()
	markAll(d)
	text, err := verilog.Text(d, o)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder(t), verilog.TopName(d)+".v")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Run("verilator", func(t *testing.T) {
		verilator := tools.Need(t, "verilator")[0]
		args := []string{"--lint-only", "-Wall", "-Wno-UNSIGNED", "-Wno-CMPCONST", "--top-module", verilog.TopName(d), file}
		if hasUnreadMemory(d) {
			args = append(args, "-Wno-UNUSEDSIGNAL")
		}
		quiet(t, verilator.Command(t.Context(), args...))
		if old, err := exec.LookPath("verilator"); err == nil && old != verilator.Path {
			quiet(t, exec.Command(old, args...))
		}
	})
	t.Run("yosys", func(t *testing.T) {
		yosys := tools.Need(t, "yosys")[0]
		quiet(t, yosys.Command(t.Context(), "-q", "-p", fmt.Sprintf("read_verilog %s; hierarchy -check -top %s; proc; check -assert", file, verilog.TopName(d))))
	})
}

// quiet runs a tool that must succeed and say nothing but how long it took.
func quiet(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	var said []byte
	for line := range bytes.Lines(out) {
		if !bytes.HasPrefix(line, []byte("- ")) {
			said = append(said, line...)
		}
	}
	if err != nil || len(said) > 0 {
		t.Errorf("%v: %v\n%s", cmd.Args, err, head(said))
	}
}
