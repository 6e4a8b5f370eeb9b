package yosys

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/testbench/tools"
)

// load reads one text of Verilog.
func load(t *testing.T, text string, change ...func(*Source)) (*ir.Design, error) {
	t.Helper()
	tool := tools.Need(t, "yosys")[0]
	file := filepath.Join(t.TempDir(), "m.v")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	src := Source{Files: []string{file}, Top: "top"}
	for _, f := range change {
		f(&src)
	}
	d, err := Read(context.Background(), tool.Command, src)
	if err != nil {
		err = fmt.Errorf("%s", strings.ReplaceAll(err.Error(), file, "m.v"))
	}
	return d, err
}

// sameAsIcarus runs Verilog in the simulator and, as it is, under iverilog: inputs
// change while clocks are low, of which each cycle raises some. Outputs are
// compared before each edge, while clocks are high, and after they have fallen.
// The clock's first 0 must be no edge, so clocks are initialised as declared.
func sameAsIcarus(t *testing.T, text string, cycles int, change ...func(*Source)) *ir.Design {
	t.Helper()
	bench := tools.Need(t, "iverilog", "vvp")
	d, err := load(t, text, change...)
	require.NoError(t, err)
	dir := t.TempDir()
	s, err := sim.New(d)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(uint64(len(text)), 1))
	var stim, want, decls, conns, sets, ups, downs []string
	var ins, clks, outs []int
	for i, p := range d.Top.Ports {
		conns = append(conns, fmt.Sprintf(".%s(p%d)", p.Name, i))
		switch {
		case p.Dir == ir.Out:
			decls, outs = append(decls, fmt.Sprintf("wire [%d:0] p%d;", p.Width-1, i)), append(outs, i)
		case p.Type == ir.TypeID(ir.Clock):
			decls, clks = append(decls, fmt.Sprintf("reg p%d = 0;", i)), append(clks, i)
			ups = append(ups, fmt.Sprintf("p%d = up[%d];", i, len(clks)-1))
			downs = append(downs, fmt.Sprintf("p%d = 0;", i))
		default:
			decls, ins = append(decls, fmt.Sprintf("reg [%d:0] p%d;", p.Width-1, i)), append(ins, i)
		}
	}
	out := func() string {
		var all []string
		for _, i := range outs {
			all = append(all, s.GetBits(s.Top()[i]).Bin())
		}
		return strings.Join(all, " ")
	}
	for range cycles {
		set := ""
		for _, i := range ins {
			v := vector(r, d.Top.Ports[i].Width)
			require.NoError(t, s.SetBits(s.Top()[i], v))
			set = v.Bin() + set
		}
		want = append(want, out())
		up := 1 + r.IntN(1<<len(clks)-1)
		var rising []sim.Signal
		for k, i := range clks {
			if up>>k&1 == 1 {
				rising = append(rising, s.Top()[i])
			}
		}
		s.TickAll(rising...)
		want = append(want, out())
		stim = append(stim, fmt.Sprintf("%08b%s", up, set))
	}
	at := 0
	for _, i := range ins {
		w := d.Top.Ports[i].Width
		sets = append(sets, fmt.Sprintf("p%d = line[%d:%d];", i, at+w-1, at))
		at += w
	}
	var shown []string
	for _, i := range outs {
		shown = append(shown, fmt.Sprintf("p%d", i))
	}
	show := fmt.Sprintf("$display(\"%s\", %s);", strings.TrimSpace(strings.Repeat("%b ", len(shown))), strings.Join(shown, ", "))
	tb := fmt.Sprintf(`module tb;
  reg [%d:0] stim [0:%d]; reg [%d:0] line; reg [7:0] up; integer k;
  %s
  top dut(%s);
  initial begin
    $readmemb("stim", stim);
    for (k = 0; k < %d; k = k + 1) begin
      line = stim[k]; up = line[%d:%d]; %s
      #1 %s
      %s #1 %s #1 %s
    end
  end
endmodule
`, at+7, cycles-1, at+7, strings.Join(decls, "\n  "), strings.Join(conns, ", "), cycles, at+7, at, strings.Join(sets, " "), show, strings.Join(ups, " "), strings.Join(downs, " "), show)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "stim"), []byte(strings.Join(stim, "\n")), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tb.v"), []byte(tb+text), 0o666))
	cmd := bench[0].Command(t.Context(), "-g2012", "-s", "tb", "-o", "tb.vvp", "tb.v")
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", said)
	cmd = bench[1].Command(t.Context(), "-n", "tb.vvp")
	cmd.Dir = dir
	said, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", said)
	got := strings.Split(strings.TrimSpace(string(said)), "\n")
	require.Len(t, got, len(want))
	known := 0
	for k := range want {
		require.Len(t, got[k], len(want[k]))
		for i := range got[k] {
			if c := got[k][i]; c == '0' || c == '1' {
				known++
				require.Equal(t, got[k], maskX(want[k], got[k]), "line %d", k)
			}
		}
	}
	require.Greater(t, known, len(want), "almost all is unknown")
	return d
}

// maskX is x with the unknown bits of y.
func maskX(x, y string) string {
	b := []byte(x)
	for i := range b {
		if y[i] == 'x' || y[i] == 'z' {
			b[i] = y[i]
		}
	}
	return string(b)
}

const gateModules = `
module gate(input clk, input en, output out);
  reg held;
  always @(clk or en) if (!clk) held = en;
  assign out = clk & held;
endmodule
module gate_or(input clk, input off, output out);
  reg held;
  always @* if (clk) held = off;
  assign out = clk | held;
endmodule
`

func TestClockForms(t *testing.T) {
	for name, text := range map[string]string{
		"falling": `module top(input clk, input [7:0] a, output reg [7:0] x, y, z);
  initial {x, y, z} = 0;
  always @(posedge clk) x <= x + a;
  always @(negedge clk) y <= x ^ a;
  always @(posedge clk) z <= y + z;
endmodule`,
		"falling below": `module part(input clk, input [3:0] d, output reg [3:0] q); initial q = 0; always @(posedge clk) q <= d + q; endmodule
module top(input clk, input [3:0] a, output [3:0] x, y); wire n = ~clk; part p(clk, y ^ a, x); part q(n, x, y); endmodule`,
		"gate": gateModules + `module top(input clk, input en, input [7:0] a, output reg [7:0] x, y, n);
  initial {x, y, n} = 0;
  wire g; gate i(clk, en ^ y[0], g);
  always @(posedge g) x <= x + a;
  always @(posedge clk) y <= x + y + 1;
  always @(negedge g) n <= n + x;
endmodule`,
		"gate in place": `module top(input clk, input en, input rst_n, input [7:0] a, output reg [7:0] x, output reg [7:0] y);
  initial {x, y} = 0;
  reg held; always @* if (~clk) held <= en | a[7];
  wire g = clk & held;
  always @(posedge g or negedge rst_n) if (!rst_n) x <= 3; else x <= x + a;
  always @(posedge clk) y <= y + x;
endmodule`,
		"gate of a register": `module top(input clk, input en, input [7:0] a, output reg [7:0] x, output reg held);
  initial {x, held} = 0;
  always @(negedge clk) held <= en;
  wire g = held & clk;
  always @(posedge g) x <= x + a;
endmodule`,
		"or": gateModules + `module top(input clk, input off, input [7:0] a, output reg [7:0] x, y, n);
  initial {x, y, n} = 0;
  wire g; gate_or i(clk, off ^ y[1], g);
  always @(posedge g) x <= x + a;
  always @(posedge clk) y <= x + y + 1;
  always @(negedge g) n <= n + x;
endmodule`,
		"or of a register": `module top(input clk, input off, input [7:0] a, output reg [7:0] x, output reg held);
  initial {x, held} = 0;
  always @(posedge clk) held <= off;
  wire g = held | clk;
  always @(posedge g) x <= x + a;
endmodule`,
		"gate behind a gate": gateModules + `module top(input clk, input e, f, input [7:0] a, output reg [7:0] x);
  initial x = 0;
  wire g, h; gate i(clk, e, g); gate j(g, f, h);
  always @(posedge h) x <= x + a;
endmodule`,
		"memory": gateModules + `module top(input clk, input en, we, input [7:0] a, input [1:0] w, r, output reg [7:0] x, output [7:0] y);
  wire g; gate i(clk, en, g);
  reg [7:0] mem [0:3]; integer k;
  initial begin x = 0; for (k = 0; k < 4; k = k + 1) mem[k] = 7 * k; end
  always @(posedge g) begin if (we) mem[w] <= a; x <= mem[r]; end
  assign y = mem[r ^ w];
endmodule`,
		"memory on both edges": `module top(input clk, input we, input [7:0] a, input [1:0] w, r, output reg [7:0] x);
  reg [7:0] mem [0:3]; integer k;
  initial begin x = 0; for (k = 0; k < 4; k = k + 1) mem[k] = 7 * k; end
  always @(negedge clk) if (we) mem[w] <= a;
  always @(posedge clk) x <= mem[r];
endmodule`,
	} {
		t.Run(name, func(t *testing.T) {
			d := sameAsIcarus(t, text, 200)
			for _, p := range d.Top.Ports {
				if p.Name == "clk" {
					require.Equal(t, ir.TypeID(ir.Clock), p.Type)
				}
			}
		})
	}
}
