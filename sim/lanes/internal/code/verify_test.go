package code

import "etch/sim/net"

// All tests of this package verify the nets that transformations make.
func init() { net.VerifyAll() }
