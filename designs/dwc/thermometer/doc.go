// Package thermometer makes the comparisons of one sensor code with many
// constants out of lookup tables of six inputs that share their work.
//
// A comparison code > t of its own takes ⌈(W−1)/5⌉ tables: six low bits give one
// signal, five more bits and that signal the next. [Share] returns the smallest
// [Graph] of two kinds:
//
//   - suffixes: comparisons of their own, equal low parts of thresholds built once;
//   - prefixes: thresholds whose top s bits differ share one comparison of the low
//     bits with a constant that the top bits choose. It holds for whichever
//     threshold the code is near, so each output is one table of the top bits and
//     that signal: above the prefix, or at it and the low bits above.
//
// A chosen constant costs nothing: a table with s bits of choice compares 5−s bits
// of the code at a time and passes the result on. The price is depth, a level for
// each of these.
//
// The package imports the standard library only.
package thermometer
