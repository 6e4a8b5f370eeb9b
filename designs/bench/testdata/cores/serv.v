// SERV with 4 KiB of memory, which PROGRAM fills; words stored at 8000_0000 go out.
module serv_soc #(parameter PROGRAM = "program.hex") (
  input clk, input rst,
  output fetch, output [31:0] pc, output access, output [31:0] address, output [31:0] written, output [3:0] select, output write,
  output reg [31:0] word, output reg [31:0] words
);
  reg [31:0] ram [0:1023];
  initial $readmemh(PROGRAM, ram);
  wire [31:0] bus, at, from;
  assign pc = fetch ? from : 32'd0;
  assign address = access ? at : 32'd0;
  // else it has bits that SERV's register file leaves x
  assign written = access && write ? bus & {{8{select[3]}}, {8{select[2]}}, {8{select[1]}}, {8{select[0]}}} : 32'd0;
  reg [31:0] idata, ddata;
  reg iack, dack;
  serv_rf_top #(.RESET_PC(32'd0)) cpu(
    .clk(clk), .i_rst(rst), .i_timer_irq(1'b0),
    .o_ibus_adr(from), .o_ibus_cyc(fetch), .i_ibus_rdt(idata), .i_ibus_ack(iack),
    .o_dbus_adr(at), .o_dbus_dat(bus), .o_dbus_sel(select), .o_dbus_we(write), .o_dbus_cyc(access), .i_dbus_rdt(ddata), .i_dbus_ack(dack),
    .i_ext_rd(32'd0), .i_ext_ready(1'b0));
  integer i;
  always @(posedge clk) begin
    iack <= !rst && fetch && !iack;
    dack <= !rst && access && !dack;
    idata <= ram[pc[11:2]];
    ddata <= ram[address[11:2]];
    if (!rst && access && write && !dack && !address[31])
      for (i = 0; i < 4; i = i + 1) if (select[i]) ram[address[11:2]][8*i +: 8] <= bus[8*i +: 8];
    if (rst) begin
      word <= 0;
      words <= 0;
    end else if (access && write && !dack && address[31]) begin
      word <= bus;
      words <= words + 1;
    end
  end
endmodule
