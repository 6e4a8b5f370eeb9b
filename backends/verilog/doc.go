// Package verilog writes a netlist as Verilog that an engineer wants to read and
// that every tool accepts: IEEE 1364-2005, one module per [ir.Module].
//
//	err := verilog.Write(w, design, verilog.Options{})
//
// gives for a counter
//
//	// Counter, counter.go:21
//	module counter_4 (
//	  input wire clk,  // counter.go:21
//	  input wire rst,
//	  input wire en,
//	  output reg [3:0] count  // counter.go:22
//	);
//	  always @(posedge clk) begin
//	    if (rst) count <= 4'd0;
//	    else if (en) count <= count + 4'd1;  // counter.go:29
//	  end
//	endmodule
//
// # What it looks like
//
// Names are the user's. A suffix is added only to keywords (of Verilog and of
// SystemVerilog), to names that Verilog does not allow, and to names that become equal
// through this; a comment then gives the user's name ([PortNames], [TopName]). The same
// holds for anything with the name of its module, and for a module with the name of one of
// its ports. A value without a name is written inline, unless that would change its
// meaning, be long or be repeated. Then it gets a wire, named after its first use and its
// operation: sum_mul, sum_mul_2, count_next. Such a name depends on nothing but the user's
// names and the value's own place below them, so an edit elsewhere renames nothing.
//
// Trees of multiplexers behind a register, or with many arms, are written as if, else and
// case; arms that keep the value are left out. Registers that look at the same condition
// share a block. Codes of enumerations are localparams. Lines end with the source line that
// they come from.
//
// # What it means
//
// Every text has the value of the netlist for every input; see the table of package ir.
// Operands have the width of their operator, or stand in wires, concatenations or calls
// that give them one. Signed operators are whole right-hand sides in which every operand is
// signed. Guards give x / 0, shift amounts of more than 31 bits and addresses past the end
// their value in the netlist. Where state has no x, the text has none. State that the
// design leaves open starts as x, or as 0 with Options.Zero, as in package sim.
//
// A register whose asynchronous reset is high at power-up starts with its reset value. If
// the module itself shows that the reset is high, this is an initial value. Else, if the
// register would start as x, it is "initial if (rst)", for simulators only, as there is no
// edge to wake its block. A latch is a block on @*: in simulation its data must not change
// as it closes, and its enable must have no glitches, as in hardware. A memory with ports
// on different clocks of its module must not get the same clock twice from above: its reads
// see writes of their own clock only.
//
// Attributes of the netlist stand in front of the declaration of their module, port,
// register, wire, memory or instance: (* ASYNC_REG = "TRUE" *) reg ready_meta;
//
// Counts of ones and look-up tables are calls of small functions that synthesis maps well.
// Memories follow the templates for block RAM, see memories.go. Statements are between
// `ifndef SYNTHESIS` and `endif`: a failed assertion and the first hit of a cover print a
// line; a print prints the same text as in package sim; a stop is $finish, after a line if
// its code is not 0.
//
// The text passes verilator --lint-only -Wall, iverilog -g2005 -Wall and yosys
// check without a warning; lint.go has the rules that it switches off around single
// lines. Equal designs and options give equal bytes.
//
// # Pads
//
// A pad is an inout port, a net inside of a module a wire. Each driver is an assignment
// that is 'z while it is disabled. Pulls are pullup and pulldown between `ifndef SYNTHESIS`
// and `endif`. yosys needs tribuf -logic, after flatten, for nets that have more than one
// driver inside of the design.
//
// # Black boxes
//
// Modules with [ir.Module].Extern are instantiated with their parameters and not
// written; [Externs] lists them.
//
// # How it is written
//
// Each step has a type that holds its data; module (module.go) joins them and runs them in this
// order:
//
//   - view: which nodes are live, and to which node or constant each reduces (view.go, reach.go,
//     simplify.go, clocks.go, simonly.go).
//   - naming: the names of declarations (bind.go, hiding.go, enums.go, helpers.go, memories.go).
//   - choices: multiplexers and cases become the steps of always blocks (tree.go, layers.go,
//     pieces.go, block.go).
//   - exprs: one tree of package syntax for each value. An operand is a reference to its value
//     (expr.go, operators.go, arith.go, mac.go, signs.go, concat.go, choose.go, addresses.go;
//     terms.go for the keys of decoders).
//   - bodies: the trees of statements and connections (bodies.go, steps.go, memports.go,
//     statements.go, instances.go, nets.go).
//   - uses: making a reference notes the use of its value (uses.go). From all uses, sizeAll
//     decides which values get a wire (size.go), and labeler names these (label.go, terms.go).
//   - linker: references become names or trees, and forms that depend on the choice become
//     final: signs, brackets, chains of conditionals (link.go).
//   - startup: the value of a register at power-up (power.go).
//   - declarations: the head and the declarations of a module (declare.go, attrs.go, memories.go,
//     helpers.go). module prints the trees between them (print.go, registers.go, latches.go,
//     memports.go, statements.go, instances.go, nets.go, unused.go).
//
// The functions for users are in write.go, bind.go, state.go and constraints.go, the warnings
// that the text switches off in lint.go. Package syntax prints a tree and decides nothing;
// package timing writes the constraints.
//
// The package imports ir, ir/bits, its own names, syntax and timing, backends/internal/reserved
// and the standard library. It does not import passes, sim or hw.
package verilog
