// Package vector is the machine that lanes run on: straight code over vectors,
// with a compiler's last stages and two ways to run it.
//
// A [Code] is instructions over values, each made once, some of which have a home
// in memory. [Code.Allocate] gives values registers and makes a [Program], which
// is what runs: [Program.Run] executes it in Go, on any processor and for any
// vector length, and is the judge of the encoders; [Program.Assemble] writes
// machine code for AVX2, AVX-512 or NEON: what writes instructions is a machine,
// of which there is one for amd64 and one for arm64, and what programs, chains and
// macros are made of, the assembler, is the same for both.
//
// Memory is in slots of one vector. A group of instances has state: slots that
// live from cycle to cycle, and behind them memories. Scratch is constants, what
// does not fit registers, and what macros exchange. A slot number below 0 is in
// scratch, at its complement.
//
// A macro ([Access]) is an operation on memories that is a subroutine of scalar
// code: values go to scratch before and come back from there. A read in word form is
// none: its addresses go to scratch, its words come into registers (Gather).
//
// The package imports the standard library, sim/native/amd64 and
// sim/native/arm64.
package vector
