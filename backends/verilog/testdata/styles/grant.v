// Written by etch. Do not edit.

// grant
module grant_2 (
  input wire clk,
  input wire rst,
  input wire [3:0] want,
  output wire [3:0] grant,
  output wire any
);
  reg [3:0] last;

  reg [3:0] choice;
  always @* begin
    if (last[0]) begin
      if (want[1]) choice = 4'd2;
      else if (want[2]) choice = 4'd4;
      else if (want[3]) choice = 4'd8;
      else if (want[0]) choice = 4'd1;
      else choice = 4'd0;
    end else choice = 4'd0;
    if (last[1]) begin
      if (want[2]) choice = 4'd4;
      else if (want[3]) choice = 4'd8;
      else if (want[0]) choice = 4'd1;
      else if (want[1]) choice = 4'd2;
    end
    if (last[2]) begin
      if (want[3]) choice = 4'd8;
      else if (want[0]) choice = 4'd1;
      else if (want[1]) choice = 4'd2;
      else if (want[2]) choice = 4'd4;
    end
    if (last[3]) begin
      if (want[0]) choice = 4'd1;
      else if (want[1]) choice = 4'd2;
      else if (want[2]) choice = 4'd4;
      else if (want[3]) choice = 4'd8;
    end
  end

  assign any = |want;

  assign grant = choice;

  always @(posedge clk) begin
    if (rst) last <= 4'd1;
    else if (|want) last <= choice;
  end
endmodule
