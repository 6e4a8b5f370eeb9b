// Package rv32i is a small RISC-V processor: all 40 instructions of RV32I
// (FENCE does nothing, ECALL and EBREAK halt), one cycle each, two for a load
// and one to start. It shows decode tables, enumerations across modules, a
// memory with byte writes and two synchronous read ports, and control-heavy code.
//
// Instructions and data live in one memory of Words words at address 0. A store
// to OutAddress offers the stored word at the Out port instead.
//
// Addresses wrap at the size of the memory. A misaligned load or store is neither split nor trapped:
// bytes past the end of its word are not written, and read as 0. A jump to an address that is no
// multiple of 4 runs the instruction of the word there.
//
// Package asm assembles programs for it.
package rv32i
