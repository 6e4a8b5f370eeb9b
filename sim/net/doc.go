// Package net is the word netlist that the engines compile: what one event of a
// set of clocks does, as a graph of operations on words of at most 64 bits.
//
// A [Net] has words of state ([Reg]: inputs, registers, read data), memories,
// and nodes. A node's value is below 2^W, always: widening is free, so there is
// no operation for it, and operands may have any widths. Nodes are made with
// [Net.Make] and the functions over it, which fold constants, share equal nodes
// and simplify locally; a node's arguments have smaller IDs than it has. Values
// wider than a word are several nodes; package sim splits them.
//
// The graph is what a compiler's middle is made of, so it is flat and small:
// 40 bytes a node, no pointers, and [Net.Extract] makes a smaller net from the
// part that is left under assumed values of registers ([Prop]). [Net.Gather]
// makes banks of look-ups, which engines compute many at a time. [Net.Divide] finds
// parts that rest most of the time, and [Net.Gated] makes a net that skips them.
//
// The package imports the standard library only.
package net
