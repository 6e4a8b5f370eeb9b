package rows

import "unsafe"

func (r *Rows) compareVectors(tiles int) {
	first := r.Row(0).At
	before, same := unsafe.Add(first, -r.TileBytes()), unsafe.Pointer(unsafe.SliceData(r.same))
	n := uintptr(tiles * r.Blocks)
	if r.Shift == 3 {
		compareWide(first, before, same, n)
	} else {
		compareNarrow(first, before, same, n)
	}
}

// compareNarrow compares n blocks, a multiple of 8, with the values one row earlier; before
// points to the blocks of the previous tile. same receives one byte per block.
//
//go:noescape
func compareNarrow(now, before, same unsafe.Pointer, n uintptr)

// compareWide is compareNarrow for 8-byte values; the upper four bits of each byte are ones.
//
//go:noescape
func compareWide(now, before, same unsafe.Pointer, n uintptr)

// encodeNarrow appends the changes of n fields of up to 32-bit values to their columns;
// encodeWide does so for up to 64 bits.
//
//go:noescape
func encodeNarrow(field *FieldCode, n int, b *batch)

//go:noescape
func encodeWide(field *FieldCode, n int, b *batch)
