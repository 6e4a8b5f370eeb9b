package exec

// cacheType reads CTR_EL0. It has log2 of the words in a cache line: bits 16 to 19 for data,
// bits 0 to 3 for instructions.
func cacheType() uint64

// cacheLines is the processor's own line sizes in bytes: 4 times a power of two.
func cacheLines() (data, instructions uintptr) {
	ct := cacheType()
	return 4 << (ct >> 16 & 15), 4 << (ct & 15)
}
