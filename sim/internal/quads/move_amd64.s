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

// Sixteen words become four quads, Y0, by packs with saturation, which changes only words of more
// than 16 bits: those the mask takes out. What was expected of them, Y4, is foretold's formula.
//
// The last block comes first: so the bits of each go below those of the blocks behind it by a shift
// of a fixed length. AX has a 1 for a quad as expected until the end.
//
// func move(words unsafe.Pointer, b *block, blocks int) (unlike uint64)
TEXT ·move(SB), NOSPLIT, $0-32
	MOVQ words+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ blocks+16(FP), DX
	IMUL3Q $block__size, DX, BX
	ADDQ BX, SI
	MOVQ DX, BX
	SHLQ $7, BX
	ADDQ BX, DI
	MOVQ $-1, AX
	VMOVDQU order<>(SB), Y7

loop:
	SUBQ $block__size, SI
	SUBQ $128, DI
	VMOVDQU block_now(SI), Y4
	VMOVDQU Y4, block_was(SI)
	VPADDW block_around(SI), Y4, Y5
	VPADDW block_on(SI), Y4, Y4
	VPMINUW Y5, Y4, Y4
	VPADDW block_low(SI), Y4, Y4

	VMOVDQU (DI), Y0
	VMOVDQU 64(DI), Y2
	VPACKUSDW 32(DI), Y0, Y0
	VPACKUSDW 96(DI), Y2, Y2
	VPACKUSDW Y2, Y0, Y0
	VPERMD Y0, Y7, Y0
	VPAND block_mask(SI), Y0, Y0
	VMOVDQU Y0, block_now(SI)

	VPCMPEQQ Y4, Y0, Y2
	VMOVMSKPD Y2, BX
	SHLQ $4, AX
	ORQ BX, AX
	DECL DX
	JNZ loop

	VZEROUPPER
	NOTQ AX
	MOVQ AX, unlike+24(FP)
	RET
