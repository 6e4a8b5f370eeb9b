package yosys

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
)

// TestTables: look-up tables as Verilog writes them (a bit of a constant, a case statement of one
// bit, with and without a register behind it) become Lut nodes, and no memory is left of a case
// statement.
func TestTables(t *testing.T) {
	const table = uint64(0xf2a74de452e6b438)
	var cases strings.Builder
	for i := range 64 {
		fmt.Fprintf(&cases, "6'd%d: y = 1'b%d; ", i, table>>i&1)
	}
	text := fmt.Sprintf(`module top(input clk, input [5:0] a, output reg y, output reg q, output z);
  wire [5:0] at = {a[0], a[1], a[2], a[3], a[4], a[5]};
  localparam [63:0] T = 64'h%x;
  assign z = T[{a[0], a[1], a[2], a[3], a[4], a[5]}];
  always @* case (at) %s endcase
  initial q = 0;
  always @(posedge clk) case (at) %s endcase
endmodule
`, table, cases.String(), strings.ReplaceAll(cases.String(), "y =", "q <="))
	d, _, err := readAll(t, map[string]string{"top.v": text}, Source{Files: []string{"top.v"}, Top: "top"})
	require.NoError(t, err)
	require.Empty(t, d.Top.Mems)
	luts := 0
	for id := ir.ID(1); int(id) < d.Top.Len(); id++ {
		if d.Top.Op(id) == ir.Lut {
			luts++
		}
	}
	require.Equal(t, 3, luts)

	s, err := sim.New(d)
	require.NoError(t, err)
	last := uint64(0)
	for a := range uint64(64) {
		turned := uint64(0)
		for i := range 6 {
			turned |= a >> i & 1 << (5 - i)
		}
		want := table >> turned & 1
		require.NoError(t, s.Set(portAt(t, s, "a"), a))
		require.Equal(t, want, s.Get(portAt(t, s, "y")), "y, a = %d", a)
		require.Equal(t, want, s.Get(portAt(t, s, "z")), "z, a = %d", a)
		require.Equal(t, last, s.Get(portAt(t, s, "q")), "q, a = %d", a)
		s.Step(1)
		last = want
	}
}
