//go:build linux || darwin

package exec

import "unsafe"

func cleanData(from, to, line uintptr)
func dropInstructions(from, to, line uintptr)

// flush makes written code visible to instruction fetch, on all processors: clean the data
// lines to the point of unification, then drop the instruction lines.
func flush(p []byte) {
	from := uintptr(unsafe.Pointer(unsafe.SliceData(p)))
	to := from + uintptr(len(p))
	data, instructions := cacheLines()
	cleanData(from, to, data)
	dropInstructions(from, to, instructions)
}
