//go:build linux

package exec

import "unsafe"

// The code's own part of the stack, above SP as it finds it.
const (
	SpillOffset = 0
	SpillBytes  = 256
)

// cacheType reads CTR_EL0: log2 of the words in a line, in bits 16 to 19 for data
// and 0 to 3 for instructions.
func cacheType() uint64

func cleanData(from, to, line uintptr)
func dropInstructions(from, to, line uintptr)

// flush makes written code visible to instruction fetch, on all processors.
func flush(p []byte) {
	from := uintptr(unsafe.Pointer(unsafe.SliceData(p)))
	to := from + uintptr(len(p))
	ct := cacheType()
	cleanData(from, to, 4<<(ct>>16&15))
	dropInstructions(from, to, 4<<(ct&15))
}
