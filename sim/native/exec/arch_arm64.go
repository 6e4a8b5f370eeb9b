//go:build linux || darwin || windows

package exec

// The part of the stack that the code may use, as a distance from SP at its entry.
const (
	SpillOffset = 0
	SpillBytes  = 256
)
