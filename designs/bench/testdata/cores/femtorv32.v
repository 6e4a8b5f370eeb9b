// FemtoRV32 with 4 KiB of memory, which PROGRAM fills; words stored at 0080_0000 or above go out.
module femtorv32_soc #(parameter PROGRAM = "program.hex") (
  input clk, input resetn,
  output read, output [31:0] address, output [31:0] written, output [3:0] mask,
  output reg [31:0] word, output reg [31:0] words
);
  reg [31:0] ram [0:1023];
  initial $readmemh(PROGRAM, ram);
  reg [31:0] data;
  FemtoRV32 #(.RESET_ADDR(0), .ADDR_WIDTH(32)) cpu(
    .clk(clk), .mem_addr(address), .mem_wdata(written), .mem_wmask(mask), .mem_rdata(data), .mem_rstrb(read),
    .mem_rbusy(1'b0), .mem_wbusy(1'b0), `ifdef IRQ .interrupt_request(1'b0), `endif .reset(resetn));
  integer i;
  always @(posedge clk) begin
    data <= ram[address[11:2]];
    if (!address[31])
      for (i = 0; i < 4; i = i + 1) if (mask[i]) ram[address[11:2]][8*i +: 8] <= written[8*i +: 8];
    if (!resetn) begin
      word <= 0;
      words <= 0;
    end else if (address[31] && mask != 0) begin
      word <= written;
      words <= words + 1;
    end
  end
endmodule
