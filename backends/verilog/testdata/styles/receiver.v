// Written by etch. Do not edit.

// receiver
module receiver (
  input wire clk,
  input wire rst,
  input wire line,
  output wire [7:0] byte_,  // byte
  output wire valid,
  output wire error
);
  localparam [2:0] RX_STATE_IDLE = 3'd0;
  localparam [2:0] RX_STATE_START = 3'd1;
  localparam [2:0] RX_STATE_DATA = 3'd2;
  localparam [2:0] RX_STATE_STOP = 3'd3;
  localparam [2:0] RX_STATE_BREAK = 3'd4;

  reg [2:0] state;
  reg [3:0] timer;
  reg [2:0] bits;
  reg [7:0] shift;

  assign valid = (state == RX_STATE_STOP) & (timer == 4'd0) & line;
  assign error = (state == RX_STATE_STOP) & (timer == 4'd0) & ~line;

  assign byte_ = shift;

  always @(posedge clk) begin
    if (rst) begin
      state <= RX_STATE_IDLE;
      timer <= 4'd0;
      bits <= 3'd0;
      shift <= 8'd0;
    end else begin
      if (timer == 4'd0) timer <= 4'd15;
      else timer <= timer - 4'd1;
      case (state)
        RX_STATE_IDLE: begin
          if (!line) begin
            state <= RX_STATE_START;
            timer <= 4'd8;
          end
          bits <= 3'd0;
        end
        RX_STATE_START: if (timer == 4'd0) begin
          if (line) state <= RX_STATE_IDLE;
          else state <= RX_STATE_DATA;
        end
        RX_STATE_DATA: if (timer == 4'd0) begin
          if (bits == 3'd7) state <= RX_STATE_STOP;
          bits <= bits + 3'd1;
          shift <= {line, shift[7:1]};
        end
        RX_STATE_STOP: if (timer == 4'd0) begin
          if (line) state <= RX_STATE_IDLE;
          else state <= RX_STATE_BREAK;
        end
        // RX_STATE_BREAK, and codes without a name
        default: if (line) state <= RX_STATE_IDLE;
      endcase
    end
  end
endmodule
