// Written by etch. Do not edit.

// FIFO[UInt], fifo.go:37
module fifo (
  input wire clk,  // fifo.go:37
  input wire rst,
  input wire push_valid,
  output wire push_ready,
  input wire [31:0] push_data,
  output wire pop_valid,  // fifo.go:38
  input wire pop_ready,
  output wire [31:0] pop_data,
  output wire [4:0] level  // fifo.go:39
);
  reg [4:0] head;  // fifo.go:47
  reg [4:0] tail;  // fifo.go:48

  reg [31:0] mem [0:15];  // fifo.go:49

  assign level = tail - head;  // fifo.go:52
  assign push_ready = level != 5'd16;  // fifo.go:55
  assign pop_valid = |level;  // fifo.go:61
  assign pop_data = mem[head[3:0]];  // fifo.go:61

  always @(posedge clk) begin
    if (rst) head <= 5'd0;
    else if (pop_valid && pop_ready) head <= head + 5'd1;  // fifo.go:62
  end

  wire tail_and = push_valid & push_ready;  // fifo.go:56

  always @(posedge clk) begin
    if (rst) tail <= 5'd0;
    else if (tail_and) tail <= tail + 5'd1;  // fifo.go:58
  end

  always @(posedge clk) begin
    if (tail_and) mem[tail[3:0]] <= push_data;  // fifo.go:57
  end
endmodule
