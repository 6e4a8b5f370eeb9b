// Package equiv proves, inside go test, that two circuits do the same and that
// assertions hold, or shows a run in which they do not.
//
//	func TestAdders(t *testing.T) {
//		equiv.Check(t, RippleAdder{Width: 16}, PrefixAdder{Width: 16})
//	}
//
//	func TestQueueKeepsCount(t *testing.T) {
//		equiv.Prove(t, Queue{Depth: 4}, "")                // every assertion, in every run
//		equiv.Bounded(t, Processor{}, 20)                  // every assertion, for 20 cycles
//	}
//
// [Check] compares two components, [CheckDesigns] two netlists: every output is
// equal in every cycle of every run. Ports are matched by name. [Prove] and
// [Bounded] are about the design's own Assert statements, with its Assume
// statements taken as promises of the surroundings; Check takes them so too.
// [Compare], [Verify] and [VerifyBounded] are the same without a test.
//
// # What is compared
//
// A run begins at power-up. Then come the reset cycles, one if there is an input
// whose type is a reset: all resets are high, all other inputs are anything.
// Cycle 0 is the first after that; from there on outputs must agree and
// assertions hold, whatever the inputs, resets among them, do. [Reset] asks for
// another number of reset cycles (a pipeline whose data registers have no reset needs
// as many as it is long), [FromPowerUp] for none, [ResetBy] names inputs that reset
// but are of no reset type, [Hold] fixes an input.
//
// State without an initial value starts as anything, and so do the words of a
// memory. In Check, state of the same full name and shape starts alike on both
// sides, as [etch/sim.WithSeed] has it: otherwise no memory would be equal to its
// copy. [Unpaired] takes that back. [FromZero] starts it all at 0.
//
// With several clocks, any of them rise in any cycle; [Together] has all rise in
// each. The outputs of black boxes are anything that they can be; Check gives boxes
// of the same name the same outputs and compares their inputs too.
//
// # How
//
// Both sides become one and-inverter graph (package passes/aig), where equal
// structure is one node already. Package prover sorts the nodes by random
// simulation and proves them equal by SAT, arguments first, for designs with state
// by induction over steps; what is left goes to ABC (pdr, iprove) where it is
// installed. [Result].By says what decided.
//
// # What comes back
//
// A difference is replayed on the simulator before it is reported; one that the
// simulator does not confirm is a mistake in etch and says so. The test fails with
// port, cycle, both values and a drawing of the run:
//
//	count differs in cycle 3: a has 4'h3, b has 4'h4
//	en       ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾
//	a.count  |0  |1  |2  |3
//	b.count  |0  |1  |2  |4
//
// [Dump] writes the run for a wave viewer. When nothing is decided within the
// limits ([Limit], [Conflicts], [Depth]) the result is Unknown with the reason and
// the test fails too, unless it says [MayBeUnknown].
//
// Memories up to 16384 bits are expanded to registers, larger ones are an error
// that names them ([MaxMemory]).
//
// The package imports hw, sim, backends/aiger, passes and testbench/tools.
package equiv
