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

	"etch/backends/verilog"
	"etch/ir"
	"etch/ir/bits"
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

// bench is a stimulus of a design and what the simulator makes of it: inputs change
// while clocks are low, of which each cycle raises some. Outputs are looked at before
// each edge and after clocks have fallen.
type bench struct {
	d          *ir.Design
	stim, want []string
}

func newBench(t *testing.T, d *ir.Design, cycles int, seed uint64) *bench {
	t.Helper()
	s, err := sim.New(d, sim.WithEngine(sim.Lockstep))
	if err != nil { // not for native code
		s, err = sim.New(d)
	}
	require.NoError(t, err)
	b := &bench{d: d}
	r := rand.New(rand.NewPCG(seed, 1))
	var ins, clks, outs []int
	for i, p := range d.Top.Ports {
		switch {
		case p.Dir == ir.Out:
			outs = append(outs, i)
		case p.Type == ir.TypeID(ir.Clock):
			clks = append(clks, i)
		default:
			ins = append(ins, i)
		}
	}
	look := func() {
		var all []string
		for _, i := range outs {
			all = append(all, s.GetBits(s.Top()[i]).Bin())
		}
		b.want = append(b.want, strings.Join(all, " "))
	}
	for k := range cycles {
		set := ""
		for _, i := range ins {
			v := patterns(r, d.Top.Ports[i].Width)
			if l := ResetByName(d.Top.Ports[i].Name); k == 0 && l != 0 { // one that is there from the start does not come
				v = bits.New(1, uint64(l-High))
			}
			require.NoError(t, s.SetBits(s.Top()[i], v))
			set = v.Bin() + set
		}
		look()
		up := 1 + r.IntN(1<<len(clks)-1)
		var rising []sim.Signal
		for k, i := range clks {
			if up>>k&1 == 1 {
				rising = append(rising, s.Top()[i])
			}
		}
		s.TickAll(rising...)
		look()
		b.stim = append(b.stim, fmt.Sprintf("%08b%s", up, set))
	}
	return b
}

// verilog is the same in Verilog: a module that reads the stimulus from a file,
// instantiates dut and prints what outputs are, behind prefix. The clock's first 0
// must be no edge, so clocks are initialised as declared.
func (b *bench) verilog(name, dut, prefix, file string) string {
	var decls, conns, sets, ups, downs, shown []string
	at, clocks := 0, 0
	for i, p := range b.d.Top.Ports {
		conns = append(conns, fmt.Sprintf(".%s(p%d)", p.Name, i))
		switch {
		case p.Dir == ir.Out:
			decls, shown = append(decls, fmt.Sprintf("wire [%d:0] p%d;", p.Width-1, i)), append(shown, fmt.Sprintf("p%d", i))
		case p.Type == ir.TypeID(ir.Clock):
			decls = append(decls, fmt.Sprintf("reg p%d = 0;", i))
			ups = append(ups, fmt.Sprintf("p%d = up[%d];", i, clocks))
			downs = append(downs, fmt.Sprintf("p%d = 0;", i))
			clocks++
		default:
			decls = append(decls, fmt.Sprintf("reg [%d:0] p%d;", p.Width-1, i))
			sets = append(sets, fmt.Sprintf("p%d = line[%d:%d];", i, at+p.Width-1, at))
			at += p.Width
		}
	}
	show := fmt.Sprintf("$display(\"%s%s\", %s);", prefix, strings.TrimSpace(strings.Repeat("%b ", len(shown))), strings.Join(shown, ", "))
	return fmt.Sprintf(`module %s;
  reg [%d:0] stim [0:%d]; reg [%d:0] line; reg [7:0] up; integer k;
  %s
  %s dut(%s);
  initial begin
    $readmemb("%s", stim);
    for (k = 0; k < %d; k = k + 1) begin
      line = stim[k]; up = line[%d:%d]; %s
      #1 %s
      %s #1 %s #1 %s
    end
  end
endmodule
`, name, at+7, len(b.stim)-1, at+7, strings.Join(decls, "\n  "), dut, strings.Join(conns, ", "), file, len(b.stim), at+7, at,
		strings.Join(sets, " "), show, strings.Join(ups, " "), strings.Join(downs, " "), show)
}

// same compares lines of a bench with what the simulator made of it, where they are
// known.
func (b *bench) same(t *testing.T, what string, got []string) {
	t.Helper()
	require.Len(t, got, len(b.want))
	known := 0
	for k, want := range b.want {
		require.Len(t, got[k], len(want))
		for i := range got[k] {
			if c := got[k][i]; c == '0' || c == '1' {
				known++
				require.Equal(t, got[k], maskX(want, got[k]), "%s, line %d", what, k)
			}
		}
	}
	require.Greater(t, known, len(b.want), "almost all is unknown")
}

// sameAsIcarus runs Verilog in the simulator and under iverilog: as it is, and as
// we write what was read.
func sameAsIcarus(t *testing.T, text string, cycles int, change ...func(*Source)) *ir.Design {
	t.Helper()
	d, err := load(t, text, change...)
	require.NoError(t, err)
	b := newBench(t, d, cycles, uint64(len(text)))
	compare := func(what, text string) {
		t.Helper()
		b.same(t, what, icarus(t, map[string]string{"stim": strings.Join(b.stim, "\n"), "tb.v": b.verilog("tb", "top", "", "stim") + text}))
	}
	compare("as it was", text)
	ours, err := verilog.Text(d, verilog.Options{Zero: true})
	require.NoError(t, err)
	compare("as we write it", string(ours))
	return d
}

// icarus runs a bench and returns its lines.
func icarus(t *testing.T, files map[string]string) []string {
	t.Helper()
	bench := tools.Need(t, "iverilog", "vvp")
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	cmd := bench[0].Command(t.Context(), "-g2012", "-s", "tb", "-o", "tb.vvp", "tb.v")
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", said)
	cmd = bench[1].Command(t.Context(), "-n", "tb.vvp")
	cmd.Dir = dir
	said, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", said)
	return strings.Split(strings.TrimSpace(string(said)), "\n")
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

// portAt is the signal of a name.
func portAt(t *testing.T, s *sim.Sim, name string) sim.Signal {
	t.Helper()
	sig, err := s.Signal(name)
	require.NoError(t, err)
	return sig
}

// patterns is a value whose words have few ones, few zeros, or are random.
func patterns(r *rand.Rand, width int) bits.Value {
	words := make([]uint64, bits.WordCount(width))
	for i := range words {
		words[i] = r.Uint64()
		switch r.IntN(5) {
		case 0:
			words[i] &= r.Uint64() & r.Uint64()
		case 1:
			words[i] |= r.Uint64() | r.Uint64()
		}
	}
	return bits.FromWords(width, words)
}
