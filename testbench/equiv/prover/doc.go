// Package prover decides whether a bad literal of a transition system of gates can be high.
//
// An [aig.System] is an and-inverter graph with latches, constraints and bad
// literals. [Prove] answers for all of its bad literals together: Proved (none is
// ever high), Refuted (with an [aig.Trace]), or Unknown with the reason. It tries,
// in this order:
//
//   - 64 random runs at a time from the start, which find most mistakes and sort
//     nodes into classes that have looked equal so far;
//   - the pairs of latches that the system hints at: if they start equal and stay so in
//     every step, all bad literals may be low;
//   - a sweep of the first step: two nodes of a class are proved equal by SAT or
//     told apart by a counterexample, arguments first, so that each question is
//     small. Without latches that is all there is;
//   - unrolling a few steps for short counterexamples;
//   - induction on the classes (van Eijk): equalities that hold in the first step,
//     and in each step that follows one in which they all hold, hold always;
//   - for a system without feedback, a pipeline: the first steps and one that has as
//     many before it as the system is deep, as questions without state;
//   - longer unrolling and k-induction in turn, with these equalities as facts.
//
// Questions are bounded by numbers of conflicts, so that answers do not depend on
// the machine; a limit of time bounds the whole.
//
// The package imports passes/aig, testbench/equiv/sat and the standard library.
package prover
