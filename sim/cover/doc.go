// Package cover counts how often each statement of a design took effect in a recorded run, by the
// lines of its source: the arms of conditional assignments, and both outcomes of conditions.
//
//	c, err := cover.Of(s.Recorded())   // a replay of the run, with counters
//	err = c.WriteFile(dir, "TestTx")   // as ETCH_COVER=DIR does for every bench
//
//	p, err := cover.Read(dir)          // all files of a folder, added up
//	err = p.Profile(w)                 // in the format of go tool cover
//
// The run is replayed on a copy of its design to which cover statements are added: one for each arm
// of a multiplexer, under the conditions of the multiplexers that the arm is inside of. So every
// engine counts in its own way, and a bench that is not asked costs nothing. An arm that no
// statement gave, as the value that a register keeps, counts for its condition only. Assignments
// without a condition are not counted: they act in every cycle.
//
//	instrument.go  the statements
//	counts.go      a run's counts by line, as a file
//	profile.go     the files of a folder, as a profile and as a table
//	lcov.go        the same for lcov
//
// The package imports sim, ir and the standard library.
package cover
