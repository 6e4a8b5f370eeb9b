// Package derived takes derived clocks out of a design: clocks that are computed,
// by registers that divide a clock, by multiplexers and gates, or by a clock that
// was a value for a while, as in the IO cells of a chip.
//
//	err := derived.Resolve(design)
//
// In a netlist of package ir a clock is an input of the top, and its edges are all
// there is of it. The front ends' intermediate form is looser: any node may be a
// clock, and a clock may be an operand, where it stands for its level. Resolve
// makes the strict form of the loose one:
//
//   - A clock that is an input or its inverse behind buffers, gates and
//     multiplexers with constant operands is that input. A one-bit input of the top
//     that is used so becomes a clock.
//   - State that a computed clock moves becomes state that moves with the edge of
//     the input clock behind it. At each such edge it asks whether the computed
//     clock rises, and takes what is there then. See package ir/moments.
//   - A clock that is an operand elsewhere gets a level, of two registers.
//
// A design that needs any of this is flattened first; others stay as they are.
//
// # Errors
//
// A computed clock must follow from one input clock. It must not rise when an
// input changes or an asynchronous reset comes without an edge of that clock,
// since nothing is there to move state at. A memory is not written by a computed
// clock that may rise twice with one edge, or with both. A clock that a black box
// makes is an error that wraps [ErrBlackBox].
//
// The package imports passes, ir, ir/moments and the standard library.
package derived
