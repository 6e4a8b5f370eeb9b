package native

import (
	"etch/sim/native/cpu"
	"etch/sim/net"
)

// New makes the code of a net.
func New(n *net.Net, f cpu.Features) (*Code, error) { return Compile(n, f) }
