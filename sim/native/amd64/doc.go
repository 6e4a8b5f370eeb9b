// Package amd64 writes x86-64 machine code, for a compiler that runs while a
// designer waits.
//
// An Asm has one method for every shape of instruction (RR is register and
// register, RM register from memory, MR memory from register, RI register and
// immediate); it appends to Asm.Code and never fails. The destination is always
// the first operand, as in Intel's manuals. Vector instructions are VOps, rows of
// one table, with methods by shape (V3, V3M, V2, …) that take VEX encoding where
// it will do and EVEX where a feature of it is asked for.
//
// An operand that cannot be encoded (a byte form that does not exist, RSP as an index) is a
// mistake of the caller's and panics. Whether the processor has an instruction is
// the caller's to know. Nothing here allocates but the growth of Code.
//
//	var a amd64.Asm
//	loop := a.NewLabel()
//	a.Bind(loop)
//	a.RR(amd64.ADD, amd64.S64, amd64.RAX, amd64.RSI)
//	a.RI(amd64.SUB, amd64.S64, amd64.RDX, 1)
//	a.Jcc(amd64.NE, loop)
//	a.Ret()
//
// The package imports nothing but the standard library.
package amd64
