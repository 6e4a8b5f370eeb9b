// Package testbench is what a hardware test needs: build a component, drive it,
// step it, say what is expected.
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
// Assertions of the design fail the test with their own line. What a test gets
// wrong (a value that does not fit, a handle of another component, an output
// that is set) ends it with the test's line and the port's name.
//
// # Power-up
//
// State that the design gives no value at power-up starts at random: registers without
// reset, and those with one before the first edge in reset, memories without contents,
// what synchronous reads hold, latches. In a chip it is anything, so a test that needs
// it to be 0 would pass by luck. New holds every reset of the top high for one edge of
// all clocks, in which assertions do not count: parts with resets of their own have
// not seen one yet. An asynchronous reset works without that edge. A design whose reset must
// last longer, through synchronizers say, is given it by the test, with
// [Bench.Set] on the reset; [WithoutReset] leaves the design at power-up.
//
// The start of a register depends on its full name and a seed. The seed is that of the
// test's name, so that a test repeats and two tests start in different states; a test
// that fails tells it. [WithSeed] and ETCH_SEED choose another one, ETCH_SEED=random a
// new one in each test, ETCH_SEED=off starts everything at 0: if the test passes then,
// a reset is missing. What really powers up as 0 says so in the design, by [hw.RegInit]
// and [hw.Cleared]; state inside a black box starts as 0. Co-simulation starts the
// emitted Verilog with the same values.
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
// [Sink.Got] has the bits of what was taken, [Got] makes Go values of them.
//
// # Threads
//
// [Bench.Go] runs a part of a test beside it. In it the methods that make edges wait for
// them instead, so that Send, Take and whole drivers work there as they do in the test:
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
// The test makes the edges; threads are coroutines, of which one runs at a time. One
// cycle goes like this, whatever the machine:
//
//  1. The edge. Assertions that failed at it are reported.
//  2. Threads for which it is the edge that they wait for go on, in the order in which
//     they were made, each until it waits again. One that waits for another to end goes
//     on right behind it. A thread made now runs at once until it waits, and is last in
//     the order from then on.
//  3. The test goes on. It is the last that sets inputs.
//  4. The test steps: each [Source] and [Sink], a thread too, drives its ports.
//  5. Agents, then threads in [Bench.Settle], see the values that registers are going to
//     take. Nothing may be set. Then comes the next edge.
//
// A value that is set counts at once: who reads an output then, sees it settled with all
// that has been set so far in the cycle, by whom does not matter. When two of a test and
// its threads set one input to two values in one cycle, the test ends with both lines;
// what a thread's maker set before it, and what a thread set that one has seen end, is
// in order. A thread that still runs at the end of the test ends where it waits.
//
// Agents and threads see the edges of Step, Tick, Reset, and of [Bench.Advance], for
// clocks with a period. Edges that a test makes by the methods of Sim they do not see:
// the next edge, or the end of the test, says so.
//
// # Waves
//
// [Bench.Wave] draws signals as text. [Golden] compares the drawing with a file
// in testdata, which go test -update writes. [Example] stands in for a
// *testing.T in example functions.
//
// [WithDump] and [Bench.Dump] write files for GTKWave, Surfer and others, all of
// a test or what is around a failure:
//
//	s, p := testbench.New(t, c, testbench.WithDump("counter.fst"))
//	s.Dump("bug.fst", sim.Window{Trigger: sim.Failed, Before: 50, After: 5})
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
//	ETCH_WAVES   fst, vcd: a dump of every bench, kept by go test -artifacts
//	ETCH_UPDATE  1: write golden waves, as -update does
//	ETCH_SEED    a number: the start of state without initial value, in every bench
//	             that has not chosen; random: another one each time; off: 0
//	ETCH_STRICT  1: a missing simulator fails the test instead of leaving it out;
//	             verilator: that one does
//
// # Invariants
//
//   - A Bench belongs to one test and one goroutine, with the threads that it makes
//     itself; tests run in parallel.
//   - Set, Get, Expect and Step do not allocate while nothing is wrong.
//   - Who looks, draws or records changes nothing: asynchronous resets take effect
//     at once, whether somebody reads a signal then or not.
//
// The package imports hw, sim and its writers of waves, backends/verilog and
// testbench/cosim; no test libraries beyond testing, so that a test binary links
// fast. Nothing but tests imports it.
package testbench
