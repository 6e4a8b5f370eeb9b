// Package firrtl writes a netlist as FIRRTL 4.0.0, the language between Chisel and Verilog that
// firtool compiles ([Write]), and reads FIRRTL of any version into a netlist ([Read], by packages
// syntax and lower).
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
// # The text
//
// One module per [ir.Module]; the hierarchy is kept, the top is the public module. Names
// are the user's, except as described at [PortNames]: characters that FIRRTL does not allow
// become underscores, reserved words of Verilog get one appended, and a name that begins
// with a digit is put between backquotes (firtool makes _1st of it). A register that drives
// an output of its name is called count_reg. Values without a name are inlined. If they are
// used several times or would be long, they get a name that begins with an underscore, made
// of their use and operation: _sum_next_mul. FIRRTL compilers may drop such names. No name
// depends on a counter, so an edit elsewhere renames nothing.
//
// Ports, registers and values of signed types are SInt, clocks Clock, asynchronous resets
// AsyncReset, all others UInt; enumerations are UInt with their codes in a comment.
// Locators have column 0, since etch does not know columns.
//
// # Its meaning
//
// Every text has the value of the netlist for every input; see the table of package ir.
// Widths follow FIRRTL's rules exactly: only tail and bits cut. Guards give x / 0,
// addresses past the end and wide shift amounts their value in the netlist. Counts of ones,
// tables and long cases become trees. Memories are described in memory.go: read latency 0,
// a register behind synchronous reads, and enables that ensure the order of writes.
// Memories of up to 1024 words that are never written are vectors of constants. A memory of
// one word has two, the second unused. Ports of a memory on different clocks of its module
// must not get the same clock from above.
//
// A few forms avoid errors of firtool 1.155, with cases in testdata/fixedbugs: differences
// are signed if their operands may be extended; or, and, xor are unsigned; masks are never
// constant.
//
// # Pads
//
// The net of a pad is an Analog, and everything on it is attached. FIRRTL can neither drive
// nor read one: each driver is an instance of the external module etch_drive, the reader of
// etch_read, a pull of etch_pullup or etch_pulldown (see package ir/pads). Annotations of
// the circuit hold their Verilog for firtool. [Read] converts them back to nets.
//
// # Attributes
//
// Attributes ([ir.Attr]) of modules, registers and named values become annotations, which
// firtool passes to its Verilog; their objects are also kept by a DontTouch. firtool does
// not support attributes of ports, instances, memories and black boxes: they are left out,
// and [Notes] lists them.
//
// # Losses
//
// FIRRTL has no values at power-up. A register with an initial value gets a comment. A
// memory that is written and has contents is initialised from a file, see [DataFiles];
// annotations in the circuit name the files, and firtool makes $readmemh of them. [Notes]
// lists both. State has an unknown value until it is reset or written, and compilers use
// that: firtool takes a register without reset that is only ever set to one constant for
// that constant. [ir.Memory].Style is left out: a design that needs it should be exported
// as Verilog.
//
// Black boxes are external modules with defname and parameters, with or without a
// model. A clock that is read as a value is its level.
//
// Statements are assert, assume, cover, printf and stop with their clocks and enables; %d
// becomes %0d. firtool refuses an assertion that is always false.
//
// Equal designs and options give equal bytes; time is linear.
//
// The package imports firrtl/lower, firrtl/syntax, backends/internal/reserved, passes/derived, ir,
// ir/bits, ir/input, ir/pads and the standard library. It does not import sim or hw.
package firrtl
