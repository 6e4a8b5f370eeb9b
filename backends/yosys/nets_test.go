package yosys

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
)

// padVerilog joins drivers of every form on nets inside of the top, pads among them,
// of which at most one drives at a time: that of s.
const padVerilog = `module top(input clk, input [3:0] s, input [3:0] a, b, output [3:0] x, y, z, output reg [3:0] q, output u, v, w, output [1:0] h, output k);
  // A bus of pads, whole: from operators, always blocks, gates, through hierarchy.
  wire [3:0] bus;
  assign bus = s == 0 ? a : s == 1 ? b : 4'bz;
  chip #(.W(4)) c(.pad(bus), .d(a ^ b), .en(s == 2), .q(x));
  deep d(.pad(bus), .d(~a), .en(s == 3));
  reg [3:0] t;
  always @* case (s) 4: t = a + b; 5: t = a - b; default: t = 4'bzzzz; endcase
  assign bus = t;
  pullup (bus[3]), p2(bus[2]); pullup (bus[1]);
  pullup (weak1) p0(bus[0]);
  assign y = bus;
  initial q = 0;
  always @(posedge clk) q <= bus;

  // Bits with enables of their own, in a vector, and parts of it.
  wire [3:0] gpio;
  genvar i;
  generate for (i = 0; i < 4; i = i + 1) begin : g assign gpio[i] = b[i] ? a[i] : 1'bz; pulldown (gpio[i]); end endgenerate
  assign z = gpio;
  wire [3:0] half;
  assign half[1:0] = s[0] ? a[1:0] : 2'bz;
  chip #(.W(2)) e(.pad(half[3:2]), .d(b[1:0]), .en(s[0]), .q());
  chip #(.W(4)) f(.pad(half), .d(a), .en(~s[0]), .q());
  assign h = half[3:2] ^ half[1:0];

  // An open line, outputs that let go, gates, a pad that is tied, one that hangs.
  wire sda;
  pullup (sda);
  assign sda = a[0] ? 1'b0 : 1'bz;
  opens o(.low(a[1]), .line(sda));
  opens p(.low(a[2]), .line(sda));
  assign u = sda;
  wire bi;
  bufif1 (bi, a[0], s[1]);
  bufif0 (bi, a[1], s[1]);
  assign v = bi;
  wire tied = 1'b1;
  chip #(.W(1)) m(.pad(tied), .d(1'b0), .en(1'b0), .q(w));
  chip #(.W(1)) n(.pad(), .d(a[3]), .en(1'b1), .q(k));
endmodule
module chip #(parameter W = 1)(inout [W-1:0] pad, input [W-1:0] d, input en, output [W-1:0] q);
  assign pad = en ? d : {W{1'bz}};
  assign q = pad;
endmodule
module deep(inout [3:0] pad, input [3:0] d, input en);
  chip #(.W(4)) inner(.pad(pad), .d(d), .en(en), .q());
endmodule
module opens(input low, output line);
  assign line = low ? 1'b0 : 1'bz;
endmodule
`

// TestPads: nets with drivers that let go behave as under Icarus Verilog, from
// hierarchy and flattened, and as we write them.
func TestPads(t *testing.T) {
	for _, flat := range []bool{false, true} {
		d := sameAsIcarus(t, padVerilog, 200, func(s *Source) { s.Flatten = flat })
		require.True(t, d.HasNets())
	}
}

// TestTopPads: pads of the top, of a vector as a whole and in bits; two that drive at
// once are found, with the lines of both.
func TestTopPads(t *testing.T) {
	var notes []string
	d, err := load(t, `module top(input clk, input en, input [3:0] a, e,
  inout [3:0] pad, inout sda, inout [1:0] gpio, output [3:0] q, output reg r);
  assign pad = en ? a : 4'bz;
  assign pad = e[3] ? ~a : 4'bz;
  pullup (sda);
  assign sda = e[2] ? 1'b0 : 1'bz;
  assign gpio[0] = e[0] ? a[0] : 1'bz;
  assign gpio[1] = e[1] ? a[1] : 1'bz;
  assign q = pad;
  always @(posedge clk) r <= q[0];
endmodule`, func(s *Source) { s.Note = func(n string) { notes = append(notes, n) } })
	require.NoError(t, err)
	require.Len(t, notes, 1)
	require.Contains(t, notes[0], "m.v:2: port gpio of 2 bits is driven in parts: the ports are gpio_0, gpio_1")
	var pads []string
	for _, p := range d.Top.Ports {
		if p.Dir == ir.InOut {
			pads = append(pads, p.Name)
		}
	}
	require.Equal(t, []string{"pad", "sda", "gpio_0", "gpio_1"}, pads)

	var said strings.Builder
	s, err := sim.New(d, sim.WithOutput(&said))
	require.NoError(t, err)
	set := func(name string, v uint64) { require.NoError(t, s.Set(portAt(t, s, name), v)) }
	get := func(name string) uint64 { return s.Get(portAt(t, s, name)) }
	set("a", 9)
	require.Equal(t, []uint64{0, 1, 0}, []uint64{get("pad"), get("sda"), get("gpio_0")})
	require.NoError(t, s.Drive(portAt(t, s, "pad"), bits.New(4, 6)))
	require.Equal(t, uint64(6), get("q"))
	require.NoError(t, s.Release(portAt(t, s, "pad")))
	set("en", 1)
	set("e", 1)
	require.Equal(t, []uint64{9, 9, 1, 0}, []uint64{get("pad"), get("q"), get("gpio_0"), get("gpio_1")})
	var failures []string
	s.OnFailure(func(f sim.Failure) { failures = append(failures, fmt.Sprint(f)) })
	set("e", 8)
	s.Step(1)
	require.Len(t, failures, 1)
	require.Contains(t, failures[0], "pad has two drivers at once")
	require.Contains(t, failures[0], "m.v:3")
	require.Contains(t, failures[0], "m.v:4")
}

// TestPadErrors: what cannot be a pad is refused with its line.
func TestPadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"module top(input clk, a, inout y);\n reg r;\n always @(posedge clk) r <= a ? 1'b1 : 1'bz;\n assign y = r;\nendmodule\n",
			"m.v:3: register r keeps a z for net y: keep the value and its enable, and drive the net from them"},
		{"module top(inout a, inout b);\n\n assign a = b;\nendmodule\n", "m.v:3: net a takes the value of b, which may be z: drive it with an enable"},
		{"module top(inout a, input e, b);\n tri1 w;\n assign a = w;\nendmodule\n", "m.v:2: a tri1 cannot be read: declare a wire, with a pullup or pulldown"},
		{"module top(input e, a, inout [1:0] p);\n box b(.p(p));\n assign p[0] = e ? a : 1'bz;\nendmodule\n(* blackbox *) module box(inout [1:0] p); endmodule\n",
			"m.v:2: instance b: its inout p is connected to parts of nets"},
	} {
		_, err := load(t, c.text)
		require.Error(t, err, c.text)
		require.True(t, strings.HasPrefix(err.Error(), c.want), "%s\n%v", c.want, err)
		require.NotContains(t, err.Error(), "\n")
	}
	d, err := load(t, "module top(inout [1:0] p, input [1:0] a, output [1:0] y);\n box b(.p(p), .a(a), .y(y));\nendmodule\n(* blackbox *) module box(inout [1:0] p, input [1:0] a, output [1:0] y); endmodule\n")
	require.NoError(t, err)
	require.Equal(t, ir.InOut, d.Top.Insts[0].Mod.Ports[0].Dir)
}
