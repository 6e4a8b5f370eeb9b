// Package native compiles a word netlist ([net.Net]) to machine code.
//
// A net passes through these steps:
//
//	pack      takes out repeated parts: vectors of registers, computed last (internal/pack)
//	gather    groups independent look-ups into banks (net)
//	schedule  orders the nodes into structured code: muxes become branches where
//	          that pays, nodes needed by one arm only sink into it, registers are
//	          written in place, readers before writers
//	hazards   finds the registers that are read after their write on some path:
//	          they are copied at the start of the cycle
//	allocate  assigns machine registers, by linear scan
//	emit      writes the code; a Writer writes the instructions of one architecture. Packs are
//	          vector code, which package vector compiles for them and for lanes
//
// internal/pack has the first of these steps, internal/schedule those up to allocate,
// internal/emit the last, and internal/rows the changes that a [Log] finds.
//
// [Compile] makes plain code: one body that runs any number of cycles. [Engine] runs a net and
// specialises it meanwhile:
//
//	engine.go       runs calls, and holds the contest with plain code (trial.go)
//	machine.go      one machine of the net: its subject, samples, bodies and efforts
//	sample.go       samples the states that the design passes through
//	sim/choose      finds the control registers, chooses the registers that tell bodies
//	                apart, and the combinations of values that get a body
//	tree.go         splits a body by conditions of the cycle
//	bodies.go       writes the bodies and the jumps between them
//	accumulators.go finds additions that may wait for the end of a call
//	adapt.go        decides when all this is done again
//
// Other forms of code, and what all share:
//
//	compile.go      plain code; specialise.go has the options and chooses the form
//	gated.go        code with gates, of regions (gated_regions.go) or parts (gated_parts.go)
//	active.go       the code of a net in parts: its text (active_text.go), flags (active_flags.go),
//	                cells (active_cells.go, active_users.go), the effects of its writes
//	                (active_changes.go), and
//	                parts that run when an enable is 1 (active_enables.go)
//	scout.go        the choice between parts and bodies, in scout_chance.go again behind a long run
//	pack_state.go   packed registers between calls
//	log.go          the values of some words at each event, for waves (column.go)
//	report.go       the account of what was chosen, and why the rest lost
//
// Many machines take turns in a cycle: the instances of a module, which share their bodies
// ([Class], class.go), or independent machines of a flat net (team.go). A net with neither control
// state nor repetition gets plain code. If it is large, it gets gates where these are faster
// ([Gated]): regions of the net whose registers have not changed are skipped (net.Regions). Nets of
// five thousand nodes and more, where regions do not pay or have run a while, are cut into parts
// that run when a value which they read has changed (net.Partition, active*.go), after their vectors
// of registers became memories (net.Vectors). [Scout] chooses between parts and bodies.
//
// Words used here, beside those of package sim:
//
//	body       code of one cycle, for all states (general) or under an assumption (special)
//	plan       guards, deciding registers and tuples: which bodies exist
//	guard      a register that has one value in all special bodies; writing another
//	           value leads back to the general body
//	deciding   a register whose value selects the body
//	tuple      one combination of values of the deciding registers
//	miss       a cycle in a body that does not assume all deciding registers
//	review     choosing bodies again under the present plan
//	look       making code with gates or parts from samples (gated.go)
//	leaf       a register's value or a constant, as a node of the net
//	slot       the word of the state that holds a register
//	scratch    words below the state, for spilled values and copies
//	cell       a value of plain code, stored for packs
//	part       a piece of a large net, as in package sim (active.go)
//	enable     a bit that is 0 in cycles in which registers keep their values (net.Enables)
//
// Invariants:
// - Compiling is paid for by its savings: a body is compiled once it would have saved as much as
// compiling it takes.
// - Equal calls on equal states make equal code. Decisions follow from estimated efforts (sim/choose),
// not from time. Two are measured, after equal cycles: the contest with plain code (trial.go), where
// bodies are the default, and the trial of gates (gated.go), where gates are. sim/internal/contest
// says why load does not change their verdict.
// - Every decision is noted in the code's [Report]. ETCH_PLANS=1 prints the notes as they are made,
// with the time of each step beside its estimate (sim/internal/switches has all debug switches).
// - All code runs on state that the caller owns: 64-bit words, whose places a net's registers
// and memories name. A call runs a bounded number of cycles. Between calls the code keeps
// nothing except in the state and in its scratch words, and after RunOn the elements of packs
// ([Keeper]).
// - Any code of a net computes the same cycles. Bodies, packs and gates only differ in speed.
// - There are two targets, amd64 and arm64. The order of instructions is common to both. Packs
// exist for AVX2 and NEON.
//
// RATIONALE.md has the measurements and the alternatives that lost. The package imports sim/choose,
// sim/net, sim/internal/contest, stopwatch and switches, native/cpu, native/exec and native/internal; never
// sim.
package native
