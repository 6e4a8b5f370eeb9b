// PicoRV32 with 4 KiB of memory, which PROGRAM fills; words stored at 8000_0000 go out.
module picorv32_soc #(parameter PROGRAM = "program.hex") (
  input clk, input resetn,
  output trap, output valid, output [31:0] address, output [31:0] written, output [3:0] strobe,
  output reg [31:0] word, output reg [31:0] words
);
  reg [31:0] ram [0:1023];
  initial $readmemh(PROGRAM, ram);
  wire instr;
  reg ready;
  reg [31:0] data;
  picorv32 #(.BARREL_SHIFTER(1), .ENABLE_MUL(1), .ENABLE_DIV(1), .REGS_INIT_ZERO(1)) cpu(
    .clk(clk), .resetn(resetn), .trap(trap),
    .mem_valid(valid), .mem_instr(instr), .mem_ready(ready), .mem_addr(address), .mem_wdata(written), .mem_wstrb(strobe), .mem_rdata(data),
    .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0), .pcpi_ready(1'b0), .irq(32'd0));
  integer i;
  always @(posedge clk) begin
    ready <= resetn && valid && !ready;
    data <= ram[address[11:2]];
    if (!resetn) begin
      word <= 0;
      words <= 0;
    end else if (valid && !ready) begin
      if (!address[31])
        for (i = 0; i < 4; i = i + 1) if (strobe[i]) ram[address[11:2]][8*i +: 8] <= written[8*i +: 8];
      if (address[31] && strobe != 0) begin
        word <= written;
        words <= words + 1;
      end
    end
  end
endmodule
