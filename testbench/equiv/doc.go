// Package equiv proves, inside go test, that two circuits are equivalent and that assertions
// hold, or shows a run in which they do not.
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
// [Check] compares two components, [CheckDesigns] two netlists: every output is equal in every
// cycle of every run. Ports are matched by name. [Prove] and [Bounded] are about the design's
// own Assert statements, and about its stops with a code other than 0, which must not happen;
// runs go on after a stop with 0. Assume statements restrict the runs, in Check too. [Compare],
// [Verify] and [VerifyBounded] are the same without a test.
//
// # What is compared
//
// A run begins at power-up. Then come the reset cycles, one if there is an input of a reset
// type: all resets are high, all other inputs have any values. Cycle 0 is the first cycle after
// that. From there on outputs must agree and assertions hold for all inputs, resets among them.
//
// [Reset] sets another number of reset cycles (a pipeline whose data registers have no reset
// needs as many as it is long), [FromPowerUp] sets none, [ResetBy] names inputs that reset but
// have no reset type, [Hold] fixes an input.
//
// State without an initial value starts as anything, and so do the words of a memory. In Check,
// corresponding state starts alike on both sides, as with [etch/sim.WithSeed]: otherwise no
// memory would be equal to its copy. State corresponds if it has the same full name and shape,
// or else, since other tools choose other names, if it behaves alike in random runs from
// power-up.
//
// A guess by behaviour decides nothing by itself. A proof holds for the starts that it was made
// with. A difference counts only if one side cannot behave as the other one from any start of
// the guessed state; else the result is Unknown. [Unpaired] lets all state start separately,
// [FromZero] starts it at 0. A difference names state that has no counterpart on the other side.
//
// With several clocks, any of them rise in any cycle; with [Together] all rise in each cycle. If
// state moves with falling edges, a step is an event: some clocks rise, or some that have risen
// fall. Inputs may change at each event; with one clock, or Together, rising and falling edges
// alternate. The outputs of black boxes have any values; Check gives boxes of the same name the
// same outputs and compares their inputs too.
//
// # How
//
// Both sides become one and-inverter graph (package passes/aig), in which equal structure is one
// node already. The methods, in their order:
//
//	correspondence  Half the time: if corresponding state stays equal in every step from
//	                states in which it is, the outputs are equal (register
//	                correspondence, van Eijk, 1998). SAT proves nodes inside a step
//	                equal.
//	sweeping        Package prover partitions the nodes by random simulation and proves
//	                them equal by SAT, arguments first, for designs with state by
//	                induction over steps.
//	unrolling       A design without feedback, a pipeline, is unrolled to its depth,
//	                wherever its registers are.
//	ABC             Its pdr and iprove get the rest, where it is installed.
//
// [Result].By names the method that decided.
//
// Memories of up to 16,384 bits ([MaxMemory]) are expanded to registers. Of larger ones no word
// is kept. Two memories of both sides correspond by name, or else by shape; they stay equal as
// long as each step writes both alike, which is proved with the rest for every address. A read
// gives any word, but equal words at one address. If that proof fails, counterexamples are
// searched in runs that read a few words only, at any addresses; without one the result is
// Unknown.
//
// # What comes back
//
// A difference is replayed on the simulator before it is reported; a difference that the
// simulator does not confirm is reported as a mistake in etch. The test fails with port, cycle,
// both values and a drawing of the run:
//
//	count differs in cycle 3: a has 4'h3, b has 4'h4
//	en       ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾
//	a.count  |0  |1  |2  |3
//	b.count  |0  |1  |2  |4
//
// [Dump] writes the run for a wave viewer. If nothing is decided within the limits ([Limit],
// [Conflicts], [Depth]), the result is Unknown with the reason, and the test fails too unless it
// has [MayBeUnknown].
//
// The package imports hw, sim, ir, ir/pads, passes, passes/aig, backends/aiger, its own prover and
// testbench/tools.
package equiv
