package yosys

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
)

// loads are latches, and registers that are set and cleared or loaded without a
// clock. Verilog looks at a load when it begins and at clocks only, so nothing here
// changes what is loaded during one; and set and clear do not follow each other at
// once, which is a race there.
var loads = map[string]string{
	"set and clear": `module top(input clk, input s, input [7:0] a, output reg [7:0] x);
  initial x = 0;
  reg [1:0] ph = 0; always @(posedge clk) ph <= ph + 1;
  wire set = s & ph == 1, clr = s & ph == 3;
  always @(posedge clk or posedge clr or posedge set) if (clr) x <= 0; else if (set) x <= 255; else x <= x + a;
endmodule`,
	"clear before set": `module top(input clk, input s, input [7:0] a, output reg [7:0] x);
  initial x = 0;
  reg [1:0] ph = 0; always @(posedge clk) ph <= ph + 1;
  wire set = s & (ph == 1 | ph == 2), clr = s & ph[1];
  always @(posedge clk or posedge clr or posedge set) if (clr) x <= 0; else if (set) x <= 255; else x <= x + a;
endmodule`,
	"set before clear": `module top(input clk, input s, input [7:0] a, output reg [7:0] x);
  initial x = 0;
  reg [1:0] ph = 0; always @(posedge clk) ph <= ph + 1;
  wire set = s & ph[1], clr = s & (ph == 1 | ph == 2);
  always @(posedge clk or posedge clr or posedge set) if (set) x <= 8'ha5; else if (clr) x <= 8'h0f; else x <= x + a;
endmodule`,
	"set, clear and enable by bit": `module top(input clk, e, s, input [3:0] a, output reg [3:0] x);
  initial x = 0;
  reg [1:0] ph = 0; always @(posedge clk) ph <= ph + 1;
  genvar i;
  generate for (i = 0; i < 4; i = i + 1) begin : g
    wire set = s & ph == i[1:0], clr = s & ph == (i[1:0] ^ 2);
    always @(posedge clk or negedge clr or posedge set) if (!clr) x[i] <= 0; else if (set) x[i] <= 1; else if (e) x[i] <= x[i] ^ a[i];
  end endgenerate
endmodule`,
	"loaded": `module top(input clk, input go, input [7:0] a, output reg [7:0] x, output reg busy);
  initial {x, busy} = 0;
  reg [7:0] v = 1; always @(posedge clk) v <= v * 5 + a;
  always @(posedge clk) busy <= go;
  wire load = busy & ~go & v[0]; // it begins between two edges, and ends with the second
  always @(posedge clk or posedge load) if (load) x <= v; else x <= x + 1;
endmodule`,
	"latch of inputs": `module top(input clk, e, input [7:0] a, output reg [7:0] x, output reg [7:0] y);
  initial y = 0;
  always @* if (e) x = a;
  always @(posedge clk) y <= y + x;
endmodule`,
	"latches of registers": `module top(input clk, input [7:0] a, output reg [7:0] x, y, output reg [7:0] r, output reg e);
  initial {r, e} = 0;
  always @(posedge clk) begin r <= r + a; e <= a[0]; end
  always @* if (e) x = r ^ a;
  always @* if (!e) y = x + 1;
endmodule`,
	"latches on a clock": `module top(input clk, input en, input [7:0] a, output reg [7:0] x, y, z);
  initial {x, y, z} = 0;
  always @* if (clk) x = a + z;
  always @* if (!clk && en) y = x;
  always @(posedge clk) z <= z + y;
endmodule`,
	"latch with reset": `module top(input clk, e, r, input [7:0] a, output reg [7:0] x, output reg [7:0] y);
  initial y = 0;
  always @* if (r) x = 8'h5a; else if (e) x = a;
  always @(posedge clk) y <= y ^ x;
endmodule`,
	"latches as a memory": `module top(input clk, input we, input [1:0] w, r, input [7:0] a, output [7:0] q);
  reg [7:0] l0, l1, l2, l3; reg [1:0] at = 0; reg [7:0] d = 0; reg go = 0;
  always @(posedge clk) begin at <= w; d <= a; go <= we; end
  wire open = go & ~clk; // while the clock is low what they take stands still
  always @* begin if (open && at == 0) l0 = d; end
  always @* begin if (open && at == 1) l1 = d; end
  always @* begin if (open && at == 2) l2 = d; end
  always @* begin if (open && at == 3) l3 = d; end
  assign q = r == 0 ? l0 : r == 1 ? l1 : r == 2 ? l2 : l3;
endmodule`,
}

// TestLoads: they are as under iverilog, before each edge and after it.
func TestLoads(t *testing.T) {
	for name, text := range loads {
		t.Run(name, func(t *testing.T) {
			d := sameAsIcarus(t, text, 300)
			if name == "latch of inputs" {
				require.True(t, d.Top.Regs[0].Kind == ir.Latch || d.Top.Regs[1].Kind == ir.Latch)
			}
		})
	}
}

// TestPulses: what is set or cleared without an edge of the clock stays so until one.
func TestPulses(t *testing.T) {
	d, err := load(t, `module top(input clk, s, r, l, input [7:0] v, output reg [7:0] x, y);
  always @(posedge clk or posedge r or posedge s) if (r) x <= 0; else if (s) x <= 255; else x <= v;
  always @(posedge clk or posedge l) if (l) y <= v; else y <= y + 1;
endmodule`)
	require.NoError(t, err)
	for _, engine := range []sim.Engine{sim.Interpreter, sim.Native} {
		s, err := sim.New(d, sim.WithEngine(engine))
		require.NoError(t, err)
		pulse := func(name string) {
			s.Set(portAt(t, s, name), 1)
			s.Get(portAt(t, s, "x"))
			s.Set(portAt(t, s, name), 0)
		}
		is := func(name string, want uint64) { t.Helper(); require.Equal(t, want, s.Get(portAt(t, s, name)), name) }
		for range 3 {
			pulse("s")
			is("x", 255)
			pulse("r")
			is("x", 0)
			pulse("s")
			is("x", 255)
			s.Set(portAt(t, s, "v"), 7)
			is("x", 255)
			pulse("l")
			is("y", 7)
			s.Set(portAt(t, s, "v"), 9)
			is("y", 7)
			s.Step(1)
			is("x", 9)
			is("y", 8)
			s.Set(portAt(t, s, "l"), 1)
			is("y", 9)
			s.Step(1)
			is("y", 9)
			s.Set(portAt(t, s, "l"), 0)
			is("y", 9)
			s.Step(2)
			is("y", 11)
		}
	}
}

// TestLatchLoop: latches that are open in a circle are no state.
func TestLatchLoop(t *testing.T) {
	_, err := load(t, "module top(input e, f, output reg x, y);\n always @*\n  if (e) x = ~y;\n always @*\n  if (f) y = x;\nendmodule\n")
	require.ErrorContains(t, err, "combinational loop in module top through m.v:")
}
