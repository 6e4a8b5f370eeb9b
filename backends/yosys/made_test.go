package yosys

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/testbench/tools"
)

// madeClocks are clocks that are made of logic.
var madeClocks = map[string]string{
	"divider": `module top(input clk, input [7:0] a, output reg div, output reg [7:0] x, y, z);
  initial {div, x, y, z} = 0;
  always @(posedge clk) div <= ~div;
  always @(posedge clk) x <= x + a;
  always @(posedge div) y <= x ^ a;
  always @(negedge div) z <= y + x;
endmodule`,
	"ripple counter": `module top(input clk, input [7:0] a, output [3:0] m, output reg [7:0] x);
  reg [3:0] n = 0; assign m = n; initial x = 0;
  always @(posedge clk) n[0] <= ~n[0];
  always @(negedge n[0]) n[1] <= ~n[1];
  always @(negedge n[1]) n[2] <= ~n[2];
  always @(negedge n[2]) n[3] <= ~n[3];
  always @(posedge n[3]) x <= x + a + n;
endmodule`,
	"counter bits": `module top(input clk, input [7:0] a, output reg [5:0] n, output reg [7:0] x, y);
  initial {n, x, y} = 0;
  always @(posedge clk) n <= n + a[1:0];
  always @(posedge n[1]) x <= x + a;
  always @(posedge n[2]) y <= x + y + 1;
endmodule`,
	"two dividers": `module half(input clk, output reg q); initial q = 0; always @(posedge clk) q <= ~q; endmodule
module top(input clk, input [7:0] a, output reg [7:0] x, y, output reg [7:0] w);
  initial {x, y, w} = 0;
  wire h, q; half i(clk, h); half j(h, q);
  always @(posedge h) x <= x + a;
  always @(posedge q) y <= x + y;
  always @(posedge clk) w <= y ^ x ^ w;
endmodule`,
	"clock mux": `module top(input clk, input [7:0] a, output reg [7:0] x, output reg [3:0] n, output reg [1:0] s);
  initial {x, n, s} = 0;
  always @(posedge clk) begin n <= n + 1; if (n == a[3:0]) s <= a[5:4]; end
  wire g = s[1] ? n[2] : s[0] ? n[1] : n[0];
  always @(posedge g) x <= x + a;
endmodule`,
	"mux with the clock": `module top(input clk, input [7:0] a, output reg [7:0] x, output reg n, output reg s);
  initial {x, n, s} = 0;
  always @(posedge clk) begin n <= ~n; end
  always @(negedge clk) s <= a[0];
  wire g = s ? n : clk;
  always @(posedge g) x <= x + a;
endmodule`,
	"gate without latch": `module top(input clk, input en, input [7:0] a, output reg [7:0] x, y);
  initial {x, y} = 0;
  wire g = clk & en;
  always @(posedge g) x <= x + a;
  always @(posedge clk) y <= y + x;
endmodule`,
	"gate of a register that moves with the clock": `module top(input clk, input en, input [7:0] a, output reg [7:0] x, output reg e);
  initial {x, e} = 0;
  always @(posedge clk) e <= en;
  wire g = clk & e;
  always @(posedge g) x <= x + a;
endmodule`,
	"asynchronous reset": `module top(input clk, input rst_n, input [7:0] a, output reg div, output reg [7:0] x, y);
  initial {div, x, y} = 0;
  always @(posedge clk or negedge rst_n) if (!rst_n) div <= 0; else div <= ~div;
  always @(posedge div or negedge rst_n) if (!rst_n) x <= 5; else x <= x + a;
  always @(posedge div) y <= y + x;
endmodule`,
	"synchronous reset and enable": `module top(input clk, input rst, en, input [7:0] a, output reg div, output reg [7:0] x, y);
  initial {div, x, y} = 0;
  always @(posedge clk) if (rst) div <= 0; else div <= ~div;
  always @(posedge div) if (rst) x <= 7; else if (en) x <= x + a;
  always @(posedge div) if (en) begin if (a[0]) y <= 9; else y <= y + x; end
endmodule`,
	"memory": `module top(input clk, input we, input [7:0] a, input [1:0] w, r, output reg [7:0] x, y, output [7:0] z);
  reg [1:0] n; reg [7:0] mem [0:3]; reg [7:0] old [0:3]; integer k;
  initial begin n = 0; x = 0; y = 0; for (k = 0; k < 4; k = k + 1) begin mem[k] = 7 * k; old[k] = k; end end
  always @(posedge clk) begin n <= n + 1; if (we) old[w] <= a; end
  wire g = n[1];
  always @(posedge g) begin if (we) mem[w][3:0] <= a; x <= mem[r]; y <= old[r]; end
  assign z = mem[r ^ w];
endmodule`,
	"both edges": `module top(input clk, input [7:0] a, output reg p, n, output reg [7:0] x);
  initial {p, n, x} = 0;
  always @(posedge clk) p <= a[0];
  always @(negedge clk) n <= a[1];
  wire g = p ^ n;
  always @(posedge g) x <= x + a;
endmodule`,
	"divide by three": `module top(input clk, input rst, input [7:0] a, output reg [7:0] x, output g);
  reg [1:0] p, n; initial {p, n, x} = 0;
  always @(posedge clk) p <= p == 2 ? 0 : p + 1;
  always @(negedge clk) n <= n == 2 ? 0 : n + 1;
  assign g = p[1] | n[1];
  always @(posedge g or posedge rst) if (rst) x <= 3; else x <= x + a;
endmodule`,
	"gate on a divided clock": gateModules + `module top(input clk, input en, input [7:0] a, output reg [7:0] x, output reg d);
  initial {x, d} = 0;
  always @(posedge clk) d <= ~d;
  wire g; gate i(d, en, g);
  always @(posedge g) x <= x + a;
endmodule`,
	"the level of a clock": `module top(input clk, input [7:0] a, output [7:0] y, output reg [7:0] x, z);
  initial {x, z} = 0;
  always @(posedge clk) x <= x + a;
  always @(negedge clk) z <= x;
  assign y = clk ? x : ~a;
endmodule`,
	"set and clear": `module top(input clk, input s, input [7:0] a, output reg div, output reg [7:0] x);
  initial {div, x} = 0;
  reg [1:0] ph = 0; always @(posedge clk) ph <= ph + 1;
  wire set = s & ph == 1, clr = s & ph == 3;
  always @(posedge clk) div <= ~div;
  always @(posedge div or posedge clr or posedge set) if (clr) x <= 0; else if (set) x <= 255; else x <= x + a;
endmodule`,
}

// TestMadeClocks: they are as under iverilog, before each edge and after it.
func TestMadeClocks(t *testing.T) {
	for name, text := range madeClocks {
		t.Run(name, func(t *testing.T) { sameAsIcarus(t, text, 300) })
	}
}

// TestVerilator: made clocks, latches and loads are as under Verilator.
func TestVerilator(t *testing.T) {
	if testing.Short() {
		t.Skip("Verilator takes its time to build")
	}
	verilator := tools.Need(t, "verilator", "g++", "make")[0]
	dir := t.TempDir()
	var all, top strings.Builder
	var names []string
	var benches []*bench
	for _, texts := range []map[string]string{madeClocks, loads} {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			d, err := load(t, texts[name])
			require.NoError(t, err)
			k := len(benches)
			b := newBench(t, d, 300, uint64(k))
			file := fmt.Sprintf("stim%d", k)
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(strings.Join(b.stim, "\n")), 0o666))
			all.WriteString(b.verilog(fmt.Sprintf("tb%d", k), fmt.Sprintf("top_%d", k), fmt.Sprintf("%d: ", k), file) + suffixed(texts[name], k) + "\n")
			fmt.Fprintf(&top, "  tb%d t%d();\n", k, k)
			names, benches = append(names, name), append(benches, b)
		}
	}
	fmt.Fprintf(&all, "module tb;\n%sendmodule\n", top.String())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tb.v"), []byte(all.String()), 0o666))
	cmd := verilator.Command(t.Context(), "--binary", "-j", "2", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--x-initial", "0", "--x-assign", "0", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0", "--top-module", "tb", "-Mdir", "obj", "-o", "tb", "tb.v")
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", said)
	run := exec.CommandContext(t.Context(), filepath.Join(dir, "obj", "tb"))
	run.Dir = dir
	said, err = run.CombinedOutput()
	require.NoError(t, err, "%s", said)
	lines := make([][]string, len(benches))
	for _, line := range strings.Split(string(said), "\n") {
		k, rest, _ := strings.Cut(line, ": ")
		if n, err := strconv.Atoi(k); err == nil { // the rest is Verilator's report
			lines[n] = append(lines[n], rest)
		}
	}
	for k, b := range benches {
		require.Len(t, lines[k], len(b.want))
		t.Run(names[k], func(t *testing.T) { b.same(t, "Verilator", lines[k]) })
	}
}

// suffixed gives all modules of a text a number.
func suffixed(text string, k int) string {
	for _, m := range regexp.MustCompile(`(?m)^module (\w+)`).FindAllStringSubmatch(text, -1) {
		text = regexp.MustCompile(`(^|[\s;])`+m[1]+`( \w+)?\(`).ReplaceAllString(text, fmt.Sprintf("${1}%s_%d${2}(", m[1], k))
	}
	return text
}

// What a made clock may not do.
func TestMadeClockErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"module top(input clk, x, a, output reg q);\n reg d;\n always @(posedge clk) d <= ~d;\n always @(posedge (d & x)) q <= a;\nendmodule\n",
			"m.v:4: its clock may rise when the input x changes, without an edge of clk: put a register between"},
		{"module top(input clk, ck, a, output reg q);\n reg d, e;\n always @(posedge clk) d <= ~d;\n always @(posedge ck) e <= a;\n always @(posedge (d & e)) q <= a;\nendmodule\n",
			"m.v:5: its clock follows from two clocks, clk and ck"},
		{"module top(input a, b, output reg q);\n always @(posedge (a & b)) q <= ~q;\nendmodule\n",
			"m.v:2: its clock is made of a, b: none of them is known to be a clock"},
		{"module top(input clk, rst, a, output reg q);\n reg d;\n always @(posedge clk or posedge rst) if (rst) d <= 1; else d <= ~d;\n always @(posedge d) q <= a;\nendmodule\n",
			"m.v:4: its clock may rise when the asynchronous reset of d comes, which does not reset it"},
		{"module top(input clk, a, output reg q);\n reg d;\n always @(posedge (q ^ d)) q <= ~q;\n always @(posedge clk) d <= a;\nendmodule\n",
			"m.v:3: its clock follows from what that clock moves"},
		{"module top(input clk, a, output reg q);\n reg d, b;\n always @(posedge clk or posedge b) if (b) b <= 0; else b <= a;\n always @(posedge clk or posedge b) if (b) d <= 0; else d <= ~d;\n always @(posedge d) q <= a;\nendmodule\n",
			"m.v:5: its clock follows from itself"},
		{"(* blackbox *) module pll(input i, output o);\nendmodule\nmodule top(input clk, a, output reg q);\n wire c; pll p(clk, c);\n always @(posedge c) q <= a;\nendmodule\n",
			"m.v:5: its clock c comes out of pll, a black box"},
	} {
		_, err := load(t, c.text)
		require.ErrorContains(t, err, c.want)
	}
}
