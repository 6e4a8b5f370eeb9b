// Package derived removes derived clocks from a design: clocks that are computed by
// registers that divide a clock, by multiplexers and gates, or clocks that pass through a
// value, as in the IO cells of a chip.
//
//	err := derived.Resolve(design)
//
// In a netlist of package ir a clock is an input of the top and serves for its edges only.
// The front ends' intermediate form is looser: any node may be a clock, and a clock may be
// an operand, where it stands for its level. Resolve converts the loose form to the strict
// one:
//
//   - A clock that is an input or its inverse behind buffers, gates and
//     multiplexers with constant operands becomes that input. A one-bit input of the
//     top that is used as a clock becomes a clock.
//   - State of a computed clock becomes state of the input clock behind it. At each edge of the
//     input clock it tests whether the computed clock rises, and if so samples its inputs as they
//     are when the computed clock rises. See package ir/moments.
//   - A clock that is an operand elsewhere gets a level, made of two registers.
//
// A design that needs any of this is flattened first; others stay unchanged.
//
// # Errors
//
// A computed clock must depend on a single input clock. It must not rise when an input
// changes or an asynchronous reset comes without an edge of that clock, since no edge then
// moves its state. A memory must not be written by a computed clock that may rise twice at
// one edge, or at both edges. A clock made by a black box is an error that wraps
// [ErrBlackBox].
//
// The package imports passes, ir, ir/moments and the standard library.
package derived
