// Written by etch. Do not edit.

// timerBlock
module timer_block (
  input wire clk,
  input wire rst,
  input wire sel,
  input wire write,
  input wire [3:0] addr,
  input wire [3:0] strobe,
  input wire [31:0] w_data,
  output reg [31:0] r_data,
  output wire irq
);
  reg [31:0] count;
  reg [31:0] limit;
  reg enable;
  reg repeat_;  // repeat
  reg hit;
  reg mask;

  always @* begin
    case (addr[3:2])
      2'd0: r_data = {29'd0, mask, repeat_, enable};
      2'd1: r_data = limit;
      2'd2: r_data = {31'd0, hit};
      default: r_data = count;
    endcase
  end

  assign irq = hit & mask;

  always @(posedge clk) begin
    if (rst) begin
      count <= 32'd0;
      limit <= 32'hffffffff;
      enable <= 1'b0;
      repeat_ <= 1'b0;
      hit <= 1'b0;
      mask <= 1'b0;
    end else begin
      if (enable) begin
        if (count == limit) begin
          count <= 32'd0;
          if (!repeat_) enable <= 1'b0;
          hit <= 1'b1;
        end else count <= count + 32'd1;
      end
      if (sel && write) begin
        case (addr[3:2])
          2'd0: if (strobe[0]) begin
            enable <= w_data[0];
            repeat_ <= w_data[1];
            mask <= w_data[2];
          end
          2'd1: begin
            if (strobe[0]) limit[7:0] <= w_data[7:0];
            if (strobe[1]) limit[15:8] <= w_data[15:8];
            if (strobe[2]) limit[23:16] <= w_data[23:16];
            if (strobe[3]) limit[31:24] <= w_data[31:24];
          end
          2'd2: if (strobe[0] && w_data[0]) hit <= 1'b0;
          default: ;
        endcase
      end
    end
  end

  // Read nowhere, on purpose.
  wire unused = &{1'b0, addr[1:0]};
endmodule
