package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/net"
)

// counted adds registers that count states of a machine, and one that looks like a counter and is
// none.
func counted(r *rand.Rand, n *net.Net, state int) (counters, other int) {
	q := n.Leaf(state)
	add := func(next func(c net.ID) net.ID) {
		at := len(n.Regs)
		n.Regs = append(n.Regs, net.Reg{Slot: int32(words(n)), W: uint8(3 + r.IntN(50)), Q: net.None, Next: net.None})
		n.Regs[at].Next = next(n.Leaf(at))
	}

	// Sums, and sums under a condition.
	counters = len(n.Regs)
	for range 4 {
		is := n.Eq(q, n.Const(r.Uint64()%8))
		add(func(c net.ID) net.ID { return n.Add(c, is, n.Width(c)) })
		add(func(c net.ID) net.ID { return n.Mux(is, n.Add(c, n.Const(3), n.Width(c)), c) })
	}

	// The last value is loaded in one state, so that additions before it do not count.
	other = len(n.Regs)
	add(func(c net.ID) net.ID {
		return n.Mux(n.Eq(q, n.Const(5)), n.Const(1), n.Add(c, n.Const(1), n.Width(c)))
	})
	return counters, other
}

// TestAccumulators runs machines with counters in calls of any length, between which counters are
// changed, and compares all of the state.
func TestAccumulators(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	owed := 0
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 91))
		n := stateMachine(r, randomNet(r, 20+r.IntN(80)))
		state := len(n.Regs) - 1
		n.Regs[state].Slot = int32(words(n)) // behind all others
		first, other := counted(r, n, state)
		is := accumulators(n)
		require.False(t, is[other])
		for _, c := range is[first:other] {
			require.True(t, c)
		}

		run, err := New(n, Options{Features: host, Policy: choose.Eager()})
		require.NoError(t, err)
		block, want := make([]uint64, run.Scratch()+words(n)), make([]uint64, words(n))
		got := block[run.Scratch():]
		e, bodies := run.(*Engine)
		for call := range 100 {
			q := &n.Regs[r.IntN(len(n.Regs))]
			got[q.Slot] = r.Uint64() & net.Mask(q.W)
			want[q.Slot] = got[q.Slot]
			cycles := uint64(1 + r.IntN(60))
			for range cycles {
				step(n, want)
			}
			require.Zero(t, run.Run(unsafe.Pointer(&got[0]), cycles))
			require.Equal(t, want, got, "seed %d, call %d", seed, call)
			if bodies && e.plain == nil && len(e.owed.adds) > 0 {
				owed++
			}
		}
		require.NoError(t, run.Close())
	}
	require.Greater(t, owed, 300)
}
