// Written by etch. Do not edit.

// Tx, uart.go:33
module tx (
  input wire clk,  // uart.go:33
  input wire rst,
  input wire bytes_valid,
  output wire bytes_ready,
  input wire [7:0] bytes_data,
  output wire line  // uart.go:34
);
  localparam [1:0] PHASE_IDLE = 2'd0;
  localparam [1:0] PHASE_START = 2'd1;
  localparam [1:0] PHASE_DATA = 2'd2;
  localparam [1:0] PHASE_STOP = 2'd3;

  reg [1:0] state;  // uart.go:49
  reg [9:0] timer;  // uart.go:50
  reg [7:0] shift;  // uart.go:51
  reg [2:0] index;  // uart.go:52

  wire bit_done = timer == 10'd0;  // uart.go:55
  assign bytes_ready = state == PHASE_IDLE;  // uart.go:57
  assign line = state == PHASE_START ? 1'b0 :
        state == PHASE_DATA ? shift[0] :
        1'b1;  // uart.go:60

  wire shift_and = bytes_valid & bytes_ready;  // uart.go:64

  always @(posedge clk) begin
    if (rst) begin
      state <= PHASE_IDLE;
      timer <= 10'd0;
      index <= 3'd0;
    end else begin
      if (bit_done) timer <= 10'd867;  // uart.go:56
      else timer <= timer - 10'd1;  // uart.go:56
      case (state)  // uart.go:60
        PHASE_IDLE: begin
          if (shift_and) state <= PHASE_START;  // uart.go:64
          timer <= 10'd867;  // uart.go:60
        end
        PHASE_START: if (bit_done) state <= PHASE_DATA;  // uart.go:70
        PHASE_DATA: if (bit_done) begin  // uart.go:73
          if (index == 3'd7) state <= PHASE_STOP;  // uart.go:76
          index <= index + 3'd1;  // uart.go:75
        end
        PHASE_STOP: if (bit_done) state <= PHASE_IDLE;  // uart.go:79
      endcase
    end
  end

  always @(posedge clk) begin
    case (state)  // uart.go:60
      PHASE_IDLE: if (shift_and) shift <= bytes_data;  // uart.go:64
      PHASE_DATA: if (bit_done) shift <= shift >> 1;  // uart.go:74
      default: ;
    endcase
  end
endmodule
