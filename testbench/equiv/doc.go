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
// [Bounded] are about the design's own Assert statements, and about its stops with a
// code other than 0, which must not come; runs go on behind a stop with 0. Assume
// statements are taken as promises of the surroundings; Check takes them so too.
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
// memory. In Check, state that is the same on both sides starts alike, as
// [etch/sim.WithSeed] has it: otherwise no memory would be equal to its copy. It is
// the same if it has the same full name and shape, or else, since other tools have
// names of their own, if it does the same as far as random runs from power-up can tell.
// Such a guess decides nothing by itself: a proof is one for the starts that it was made
// with, and a difference counts only if one side cannot do, from any start of the state
// that was guessed, as the other one does; else the result is Unknown. [Unpaired] takes all that back, [FromZero] starts it at
// 0. A difference names state that has none like it on the other side.
//
// With several clocks, any of them rise in any cycle; [Together] has all rise in
// each. Where state moves with falling edges, a step is an event: some clocks rise,
// or some that have risen fall; inputs may change at each, and with one clock, or
// Together, rising and falling edges take turns. The outputs of black boxes are anything that they can be; Check gives boxes
// of the same name the same outputs and compares their inputs too.
//
// # How
//
// Both sides become one and-inverter graph (package passes/aig), where equal
// structure is one node already. State that is paired as above is tried first, for half
// the time: if it stays equal in every step from states in which it is, that is the
// proof (the register correspondence of van Eijk, 1998), in which nodes inside a step
// are proved equal by SAT. Package prover sorts the nodes by random
// simulation and proves them equal by SAT, arguments first, for designs with state
// by induction over steps; a design without feedback, a pipeline, is unrolled to its
// depth, wherever its registers are; what is left goes to ABC (pdr, iprove) where it
// is installed. [Result].By says what decided.
//
// Memories up to 16,384 bits ([MaxMemory]) are expanded to registers. Of larger ones
// no word is kept: those of both sides that have the same name, or else shape, hold the
// same as long as each step writes both alike, which is proved with the rest for
// every address; what is read is anything, but the same at one address. Where that does
// not succeed, counterexamples are looked for in runs that read a few words only, at
// any addresses; without one the result is Unknown.
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
// The package imports hw, sim, backends/aiger, passes and testbench/tools.
package equiv
