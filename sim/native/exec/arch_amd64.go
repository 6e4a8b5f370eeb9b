//go:build linux || darwin

package exec

// The code's own part of the stack, above SP as it finds it.
const (
	SpillOffset = 8 // the return address is below
	SpillBytes  = 256
)

// flush has nothing to do: the instruction cache sees writes.
func flush([]byte) {}
