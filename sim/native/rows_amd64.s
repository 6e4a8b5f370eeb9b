#include "textflag.h"

// The fields of an encoding.
#define AT 0
#define SAME 8
#define TILE 16
#define SAMETILE 24
#define TILES 32
#define TABLE 40
#define TO 48
#define CARRY 56
#define SPARSE 60
#define SHIFT 64
#define STEP 68
#define VALUESIZE 72
#define SAMESHIFT 80
#define SHORT 88

// Those of a tileCode, and its bytes.
#define NUMBERS 16
#define SIZE 32
#define BASE 40
#define KEEP 44
#define LIMIT 48
#define CODEBITS 6

#define UNCHANGED 15

// BLOCK compares two lanes, block I of the next ones.
#define BLOCK(I) \
	VMOVDQU    (32*I)(SI), Y0           \
	VPALIGNR   $12, (32*I)(DI), Y0, Y1  \
	VPCMPEQD   Y0, Y1, Y1               \
	VMOVMSKPS  Y1, AX                   \
	MOVB       AX, I(DX)

// func compareNarrow(now, before, same unsafe.Pointer, n uintptr)
TEXT ·compareNarrow(SB), NOSPLIT, $0-32
	MOVQ now+0(FP), SI
	MOVQ before+8(FP), DI
	MOVQ same+16(FP), DX
	MOVQ n+24(FP), CX

blocks:
	BLOCK(0)
	BLOCK(1)
	BLOCK(2)
	BLOCK(3)
	ADDQ $(4*32), SI
	ADDQ $(4*32), DI
	ADDQ $4, DX
	SUBQ $4, CX
	JNE  blocks
	VZEROUPPER
	RET

// func compareWide(now, before, same unsafe.Pointer, n uintptr)
TEXT ·compareWide(SB), NOSPLIT, $0-32
	MOVQ now+0(FP), SI
	MOVQ before+8(FP), DI
	MOVQ same+16(FP), DX
	MOVQ n+24(FP), CX

lane:
	VMOVDQU    (SI), Y0
	VPERM2I128 $3, (DI), Y0, Y1  // the upper half of before, the lower half of now
	VPALIGNR   $8, Y1, Y0, Y1
	VPCMPEQQ   Y0, Y1, Y1
	VMOVMSKPD  Y1, AX
	ORL        $(UNCHANGED<<4), AX
	MOVB       AX, (DX)
	ADDQ       $32, SI
	ADDQ       $32, DI
	INCQ       DX
	DECQ       CX
	JNE        lane
	VZEROUPPER
	RET

// Where the fourth value of a tile is: its bytes from the top.
DATA fourth<>+0(SB)/8, $0x808080800c0d0e0f
DATA fourth<>+8(SB)/8, $0x8080808080808080
GLOBL fourth<>(SB), RODATA|NOPTR, $16

// func encodeNarrow(e *encoding)
TEXT ·encodeNarrow(SB), NOSPLIT, $0-8
	MOVQ    e+0(FP), DI
	MOVQ    AT(DI), SI
	MOVQ    SAME(DI), BX
	MOVQ    TILE(DI), R8
	MOVQ    SAMETILE(DI), R9
	MOVQ    TILES(DI), CX
	MOVQ    TABLE(DI), R10
	MOVQ    TO(DI), DX
	MOVL    CARRY(DI), R11
	MOVL    SAMESHIFT(DI), R13
	VMOVD   SHIFT(DI), X3
	VMOVDQU fourth<>(SB), X4
	CMPL    SPARSE(DI), $0
	JNE     quiet

tile:
	MOVBLZX (BX), AX
	SHRXL   R13, AX, AX
	ANDL    $UNCHANGED, AX
	SHLL    $CODEBITS, AX
	CMPL    R11, LIMIT(R10)(AX*1)
	JCC     far
	VMOVDQU (SI), X0
	VPSLLD  X3, X0, X0
	VPSHUFB (R10)(AX*1), X0, X1
	VPADDB  NUMBERS(R10)(AX*1), X1, X1
	VMOVD   R11, X2
	VPADDB  X2, X1, X1
	VMOVDQU X1, (DX)
	VPSHUFB X4, X0, X0
	VMOVD   X0, 16(DX)
	ADDQ    SIZE(R10)(AX*1), DX
	ANDL    KEEP(R10)(AX*1), R11
	ADDL    BASE(R10)(AX*1), R11

next:
	ADDQ R8, SI
	ADDQ R9, BX
	DECQ CX
	JNE  tile

end:
	MOVQ DX, TO(DI)
	MOVL R11, CARRY(DI)
	RET

quiet: // tiles without a change in front
	MOVBLZX (BX), AX
	SHRXL   R13, AX, AX
	ANDL    $UNCHANGED, AX
	CMPL    AX, $UNCHANGED
	JNE     changes

idle:
	MOVL STEP(DI), R12
	LEAL (R11)(R12*4), R11
	ADDQ R8, SI
	ADDQ R9, BX
	DECQ CX
	JNE  quiet
	JMP  end

far: // one change after the other
	SHRL $CODEBITS, AX

changes:
	XORL $UNCHANGED, AX

change:
	TZCNTL AX, R12
	MOVL   (SI)(R12*4), R15
	IMULL  STEP(DI), R12
	ADDL   R12, R11          // the number
	CMPQ   VALUESIZE(DI), $0
	JNE    group
	LEAL   (R11)(R15*2), R11

group:
	CMPL R11, $0x80
	JCS  last
	MOVB R11, (DX)
	ORB  $0x80, (DX)
	INCQ DX
	MOVQ DX, SHORT(DI)
	SHRL $7, R11
	JMP  group

last:
	MOVB   R11, (DX)
	XORL   R11, R11
	SUBL   R12, R11       // that of this row after it
	MOVL   SHIFT(DI), R12
	SHLXL  R12, R15, R15
	BSWAPL R15
	MOVL   R15, 1(DX)
	ADDQ   VALUESIZE(DI), DX
	INCQ   DX
	BLSRL  AX, AX
	JNE    change
	CMPL   SPARSE(DI), $0
	JNE    idle
	MOVL   STEP(DI), R12
	LEAL   (R11)(R12*4), R11
	JMP    next

// func encodeWide(e *encoding)
TEXT ·encodeWide(SB), NOSPLIT, $0-8
	MOVQ e+0(FP), DI
	MOVQ AT(DI), SI
	MOVQ SAME(DI), BX
	MOVQ TILE(DI), R8
	MOVQ SAMETILE(DI), R9
	MOVQ TILES(DI), CX
	MOVQ TO(DI), DX
	MOVL CARRY(DI), R11
	MOVL SHIFT(DI), R13
	MOVL STEP(DI), R10

tile:
	MOVBLZX (BX), AX
	ANDL    $UNCHANGED, AX
	XORL    $UNCHANGED, AX
	JEQ     next

change:
	TZCNTL AX, R12
	MOVQ   (SI)(R12*8), R15
	IMULL  R10, R12
	ADDL   R12, R11

group:
	CMPL R11, $0x80
	JCS  last
	MOVB R11, (DX)
	ORB  $0x80, (DX)
	INCQ DX
	MOVQ DX, SHORT(DI)
	SHRL $7, R11
	JMP  group

last:
	MOVB   R11, (DX)
	XORL   R11, R11
	SUBL   R12, R11
	SHLXQ  R13, R15, R15
	BSWAPQ R15
	MOVQ   R15, 1(DX)
	ADDQ   VALUESIZE(DI), DX
	INCQ   DX
	BLSRL  AX, AX
	JNE    change

next:
	LEAL (R11)(R10*4), R11
	ADDQ R8, SI
	ADDQ R9, BX
	DECQ CX
	JNE  tile
	MOVQ DX, TO(DI)
	MOVL R11, CARRY(DI)
	RET
