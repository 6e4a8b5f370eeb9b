// Written by etch. Do not edit.

// hash
module hash (
  input wire clk,
  input wire load,
  input wire [255:0] in,
  input wire [31:0] w,
  input wire [31:0] k,
  output wire [255:0] out
);
  reg [31:0] word_0, word_1, word_2, word_3, word_4, word_5, word_6, word_7;

  wire [31:0] s1_xor = {word_4[5:0], word_4[31:6]} ^ {word_4[10:0], word_4[31:11]};
  wire [31:0] s1 = s1_xor ^ {word_4[24:0], word_4[31:25]};
  wire [31:0] ch = (word_4 & word_5) ^ (~word_4 & word_6);
  wire [31:0] t1 = word_7 + s1 + ch + k + w;
  wire [31:0] s0_xor = {word_0[1:0], word_0[31:2]} ^ {word_0[12:0], word_0[31:13]};
  wire [31:0] s0 = s0_xor ^ {word_0[21:0], word_0[31:22]};
  wire [31:0] maj = (word_0 & word_1) ^ (word_0 & word_2) ^ (word_1 & word_2);
  assign out = {word_7, word_6, word_5, word_4, word_3, word_2, word_1, word_0};

  always @(posedge clk) begin
    if (load) begin
      word_0 <= in[31:0];
      word_1 <= in[63:32];
      word_2 <= in[95:64];
      word_3 <= in[127:96];
      word_4 <= in[159:128];
      word_5 <= in[191:160];
      word_6 <= in[223:192];
      word_7 <= in[255:224];
    end else begin
      word_0 <= t1 + s0 + maj;
      word_1 <= word_0;
      word_2 <= word_1;
      word_3 <= word_2;
      word_4 <= word_3 + t1;
      word_5 <= word_4;
      word_6 <= word_5;
      word_7 <= word_6;
    end
  end
endmodule
