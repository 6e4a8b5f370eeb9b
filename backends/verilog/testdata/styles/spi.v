// Written by etch. Do not edit.

// spi
module spi (
  input wire clk,
  input wire rst,
  input wire start,
  input wire [7:0] data,
  output reg busy,
  output reg done,
  output wire [7:0] got,
  output reg sclk,
  output wire mosi,
  input wire miso,
  output wire cs
);
  reg [7:0] out;
  reg [7:0] in;
  reg [2:0] count;
  reg [1:0] div;

  wire tick = div == 2'd3;
  assign mosi = out[7];
  assign cs = ~busy;

  assign got = in;

  wire done_next = tick & sclk & (count == 3'd7);

  always @(posedge clk) begin
    if (rst) begin
      busy <= 1'b0;
      done <= 1'b0;
      sclk <= 1'b0;
      out <= 8'd0;
      in <= 8'd0;
      count <= 3'd0;
      div <= 2'd0;
    end else begin
      if (busy) div <= div + 2'd1;
      if (tick) begin
        sclk <= ~sclk;
        div <= 2'd0;
      end
      if (tick && !sclk) in <= {in[6:0], miso};
      done <= done_next;
      if (tick && sclk) begin
        out <= out << 1;
        count <= count + 3'd1;
      end
      if (done_next) busy <= 1'b0;
      if (start && !busy) begin
        busy <= 1'b1;
        sclk <= 1'b0;
        out <= data;
        count <= 3'd0;
        div <= 2'd0;
      end
    end
  end
endmodule
