// Written by etch. Do not edit.

// Memories, memories.go:3
module memories (
  input wire clk,  // memories.go:4
  input wire we,  // memories.go:5
  input wire [3:0] mask,
  input wire [9:0] wa,
  input wire [31:0] wd,
  input wire [9:0] ra,  // memories.go:6
  input wire re,
  output reg [31:0] old,  // memories.go:7
  output reg [31:0] new_,  // new, memories.go:7
  output reg [31:0] masked,
  output wire [7:0] small_,  // small, memories.go:8
  output wire [7:0] odd,
  output reg [7:0] coefficient  // memories.go:9
);
  (* ram_style = "block" *)
  reg [31:0] buffer [0:1023];  // memories.go:10

  reg [31:0] stack [0:1023];  // memories.go:11

  reg [31:0] bytes [0:1023];  // memories.go:12

  (* ram_style = "distributed" *)
  reg [7:0] regs [0:15];  // memories.go:13

  reg [7:0] ring [0:5];  // memories.go:14
  reg [7:0] odd_word;  // memories.go:14
  reg odd_in_range;  // memories.go:14
  assign odd = odd_in_range ? odd_word : 8'd0;  // memories.go:14
  integer i;
  initial begin
    ring[3'd0] = 8'd1;
    ring[3'd1] = 8'd2;
    for (i = 2; i < 6; i = i + 1) ring[i] = 8'd0;
  end

`ifdef YOSYS
  (* rom_style = "logic" *)
`else
  (* rom_style = "distributed" *)
`endif
  reg [7:0] table_ [0:15];  // memories.go:15
  initial begin
    table_[4'd0] = 8'd0;
    table_[4'd1] = 8'd25;
    table_[4'd2] = 8'd49;
    table_[4'd3] = 8'd71;
    table_[4'd4] = 8'd90;
    table_[4'd5] = 8'd106;
    table_[4'd6] = 8'd117;
    table_[4'd7] = 8'd125;
    for (i = 8; i < 12; i = i + 1) table_[i] = 8'd127;
    for (i = 12; i < 16; i = i + 1) table_[i] = 8'd0;
  end

  assign small_ = regs[ra[3:0]];  // memories.go:13

  always @(posedge clk) begin
    if (we) buffer[wa] <= wd;  // memories.go:10
    if (re) old <= buffer[ra];  // memories.go:10
  end

  always @(posedge clk) begin
    if (we) stack[wa] <= wd;  // memories.go:11
    if (re) begin
      new_ <= stack[ra];  // memories.go:11
      if (we && wa == ra) new_ <= wd;
    end
  end

  always @(posedge clk) begin
    if (we) begin
      if (mask[0]) bytes[wa][7:0] <= wd[7:0];  // memories.go:12
      if (mask[1]) bytes[wa][15:8] <= wd[15:8];  // memories.go:12
      if (mask[2]) bytes[wa][23:16] <= wd[23:16];  // memories.go:12
      if (mask[3]) bytes[wa][31:24] <= wd[31:24];  // memories.go:12
    end
    masked <= bytes[ra];  // memories.go:12
`ifdef YOSYS
    if (we && mask[0] && wa == ra) masked[7:0] <= {8{1'bx}};
    if (we && mask[1] && wa == ra) masked[15:8] <= {8{1'bx}};
    if (we && mask[2] && wa == ra) masked[23:16] <= {8{1'bx}};
    if (we && mask[3] && wa == ra) masked[31:24] <= {8{1'bx}};
`endif
  end

  always @(posedge clk) begin
    if (we) regs[wa[3:0]] <= wd[7:0];  // memories.go:13
  end

  always @(posedge clk) begin
    if (we && wa[3:0] < 4'd6) ring[wa[2:0]] <= wd[7:0];  // memories.go:14
    if (re) begin
      odd_word <= ring[ra[2:0]];  // memories.go:14
      odd_in_range <= ra[2:0] < 3'd6;
    end
  end

  always @(posedge clk) begin
    coefficient <= table_[ra[3:0]];  // memories.go:15
  end
endmodule
