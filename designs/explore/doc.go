// Package explore measures the configurations of a design and finds the best of them:
// design-space exploration that survives being killed.
//
// A [Plan] has sweeps of parameters, whose product are the candidates, and measures.
// [Run] builds each candidate, which refuses invalid ones, and applies the measures
// in order of their cost. A candidate that another one beats by a margin in all
// results so far gets no dearer measure.
//
// # Terms
//
//	candidate  one value for every swept parameter
//	measure    from a netlist (or from parameters) to named numbers, by a tool of a version
//	subject    the input of a measure; its hash, with measure and tool, is the key of a result
//	front      the candidates that no other one dominates on the axes (Pareto)
//
// # Invariants
//
//   - The journal, DIR/results.jsonl, is the truth. A result is in it before anything
//     counts it, one line a result, and a key once. What it holds is not measured again,
//     by this sweep or a later one.
//   - A line without its end is what a kill left: it is dropped. Any other line that
//     cannot be read is an error with its number.
//   - One process at a time has a folder (DIR/lock).
//   - Equal sweeps with equal tools give equal tables, whatever was interrupted and
//     however many workers there were.
//
// Package explore knows nothing of commands: cli has the verb and the measures by yosys
// and nextpnr. It imports ir and testbench/tools. Package paper, below, is the resource
// model of the replay accelerator's paper.
package explore
