#include "go_asm.h"
#include "textflag.h"

// The packs below leave the two halves of each quad four dwords apart.
DATA order<>+0(SB)/4, $0
DATA order<>+4(SB)/4, $4
DATA order<>+8(SB)/4, $1
DATA order<>+12(SB)/4, $5
DATA order<>+16(SB)/4, $2
DATA order<>+20(SB)/4, $6
DATA order<>+24(SB)/4, $3
DATA order<>+28(SB)/4, $7
GLOBL order<>(SB), RODATA|NOPTR, $32

// Sixteen words become four quads by packs with saturation, which changes only words of more than
// 16 bits: those the mask takes out. DI are the words, SI, DX, R8 and R9 the lists, R10 the number
// of blocks; the result is in AX.
#define BLOCKS \
	XORQ AX, AX                      \
	XORQ CX, CX                      \
	VMOVDQU order<>(SB), Y7          \
loop:                                \
	VMOVDQU (DI), Y0                 \
	VMOVDQU 32(DI), Y1               \
	VMOVDQU 64(DI), Y2               \
	VMOVDQU 96(DI), Y3               \
	VPACKUSDW Y1, Y0, Y0             \
	VPACKUSDW Y3, Y2, Y2             \
	VPACKUSDW Y2, Y0, Y0             \
	VPERMD Y0, Y7, Y0                \
	VPAND (R8)(CX*8), Y0, Y0         \
	VMOVDQU (SI)(CX*8), Y1           \
	VMOVDQU Y1, (R9)(CX*8)           \
	VPCMPEQQ Y1, Y0, Y2              \
	VPADDW (DX)(CX*8), Y0, Y0        \
	VMOVDQU Y0, (SI)(CX*8)           \
	VMOVMSKPD Y2, R11                \
	XORQ $15, R11                    \
	SHLQ CX, R11                     \
	ORQ R11, AX                      \
	ADDQ $128, DI                    \
	ADDQ $4, CX                      \
	DECQ R10                         \
	JNZ loop                         \
	VZEROUPPER

// func move(words unsafe.Pointer, next, step, mask, was *uint64, blocks int) (unlike uint64)
TEXT ·move(SB), NOSPLIT, $0-56
	MOVQ words+0(FP), DI
	MOVQ next+8(FP), SI
	MOVQ step+16(FP), DX
	MOVQ mask+24(FP), R8
	MOVQ was+32(FP), R9
	MOVQ blocks+40(FP), R10
	BLOCKS
	MOVQ AX, unlike+48(FP)
	RET

// func moveAll(words unsafe.Pointer, e *Expected) (unlike uint64)
TEXT ·moveAll(SB), NOSPLIT, $0-24
	MOVQ words+0(FP), DI
	MOVQ e+8(FP), BX
	MOVQ Expected_Next(BX), SI
	MOVQ Expected_Step(BX), DX
	MOVQ Expected_Mask(BX), R8
	MOVQ Expected_Was(BX), R9
	MOVQ Expected_blocks(BX), R10
	BLOCKS
	MOVQ AX, unlike+16(FP)
	RET
