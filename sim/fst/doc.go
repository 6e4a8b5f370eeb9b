// Package fst writes the waves of a simulation as a fast signal trace, GTKWave's
// compact format, which Surfer and other viewers read too.
//
//	w, err := fst.Create("counter.fst")
//	err = s.Trace(w)
//	s.Step(100)
//	err = w.Close() // the file is there from now on
//
// The file has every port and every named node of every instance, under the user's names and
// widths, in a scope for each instance with the name of its module. Signals that are one net are
// stored once. Memories are left out; their read data is there.
//
// Types, as far as the format has them:
//   - an enumeration brings the table of its names, which viewers show;
//   - two's complement is a variable of type integer, shown in signed decimal,
//     with the type name "signed";
//   - a fixed-point number has the type name "sfixed" and the range of its bits'
//     weights, as in gain[4:-4] for 9 bits of which 4 are fraction bits: no viewer
//     is told where the point is in another way;
//   - other registers are of type reg, other signals of type wire; ports have
//     their directions.
//
// Only changes are written; there is no date: equal runs give equal files. Time
// never goes back: after Restart or Restore the file goes on from where it was.
// Inputs change at the start of a cycle, clocks rise in its middle.
//
// A file is a header, the hierarchy, the widths of the nets, and blocks of changes. A block
// covers a stretch of time: the values of all nets at its begin, a chain of changes for each net
// that has any, packed by LZ4 (equal chains are stored once), and its times.
//
// The Writer keeps two blocks of 1 MB, more for a design of more than 100000 bits, whatever the
// length of the run: a goroutine packs one of them while the other one fills. Blocks that are
// written can be read even if the program ends early.
//
// The format is described by GTKWave's block_format.txt and its reader; names of
// more than 512 letters are cut there.
//
// The package imports ir, sim, sim/internal/record and the standard library.
package fst
