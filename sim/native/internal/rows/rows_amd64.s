#include "textflag.h"

// The offsets in a FieldCode, and its bytes.
#define AT 0
#define TABLE 8
#define COLUMN 16
#define SAME 24
#define SAMEBITS 28
#define SHIFT 32
#define STEP 36
#define UNIT 40
#define SPARSE 44
#define VALUESIZE 48
#define FIELDSIZE 52
#define FIELD 56

// Those of a batch.
#define COLUMNS 0
#define ALLSAME 8
#define QUIET 16
#define TILE 24
#define SAMETILE 32
#define TILES 40
#define FIRST 48
#define LAST 52

// Those of a Column.
#define BEGINNING 0
#define BYTES 8
#define CHANGED 24
#define SHORT 32

// Those of a tileCode, and its bits.
#define NUMBERS 16
#define SIZE 32
#define BASE 40
#define KEEP 44
#define LIMIT 48
#define CODEBITS 6

#define UNCHANGED 15

// BLOCK compares two fields, block I of the next ones.
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

field:
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
	JNE        field
	VZEROUPPER
	RET

// Where the fourth value of a tile is: its bytes from the top.
DATA fourth<>+0(SB)/8, $0x808080800c0d0e0f
DATA fourth<>+8(SB)/8, $0x8080808080808080
GLOBL fourth<>(SB), RODATA|NOPTR, $16

// BEGIN goes to a field, to next if it is quiet: DI is the field, R12 the batch, R13
// the column. What follows are, of the next tile, SI: values, BX: a byte of same,
// R8 and R9: the distance to those behind, CX: tiles, DX: the end of the column,
// R11: the number of a change in its first row.
#define BEGIN(next) \
	MOVQ    b+16(FP), R12      \
	MOVQ    COLUMNS(R12), R13  \
	ADDQ    COLUMN(DI), R13    \
	MOVL    SAME(DI), BX       \
	MOVQ    QUIET(R12), AX     \
	MOVBLZX (AX)(BX*1), AX     \
	MOVL    SAMEBITS(DI), CX   \
	BEXTRL  CX, AX, AX         \
	CMPL    AX, $UNCHANGED     \
	JEQ     next               \
	ADDQ    ALLSAME(R12), BX   \
	MOVQ    AT(DI), SI         \
	MOVQ    TILE(R12), R8      \
	MOVQ    SAMETILE(R12), R9  \
	MOVQ    TILES(R12), CX     \
	MOVQ    BEGINNING(R13), DX      \
	ADDQ    BYTES(R13), DX     \
	MOVL    FIRST(R12), R11    \
	SUBL    CHANGED(R13), R11  \
	MOVL    UNIT(DI), AX       \
	SHLXL   AX, R11, R11

// END updates the column.
#define END \
	MOVQ  b+16(FP), R12     \
	SUBQ  BEGINNING(R13), DX     \
	MOVQ  DX, AX            \
	SUBQ  BYTES(R13), AX    \
	MOVQ  DX, BYTES(R13)    \
	MOVL  UNIT(DI), DX      \
	SHRXL DX, R11, R11      \
	MOVL  LAST(R12), DX     \
	SUBL  R11, DX           \
	MOVL  DX, CHANGED(R13)

// GROUPS writes all but the last group of bits of the number R11.
#define GROUPS(group, last) \
group: \
	CMPL R11, $0x80      \
	JCS  last            \
	MOVB R11, (DX)       \
	ORB  $0x80, (DX)     \
	INCQ DX              \
	SHRL $7, R11         \
	MOVQ DX, R15         \
	SUBQ BEGINNING(R13), R15  \
	MOVQ R15, SHORT(R13) \
	JMP  group

// CODE writes what three changes of a tile become, and adds what is to be added; AX
// is where the tileCode is. It goes to far if the first number is too large.
#define CODE(far) \
	BEXTRL  R12, (BX), AX                  \
	SHLL    $CODEBITS, AX                  \
	CMPL    R11, LIMIT(R10)(AX*1)          \
	JCC     far                            \
	VMOVDQU (SI), X0                       \
	VPSLLD  X3, X0, X0                     \
	VPSHUFB (R10)(AX*1), X0, X1            \
	VPADDB  NUMBERS(R10)(AX*1), X1, X1     \
	VMOVD   R11, X2                        \
	VPADDB  X2, X1, X1                     \
	VMOVDQU X1, (DX)

// func encodeNarrow(field *FieldCode, n int, b *batch)
TEXT ·encodeNarrow(SB), NOSPLIT, $0-24
	MOVQ    field+0(FP), DI
	VMOVDQU fourth<>(SB), X4

field:
	BEGIN(nextField)
	MOVQ  TABLE(DI), R10
	VMOVD SHIFT(DI), X3
	MOVL  SAMEBITS(DI), R12
	CMPL  SPARSE(DI), $0
	JNE   quiet
	CMPL  VALUESIZE(DI), $4
	JEQ   tile4

tile:
	CODE(far)
	ADDQ SIZE(R10)(AX*1), DX
	ANDL KEEP(R10)(AX*1), R11
	ADDL BASE(R10)(AX*1), R11

next:
	ADDQ R8, SI
	ADDQ R9, BX
	DECQ CX
	JNE  tile
	JMP  fieldEnd

tile4: // the same with a fourth value
	CODE(far)
	VPSHUFB X4, X0, X0
	VMOVD   X0, 16(DX)
	ADDQ    SIZE(R10)(AX*1), DX
	ANDL    KEEP(R10)(AX*1), R11
	ADDL    BASE(R10)(AX*1), R11

next4:
	ADDQ R8, SI
	ADDQ R9, BX
	DECQ CX
	JNE  tile4

fieldEnd:
	END
	// few changes: 16 times their bytes is less than a change in every row
	SHLQ  $2, AX
	MOVL  FIELDSIZE(DI), DX
	IMULQ TILES(R12), DX
	CMPQ  AX, DX
	SETCS AL
	MOVBLZX AL, AX
	MOVL  AX, SPARSE(DI)

nextField:
	ADDQ $FIELD, DI
	DECQ n+8(FP)
	JNE  field
	RET

quiet: // tiles without a change in front
	BEXTRL R12, (BX), AX
	CMPL   AX, $UNCHANGED
	JNE    changes

idle:
	MOVL STEP(DI), AX
	LEAL (R11)(AX*4), R11
	ADDQ R8, SI
	ADDQ R9, BX
	DECQ CX
	JNE  quiet
	JMP  fieldEnd

far: // one change after the other
	SHRL $CODEBITS, AX

changes:
	XORL $UNCHANGED, AX

change:
	TZCNTL AX, R10
	IMULL  STEP(DI), R10
	ADDL   R10, R11          // the number
	CMPL   VALUESIZE(DI), $0
	JNE    group
	TZCNTL AX, R15
	MOVL   (SI)(R15*4), R15
	LEAL   (R11)(R15*2), R11

	GROUPS(group, last)

last:
	MOVB   R11, (DX)
	XORL   R11, R11
	SUBL   R10, R11       // that of this row after it
	TZCNTL AX, R15
	MOVL   (SI)(R15*4), R15
	MOVL   SHIFT(DI), R10
	SHLXL  R10, R15, R15
	BSWAPL R15
	MOVL   R15, 1(DX)
	MOVL   VALUESIZE(DI), R15
	LEAQ   1(DX)(R15*1), DX
	BLSRL  AX, AX
	JNE    change
	CMPL   SPARSE(DI), $0
	JNE    idle
	MOVQ   TABLE(DI), R10
	MOVL   STEP(DI), AX
	LEAL   (R11)(AX*4), R11
	CMPL   VALUESIZE(DI), $4
	JEQ    next4
	JMP    next

// func encodeWide(field *FieldCode, n int, b *batch)
TEXT ·encodeWide(SB), NOSPLIT, $0-24
	MOVQ field+0(FP), DI

field:
	BEGIN(nextField)

tile:
	MOVBLZX (BX), AX
	ANDL    $UNCHANGED, AX
	XORL    $UNCHANGED, AX
	JEQ     next

change:
	TZCNTL AX, R10
	IMULL  STEP(DI), R10
	ADDL   R10, R11

	GROUPS(group, last)

last:
	MOVB   R11, (DX)
	XORL   R11, R11
	SUBL   R10, R11
	TZCNTL AX, R15
	MOVQ   (SI)(R15*8), R15
	MOVL   SHIFT(DI), R10
	SHLXQ  R10, R15, R15
	BSWAPQ R15
	MOVQ   R15, 1(DX)
	MOVL   VALUESIZE(DI), R15
	LEAQ   1(DX)(R15*1), DX
	BLSRL  AX, AX
	JNE    change

next:
	MOVL STEP(DI), AX
	LEAL (R11)(AX*4), R11
	ADDQ R8, SI
	ADDQ R9, BX
	DECQ CX
	JNE  tile
	END

nextField:
	ADDQ $FIELD, DI
	DECQ n+8(FP)
	JNE  field
	RET
