// Package cover counts the parts of a design that a recorded run has exercised, by the lines of its
// source: assignments, both outcomes of conditions, states and transitions of state machines, cover
// statements, assertions that were put to the test, and the bits of registers and ports that rose
// and fell.
//
//	c, err := cover.Of(s.Recorded(), d) // a replay of the run, with counters
//	err = c.WriteFile(dir, "TestTx")    // as ETCH_COVER=DIR does for every bench
//
//	c, err = cover.Read(dir)            // all files of a folder, added up
//	warnings, err := c.Profile(w)       // in the format of go tool cover
//	for _, m := range c.Modules() { … } // by module and kind
//
// The run is replayed on a copy of its design to which counters are added: a register for each
// condition under which something acts. So no engine has code for coverage, and a bench without
// coverage costs nothing. Equal conditions share a counter. So do conditions that count for the
// same lines, such as the multiplexers of a loop in the source: in each cycle their register adds
// the number of conditions that hold. Conditions whose logic changes together have a register of
// their sum, which does not change while the logic does not. The last arm of a multiplexer has no
// counter: its count is the rest. An arm without a statement, such as the value that a register
// keeps, counts for its condition only.
//
// A counter costs time at the edges at which it counts. So the beginning of a long run is sampled
// for conditions that usually hold, and their counters count the edges at which they do not hold.
//
// Registers are watched at the edges of their clock, ports at the edges of their module's clock. A
// signal is settled once each of its bits has risen and fallen in some instance of its module; it
// needs no watch after that. So the first cycles of the run are replayed without watches, and
// changes are read from a few instances of each module. With several clocks, the first cycles are
// replayed with all watches. Then longer and longer stretches are replayed with the watches that are
// left, and the whole run last. A watch takes two registers if the signal begins with the same
// value in all instances, and three otherwise.
//
// The price, by etch bench cover (processor time of a replay, AVX-512, 2026-11-28):
//
//	design            branches   toggles too
//	dwc_2x1024            1.02          1.12
//	systolic_16x16        1.05          1.20
//	systolic_32x32        1.52          1.70
//	systolic_64x64        1.44          1.64
//	rv32i                 1.56          2.13
//	cores_4               1.24          1.42
//	cores_16              1.42          1.79
//	protocol              2.43          2.84
//	actor_critic          0.98          0.94
//	quiet_32              2.86          4.42
//	geometric mean        1.46          1.73
//
// Logic that rests costs most, and so do state machines, whose conditions are many. The ratio of a
// design differs between runs by a tenth, of rv32i and quiet_32 by a half: what the engine learns in
// two seconds is a large part of them.
//
// Lanes are not recorded: they run on the design of an [Instrumented] from the start, and
// [Instrumented.CountLanes] adds them up. testbench.Lanes does so under ETCH_COVER.
//
//	instrument.go  a design with counters
//	arms.go        the conditions of multiplexers' arms
//	logic.go       operations of one bit, each made once
//	share.go       the registers of the counters
//	statements.go  assignments without conditions, writes, statements
//	states.go      state machines and their possible transitions
//	toggles.go     the watches of bits
//	together.go    conditions of logic in common
//	usual.go       conditions that usually hold
//	sample.go      bits that rise and fall in the first cycles
//	counts.go      the counts of a run
//	files.go       files of counts, and their sum
//	profile.go     a profile for go tool cover, and the table by file
//	modules.go     the table by module and kind
//	lcov.go        lines and branches for lcov
//
// The package imports sim, ir, ir/bits, ir/disjoint and the standard library.
package cover
