package sim

import "etch/sim/internal/program"

// Limits of New, so that a small text cannot claim all memory.
const (
	// MaxNodes is the largest number of nodes of all instances together; an instance counts as
	// one more.
	MaxNodes = program.MaxNodes
	// MaxWords is the largest number of 64-bit words of all node values together, and of all
	// memories together that are not large.
	MaxWords = program.MaxWords
	// MaxLarge is the largest number of bytes of all large memories together (see
	// [WithPacking]); [WithMemoryLimit] bounds the bytes touched.
	MaxLarge = program.MaxLarge
)
