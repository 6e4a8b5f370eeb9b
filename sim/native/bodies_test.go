package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"etch/sim/choose"
	"etch/sim/native/cpu"
	"etch/sim/net"
	"etch/testbench/tools"
)

// TestBodiesAgreeWithSemantics runs state machines that stop now and then, in calls of any length
// between which registers are changed, and compares all of the state.
func TestBodiesAgreeWithSemantics(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	with, stopped, seeds := 0, 0, tools.Trials(16, 4)
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 23))
		n := randomNet(r, 20+r.IntN(80))
		exchange(n)
		n = stateMachine(r, n)
		n.Regs[len(n.Regs)-1].Slot = int32(words(n)) // behind all others
		q := n.Leaf(r.IntN(len(n.Regs)))
		n.Stop = n.Eq(q, n.Const(r.Uint64()&net.Mask(min(n.Width(q), 6))))
		run, err := New(n, Options{Features: host, Policy: choose.Eager()})
		require.NoError(t, err)
		block := make([]uint64, run.Scratch()+words(n))
		got, want := block[run.Scratch():], make([]uint64, words(n))
		change := func(q *net.Reg) {
			got[q.Slot] = r.Uint64() & net.Mask(q.W)
			want[q.Slot] = got[q.Slot]
		}
		for i := range n.Regs {
			change(&n.Regs[i])
		}
		e, bodies := run.(*Engine)
		for call := range 200 {
			cycles := uint64(1 + r.IntN(40))
			left := cycles
			for ; left > 0 && settled(n, want)[n.Stop] == 0; left-- {
				step(n, want)
			}
			require.Equal(t, left, run.Run(unsafe.Pointer(&got[0]), cycles), "seed %d, call %d", seed, call)
			require.Equal(t, want, got, "seed %d, call %d", seed, call)
			if left > 0 {
				stopped++
			}
			for left > 0 || r.IntN(4) == 0 { // until it goes on
				change(&n.Regs[r.IntN(len(n.Regs))])
				if left > 0 && settled(n, want)[n.Stop] == 0 {
					break
				}
			}
			if bodies && e.plain == nil && e.Bodies() > 0 {
				with++
			}
		}
		require.NoError(t, run.Close())
	}
	require.Greater(t, with, 6*seeds)
	require.Greater(t, stopped, 6*seeds)
}

// exchange adds two registers that take each other's value, so that one of them is
// read after it was written.
func exchange(n *net.Net) {
	at := len(n.Regs)
	for range 2 {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(words(n)), W: 40, Q: net.None, Next: net.None})
	}
	a, b := n.Leaf(at), n.Leaf(at+1)
	n.Regs[at].Next, n.Regs[at+1].Next = n.Xor(b, n.Const(5)), a
}
