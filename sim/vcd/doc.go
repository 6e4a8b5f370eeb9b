// Package vcd writes the waves of a simulation as a value change dump
// (IEEE 1364-2005, section 18), which GTKWave and most other viewers read.
//
//	w, err := vcd.Create("counter.vcd")
//	err = s.Trace(w)
//	s.Step(100)
//	err = w.Close() // the file is there from now on
//
// The dump has every port and every named node of every instance, under the user's names and
// widths, in a scope for each instance. Signals that are one net share one identifier, so a
// clock that reaches a thousand instances is dumped once. Memories are left out; their read data
// is there.
//
// Types: a signal whose type is an enumeration has a second variable beside it,
// of GTKWave's type "string" and called NAME_name, that holds the name of the
// value, or its number where the value has none. Signed and fixed-point signals
// have a comment after their declaration, as in "$comment acc: fixed 4 $end":
// the format has no place for more.
//
// Only changes are written; there is no date: equal runs give equal files. Time
// never goes back: after Restart or Restore the file goes on from where it was.
// Inputs change at the start of a cycle, clocks rise in its middle.
//
// The package imports ir, sim, sim/internal/record and the standard library.
package vcd
