package code

import (
	"testing"

	"etch/sim/choose"
	"etch/sim/net"

	"github.com/stretchr/testify/require"
)

// TestDepth: a path that is too long for the recursion over words is an error.
func TestDepth(t *testing.T) {
	n := net.New()
	n.Regs = []net.Reg{{W: 16, Q: net.None, Next: net.None}}
	x := n.Leaf(0)
	for i := range maxDepth + 1 {
		x = n.Sub(n.Const(uint64(i*37)&0xffff), x, 16)
	}
	n.Regs[0].Next = x
	require.Greater(t, depth(n), int32(maxDepth))
	_, err := Compile(n, NewLayout(n, nil, Sliced, &choose.Standard().LaneCode), Target{})
	require.ErrorIs(t, err, ErrTooLarge)
}
