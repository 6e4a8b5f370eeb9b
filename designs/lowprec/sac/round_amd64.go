package sac

// roundBlocks rounds blocks of four numbers in place. The format has 5 exponent bits at most,
// so that 2^shift times a number of float32's range overflows only where the format does.
//
//go:noescape
func roundBlocks(y *float32, blocks int, c *blockConstants)
