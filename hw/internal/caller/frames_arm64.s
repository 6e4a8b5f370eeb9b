#include "textflag.h"

// func Frames(pcs *Stack)
//
// A frame holds the caller's frame pointer at 0(R29) and the return address at
// 8(R29); the chain ends with a zero frame pointer.
TEXT ·Frames(SB), NOSPLIT|NOFRAME, $0-8
	MOVD pcs+0(FP), R0
	MOVD R29, R1
	MOVD $12, R2
next:
	MOVD ZR, R3
	CBZ  R1, store
	MOVD 8(R1), R3
	MOVD 0(R1), R1
store:
	MOVD.P R3, 8(R0)
	SUB  $1, R2
	CBNZ R2, next
	RET
