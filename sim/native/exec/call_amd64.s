//go:build linux || darwin || windows

#include "textflag.h"

// func Call(code uintptr, ctx unsafe.Pointer, a, b uint64) uint64
//
// The frame is the code's spill space. The assembler saves BP above it and loads
// it again before RET; the wrapper from Go's own convention restores R14 and X15.
TEXT ·Call(SB), NOSPLIT, $256-40
	MOVQ code+0(FP), AX
	MOVQ ctx+8(FP), DI
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DX
	CALL AX
	MOVQ AX, ret+32(FP)
	RET
