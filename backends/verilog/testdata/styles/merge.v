// Written by etch. Do not edit.

// merge
module merge (
  input wire clk,
  input wire rst,
  input wire a_valid,
  output wire a_ready,
  input wire [7:0] a_data,
  input wire b_valid,
  output wire b_ready,
  input wire [7:0] b_data,
  output wire out_valid,
  input wire out_ready,
  output wire [7:0] out_data,
  output wire last
);
  reg [3:0] left;
  reg second;

  wire [7:0] from = second ? b_data : a_data;
  wire valid = (second & b_valid) | (~second & a_valid);
  wire fire = valid & out_ready;
  assign a_ready = ~second & out_ready;
  assign b_ready = second & out_ready;
  assign last = (left == 4'd1) | ((left == 4'd0) & (from[3:0] == 4'd0));

  assign out_valid = valid;
  assign out_data = from;

  always @(posedge clk) begin
    if (rst) begin
      left <= 4'd0;
      second <= 1'b0;
    end else if (fire) begin
      case (left)
        4'd0: if (from[3:0] == 4'd0) second <= ~second;
        4'd1: second <= ~second;
        default: ;
      endcase
      if (left == 4'd0) left <= from[3:0];
      else left <= left - 4'd1;
    end
  end
endmodule
