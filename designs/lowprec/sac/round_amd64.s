#include "textflag.h"

// func roundBlocks(y *float32, blocks int, c *blockConstants)
//
// With p the power of two at or below |x|, and at least the least normal number,
// (|x| + p·2^shift) - p·2^shift is |x| to the nearest even.
TEXT ·roundBlocks(SB), NOSPLIT, $0-24
	MOVQ y+0(FP), DI
	MOVQ blocks+8(FP), CX
	MOVQ c+16(FP), SI
	MOVUPS (SI), X8    // all bits but the sign
	MOVUPS 16(SI), X9  // the exponent's, as a number infinity
	MOVUPS 32(SI), X10 // the least normal number
	MOVUPS 48(SI), X11 // 2^shift
	MOVUPS 64(SI), X12 // the first power of two past the range
	TESTQ CX, CX
	JLE done

loop:
	MOVUPS (DI), X0
	MOVAPS X0, X1
	ANDPS X8, X1
	XORPS X1, X0 // the sign
	MOVAPS X1, X2
	ANDPS X9, X2
	MAXPS X10, X2
	MULPS X11, X2
	MOVAPS X1, X3
	ADDPS X2, X3
	SUBPS X2, X3 // rounded; NaN for an infinity

	// Where that is not below the range's end: infinity, or the NaN that x is.
	MOVAPS X3, X4
	CMPPS X12, X4, $5
	MOVAPS X1, X5
	CMPPS X5, X5, $3
	ANDPS X1, X5
	ORPS X9, X5
	ANDPS X4, X5
	ANDNPS X3, X4
	ORPS X5, X4
	ORPS X0, X4
	MOVUPS X4, (DI)
	ADDQ $16, DI
	DECQ CX
	JNZ loop

done:
	RET
