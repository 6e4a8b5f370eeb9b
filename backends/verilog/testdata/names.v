// Written by etch. Do not edit.

// Names[T], names.go:3
module module_ (
  input wire clk,
  input wire [3:0] in_x_2,  // in.x, names.go:4
  input wire [3:0] in_x,
  input wire [3:0] reg_,  // reg, names.go:5
  input wire [15:0] wide,  // names.go:6
  output wire [3:0] out,  // names.go:7
  output wire always_,  // always, names.go:8
  output wire [7:0] sum,  // names.go:9
  output wire [3:0] copy  // names.go:10
);
  wire [3:0] lane_0_data_2 = in_x_2 ^ in_x;  // lane[0].data, names.go:11
  wire [3:0] lane_0_data = in_x_2 & in_x;  // names.go:12
  wire [3:0] sum_mul = lane_0_data_2 | lane_0_data;  // names.go:13
  assign out = sum_mul + reg_;  // names.go:14
  assign always_ = ^out;  // names.go:15
  wire [7:0] sum_cat = {in_x_2, in_x};  // names.go:16
  wire [15:0] sum_mul_2 = wide[7:0] * sum_cat;  // names.go:16
  wire [15:0] sum_mul_3 = sum_cat * sum_cat;  // names.go:17
  assign sum = sum_mul_2[15:8] + sum_mul_3[15:8] + sum_mul_2[15:8];  // names.go:18
  wire [2:0] idle = out[3:1];  // names.go:19

  assign copy = out;  // names.go:10

  // Read nowhere, on purpose.
  wire unused = &{1'b0, wide[15:8], sum_mul_2[7:0], sum_mul_3[7:0]};
endmodule
