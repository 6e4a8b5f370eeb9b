// Written by etch. Do not edit.
/* verilator lint_off DECLFILENAME */ // the file holds several modules

// Leaf, hiding.go:3
module leaf_2 (
  input wire clk,
  input wire [3:0] leaf,  // hiding.go:4
  output reg [3:0] total  // hiding.go:5
);
  reg [3:0] slow;  // hiding.go:9

  initial slow = 4'd3;

  always @(posedge clk) begin
    total <= slow ^ (total + leaf);  // hiding.go:8
    slow <= total;
  end
endmodule

// Root, hiding.go:12
module root (
  input wire clk,
  input wire [3:0] x,  // hiding.go:13
  output wire [3:0] y,  // hiding.go:14
  output wire [3:0] z
);
  reg [3:0] root_2;  // root, hiding.go:16

  wire [3:0] slow_total;
  /* verilator lint_off VARHIDDEN */ // a name inside is that of the instance
  leaf_2 slow (  // hiding.go:19
    .clk(clk),
    .leaf(x),
    .total(slow_total)
  );
  /* verilator lint_on VARHIDDEN */
  wire [3:0] plain_total;
  leaf_2 plain (  // hiding.go:20
    .clk(clk),
    .leaf(root_2),
    .total(plain_total)
  );
  assign y = root_2 ^ slow_total;  // hiding.go:17
  assign z = root_2 ^ plain_total;  // hiding.go:17

  always @(posedge clk) begin
    root_2 <= x;
  end
endmodule
