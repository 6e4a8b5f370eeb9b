// Written by etch. Do not edit.

// Checked, statements.go:3
module checked (
  input wire clk,
  input wire rst,
  input wire valid,  // statements.go:4
  input wire signed [7:0] data,  // statements.go:5
  input wire signed [7:0] limit,
  output wire high  // statements.go:6
);
  assign high = limit < data;  // statements.go:8

`ifndef SYNTHESIS
  wire in_range_en = ~rst & valid;  // statements.go:9
  reg [31:0] equal_hits;  // statements.go:11
  initial equal_hits = 32'd0;
  wire signed [7:0] print_arg0 = data + limit;  // statements.go:10
  always @(posedge clk) begin
    if (in_range_en && high) $display("statements.go:9: assert in_range failed in %m: data %0d above %0d (%h, 100%%)",
        data, limit, data);  // statements.go:9
    if (!rst && !valid) $display("statements.go:10: assume failed in %m");  // statements.go:10
    if (valid && data == limit) begin
      if (equal_hits == 32'd0) $display("statements.go:11: cover equal hit in %m");
      equal_hits <= equal_hits + 32'd1;
    end
    if (in_range_en) $display("sum %0d %b \"%c\"", print_arg0, print_arg0, data);  // statements.go:12
  end
`endif
endmodule
