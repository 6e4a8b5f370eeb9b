// Written by etch. Do not edit.
/* verilator lint_off DECLFILENAME */ // the file holds several modules

// Child, attributes.go:3
(* keep_hierarchy = "yes" *)
module child (
  input wire clk,  // attributes.go:4
  (* mark_debug = "true" *) input wire [3:0] a,  // attributes.go:5
  (* mark_debug = "true", keep = 1 *) output reg [3:0] q  // attributes.go:6
);
  always @(posedge clk) begin
    q <= a;
  end
endmodule

// Attributes, attributes.go:10
module attributes (
  input wire clk,  // attributes.go:11
  input wire [3:0] x,  // attributes.go:12
  output wire [3:0] y,  // attributes.go:13
  output wire [3:0] z,
  output wire [3:0] copy
);
  (* ASYNC_REG = "TRUE" *) reg [3:0] a, b;  // attributes.go:14
  (* max_fanout = 12 *) reg [3:0] c;  // attributes.go:14

  (* ram_style = "ultra" *)
  reg [3:0] ram [0:11];  // attributes.go:19
  reg [3:0] word_word;  // attributes.go:19
  reg word_in_range;  // attributes.go:19
  (* keep = 1 *) wire [3:0] word;
  assign word = word_in_range ? word_word : 4'd0;  // attributes.go:19

  (* keep = 1, mark_debug = "true" *) wire [3:0] sum;
  assign sum = a + b;  // attributes.go:15
  wire [3:0] lazy = a ^ b;  // attributes.go:16
  wire [3:0] u0_q;  // attributes.go:17
  (* dont_touch = "a \"b\"" *)
  child u0 (  // attributes.go:17
    .clk(clk),
    .a(sum),
    .q(u0_q)
  );
  (* keep = 1 *) wire [3:0] first;
  assign first = u0_q;  // attributes.go:18

  (* keep = 1 *) reg [3:0] pick;  // attributes.go:20
  always @* begin
    case (c)  // attributes.go:20
      4'd1: pick = a;  // attributes.go:20
      4'd2: pick = b;  // attributes.go:20
      4'd3: pick = u0_q;  // attributes.go:20
      4'd4: pick = word;  // attributes.go:20
      default: pick = x;  // attributes.go:20
    endcase
  end

  assign y = sum ^ first ^ word;  // attributes.go:21

  assign z = pick;  // attributes.go:13
  assign copy = b;  // attributes.go:13

  always @(posedge clk) begin
    a <= x;
    b <= a;
    c <= b;
  end

  always @(posedge clk) begin
    ram[a] <= x;  // attributes.go:19
    word_word <= ram[x];  // attributes.go:19
    word_in_range <= x < 4'd12;
  end
endmodule
