//go:build linux || darwin

#include "textflag.h"

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
