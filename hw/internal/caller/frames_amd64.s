#include "textflag.h"

// func Frames(pcs *Stack)
//
// A frame holds the caller's frame pointer at 0(BP) and the return address at
// 8(BP); the chain ends with a zero frame pointer.
TEXT ·Frames(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ pcs+0(FP), DI
	MOVQ BP, SI
	MOVQ $12, CX
next:
	XORL AX, AX
	TESTQ SI, SI
	JZ   store
	MOVQ 8(SI), AX
	MOVQ 0(SI), SI
store:
	MOVQ AX, 0(DI)
	ADDQ $8, DI
	DECQ CX
	JNZ  next
	RET
