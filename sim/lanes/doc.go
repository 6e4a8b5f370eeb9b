// Package lanes compiles a net for many instances at once: each of its
// instructions works on one bit, or one word, of all the instances of a group.
//
// In a group of sliced form ([Sliced]) bit k of a word is a vector with one bit of
// every instance: slices, concatenations and extensions cost nothing, a gate is
// an instruction for as many instances as a vector has bits. Memories hold words,
// instance by instance; addresses and data are transposed on the way.
//
// [Compile] turns a net into a [Program] for a [Target]: a vector length, the
// operands of a gate, the number of registers, and whether machine code is made
// or the program is executed in Go. A [Group] is state that programs of one
// [Layout] work on. All targets give the same results.
//
// The package imports sim/net and what is below sim/lanes.
package lanes
