// Written by etch. Do not edit.

// timing
module timing (
  input wire clk,
  input wire rst,
  input wire run,
  output wire [10:0] x,
  output wire [10:0] y,
  output wire hsync,
  output wire vsync,
  output wire active
);
  reg [10:0] column;
  reg [10:0] row;
  reg h;
  reg v;

  assign active = (column < 11'd640) & (row < 11'd480);

  assign x = column;
  assign y = row;
  assign hsync = h;
  assign vsync = v;

  always @(posedge clk) begin
    if (rst) begin
      column <= 11'd0;
      row <= 11'd0;
      h <= 1'b1;
      v <= 1'b1;
    end else begin
      if (run) column <= column + 11'd1;
      h <= (column < 11'd656) | (column >= 11'd672);
      v <= (row < 11'd496) | (row >= 11'd512);
      if (column == 11'd703) begin
        column <= 11'd0;
        if (row == 11'd543) row <= 11'd0;
        else row <= row + 11'd1;
      end
      if (!run) begin
        column <= 11'd0;
        row <= 11'd0;
      end
    end
  end
endmodule
