//go:build linux

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

// func cacheType() uint64
TEXT ·cacheType(SB), NOSPLIT, $0-8
	MRS  CTR_EL0, R0
	MOVD R0, ret+0(FP)
	RET

// func cleanData(from, to, line uintptr)
TEXT ·cleanData(SB), NOSPLIT, $0-24
	MOVD from+0(FP), R0
	MOVD to+8(FP), R1
	MOVD line+16(FP), R2

data:
	DC   CVAU, R0
	ADD  R2, R0
	CMP  R1, R0
	BLO  data
	DSB  $11         // ISH
	RET

// func dropInstructions(from, to, line uintptr)
TEXT ·dropInstructions(SB), NOSPLIT, $0-24
	MOVD from+0(FP), R0
	MOVD to+8(FP), R1
	MOVD line+16(FP), R2

code:
	WORD $0xd50b7520 // IC IVAU, X0, which the assembler has not
	ADD  R2, R0
	CMP  R1, R0
	BLO  code
	DSB  $11         // ISH
	ISB  $15
	RET
