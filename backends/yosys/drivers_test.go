package yosys

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Two drivers of a net that fight: one error with both lines, in a module that is
// flattened and in one that is not.
func TestTwoDrivers(t *testing.T) {
	const sub = "module sub(input i, output o);\n assign o = ~i;\nendmodule\n"
	for name, c := range map[string]struct{ text, want string }{
		"copies":      {"module top(input a, b, output y);\n assign y = a;\n assign y = b;\nendmodule\n", "m.v:3: net y is driven here and at m.v:2"},
		"operations":  {"module top(input a, b, output y);\n assign y = a & b;\n assign\n  y = a | b;\nendmodule\n", "m.v:4: net y is driven here and at m.v:2"},
		"constants":   {"module top(output y, z);\n assign y = 0;\n assign z = 0;\n assign y = 1;\nendmodule\n", "m.v:4: net y is driven here and at m.v:2"},
		"declaration": {"module top(input a, b, output y);\n wire w = a;\n assign w = b;\n assign y = w;\nendmodule\n", "m.v:3: net w is driven here and at m.v:2"},
		"list":        {"module top(input a, b, output x, y);\n assign x = a,\n  y = a;\n assign {y} = b;\nendmodule\n", "m.v:4: net y is driven here and at m.v:3"},
		"blocks":      {"module top(input a, b, output reg y);\n always @* y = a & b;\n always @* y = a | b;\nendmodule\n", "m.v:3: net y is driven here and at m.v:2"},
		"registers":   {"module top(input c, a, b, output reg y);\n always @(posedge c) if (a) y <= b;\n always @(posedge c) if (b) y <= a;\nendmodule\n", "m.v:3: net y is driven here and at m.v:2"},
		"mixed":       {"module top(input c, a, output reg y);\n assign y = 0;\n always @(posedge c) y <= a;\nendmodule\n", "m.v:3: net y is driven here and at m.v:2"},
		"instances":   {"module top(input a, b, output y);\n sub u(a, y);\n sub v(b, y);\nendmodule\n" + sub, "m.v:3: net y is driven here and at m.v:2"},
		"instance":    {"module top(input a, b, output y);\n sub u(a, y);\n assign y = b;\nendmodule\n" + sub, "m.v:3: net y is driven here and at m.v:2"},
		"part":        {"module top(input a, b, output [1:0] y);\n assign y = {a, b};\n assign y[0] = a ^ b;\nendmodule\n", "m.v:3: net y[0] is driven here and at m.v:2"},
		"input":       {"module top(input a,\n input b, output y);\n assign a = b;\n assign y = a;\nendmodule\n", "m.v:3: net a is driven here and is the input at m.v:1"},
		"below": {"module top(input a, b, output y);\n low u(a, b, y);\nendmodule\nmodule low(input a, b, output y);\n assign y = a;\n assign y = b;\nendmodule\n",
			"m.v:6: net y is driven here and at m.v:5"},
		"input below": {"module top(input a, output y);\n low u(a, y);\nendmodule\nmodule low(input a,\n output y);\n assign a = 1;\n assign y = a;\nendmodule\n",
			"m.v:6: net a is driven here and is the input at m.v:4"},
		"out of a loop": {"module top(input [1:0] a, output y);\n genvar i;\n generate for (i = 0; i < 2; i = i + 1) begin : g\n  assign y = a[i];\n end endgenerate\nendmodule\n",
			"m.v:4: net y is driven here twice"},
		"a question": {"module top(input a, b, input s, output reg y);\n reg t;\n always @* t = a;\n always @* t = b;\n always @* case (1'b1) s: y = 0; t: y = 1; default: y = 0; endcase\nendmodule\n",
			"m.v:4: net t is driven here and at m.v:3"},
		"half a bus":   {"module top(input a, b, output y);\n assign y = a ? b : 1'bz;\n assign y = b;\nendmodule\n", "m.v:3: net y is driven here and at m.v:2"},
		"two wor, one": {"module top(input a, b, output y);\n wor w;\n wire v;\n assign w = a;\n assign w = b;\n assign v = w;\n assign v = b;\n assign y = v;\nendmodule\n", "m.v:7: net v is driven here and at m.v:6"},
	} {
		for _, flat := range []bool{false, true} {
			_, err := load(t, c.text, func(s *Source) { s.Flatten = flat })
			require.Error(t, err, name)
			require.True(t, strings.HasPrefix(err.Error(), c.want), "%s\n%s\n%v", name, c.want, err)
		}
	}
}

// Several drivers that are no mistake: wired nets, the same bit twice, and the
// variable that always blocks share, of which yosys by itself would join all that is
// assigned to it.
func TestSharedNets(t *testing.T) {
	sameAsIcarus(t, `module top(input clk, input [3:0] a, b, output [3:0] w, x, output u, output reg [3:0] p, q, r, output [3:0] s);
  wor [3:0] any; wand [3:0] all; trior one; triand none;
  assign any = a; assign any = b; assign any[1] = a[3];
  assign all = a; sub v(b, all);
  assign one = a[0]; assign one = b[0]; assign none = a[1]; assign none = b[1];
  assign w = any; assign x = all; assign u = one ^ none;
  reg t; reg [3:0] keep; integer i;
  initial begin p = 0; r = 0; end
  always @(posedge clk) for (i = 0; i < 4; i = i + 1) begin t = a[i]; p[i] <= t; end
  always @* for (i = 0; i < 4; i = i + 1) begin t = b[3 - i]; q[i] = t; end
  always @* begin keep = a; keep = keep + b; end
  always @(posedge clk) begin keep = b; r <= r + keep; end
  wire [3:0] twice = a; assign twice = a; assign s = twice;
endmodule
module sub(input [3:0] i, output [3:0] o); assign o = ~i; endmodule`, 60)
}
