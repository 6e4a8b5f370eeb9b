// Package vector is the one compiler of vector code, for the lanes of package sim/lanes and the
// packs of package native: straight code over vectors, the last stages of a compiler for it, and
// two ways to run it.
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
// A piece ([NewPiece]) is a Code inside of machine code that others write, with loops and branches
// of theirs around it. Its vectors have 256 bits, and its operands are at places: addresses
// without alignment, with elements of 32 bits or narrower, from bases whose registers the others
// choose and move. A [Writer] writes it. Values that last from piece to piece are in kept registers.
//
// An op exists in five places that go by its constant: op.go (name and meaning), run.go (its
// execution in Go), x86_ops.go and a64_ops.go (its instructions), and the random code of the tests.
//
// The package imports the standard library, sim/native/amd64 and
// sim/native/arm64.
package vector
