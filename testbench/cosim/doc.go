// Package cosim runs a test a second time, in Verilog: it records the stimulus of a test and the
// simulator's outputs, applies the stimulus to the emitted Verilog under Icarus Verilog or
// Verilator, and compares every output.
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
// A [Recorder] is a sim.Tracer. For each event it writes a line of stimulus, the clocks that
// rise and all inputs, and two lines of outputs: settled before the edge and after it.
// [Recorder.Look] adds a line without an edge. Clocks rise at the same time in Verilog if they
// did in the simulator. Lines are hexadecimal, each port in digits of its own. The driver of
// either tool reads stimulus.hex and writes response.hex, which is compared with expected.hex.
//
// # The state at power-up
//
// State without initial value starts as 0 or at random in etch's simulator and as X in Verilog.
// Here the Verilog gets the simulator's state at the start of the recording, by hierarchical
// names, so that both agree from the first moment, before any reset: an X or Z in an output is
// always a difference. State inside black boxes starts as in their own Verilog.
//
// A pad is an inout port of the Verilog. The test drives it through a tri-state driver of its
// own, and the wire's value is compared, whatever drives it. Where no pull holds the wire, the
// shell pulls it low, weakly.
//
// The Verilog cannot follow a test that changes registers or memories by hand. A restored or
// restarted simulator ends the comparison with a note. If clocks rise together and write to one
// word, Verilog leaves open which write wins.
//
// # Models
//
// Models are kept in the folder cosim of the tools' cache, under a hash of the texts, flags and
// tools; above 512 MB the least recently used ones are removed. Verilator's makefile is not
// used: the run-time library is compiled once for all models, and a model as one file, which
// takes one second instead of seven. Its memories start from files, so that one model serves all
// contents.
//
// Imports: sim, backends/verilog, testbench/tools, ir and below; never hw nor
// testing.
package cosim
