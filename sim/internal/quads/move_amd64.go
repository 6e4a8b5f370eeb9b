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
func move(words unsafe.Pointer, b *block, blocks int) (unlike uint64)
