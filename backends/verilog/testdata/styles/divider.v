// Written by etch. Do not edit.

// divider
module divider (
  input wire clk,
  input wire rst,
  input wire start,
  input wire [15:0] n,
  input wire [15:0] d,
  output wire [15:0] q,
  output wire [15:0] r,
  output wire ready
);
  reg busy;
  reg [4:0] left;
  reg [15:0] quotient, rest, divisor;

  wire [16:0] next = {rest, quotient[15]};
  assign ready = ~busy;

  assign q = quotient;
  assign r = rest;

  always @(posedge clk) begin
    if (rst) begin
      busy <= 1'b0;
      left <= 5'd0;
    end else if (busy) begin
      if (left == 5'd1) busy <= 1'b0;
      left <= left - 5'd1;
    end else if (start) begin
      busy <= 1'b1;
      left <= 5'd16;
    end
  end

  wire [16:0] rest_sub = next - {1'b0, divisor};

  always @(posedge clk) begin
    if (busy) begin
      if (next < {1'b0, divisor}) begin
        quotient <= quotient << 1;
        rest <= next[15:0];
      end else begin
        quotient <= {quotient[14:0], 1'b1};
        rest <= rest_sub[15:0];
      end
    end else if (start) begin
      quotient <= n;
      rest <= 16'd0;
      divisor <= d;
    end
  end

  // Read nowhere, on purpose.
  wire unused = &{1'b0, rest_sub[16]};
endmodule
