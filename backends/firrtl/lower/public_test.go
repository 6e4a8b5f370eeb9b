package lower_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"etch/backends/firrtl/lower"
	"etch/backends/firrtl/syntax"
	"etch/ir"
	"etch/passes/derived"
	"etch/testbench/tools"
)

var public = flag.String("public", "", "folder of FIRRTL files to compare with firtool, in a table")

// outcome is what became of a file.
type outcome struct {
	file string
	kind string // equal, differs, undefined: differs only in what memories do where FIRRTL defines nothing, refused by etch, no firtool or no Icarus: refused by these, unknown: too few bits known, bodies: of black boxes are missing
	why  string
}

// TestPublic compares all files of a folder: what etch makes of each with what
// firtool does. It prints a table, and fails where one differs or is wrong.
func TestPublic(t *testing.T) {
	if *public == "" {
		t.Skip("no folder is given by -public")
	}
	tools.Need(t, "firtool", "iverilog", "vvp")
	var all []outcome
	err := filepath.WalkDir(*public, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".fir" {
			return err
		}
		var o outcome
		t.Run(path, func(t *testing.T) {
			o = publicFile(t, path)
			if o.kind == "" {
				o.kind = "differs"
			}
		})
		if o.file = path; o.kind == "" {
			o.kind = "differs"
		}
		all = append(all, o)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, o := range all {
		count[o.kind]++
		t.Logf("%-10s %s %s", o.kind, o.file, o.why)
	}
	var kinds []string
	for k, n := range count {
		kinds = append(kinds, fmt.Sprintf("%s %d", k, n))
	}
	sort.Strings(kinds)
	t.Logf("%d files: %s", len(all), strings.Join(kinds, ", "))
}

func publicFile(t *testing.T, path string) (o outcome) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := readPublic(path, string(text))
	if err != nil {
		return outcome{kind: "refused", why: strings.SplitN(err.Error(), "\n", 2)[0]}
	}
	for _, m := range d.Modules {
		if m.Extern != nil {
			return outcome{kind: "bodies", why: m.Name}
		}
	}
	if d.HasNets() || len(d.Top.Ports) == 0 {
		return outcome{kind: "nothing", why: "no ports to compare, or pads"}
	}

	// What firtool refuses, and what Icarus Verilog does, is no fault of ours.
	dir := t.TempDir()
	file := filepath.Join(dir, "a.fir")
	if err := os.WriteFile(file, []byte(modern(string(text))), 0o666); err != nil {
		t.Fatal(err)
	}
	tool, err := tools.Find("firtool")
	if err != nil {
		t.Fatal(err)
	}
	sv := filepath.Join(dir, "a.sv")
	if out, err := tool.Command(t.Context(), append(judgeArgs, file, "-o", sv)...).CombinedOutput(); err != nil {
		said := string(out)
		if at := strings.Index(said, "error: "); at >= 0 {
			said = said[at:]
		}
		return outcome{kind: "no firtool", why: strings.SplitN(said, "\n", 2)[0]}
	}
	icarus, err := tools.Find("iverilog")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := icarus.Command(t.Context(), "-g2012", "-t", "null", sv).CombinedOutput(); err != nil && !strings.Contains(string(out), "EICG_wrapper") {
		return outcome{kind: "no Icarus", why: strings.SplitN(strings.TrimPrefix(string(out), dir), "\n", 2)[0]}
	}
	known, differs := judged(t, d, modern(string(text)), 100, false)
	for k := 0; differs != "" && k < orders(d); k++ {
		other, err := readPublic(path, string(text))
		if err != nil {
			t.Fatal(err)
		}
		asFirtool(other, k)
		if _, still := judged(t, other, modern(string(text)), 100, false); still == "" {
			return outcome{kind: "undefined", why: strings.SplitN(differs, "\n", 2)[0]}
		}
	}
	if differs != "" {
		t.Fatal(differs)
	}
	if known < 0.3 {
		return outcome{kind: "unknown", why: fmt.Sprintf("%.0f%% of the bits", 100*known)}
	}
	return outcome{kind: "equal", why: fmt.Sprintf("%.0f%% of the bits", 100*known)}
}

// asFirtool has memories do what firtool's do where FIRRTL defines nothing: a read
// port reads in each cycle (firtool's give x where it is not enabled, which is not
// compared) and gives the new word; of several writes of one word the last port wins,
// in order k. firtool's ports are always blocks, whose order is the simulator's.
// firtool gives the new word for read-under-write old too, against FIRRTL.
func asFirtool(d *ir.Design, k int) {
	for _, m := range d.Modules {
		for i := range m.Mems {
			mem := &m.Mems[i]
			for r := range mem.Reads {
				mem.Reads[r].Under, mem.Reads[r].En = ir.New, ir.None
			}
			left := mem.Writes
			mem.Writes = nil
			for n := k; len(left) > 0; n /= len(left) + 1 {
				at := n % len(left)
				mem.Writes = append(mem.Writes, left[at])
				left = slices.Delete(slices.Clone(left), at, at+1)
			}
		}
	}
}

// orders is the number of orders of the write ports of the memory with the most of
// them; 0 without memories, and not all of those of more than four ports.
func orders(d *ir.Design) int {
	n := 0
	for _, m := range d.Modules {
		for i := range m.Mems {
			all := 1
			for k := range min(len(m.Mems[i].Writes), 4) {
				all *= k + 1
			}
			n = max(n, all)
		}
	}
	return n
}

func readPublic(name, text string) (*ir.Design, error) {
	c, err := syntax.Parse(name, text)
	if err != nil {
		return nil, err
	}
	d, _, err := lower.Lower(c, lower.Options{})
	if err == nil {
		err = derived.Resolve(d)
	}
	if err == nil {
		err = ir.Verify(d)
	}
	if err == nil && d.Top.Extern != nil {
		err = errors.New("the main module is a black box")
	}
	return d, err
}
