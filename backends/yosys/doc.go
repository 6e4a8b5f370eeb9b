// Package yosys brings Verilog in: it lets yosys read a user's files and makes
// a netlist of what yosys writes as JSON.
//
//	d, err := yosys.Read(ctx, yosys.Program("yosys"), yosys.Source{Files: []string{"cpu.v"}, Top: "cpu"})
//	d, err := yosys.ReadJSON("cpu.json", text, "cpu") // what write_json wrote
//
// [Bodies] reads the files that black boxes of a design name, so that they are
// simulated with the rest.
//
// # What a design becomes
//
// Modules stay modules ([Source].Flatten melts them), named after what the user
// wrote; a module with parameters carries their values in its name: fifo_W8.
// Nets with a name of the user's keep it, registers are called after the net that
// they drive, every node knows the line of Verilog that it comes from. Memories
// stay memories, with their contents. Whatever word-level cell yosys can make is
// read, and its gates too.
//
// An input of the top that some register uses as its clock is a clock of the
// netlist. A falling edge is the clock inverted, see [ir.Register]. Clock gates of
// the usual forms (a latch that is open in the low phase, or a register on the
// falling edge, and the clock; the same with or) become enables of the registers
// behind them. Other clocks made of logic, latches that hold data, and
// asynchronous loads are errors that name the line.
//
// # Unknown values
//
// The netlist has two values. An x or z constant, a net that nothing drives and
// the bits of a memory or register that start unknown are 0 (or random, where
// nothing of the whole register or memory is given, see sim.WithSeed); where a
// read port of a memory is given x while it is not enabled, it keeps what it has,
// since yosys makes that an enable. What
// Verilog leaves x has the value of the operation in package ir: x / 0 is all
// ones, a remainder by 0 the dividend, a read outside a memory or vector 0. A case
// with several arms that match takes the first one. === and == are the same.
//
// # Errors
//
// What yosys says is one error that begins with file and line where yosys knows
// them. The reader of JSON does not trust its input.
//
// The package imports ir, ir/bits and the standard library. It does not look for
// yosys: the caller says how it is run.
package yosys
