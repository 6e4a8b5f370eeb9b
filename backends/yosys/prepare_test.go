package yosys

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/testbench/tools"
)

// readAll writes files and reads those with names as told; notes have no folder.
func readAll(t *testing.T, files map[string]string, src Source) (*ir.Design, []string, error) {
	t.Helper()
	tool := tools.Need(t, "yosys")[0]
	dir := filepath.Join(t.TempDir(), "a b") // blanks in names
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	for i, f := range src.Files {
		src.Files[i] = filepath.Join(dir, f)
	}
	var notes []string
	src.Note = func(n string) { notes = append(notes, strings.ReplaceAll(n, dir+string(filepath.Separator), "")) }
	d, err := Read(t.Context(), tool.Command, src)
	return d, notes, err
}

const unreadable = "module broken(input a, output y);\n assign y = a b;\nendmodule\n"

// TestOnlyNeeded: modules that the top does not need are not read, so that errors in
// them do not matter; what macros they define counts.
func TestOnlyNeeded(t *testing.T) {
	files := map[string]string{
		"top.v": "module top(input a, output [`W-1:0] y);\n part p(a, y[0]);\n assign y[1] = `PICK;\nendmodule\n" + unreadable,
		"part.v": "// module commented(\nmodule part(input i, output o);\n `CELL q(i, o); wire \\module = i;\nendmodule\n" +
			"module unused(input i);\n`define W 2\n`ifdef\tFORMAL\n`else// no\n gone h();\n`endif\n initial $display(\"endmodule module\"); /* endmodule */\n gone g();\nendmodule\n",
		"inner.v": "module inner(input i, output o);\n assign o = ~i;\nendmodule\n`define PICK 1'b1\n`define CELL inner\n",
		"bad.v":   unreadable,
		"bench.v": "module bench; reg a; wire y; initial begin a = 0; #10 $finish; end top t(a, y); endmodule\n",
	}
	d, notes, err := readAll(t, files, Source{Files: []string{"top.v", "part.v", "inner.v", "bad.v"}, Top: "top"})
	require.NoError(t, err)
	require.Len(t, d.Modules, 3)
	require.Equal(t, []string{"broken, unused: not read, since top does not need it"}, notes)

	// The files need each other in another order: that of the macros.
	_, _, err = readAll(t, files, Source{Files: []string{"inner.v", "part.v", "top.v"}, Top: "top"})
	require.NoError(t, err)
	d, _, err = readAll(t, files, Source{Files: []string{"bad.v", "inner.v", "part.v", "top.v"}, Top: "inner"})
	require.NoError(t, err)
	require.Len(t, d.Modules, 1)

	// An error in what is needed names its own line, though the file is another one now.
	files["top.v"] = unreadable + strings.Replace(files["top.v"], "`PICK", "`PICK PICK", 1)
	_, _, err = readAll(t, files, Source{Files: []string{"top.v", "part.v", "inner.v"}, Top: "top"})
	require.ErrorContains(t, err, "a b/top.v:6: syntax error")

	// A bench instantiates the design: it is the top that is meant.
	_, notes, err = readAll(t, map[string]string{"bench.v": files["bench.v"], "t.v": "module top(input a, output y); assign y = a; endmodule\n"},
		Source{Files: []string{"bench.v", "t.v"}, Top: "top"})
	require.NoError(t, err)
	require.Equal(t, []string{"bench: not read, since top does not need it"}, notes)

	// Statements without a module are part of one.
	_, notes, err = readAll(t, map[string]string{"part.v": "`define N 3\n reg r;\n always @* r = 1;\n", "t.v": "module top(input a, output y); assign y = a; endmodule\n"},
		Source{Files: []string{"part.v", "t.v"}, Top: "top"})
	require.NoError(t, err)
	require.Equal(t, []string{"part.v is not read: its statements stand in no module"}, notes)
}

// TestIncludes: a file that another one includes is not read again; one with a guard
// may stand anywhere; a file that includes others is read though it is changed.
func TestIncludes(t *testing.T) {
	files := map[string]string{
		"rtl/top.v":         "`include \"defs/width.vh\"\n`include \"inner.v\"\nmodule top(input [`WIDTH-1:0] a, output [`WIDTH-1:0] y);\n inner u(a[0], y[0]);\n assign y[`WIDTH-1:1] = a[`WIDTH-1:1];\nendmodule\n" + unreadable,
		"rtl/inner.v":       "module inner(input i, output o);\n assign o = ~i;\nendmodule\n",
		"rtl/defs/width.vh": "`ifndef WIDTH\n`define WIDTH 4\n`endif\n",
	}
	d, notes, err := readAll(t, files, Source{Files: []string{"rtl/inner.v", "rtl/top.v"}, Top: "top"})
	require.Error(t, err) // yosys takes no folder with a blank: the file is left as it is
	require.ErrorContains(t, err, "a b/rtl/top.v:8: syntax error")

	files["rtl/top.v"] = strings.TrimSuffix(files["rtl/top.v"], unreadable)
	d, notes, err = readAll(t, files, Source{Files: []string{"rtl/inner.v", "rtl/top.v"}, Top: "top"})
	require.NoError(t, err)
	require.Equal(t, []string{"rtl/inner.v is read where rtl/top.v includes it"}, notes)
	require.Equal(t, 4, d.Top.Ports[0].Width)
}

// TestTasks: system tasks go, each with a note; the statements around them stay.
func TestTasks(t *testing.T) {
	text := `module top(input clk, a, output reg [3:0] q, output reg [7:0] n);
  integer f;
  initial begin
    q = 1; n = 0;
    $display("%t: %p", $time, q);
    f = $fopen("x"); $fdisplay(f, "x"); $dumpvars(0, top);
    if ($test$plusargs("x")) q = 3;
  end
  always @(posedge clk) begin
    if (a) $strobe("%d", q); else q <= q + 1;
    if (q == 9) $finish;
    else begin $error("a \" ) %d", q); q <= q ^ 2; end
    $display("%d %e", q, q); // $stop
    n <= n + $random;
  end
  initial $timeformat(1, 2, 3, 4);
endmodule
`
	d := sameAsIcarusNotes(t, text)
	require.Empty(t, d.Top.Stmts)
	_, notes, err := readAll(t, map[string]string{"m.v": text}, Source{Files: []string{"m.v"}, Top: "top"})
	require.NoError(t, err)
	require.Equal(t, []string{"m.v:6: $fopen is read as 0", "m.v:6: $fdisplay is not read", "m.v:6: $dumpvars is not read",
		"m.v:7: $test$plusargs is read as 0", "m.v:10: $strobe is not read", "m.v:11: $finish is not read", "m.v:12: $error is not read",
		"m.v:13: $display is not read", "m.v:14: $random is read as 0", "m.v:16: $timeformat is not read"}, notes)

	_, notes, err = readAll(t, map[string]string{"m.sv": "module top(input clk, a, output logic q);\n always @(posedge clk) begin\n  q <= a;\n  assert (a) else $error(\"x\");\n end\nendmodule\n"},
		Source{Files: []string{"m.sv"}, Top: "top"})
	require.NoError(t, err)
	require.Equal(t, []string{"m.sv:4: $error is not read"}, notes)
}

// sameAsIcarusNotes is sameAsIcarus for a text whose simulation would stop.
func sameAsIcarusNotes(t *testing.T, text string) *ir.Design {
	t.Helper()
	d, err := load(t, text)
	require.NoError(t, err)
	plain := strings.NewReplacer("$finish", "", "$random", "0", "$error(\"a \\\" ) %d\", q);", "").Replace(text)
	b := newBench(t, d, 60, 7)
	lines := icarus(t, map[string]string{"stim": strings.Join(b.stim, "\n"), "tb.v": b.verilog("tb", "top", "", "stim") + plain})
	var said []string
	for _, l := range lines { // without what the design itself says
		if l[0] != ' ' && !strings.Contains(l, ":") {
			said = append(said, l)
		}
	}
	b.same(t, "without tasks", said)
	return d
}

// TestClockVectors: a clock that is a bit of a port becomes a port.
func TestClockVectors(t *testing.T) {
	text := `module top(input [1:0] clk, input [2:0] ck, input [3:0] a, output reg [3:0] q, output [3:0] r, output [1:0] s);
  initial q = 0;
  always @(posedge clk[0]) q <= q + a;
  part p(.ck({clk[1], ck[1]}), .a(a), .r(r));
  assign s = {ck[2], ck[0]};
endmodule
module part(input [1:0] ck, input [3:0] a, output reg [3:0] r);
  reg [3:0] t;
  initial begin r = 0; t = 0; end
  always @(posedge ck[1]) t <= t ^ a;
  always @(posedge ck[0]) r <= t + a;
endmodule
`
	d, notes, err := readAll(t, map[string]string{"m.v": text}, Source{Files: []string{"m.v"}, Top: "top"})
	require.NoError(t, err)
	require.Equal(t, []string{"m.v:1: port clk of 2 bits has clocks: the ports are clk_0, clk_1", "m.v:1: port ck of 3 bits has clocks: the ports are ck_0, ck_1, ck_2"}, notes)
	var clocks []string
	for _, p := range d.Top.Ports {
		if p.Type == ir.TypeID(ir.Clock) {
			clocks = append(clocks, p.Name)
		}
	}
	require.Equal(t, []string{"clk_0", "clk_1", "ck_1"}, clocks)
	wrapped := strings.NewReplacer("module top(input [1:0] clk, input [2:0] ck,", "module top(input clk_0, clk_1, ck_0, ck_1, ck_2,",
		"  initial q = 0;\n", "  wire [1:0] clk = {clk_1, clk_0}; wire [2:0] ck = {ck_2, ck_1, ck_0};\n  initial q = 0;\n").Replace(text)
	b := newBench(t, d, 80, 5)
	b.same(t, "vectors", icarus(t, map[string]string{"stim": strings.Join(b.stim, "\n"), "tb.v": b.verilog("tb", "top", "", "stim") + wrapped}))
}

// TestInterrupted: what ends the context ends yosys and what it started, and leaves
// no folder.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	script, pid, file := filepath.Join(dir, "yosys"), filepath.Join(dir, "pid"), filepath.Join(dir, "m.v")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nsleep 60 &\necho $! >"+pid+"\nwait\n"), 0o777))
	require.NoError(t, os.WriteFile(file, []byte("module top; endmodule\n"), 0o666))
	for _, how := range []string{"limit", "signal"} {
		ctx, cancel := context.WithCancel(t.Context())
		src := Source{Files: []string{file}, Top: "top"}
		if how == "limit" {
			src.Time = 300 * time.Millisecond
		} else {
			time.AfterFunc(300*time.Millisecond, cancel)
		}
		_, err := Read(ctx, Program(script), src)
		cancel()
		require.ErrorContains(t, err, map[string]string{"limit": "took longer than 300ms", "signal": "was interrupted"}[how])
		left, err := filepath.Glob(filepath.Join(dir, "etch-*"))
		require.NoError(t, err)
		require.Empty(t, left)
		id, err := os.ReadFile(pid)
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			state, err := os.ReadFile("/proc/" + strings.TrimSpace(string(id)) + "/stat")
			return err != nil || strings.Contains(string(state), ") Z ")
		}, 5*time.Second, 10*time.Millisecond, "%s: the child goes on", how)
	}
}
