// Written by etch. Do not edit.

// fir
module fir (
  input wire clk,
  input wire rst,
  input wire signed [11:0] x,
  output wire signed [23:0] y
);
  reg signed [23:0] sum_4, sum_3, sum_2, sum_1, sum_0;
  reg signed [23:0] peak;

  wire signed [23:0] y_shr_2 = peak >>> 1;
  wire signed [23:0] y_shr = peak >>> 1;
  assign y = y_shr < sum_0 ? y_shr_2 : sum_0;

  always @(posedge clk) begin
    if (rst) begin
      sum_4 <= 24'd0;
      sum_3 <= 24'd0;
      sum_2 <= 24'd0;
      sum_1 <= 24'd0;
      sum_0 <= 24'd0;
    end else begin
      sum_4 <= x * 24'sd3;
      sum_3 <= sum_4 + x * -24'sd17;
      sum_2 <= sum_3 + x * 24'sd40;
      sum_1 <= sum_2 + x * -24'sd17;
      sum_0 <= sum_1 + x * 24'sd3;
    end
  end

  always @(posedge clk) begin
    if (rst) peak <= 24'd0;
    else if (peak < sum_0) peak <= sum_0;
    else if (sum_0 < -peak) peak <= -sum_0;
  end
endmodule
