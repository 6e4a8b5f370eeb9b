// Package lower turns the tree of a FIRRTL file (package syntax) into a design of
// package ir, with what FIRRTL leaves to its compiler: widths and resets are
// inferred, the last connect wins, whens become multiplexers, bundles and vectors
// become ports and signals of ground types, CHIRRTL memories get their ports.
//
//	d, notes, err := lower.Lower(circuit, lower.Options{})
//
// It goes module by module over the statements once and makes a graph whose rows
// (node) are FIRRTL operations with widths that may be unknown yet; every signal
// of ground type is a leaf. Then widths and resets of the whole circuit are
// solved, and each graph is written out as an ir.Module, children first. Time and
// memory are linear in the size of the file and of what whens and dynamic indices
// expand to.
//
// # What FIRRTL leaves open
//
//   - An invalid signal is 0. Where only one branch of a when leaves it invalid, it
//     has the other branch's value; a register's reset value that is invalid is
//     none. firtool decides the same.
//   - x / 0 is what ir.Div gives, v[i] past the end is v[0] as with firtool, a
//     memory's word past the end is 0.
//   - A memory's read data is the word at the address of the last edge at which the
//     port was enabled; with "undefined" read-under-write it is the old word.
//   - A connect to a narrower signal cuts; a note says how often that was.
//   - A register whose reset value is the register itself has no reset.
//
// # CHIRRTL
//
// The enable of a sequential read port comes from its address, by the rule of the
// reference compiler: if the address is a node, the port is enabled under the
// conditions of that node's declaration; if it is a wire or register, under those
// of every connect to it, as for an output; if it is an input of the module, never; if it is any
// other expression, under those of the port's own declaration.
//
// # Names
//
// io.bits.a[3] becomes io_bits_a_3, for ports and everything else. Nodes whose
// name begins with _ keep it where they are a value of their own.
//
// # Analog
//
// Analog signals that are attached to each other, whatever conditions are around, are
// one net (ir.Net), an Analog port is a pad. Two ports of a module on one net are one
// pad; of the main module that is an error. An instance of etch_drive, etch_read,
// etch_pullup or etch_pulldown is a driver, the reader or the pull of its net, see
// package ir/pads. Anything else done with an Analog is an error.
//
// # Probes and intrinsics
//
// read of a probe is the signal itself; one of a module below comes up by outputs of
// the modules between. force, release and their kin are errors. An instance with
// choices is its default, with a note; domains carry nothing.
//
// These intrinsics are done, as expressions, statements and modules:
// circt_clock_gate (a latch holds its enable while the clock is high),
// circt_clock_inv, circt_mux2cell, circt_mux4cell, circt_isX (0), circt_sizeof,
// circt_plusargs_test and circt_plusargs_value (as in a run without any),
// circt_has_been_reset, circt_chisel_assert, circt_chisel_ifelsefatal,
// circt_chisel_assume and circt_chisel_cover (statements), and circt_verif_assert,
// circt_verif_assume and circt_verif_cover of properties with a clock that are made of
// circt_ltl_and, or, not, implication, concat, and delay and repeat by fixed numbers.
// A property of several cycles is checked in its last cycle, on registers that hold the earlier
// values, if its enable was high in all of these cycles. circt_dbg_variable,
// circt_debug_…, circt_fpga_probe and circt_view stand for no hardware. Others are
// errors.
//
// # Statements
//
// assert, assume, cover, printf and stop become statements of ir.
//
// # Annotations
//
// Annotations stand in the circuit, or in a file of their own (Options). These are
// done:
//
//   - firrtl.passes.wiring.SourceAnnotation and SinkAnnotation: whatever else drives
//     the sink (a wire, node, register or port, or an element of one; in every
//     instance of its module), it gets the value of its pin's source, by ports of
//     the modules between them. A source in a module with several instances needs
//     the path of one.
//   - circt.FullResetAnnotation, circt.ExcludeFromFullResetAnnotation,
//     sifive.enterprise.firrtl.FullAsyncResetAnnotation and
//     IgnoreFullAsyncResetAnnotation: the reset of the target resets all registers
//     of its module and of those below to 0. A register with an asynchronous reset
//     keeps only that. One with a synchronous reset has both if the full reset is
//     asynchronous, else only its own. As in firtool, memories without
//     read latency become registers below an asynchronous full reset, in the modules
//     below sifive.enterprise.firrtl.MarkDUTAnnotation or, without one, in all; the
//     others keep their words.
//   - firrtl.annotations.LoadMemoryAnnotation, MemoryFileInlineAnnotation,
//     MemoryArrayInitAnnotation and MemoryScalarInitAnnotation: contents of memories.
//   - firrtl.transforms.BlackBoxInlineAnno: told to Options.Body.
//   - firrtl.AttributeAnnotation: attributes of modules, registers, wires and nodes,
//     also of ports, instances and memories.
//
// These are left out, with one note for all, since the circuit behaves the same:
// hints for a compiler (DontTouch, NoDedup, Inline, Flatten, names and prefixes),
// descriptions of the source (documentation, enumerations, decode tables),
// texts of black boxes, layout of the Verilog (files, conventions, extraction of
// assertions and memories, hierarchy reports), descriptions for software (address
// maps, object models, views), and options of the tools (chisel3.stage.*,
// circt.stage.*, firrtl.options.*, firrtl.stage.*, firrtl.passes.memlib.*,
// barstools.tapeout.transforms.stage.*, logger.*). The variable left in classes.go lists the
// classes by reason. Any other class is an error, unless Options.Ignore has it.
//
// # Errors
//
// An Error names the FIRRTL file and line and the construct. Clocks that are
// computed, or read as values, are left in the netlist: package derived takes them
// out. Reset values of asynchronous resets that are not constant are errors.
package lower
