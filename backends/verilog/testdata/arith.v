// Written by etch. Do not edit.

// Arith, arith.go:5
module arith (
  input wire clk,
  input wire [7:0] a,  // arith.go:6
  input wire [7:0] b,
  input wire [39:0] n,  // arith.go:7
  input wire [19:0] x,  // arith.go:8
  output wire [7:0] quotient,  // arith.go:10
  output wire signed [7:0] quotient_s,  // arith.go:11
  output wire [7:0] remainder,  // arith.go:12
  output wire signed [7:0] remainder_s,  // arith.go:13
  output wire signed [7:0] third,  // arith.go:14
  output wire [7:0] left,  // arith.go:15
  output wire signed [7:0] right,  // arith.go:16
  output wire signed [7:0] halved,  // arith.go:17
  output wire [7:0] average,  // arith.go:18
  output wire [7:0] square_top,  // arith.go:19
  output wire less,  // arith.go:20
  output wire [4:0] ones,  // arith.go:21
  output wire majority,  // arith.go:22
  output reg signed [23:0] acc,  // arith.go:23
  output reg [23:0] total  // arith.go:24
);
  // Bit at of a truth table.
  function lut3(input [7:0] truth, input [2:0] at);
`ifdef SYNTHESIS
    reg [3:0] truth2;
    reg [1:0] truth1;
    begin
      truth2 = at[2] ? truth[7:4] : truth[3:0];
      truth1 = at[1] ? truth2[3:2] : truth2[1:0];
      lut3 = at[0] ? truth1[1] : truth1[0];
    end
`else
    lut3 = truth[at];
`endif
  endfunction

  // Bit at of a truth table.
  function lut6(input [63:0] truth, input [5:0] at);
`ifdef SYNTHESIS
    reg [31:0] truth5;
    reg [15:0] truth4;
    reg [7:0] truth3;
    reg [3:0] truth2;
    reg [1:0] truth1;
    begin
      truth5 = at[5] ? truth[63:32] : truth[31:0];
      truth4 = at[4] ? truth5[31:16] : truth5[15:0];
      truth3 = at[3] ? truth4[15:8] : truth4[7:0];
      truth2 = at[2] ? truth3[7:4] : truth3[3:0];
      truth1 = at[1] ? truth2[3:2] : truth2[1:0];
      lut6 = at[0] ? truth1[1] : truth1[0];
    end
`else
    lut6 = truth[at];
`endif
  endfunction

  // Number of ones.
  function [1:0] popcount2(input [1:0] x_2);
    popcount2 = {&x_2, ^x_2};
  endfunction

  // Number of ones.
  function [2:0] popcount6(input [5:0] x_2);
    popcount6 = {lut6(64'hfee8e880e8808000, x_2), lut6(64'h8117177e177e7ee8, x_2), lut6(64'h6996966996696996, x_2)};
  endfunction

  // Number of ones.
  function [3:0] popcount8(input [7:0] x_2);
    popcount8 = {2'd0, popcount2(x_2[7:6])} + {1'b0, popcount6(x_2[5:0])};
  endfunction

  // Number of ones.
  function [3:0] popcount12(input [11:0] x_2);
    popcount12 = {1'b0, popcount6(x_2[11:6])} + {1'b0, popcount6(x_2[5:0])};
  endfunction

  // Number of ones.
  function [4:0] popcount20(input [19:0] x_2);
    popcount20 = {1'b0, popcount8(x_2[19:12])} + {1'b0, popcount12(x_2[11:0])};
  endfunction

  assign quotient = b == 8'd0 ? 8'hff : a / b;  // arith.go:30
  assign quotient_s = b == 8'd0 ? -8'sd1 :
        b == 8'hff ? -$signed(a) :
        $signed(a) / $signed(b);  // arith.go:31
  assign remainder = b == 8'd0 ? a : a % b;  // arith.go:32
  assign remainder_s = b == 8'd0 ? $signed(a) :
        b == 8'hff ? 8'sd0 :
        $signed(a) % $signed(b);  // arith.go:33
  assign third = $signed(a) / 8'sd3;  // arith.go:34
  assign left = a << ({4{|n[39:4]}} | n[3:0]);  // arith.go:35
  assign right = $signed(a) >>> b;  // arith.go:36
  assign halved = $signed(a) >>> 1;  // arith.go:37
  wire [8:0] average_add = {1'b0, a} + {1'b0, b};  // arith.go:38
  assign average = average_add[8:1];  // arith.go:38
  wire [15:0] square_top_mul = a * a;  // arith.go:39
  assign square_top = square_top_mul[15:8];  // arith.go:39
  assign less = ($signed(a) < $signed(~b)) & (b <= 8'd3);  // arith.go:40
  assign ones = popcount20(x);  // arith.go:41
  assign majority = lut3(8'he8, {x[2], x[1], x[0]});  // arith.go:42

  always @(posedge clk) begin
    acc <= acc + $signed(a) * $signed(b);  // arith.go:43
    total <= total + a * b;  // arith.go:44
  end

  // Read nowhere, on purpose.
  wire unused = &{1'b0, average_add[0], square_top_mul[7:0]};
endmodule
