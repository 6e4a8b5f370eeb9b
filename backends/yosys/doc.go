// Package yosys brings Verilog in: it lets yosys read a user's files and makes
// a netlist of the JSON that yosys writes.
//
//	d, err := yosys.Read(ctx, yosys.Program("yosys"), yosys.Source{Files: []string{"cpu.v"}, Top: "cpu"})
//	d, err := yosys.ReadJSON("cpu.json", text, "cpu") // the output of write_json
//
// [Bodies] reads the files that black boxes of a design name, so that they are
// simulated with the rest.
//
// # The netlist of a design
//
// Modules stay modules, with the user's names; [Source].Flatten dissolves them into the top. A
// module with parameters carries their values in its name: fifo_W8.
// Nets with a name of the user's keep it, registers are called after the net that
// they drive, every node knows the line of Verilog that it comes from. Memories
// stay memories, with their contents. Whatever word-level cell yosys can make is
// read, and its gates too.
//
// # Clocks
//
// An input of the top that some register uses as its clock is a clock of the
// netlist; an input of several bits that has such a bit becomes inputs of one bit,
// clk_0 and so on. A falling edge is the clock inverted, see [ir.Register]. Clock gates of
// the usual forms (a latch that is open in the low phase, or a register on the
// falling edge, and the clock; the same with or) become enables of the registers
// behind them. A clock that logic reads has a level, made of two registers.
//
// Other clocks that are made of logic (dividers, ripple counters, multiplexers,
// gates without a latch) must come from one input clock. Their registers become
// registers of the input clock that are enabled when the made clock rises behind its edge,
// and they take the values of that moment, as in Verilog. No made clock is
// left in the netlist, so every engine and back end takes it. Refused is
//   - a made clock that follows from two input clocks (multiplex the registers' outputs instead),
//   - one that may rise when an input or an asynchronous reset changes between edges
//     of the input clock (take the input into a register first, and let the reset
//     reset the clock's registers too),
//   - one that depends on its own registers,
//   - one out of a black box, such as a PLL (make it an input of the top),
//   - a memory that is written on both edges of an input clock that way, or by
//     ports on made and other clocks in an order that cannot be kept.
//
// # State without clocks
//
// Latches are latches of the netlist, see [ir.Latch]. Latches in a circle that may all
// be open are combinational loops. A register that is set and cleared, or loaded,
// without a clock is a latch for the asynchronous value, a register for the clocked one,
// and a bit that says which came last. While a load or a set lasts they act, as in
// hardware; a simulator of Verilog looks when they begin and at clocks only, so that it
// does not see a loaded value that changes during the load, nor a set that is left when
// a clear ends. Which of several comes first is read in the Verilog text, since versions
// of yosys differ. Memories that are written without a clock are refused.
//
// # Unknown values
//
// The netlist has two values. An x or z constant, a net that nothing drives and
// the bits of a memory or register that start unknown are 0 (or random, where
// nothing of the whole register or memory is given, see sim.WithSeed); where a
// read port of a memory is given x while it is not enabled, it keeps its value,
// since yosys makes that an enable. A result that
// Verilog leaves x has the value of the operation in package ir: x / 0 is all
// ones, a remainder by 0 the dividend, a read outside a memory or vector 0. A case
// with several arms that match takes the first one. === and == are the same.
//
// # Memories
//
// The ports of a memory stay cells of their own, so that its size costs nothing but
// the words that have contents. yosys 0.23 counts words up to 2^30: with more it does
// not end, or fails from 2^31 on. One of up to 2^31 words that is declared by itself is
// read as one of 2^30, with its bounds in attributes; between 2^30 and 2^31 words only
// if a bound is written with ten digits. Of a bound of more than 32 bits yosys takes the
// last 32.
//
// # The files that are read
//
// Only the modules that the top needs are read, judged by the words in them, so that mistakes
// elsewhere do not matter. Files are read in an order in which macros are defined before they are
// used. System tasks that yosys does not know are cut out; $random, $time, $test$plusargs and the
// like are 0. [Source].Note gets a line for each part left out.
//
// # Drivers
//
// Two drivers of one bit are an error with both lines, unless each of them lets go
// some time (z), both are the same bit, the net is a wor or wand, or nobody reads it.
// yosys itself joins two nets that an assign joins, and with them a second driver,
// so the check looks at the netlist before yosys works on it.
//
// # Pads
//
// An inout is a pad, see [ir.Net], and a net whose drivers all let go some time a net
// of the netlist: a driver is the value of an assign, an always block, a gate or an instance;
// it is enabled while that value is not z (or x: yosys 0.23 does not tell them apart).
// An output that lets go and shares its net with others is an inout in the netlist;
// alone on its net it is 0 then. Pads go through hierarchy and into black boxes;
// pullup and pulldown are pulls, also where they stand between `ifndef SYNTHESIS and
// `endif. A pad of several bits whose bits have enables or connections of their own
// becomes pads of one bit, pad_0 and so on. Refused are a register that keeps z, a net
// that takes the value of one that may be z, tri0, tri1 and trireg.
//
// # Statements
//
// yosys 0.23 has cells for assert, assume and cover. It ignores $display, and refuses $finish
// outside of initial blocks, which is therefore cut out. It does not see text between `ifndef
// SYNTHESIS and `endif, where the Verilog of etch has its stops: they do not come back.
//
// # Errors
//
// A message of yosys becomes one error that begins with file and line where they can be
// found, and ends with a remedy where one is known. The reader of JSON does not trust its input.
//
// # Inside
//
// This package runs yosys: it chooses the files and modules, writes the script and explains
// yosys's errors. Package internal/drivers checks and mends the netlist before yosys works
// on it, internal/cells makes a netlist of package ir from the cells that come out, and
// internal/attribute has the attributes that both read.
//
// The package imports ir and the standard library besides. It does not look for yosys: the
// caller says how it is run.
package yosys
