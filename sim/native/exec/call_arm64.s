//go:build linux || darwin || windows

#include "textflag.h"

// func Call(code uintptr, ctx unsafe.Pointer, a, b uint64) uint64
//
// Go keeps R30 at 0(RSP) and R29 at -8(RSP), where the code might push, so SP goes
// down once more. ISB, since another processor may have flushed the code's lines.
TEXT ·Call(SB), NOSPLIT, $0-40
	MOVD code+0(FP), R9
	MOVD ctx+8(FP), R0
	MOVD a+16(FP), R1
	MOVD b+24(FP), R2
	SUB  $272, RSP
	ISB  $15
	CALL (R9)
	ADD  $272, RSP
	MOVD R0, ret+32(FP)
	RET
