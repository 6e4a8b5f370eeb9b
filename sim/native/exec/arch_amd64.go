//go:build linux || darwin || windows

package exec

// The part of the stack that the code may use, as a distance from SP at its entry.
const (
	SpillOffset = 8 // the return address is below
	SpillBytes  = 256
)

// flush does nothing: the instruction cache of this processor follows writes to memory.
func flush([]byte) {}
