// Package net is the word netlist that the engines compile: the effects of one event of a set of
// clocks, as a graph of operations on words of up to 64 bits.
//
// A [Net] has state words ([Reg]: inputs, registers, read data), memories, and nodes. A node's
// value is always below 2^W: zero extension is free and needs no operation, and operands may
// have any widths. Nodes are made with [Net.Make] and the functions on top of it, which fold
// constants, share equal nodes (hash consing) and simplify locally. A node's arguments have
// smaller IDs than the node. Values wider than a word are several nodes; package sim splits
// them.
//
// The graph is the engines' intermediate representation, so it is flat and small: 40 bytes per
// node, no pointers. [Net.Extract] makes a smaller net from the nodes that remain under assumed
// values of registers ([Prop]). [Net.Gather] groups look-ups into banks, which engines compute
// together. [Net.Vectors] turns registers that indices select into memories over their words, and
// [Net.Enables] finds the conditions under which registers keep their values. [Net.Divide] finds
// parts that rest most of the time, and [Net.Gated] makes a net that skips them.
//
// One table (op_table.go) describes the operations for all engines: name, arguments, meaning of the
// immediate, width rule, cost, and which forms of code have them. [Net.Verify] checks a net. In the
// tests of the engines, and under ETCH_VERIFY=1, every transformation verifies its result.
//
// One word of package sim has a second meaning here: a view is a memory whose words are registers
// ([Net.Vectors]).
//
// The thresholds and estimates by which transformations decide are parameters ([Costs]).
// The package imports ir/disjoint, sim/internal/switches and the standard library.
package net
