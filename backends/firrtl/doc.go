// Package firrtl writes a netlist as FIRRTL 4.0.0, the language between Chisel and
// Verilog that firtool compiles.
//
//	err := firrtl.Write(w, design, firrtl.Options{})
//
// gives for a counter
//
//	FIRRTL version 4.0.0
//	; Written by etch. Do not edit.
//	circuit counter_4 :
//
//	  ; Counter
//	  public module counter_4 : @[counter.go 21:0]
//	    input clk : Clock @[counter.go 21:0]
//	    input rst : UInt<1> @[counter.go 21:0]
//	    input en : UInt<1> @[counter.go 21:0]
//	    output count : UInt<4> @[counter.go 22:0]
//
//	    regreset count_reg : UInt<4>, clk, rst, UInt<4>(0h0) @[counter.go 28:0]
//
//	    connect count_reg, mux(en, tail(add(count_reg, UInt<4>(0h1)), 1), count_reg) @[counter.go 29:0]
//	    connect count, count_reg @[counter.go 28:0]
//
// # What it looks like
//
// One module per [ir.Module], the hierarchy kept, the top the public one. Names
// are the user's, but for what [PortNames] says of ports: characters that FIRRTL
// does not allow become underscores, reserved words of Verilog get one behind, a
// name that begins with a digit stands between backquotes (firtool makes _1st of
// it). A register that drives an output of its name is called count_reg. Values
// without a name are written where they are used; those that are used several
// times or would be long get one that begins with an underscore, after what they
// are for and what they do: _sum_next_mul. FIRRTL compilers drop such names as they
// like. No name depends on a counter, an edit elsewhere renames nothing.
//
// Ports, registers and values of signed types are SInt, clocks Clock, asynchronous
// resets AsyncReset, all else UInt; enumerations are UInt with their codes in a
// comment. Locators have column 0, which etch does not know.
//
// # What it means
//
// Every text has the value of the netlist for every input, see the table of
// package ir. Widths follow FIRRTL's rules exactly: nothing is cut but by tail and
// bits. Guards make x / 0, addresses past the end and wide shift amounts what they
// are in the netlist; counts of ones, tables and long cases become trees. Memories
// are described in memory.go: read latency 0, a register behind synchronous reads,
// the order of writes made sure by their enables; those that are never written, up
// to 1024 words, are vectors of constants. A memory of one word has two, the second
// unused. Ports of a memory on different clocks of its module must not get the same
// clock from above.
//
// A few forms avoid errors of firtool 1.155, which testdata/fixedbugs has cases
// for: differences are signed where their operands may be extended, or, and, xor
// are unsigned, masks are never constant.
//
// # Pads
//
// The net of a pad is an Analog, and what is on it is attached. FIRRTL can neither
// drive nor read one: each driver is an instance of the external module etch_drive,
// the reader of etch_read, a pull of etch_pullup or etch_pulldown (see package
// ir/pads). Their Verilog stands in annotations of the circuit, which firtool takes it
// from. [Read] makes nets of them again.
//
// # Attributes
//
// Attributes ([ir.Attr]) of modules, registers and named values are annotations, as
// which firtool gives them to its Verilog; what has one is also kept by a DontTouch.
// firtool has no place for those of ports, instances, memories and black boxes: they
// are left out, and [Notes] lists them.
//
// # What is not carried
//
// FIRRTL has no values at power-up. Registers that start as something get a
// comment. Memories that are written and have contents start from files, see
// [DataFiles], which the circuit names in annotations that firtool makes
// $readmemh of. [Notes] lists both. State starts as anything until it is reset or
// written, and compilers use that: firtool takes a register without reset that is
// only ever set to one constant for that constant. [ir.Memory].Style is left out: a
// design that needs it goes out as Verilog.
//
// Black boxes are external modules with defname and parameters, with or without a
// model. A clock that is read as a value is its level.
//
// Statements are assert, assume, cover, printf and stop with their clocks and enables; %d
// becomes %0d. firtool refuses an assertion that is always false.
//
// Equal designs and options give equal bytes; time is linear.
//
// The package imports ir, ir/bits, ir/input and the standard library. It does not import
// passes, sim or hw.
package firrtl
