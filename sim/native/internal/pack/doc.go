// Package pack finds repetition in a net: registers in neighbouring slots with isomorphic next
// values are computed eight at a time, in vectors of 32-bit elements. While code runs, a packed
// register lives in an element of a copy of the state ([Packs]). Code copies packed registers in when
// it is called and back when it returns.
//
//	runs      registers of one width in neighbouring slots      (pack.go)
//	block     eight of a run                                     (block.go)
//	shape     the graph of vectors that a block is matched into  (match.go),
//	          or found to be like another one                    (again.go)
//	segment   blocks in a row of one shape: one loop             (segment.go)
//
// Elements are made alike by exchanging operands that commute (align.go) and choosing between arms
// (choose.go); products of small factors become those of 16 bits (pairs.go).
//
// A value that only some elements need, at the edge of an array or from other state, is an ordinary
// output of the net that is left (rest.go). Plain code computes it and stores it in a cell, before the
// segments run. Segments come last in the cycle, readers before writers, so plain code sees
// packed registers with their old values.
//
// [Find] takes the repeated parts out of a net. Package emit makes the code of segments,
// as pieces of package vector. The package imports sim/choose, sim/native/internal/schedule and
// sim/net.
package pack
