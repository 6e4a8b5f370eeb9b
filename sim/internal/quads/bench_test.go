package quads

import (
	"slices"
	"testing"
	"unsafe"
)

// BenchmarkMove is 33 words that are as expected.
func BenchmarkMove(b *testing.B) {
	const n = 9
	e := NewExpected(slices.Repeat([]uint64{1<<64 - 1}, n))
	words := make([]uint64, 4*n)
	for b.Loop() {
		if unlike := e.Move(0, n, unsafe.Pointer(&words[0])); unlike != 0 {
			b.Fatal(unlike)
		}
	}
}
