package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/cpu"

	"github.com/stretchr/testify/require"
)

// TestPanicWhileAdapting: a fault in choosing bodies leaves the code as it is, and correct. The
// Policy here allows less than no bodies, which no one does on purpose.
func TestPanicWhileAdapting(t *testing.T) {
	host := cpu.Host()
	if !Supported(host) {
		t.Skip("no native engine on this machine")
	}
	faults := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 77))
		n := stateMachine(r, randomNet(r, 20+r.IntN(60)))
		n.Regs[len(n.Regs)-1].Slot = uint32(words(n)) // behind the memories
		pol := choose.Eager()
		pol.MaxTuples = -1
		run, err := New(n, Options{Features: host, Policy: pol, Recover: true})
		require.NoError(t, err)
		block := make([]uint64, run.Scratch()+words(n))
		got, want := block[run.Scratch():], make([]uint64, words(n))
		for range 60 {
			for range 50 {
				step(n, want)
			}
			for left := uint64(50); left > 0; {
				left = run.Run(unsafe.Pointer(&got[0]), left)
			}
			require.Equal(t, want, got, "seed %d", seed)
		}
		faults += run.(Reporter).Report().Faults
		require.NoError(t, run.Close())
	}
	require.Greater(t, faults, 5, "nothing was planted")
}

// TestHistoryByBytes: snapshots of a large state are few.
func TestHistoryByBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	n := stateMachine(r, randomNet(r, 50))
	e := newEngine(n, Options{Features: cpu.Host()})
	require.NotNil(t, e)
	e.pol.PastBytes = 8 * len(n.Regs) * 1000
	m := e.machines[0]
	most := m.mostPast()
	require.LessOrEqual(t, most, 1000)
	for range 50 {
		for range 200 {
			m.snaps, m.reads = append(m.snaps, m.take(len(n.Regs))), append(m.reads, nil)
		}
		m.remember()
		require.LessOrEqual(t, len(m.past.Snaps), most)
	}
}
