package scan_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"etch/sim/internal/vcdtext"
	"etch/sim/vcd/scan"
	"etch/testbench/tools"

	"github.com/stretchr/testify/require"
)

const head = "$timescale 1 ns $end $scope module top $end\n$var wire 4 ! a [3:0] $end\n" +
	"$var reg 1 \" b $end\n$scope module in $end $var wire 4 ! c $end $upscope $end\n" +
	"$var real 64 # r $end $var string 0 % s $end\n$upscope $end $enddefinitions $end\n"

// change is a change with its value held.
type change struct {
	time  uint64
	value string
}

// all reads a dump: the changes of each variable, by path and range.
func all(t *testing.T, in io.Reader) map[string][]change {
	// Changes of each net.
	r, err := scan.New("a.vcd", in)
	require.NoError(t, err)
	nets := map[int][]change{}
	for {
		c, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		nets[c.Net] = append(nets[c.Net], change{c.Time, string(c.Value)})
	}

	// Only the last value of a time counts, and only where it differs.
	vars := map[string][]change{}
	for _, v := range r.Vars {
		var kept []change
		for _, c := range nets[v.Net] {
			if n := len(kept); n > 0 && kept[n-1].time == c.time {
				kept = kept[:n-1]
			}
			if n := len(kept); n == 0 || kept[n-1].value != c.value {
				kept = append(kept, c)
			}
		}
		vars[r.Path(v)+v.Range] = kept
	}
	return vars
}

// TestValues reads each notation and extension.
func TestValues(t *testing.T) {
	text := head + "$dumpvars bx ! x\" r0.5 # shello % $end\n#5 b1 ! 1\"\n$comment b0 ! $end\n#5 bZ0 !\n#9 b0x1 ! s % r-inf #\n"
	require.Equal(t, map[string][]change{
		"top.a[3:0]": {{0, "xxxx"}, {5, "zzz0"}, {9, "00x1"}},
		"top.in.c":   {{0, "xxxx"}, {5, "zzz0"}, {9, "00x1"}},
		"top.b":      {{0, "x"}, {5, "1"}},
		"top.r":      {{0, "0.5"}, {9, "-inf"}},
		"top.s":      {{0, "hello"}, {9, ""}},
	}, all(t, strings.NewReader(text)))
}

// TestErrors wants the line and the reason of broken files.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "a.vcd:1: the file ends before $enddefinitions",
		"\x7fELF":                     "a.vcd:1: \"\\x7fELF\" where a declaration should be",
		"\n$var wire 1 ! a":           "a.vcd:2: the file ends inside the $var of line 2",
		"$var wire 1 ! $end":          "a.vcd:1: $var has 3 words",
		"$var wire 0 ! a $end":        "a.vcd:1: a: the width \"0\" is none of 1 to 1048576",
		"$var wire 99999999 ! a $end": "a.vcd:1: a: the width",
		"$var wire 1 ! a $end\n$var wire 2 ! b $end": "a.vcd:2: b: the identifier \"!\" is that of",
		"$upscope $end":                           "a.vcd:1: $upscope without $scope",
		"$scope module $end":                      "a.vcd:1: $scope has 1 words",
		strings.Repeat("$scope a b $end\n", 2000): "a.vcd:1025: more than",
		strings.Repeat("x", 1<<20+9):              "a.vcd:1: a word of more than 1048576 bytes",
		head + "1?":                               "a.vcd:7: no variable has the identifier \"?\"",
		head + "#5\n#4":                           "a.vcd:8: time 4 after 5",
		head + "#5x":                              "a.vcd:7: \"#5x\" is no time",
		head + "b10101 !":                         "a.vcd:7: a value of 5 digits for 4 bits",
		head + "b !":                              "a.vcd:7: a value of 0 digits for 4 bits",
		head + "b12 !":                            "a.vcd:7: '2' is no digit",
		head + "b1":                               "a.vcd:7: the file ends between a value and its identifier",
		head + "r1 !":                             "a.vcd:7: the value \"1\" is of another kind",
		head + "r1.2.3 #":                         "a.vcd:7: \"1.2.3\" is no real number",
		head + "$var wire":                        "a.vcd:7: \"$var\" where a change should be",
		head + "$comment\nno":                     "a.vcd:8: the file ends inside the $comment of line 7",
	} {
		r, err := scan.New("a.vcd", strings.NewReader(text))
		for err == nil {
			_, err = r.Next()
		}
		require.ErrorContains(t, err, want)
	}
}

// bench is a counter whose every value the test below knows, with x and z.
const bench = "`timescale 1ns/1ns\nmodule top; reg clk = 0; reg [6:0] n = 0; reg [2:0] u; wire [1:0] w;\n" +
	"real r = 0; assign w = n[0] ? 2'bz : n[2:1];\nalways #5 clk = !clk; always @(posedge clk) begin n <= n + 3; r <= r + 0.5; end\n" +
	"initial begin $dumpfile(\"a.vcd\"); $dumpvars; #100 u = 3'b1x0; #900 $finish; end endmodule\n"

// TestIcarus reads a dump of Icarus Verilog, beside what the bench must give and beside the same
// dump written again by vcd2fst and fst2vcd.
func TestIcarus(t *testing.T) {
	compiler, fst2vcd := tools.Need(t, "iverilog")[0], tools.Need(t, "fst2vcd")[0]
	dir := t.TempDir()
	run := func(name string, args ...string) []byte {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		require.NoError(t, err, name)
		return out
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.v"), []byte(bench), 0o666))
	run(compiler.Path, "-o", "a.vvp", "a.v")
	run(filepath.Join(filepath.Dir(compiler.Path), "vvp"), "-n", "a.vvp")
	file, err := os.ReadFile(filepath.Join(dir, "a.vcd"))
	require.NoError(t, err)
	got := all(t, bytes.NewReader(file))

	// Rising edges at 5, 15, ...: n takes a multiple of 3 at each.
	require.Equal(t, []change{{0, "xxx"}, {100, "1x0"}}, got["top.u[2:0]"])
	n := got["top.n[6:0]"]
	require.Len(t, n, 101)
	for i, c := range n[1:] {
		require.Equal(t, uint64(5+10*i), c.time)
		value := 0
		for _, d := range c.value {
			value = 2*value + int(d-'0')
		}
		require.Equal(t, 3*(i+1)%128, value)
	}
	require.Equal(t, change{5, "zz"}, got["top.w[1:0]"][1])
	require.Equal(t, change{15, "0.5"}, change{15, got["top.r"][1].value})

	// The converters keep each change; reals they print in a form of their own.
	run(filepath.Join(filepath.Dir(fst2vcd.Path), "vcd2fst"), "a.vcd", "a.fst")
	back := all(t, bytes.NewReader(run(fst2vcd.Path, "a.fst")))
	for name, changes := range got {
		if name != "top.r" {
			require.Equal(t, changes, back[name], name)
		}
	}
}

// TestVerilator reads a dump of Verilator, beside the same dump written again by vcd2fst and fst2vcd.
// Its compilation takes long.
func TestVerilator(t *testing.T) {
	if os.Getenv("ETCH_SLOW") == "" {
		t.Skip("set ETCH_SLOW=1 to compile Verilator's traces")
	}
	compiler, fst2vcd := tools.Need(t, "verilator")[0], tools.Need(t, "fst2vcd")[0]
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.v": `module a(input clk, input [3:0] d, output reg [39:0] q, output p);
  reg [99:0] wide; always @(posedge clk) begin q <= {q[35:0], d}; wide <= {wide[95:0], d}; end assign p = ^q ^ ^wide; endmodule
`,
		"main.cpp": `#include "Va.h"
#include "verilated.h"
#include "verilated_vcd_c.h"
int main() { Verilated::traceEverOn(true); Va* a = new Va; VerilatedVcdC* t = new VerilatedVcdC; a->trace(t, 99); t->open("a.vcd");
  unsigned x = 1; for (int i = 0; i < 400; i++) { x = x * 1103515245u + 12345u; a->clk = i & 1; a->d = x >> 20; a->eval(); t->dump(i); } t->close(); return 0; }
`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	run := func(c *exec.Cmd) []byte {
		c.Dir = dir
		out, err := c.Output()
		require.NoError(t, err, c.Path)
		return out
	}
	run(compiler.Command(t.Context(), "--cc", "--exe", "--build", "--trace", "-O1", "a.v", "main.cpp"))
	run(exec.Command(filepath.Join(dir, "obj_dir", "Va")))

	// q has taken four bits at each of the 200 rising edges.
	file, err := os.ReadFile(filepath.Join(dir, "a.vcd"))
	require.NoError(t, err)
	got := all(t, bytes.NewReader(file))
	require.Greater(t, len(got["TOP.a.q[39:0]"]), 150)
	run(exec.Command(filepath.Join(filepath.Dir(fst2vcd.Path), "vcd2fst"), "a.vcd", "a.fst"))
	require.Equal(t, got, all(t, bytes.NewReader(run(exec.Command(fst2vcd.Path, "a.fst")))))
}

// FuzzScan reads any bytes: times never fall, and an error names the file.
func FuzzScan(f *testing.F) {
	f.Add(head + "#5 b1 ! 1\"\n#6 s % r1 #\n")
	f.Add(head + "$dumpvars bx ! $end $comment x $end #1 b")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := scan.New("a.vcd", strings.NewReader(text))
		last := uint64(0)
		for err == nil {
			var c scan.Change
			if c, err = r.Next(); err == nil {
				require.GreaterOrEqual(t, c.Time, last)
				last = c.Time
			}
		}
		if err != io.EOF {
			require.ErrorContains(t, err, "a.vcd:")
		}
	})
}

// TestEtch reads a dump in etch's form beside the parser that etch's writers are tested by.
func TestEtch(t *testing.T) {
	text := strings.ReplaceAll(head, "$var real 64 # r $end ", "") + "#0\nb0 !\n0\"\nsidle %\n#5\nb101 !\n1\"\n#10\nb10 !\nsbusy %\n"
	want, err := vcdtext.Parse(text)
	require.NoError(t, err)
	got := all(t, strings.NewReader(text))
	for path, changes := range got {
		name := strings.TrimSuffix(strings.TrimPrefix(path, "top."), "[3:0]")
		var settled []change
		for _, c := range want.Vars[name].Settled() {
			value := c.Value
			if name == "a" || name == "in.c" {
				value = strings.Repeat("0", 4-len(value)) + value
			}
			settled = append(settled, change{c.Time, value})
		}
		require.Equal(t, settled, changes, name)
	}
	require.Len(t, got, len(want.Vars))
}
