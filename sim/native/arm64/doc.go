// Package arm64 writes AArch64 machine code, for a compiler that runs while a
// designer waits.
//
// An Asm has one method for every shape of instruction (RRR is three registers, RRI two
// and an immediate); it appends a word to Asm.Code and never fails. The destination is
// always the first operand, as in Arm's manuals, but for stores and comparisons, which
// have none. Jumps name labels; Resolve fills them in, and lengthens a jump that leads
// farther than its encoding reaches.
//
// An operand that cannot be encoded (an immediate that FitsArith or FitsLogic refuses, an
// offset that is out of reach) is a mistake of the caller's and panics. Everything
// here is of ARMv8.0 with its vectors, which every processor has.
//
//	var a arm64.Asm
//	loop := a.NewLabel()
//	a.Bind(loop)
//	a.RRR(arm64.ADD, arm64.X, arm64.R0, arm64.R0, arm64.R1)
//	a.RRI(arm64.SUBS, arm64.X, arm64.R2, arm64.R2, 1)
//	a.BCond(arm64.NE, loop)
//	a.Ret()
//	err := a.Resolve()
//	code := a.Bytes()
//
// The package imports nothing but the standard library.
package arm64
