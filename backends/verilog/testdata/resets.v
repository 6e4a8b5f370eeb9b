// Written by etch. Do not edit.

// Resets, resets.go:3
module resets (
  input wire clk,  // resets.go:4
  input wire rst_n,
  input wire clear,
  input wire en,  // resets.go:5
  input wire up,
  output reg [7:0] count,  // resets.go:6
  output reg [7:0] ticks,  // resets.go:7
  output reg seen  // resets.go:8
);
  reg [3:0] spare;  // resets.go:13

  initial ticks = 8'd128;
  initial seen = 1'b0;

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) count <= 8'd128;
    else if (en) begin  // resets.go:18
      if (up) count <= count + 8'd1;  // resets.go:20
      else count <= count - 8'd1;  // resets.go:21
    end
  end

  always @(posedge clk) begin
    if (clear) ticks <= 8'd0;
    else ticks <= ticks + 8'd1;  // resets.go:23
  end

  always @(posedge clk) begin
    seen <= seen | en;  // resets.go:24
    spare <= spare;
  end

`ifndef SYNTHESIS
  // A reset that is high from the start has no edge.
  initial if (!rst_n) count = 8'd128;
`endif
endmodule
