package exec

// cacheLines is the smallest line sizes of Apple's processors, in bytes. Programs are not promised
// access to CTR_EL0 there.
func cacheLines() (data, instructions uintptr) { return 64, 64 }
