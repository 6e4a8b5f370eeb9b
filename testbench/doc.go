// Package testbench drives a component in a test: build it, set its inputs, step its clocks,
// compare its outputs.
//
//	func TestCounter(t *testing.T) {
//		s, p := testbench.New(t, counter.Counter{Width: 4})
//		s.Set(p.En, 1)
//		s.Step(3)
//		s.Expect(p.Count, 3)
//	}
//
// [New] builds the component, fails the test with every diagnostic if that fails,
// and resets it. The ports struct that it returns is the test's view of the
// ports. Numbers go in and out by [Bench.Set], [Bench.Get] and [Bench.Expect],
// values of any width by SetBits, GetBits and ExpectBits, whole bundles by [Put]
// and [Check] with bundles of literals. [Bench.Step] makes edges of all clocks,
// [Bench.Tick] of single ones. Signals inside are read by path with [Bench.Peek].
//
// Assertions of the design fail the test with their own line. A mistake in the test (a value
// that does not fit, a handle of another component, a set output) ends it with the test's line
// and the port's name.
//
// # Power-up
//
// State without an initial value starts at random: registers without reset, registers with a
// reset before their first edge in reset, memories without contents, the registers of
// synchronous reads, latches. In a chip such state may have any value; a test that needs it to
// be 0 would pass by luck.
//
// New holds every reset of the top high for one edge of all clocks. Failures of assertions do
// not count in it, since parts with resets of their own have not seen one yet. An asynchronous
// reset works without that edge. If a reset must last longer, for instance through
// synchronizers, the test sets it by [Bench.Set]; [WithoutReset] leaves the design at power-up.
//
// The start of a register depends on its full name and a seed. The seed is that of the test's
// name, so a test repeats, and two tests start in different states; a test that fails tells its
// seed. [WithSeed] and ETCH_SEED choose another one, ETCH_SEED=random a new one in each test,
// ETCH_SEED=off starts everything at 0: if the test passes then, a reset is missing. State that
// powers up as 0 in the chip says so in the design, by [hw.RegInit] and [hw.Cleared]; state
// inside a black box starts as 0. Co-simulation starts the emitted Verilog with the same values.
//
// # Streams
//
// [Send] and [Take] move elements one at a time. A [Source] and a [Sink] work
// during Step, with random pauses where asked for:
//
//	in := testbench.NewSource(s, p.Push, testbench.Pauses(0.4, 1))
//	out := testbench.NewSink(s, p.Pop, testbench.Pauses(0.5, 2))
//	in.Send(hw.U(1), hw.U(2), hw.U(3))
//	s.Step(50)
//	out.Expect(hw.U(1), hw.U(2), hw.U(3))
//
// [Sink.Got] has the bits of the elements taken, [Got] makes Go values of them.
//
// # Threads
//
// [Bench.Go] runs a part of a test beside it. In a thread the methods that make edges wait for
// them instead, so Send, Take and whole drivers work there as in the test:
//
//	s.Go(func() { testbench.Send(s, p.Push, list...) })
//	s.Go(func() {
//		for { // answers each request after two cycles
//			for !s.High(p.Req) {
//				s.Step(1)
//			}
//			s.Step(2)
//			s.Set(p.Ack, 1)
//			s.Step(1)
//			s.Set(p.Ack, 0)
//		}
//	})
//
// A thread that loops without a call that waits never gives its turn back: go test's
// -timeout ends it, and shows its line.
//
// The test makes the edges; threads are coroutines, of which one runs at a time. The order
// within a cycle is the same on every machine:
//
//  1. The edge. Assertions that failed at it are reported.
//  2. The threads that wait for this edge go on, in the order of their creation, each
//     until it waits again. A thread that waits for another one to end goes on right
//     behind it. A new thread runs at once until it waits, and is last in the order from
//     then on.
//  3. The test goes on. It is the last to set inputs.
//  4. The test steps: each [Source] and [Sink], a thread too, drives its ports.
//  5. Agents, then threads in [Bench.Settle], see the values that registers are going to
//     take. Nothing may be set. Then comes the next edge.
//
// A set value counts at once: a later read in the cycle sees outputs settled with all values set
// so far, whoever set them. The test ends with both lines if the test and its threads set one
// input to two values in one cycle. Values are in order, and no conflict, if a thread's maker
// set the first before it made the thread, or if the second comes from a thread that has seen
// the first one's end. A thread that still runs at the end of the test ends where it waits.
//
// Agents and threads see the edges of Step, Tick, Reset, and of [Bench.Advance], for clocks with
// a period. They do not see edges that a test makes by the methods of Sim: the next edge, or the
// end of the test, reports them.
//
// # Waves
//
// [Bench.Wave] draws signals as text. [Golden] compares the drawing with a file
// in testdata, which go test -update writes. [Example] stands in for a
// *testing.T in example functions.
//
// [WithDump] and [Bench.Dump] write files for GTKWave, Surfer and others: the whole test, or the
// cycles around a failure:
//
//	s, p := testbench.New(t, c, testbench.WithDump("counter.fst"))
//	s.Dump("bug.fst", sim.Window{Trigger: sim.Failed, Before: 50, After: 5})
//
// # Runs
//
// Every bench records all calls to its simulator, up to 64 MiB, then the last part. A failing
// test leaves the runs of its last four benches in its artifacts, which go test -artifacts keeps,
// each with the waves of the last 200 cycles; package etch/sim/replay/runfile opens one and reads any
// node of any instance at any cycle.
//
// # Co-simulation
//
// With the option [CoSim] the emitted Verilog runs the whole test again under
// Icarus and Verilator, and every output is compared at every edge:
//
//	s, p := testbench.New(t, fifo.FIFO[hw.UInt]{…}, testbench.CoSim())
//
// # Environment
//
//	ETCH_COSIM   iverilog,verilator: co-simulation of every bench by these; off: of none
//	ETCH_RECORD  all: passing tests keep their runs too; off: nothing is recorded
//	ETCH_WAVES   fst, vcd: a dump of every bench, kept by go test -artifacts
//	ETCH_UPDATE  1: write golden waves, as -update does
//	ETCH_COVER   a folder: every bench, and [Lanes], add the counts of their lines, see
//	             etch cover
//	ETCH_WHY     a number: the rows that explain each of a bench's first three failed checks,
//	             0 for none
//	ETCH_SEED    a number: the start of state without initial value, in every bench
//	             that has not chosen; random: another one each time; off: 0
//	ETCH_STRICT  1: a missing simulator fails the test instead of leaving it out; names of
//	             tools, with commas: only these do
//
// # Invariants
//
//   - A Bench belongs to one test and one goroutine, with the threads that it makes
//     itself; tests run in parallel.
//   - Set, Get, Expect and Step do not allocate while nothing is wrong.
//   - Reading, drawing and recording change nothing: asynchronous resets take effect at
//     once, with and without a reader of a signal.
//
// The package imports hw, sim with its recorders and writers, ir, ir/output, backends/yosys and, of
// testbench, cosim, extern and tools; no test libraries beyond testing, so that a test binary links
// fast. Nothing but tests imports it.
package testbench
