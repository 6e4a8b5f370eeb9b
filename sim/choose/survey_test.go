package choose

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim/net"
)

// TestSurveyByBytes: a Survey keeps few snapshots of a large state, by the policy in force.
func TestSurveyByBytes(t *testing.T) {
	// A design with a control register, and many words beside it.
	n := net.New()
	const words = 500
	for i := range words {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(i), W: 2, Q: net.None, Next: net.None})
	}
	state := n.Leaf(0)
	n.Regs[0].Next = n.Mux(n.Eq(state, n.Const(1)), n.Const(2), n.Const(1))

	pol := Standard()
	pol.PastBytes = 8 * words * 300
	s := NewSurvey(n, pol)
	require.NotNil(t, s)
	see := func() {
		s.See(make([]uint64, words), func(int32, uint64) uint64 { return 0 }, 1)
	}
	for range 2000 {
		see()
		require.LessOrEqual(t, s.States(), 300)
	}

	pol = Standard()
	pol.PastBytes = 8 * words * 250
	s.Follow(pol)
	for range 200 {
		see()
	}
	require.LessOrEqual(t, s.States(), 250)
}
