package yosys

import "testing"

// A vector that is read where it is driven is no loop if a mask of constants keeps the
// bits apart: bit n of the grants reads those below it.
func TestMaskedCircle(t *testing.T) {
	sameAsIcarus(t, `module top(input clk, input [3:0] ask, input go, output reg [3:0] y, output reg [3:0] z);
  wire [3:0] grant, none;
  genvar n;
  generate for (n = 0; n < 4; n = n + 1) begin
    assign grant[n] = ask[n] && !(grant & (4'hf >> (4 - n))) && go;
    assign none[n] = &(none | ~(4'hf >> (4 - n))) & ~ask[n];
  end endgenerate
  always @(posedge clk) begin y <= grant; z <= none; end
endmodule`, 300)
}
