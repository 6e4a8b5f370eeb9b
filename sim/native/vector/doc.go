// Package vector is the machine that lanes run on: straight code over vectors, the last stages
// of a compiler for it, and two ways to run it.
//
// A [Code] is instructions over values, each assigned once (SSA); some values have a home in
// memory. [Code.Allocate] assigns registers and makes a [Program]. [Program.Run] executes it in
// Go, on any processor and for any vector length, and is the reference for the encoders.
// [Program.Assemble] writes machine code for AVX2, AVX-512 or NEON. A machine writes the
// instructions, one for amd64 and one for arm64; the assembler, common to both, composes
// programs, chains and macros of them.
//
// Memory is divided into slots of one vector. The state of a group is slots that live from cycle
// to cycle; the memories follow. Scratch holds constants, spilled values, and the data of
// macros. A negative slot number is a scratch slot, at its complement.
//
// A macro ([Access]) is an operation on memories by a subroutine of scalar code: values pass
// through scratch, in both directions. A read in word form is no macro: its addresses go through
// scratch, its words come into registers (Gather).
//
// The package imports the standard library, sim/native/amd64 and
// sim/native/arm64.
package vector
