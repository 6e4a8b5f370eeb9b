package quads

import (
	"unsafe"

	"etch/sim/native/cpu"
)

// wide is whether there is AVX2.
var wide = cpu.Host().AVX2

// move is Move of whole blocks, 1 to 16.
//
//go:noescape
func move(words unsafe.Pointer, next, step, mask, was *uint64, blocks int) (unlike uint64)

// moveAll is move of all blocks of a list. The call takes as long as a block, so it has two operands.
//
//go:noescape
func moveAll(words unsafe.Pointer, e *Expected) (unlike uint64)
