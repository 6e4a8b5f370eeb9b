package sim_test

import "etch/sim/net"

// All tests of this package verify the nets that the engines' transformations make.
func init() { net.VerifyAll() }
