// Written by etch. Do not edit.

// writeBack
module write_back (
  input wire clk,
  input wire rst,
  input wire [15:0] inst,
  input wire stall,
  input wire kill,
  input wire [15:0] load,
  output wire [15:0] result,
  output wire [2:0] rd,
  output reg write
);
  reg [2:0] to;
  reg [15:0] value;
  reg is_load;

  reg [15:0] regs [0:7];
  integer i;
  initial begin
    for (i = 0; i < 8; i = i + 1) regs[i] = 16'd0;
  end

  wire [15:0] done = is_load ? load : value;
  wire [15:0] x = inst[9:7] == 3'd0 ? 16'd0 :
        (write && to == inst[9:7]) ? done :
        regs[inst[9:7]];
  wire [15:0] y = inst[6:4] == 3'd0 ? 16'd0 :
        (write && to == inst[6:4]) ? done :
        regs[inst[6:4]];
  wire inst_is_000_001 = {inst[15:13], inst[2:0]} == 6'b000_001;
  wire inst_is_1_010 = {inst[15], inst[2:0]} == 4'b1_010;
  wire [15:0] operand = inst_is_000_001 || inst_is_1_010 ? {13'd0, inst[6:4]} : y;

  assign result = done;
  assign rd = to;

  wire inst_is_001_000 = {inst[15:13], inst[2:0]} == 6'b001_000;

  always @(posedge clk) begin
    if (rst) begin
      write <= 1'b0;
      to <= 3'd0;
      value <= 16'd0;
      is_load <= 1'b0;
    end else begin
      if (!stall) begin
        write <= ({inst[15:13], inst[2:0]} == 6'b000_000) | inst_is_000_001 | inst_is_001_000 | inst_is_1_010;
        to <= inst[12:10];
        if (inst_is_001_000 || inst_is_1_010) value <= x - operand;
        else value <= x + operand;
        is_load <= inst[15];
      end
      if (kill) write <= 1'b0;
    end
  end

  always @(posedge clk) begin
    if (write && !stall) regs[to] <= done;
  end

  // Read nowhere, on purpose.
  wire unused = &{1'b0, inst[3]};
endmodule
