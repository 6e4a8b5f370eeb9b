//go:build linux

package exec

import "unsafe"

// The part of the stack that the code may use, as a distance from SP at its entry.
const (
	SpillOffset = 0
	SpillBytes  = 256
)

// cacheType reads CTR_EL0. It has log2 of the words in a cache line: bits 16 to 19 for data,
// bits 0 to 3 for instructions.
func cacheType() uint64

func cleanData(from, to, line uintptr)
func dropInstructions(from, to, line uintptr)

// flush makes written code visible to instruction fetch, on all processors: clean the data
// lines, then drop the instruction lines.
func flush(p []byte) {
	from := uintptr(unsafe.Pointer(unsafe.SliceData(p)))
	to := from + uintptr(len(p))

	// The code's line sizes come from the processor: 4 bytes times a power of two. Data must reach
	// the point of unification before instruction lines are dropped.
	ct := cacheType()
	cleanData(from, to, 4<<(ct>>16&15))
	dropInstructions(from, to, 4<<(ct&15))
}
