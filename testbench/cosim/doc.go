// Package cosim runs a test a second time, in Verilog: it records what a test
// does to a simulator, has the emitted Verilog do the same under Icarus Verilog
// or Verilator, and compares every output.
//
//	r, err := cosim.Record(s, dir) // s is a *sim.Sim at power-up
//	…                              // the test goes on, as it likes
//	for _, j := range r.Judge(ctx, "iverilog", "verilator") {
//		fmt.Println(j.Tool, j.Samples, j.Differences, j.Err)
//	}
//
// Package testbench does this for tests with its option CoSim.
//
// # What is compared
//
// A [Recorder] is a sim.Tracer. For each event it writes a line of stimulus, the
// clocks that rise and all inputs, and two lines of outputs: as they are settled
// before the edge and behind it. [Recorder.Look] adds a line without an edge.
// Clocks rise at the same time in Verilog if they did in the simulator. Lines
// are hexadecimal, each port in digits of its own; the driver of either tool
// reads stimulus.hex and writes response.hex, which is compared with
// expected.hex.
//
// # The state at power-up
//
// State without initial value starts as 0 or at random in etch's simulator and as X
// in Verilog. Here the Verilog is given the state that the simulator has when the
// recording begins, by hierarchical names, so that both agree from the first moment,
// before any reset: an X or Z in an output is a difference, whenever it comes. State
// inside black boxes starts as their own Verilog says.
//
// A pad is an inout port of the Verilog. The test drives it through a tri-state
// driver of its own, and the wire's value is compared, whoever drives it. Where no
// pull holds the wire, the shell does, weakly and low.
//
// What the Verilog cannot follow: registers and memories that a test changes by
// hand. A restored or restarted simulator ends the comparison with a note. When
// clocks rise together and write to one word, Verilog leaves open who wins.
//
// # Models
//
// What Icarus compiles and what Verilator builds is kept in the folder cosim of
// the tools' cache, under a hash of the texts, flags and tools; what was unused
// longest is removed above 512 MB. Verilator's makefile is not used: the run-time
// library is compiled once for all models, and a model in one piece, which takes
// one second instead of seven. Its memories start from files, so that one model
// serves all contents.
//
// Imports: sim, backends/verilog, testbench/tools, ir and below; never hw nor
// testing.
package cosim
