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
// Names are the user's. Only keywords (of Verilog and of SystemVerilog), names
// that Verilog does not allow and names that meet after that are changed, by a
// suffix, with the user's name in a comment ([PortNames], [TopName]). So is what has
// the name of its module, and a module with the name of one of its ports. A value
// without a name is written where it is used. Where that would not mean the same,
// be long or be said twice it gets a wire, called after what it is for and what
// it does: sum_mul, sum_mul_2, count_next. Such a name depends on nothing but the
// user's names and the value's own place below them, so an edit elsewhere renames
// nothing.
//
// The trees of multiplexers that a register or a case of many arms makes are
// written as if, else and case, with the arms that keep the value left out.
// Registers that look at the same thing share a block. Codes of enumerations are
// localparams. Lines end with the source line that they come from.
//
// # What it means
//
// Every text has the value of the netlist for every input, see the table of
// package ir. Operands have the width of their operator, or stand in wires,
// concatenations or calls that give them one. Signed operators are whole
// right-hand sides in which all is signed. Guards make x / 0, shift amounts of
// more than 31 bits and addresses past the end what they are in the netlist. No x
// comes up where state has none; state that the design leaves open starts as x,
// or as 0 with Options.Zero, as in package sim. A register whose asynchronous reset
// is high at power-up starts as it is reset: by an initial value where the module
// itself says that it is high, else, if it would start as x, by "initial if (rst)"
// for simulators only, as there is no edge to wake its block. A latch is a block on @*: in simulation what it takes must not change as it closes, and what
// opens it must have no glitches, as in hardware. A memory whose ports are on
// different clocks of its module must not get the same clock from above twice:
// its reads see writes of their own clock only.
//
// Attributes of the netlist stand in front of the declaration of their module, port,
// register, wire, memory or instance: (* ASYNC_REG = "TRUE" *) reg ready_meta;
//
// Counts of ones and look-up tables are calls of small functions that synthesis
// maps well. Memories follow the templates for block RAM, see memories.go.
// Statements are between `ifndef SYNTHESIS` and `endif`: a failed assertion and
// the first hit of a cover print a line, prints print what the simulator prints; a
// stop is $finish, with a line before it where its code is not 0.
//
// The text passes verilator --lint-only -Wall, iverilog -g2005 -Wall and yosys
// check without a warning; [Waivers] lists the rules that it switches off around
// single lines. Equal designs and options give equal bytes.
//
// # Pads
//
// A pad is an inout port, a net inside of a module a wire. Each driver is an
// assignment that is 'z while it lets go. Pulls are pullup and pulldown between
// `ifndef SYNTHESIS` and `endif`. yosys wants tribuf -logic, behind flatten, for
// nets that have more than one driver inside of the design.
//
// # Black boxes
//
// Modules with [ir.Module].Extern are instantiated with their parameters and not
// written; [Externs] lists them.
//
// The package imports ir, ir/bits and the standard library. It does not import
// passes, sim or hw.
package verilog
