package native

import "unsafe"

func (r *rows) compareVectors(tiles int) {
	first := r.row(0).at
	before, same := unsafe.Add(first, -r.tileBytes()), unsafe.Pointer(unsafe.SliceData(r.same))
	n := uintptr(tiles * r.blocks)
	if r.shift == 3 {
		compareWide(first, before, same, n)
	} else {
		compareNarrow(first, before, same, n)
	}
}

// compareNarrow compares n blocks, a multiple of 8, with what is a row older:
// before points to the blocks of the tile before. same takes a byte for each.
//
//go:noescape
func compareNarrow(now, before, same unsafe.Pointer, n uintptr)

// compareWide is compareNarrow for values of 8 bytes; four bits of its bytes are
// ones.
//
//go:noescape
func compareWide(now, before, same unsafe.Pointer, n uintptr)

// encodeNarrow adds the changes of n lanes of values of up to 32 bits to their
// columns, and encodeWide those of up to 64.
//
//go:noescape
func encodeNarrow(lane *laneCode, n int, b *batch)

//go:noescape
func encodeWide(lane *laneCode, n int, b *batch)
