// Written by etch. Do not edit.
/* verilator lint_off DECLFILENAME */ // the file holds several modules

// Tap, hierarchy.go:3
module tap (
  input wire clk,
  input wire signed [7:0] x,  // hierarchy.go:4
  input wire signed [19:0] sum,
  output reg signed [7:0] x_out,  // hierarchy.go:5
  output reg signed [19:0] sum_out
);
  always @(posedge clk) begin
    x_out <= x;
    sum_out <= sum + x * -20'sd13;  // hierarchy.go:9
  end
endmodule

// Filter, hierarchy.go:15
module filter (
  input wire clk,
  input wire signed [7:0] x,  // hierarchy.go:16
  input wire [1:0] gain,
  output wire signed [7:0] y  // hierarchy.go:17
);
  wire signed [7:0] first_x_out;
  wire signed [19:0] first_sum_out;
  tap first (  // hierarchy.go:19
    .clk(clk),
    .x(x),
    .sum(20'd0),
    .x_out(first_x_out),
    .sum_out(first_sum_out)
  );
  wire signed [7:0] second_x_out;
  wire signed [19:0] second_sum_out;
  tap second (  // hierarchy.go:20
    .clk(clk),
    .x(first_x_out),
    .sum(first_sum_out),
    .x_out(second_x_out),
    .sum_out(second_sum_out)
  );
  wire signed [19:0] limit_d = second_sum_out << gain;  // hierarchy.go:21
  vendor_clip #(.IN(20), .OUT(8)) limit (  // hierarchy.go:21
    .d(limit_d),
    .q(y)
  );
endmodule
