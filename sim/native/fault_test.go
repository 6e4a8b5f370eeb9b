package native

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/internal/notes"
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
		n.Regs[len(n.Regs)-1].Slot = int32(words(n)) // behind the memories
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
		told := run.(Reporter).Report()
		faults += told.Faults

		// Plain code that takes over does not hide them.
		if e, ok := run.(*Engine); ok && told.Faults > 0 {
			if e.plain == nil {
				e.settle()
			}
			after := e.Report()
			require.Equal(t, told.Faults, after.Faults)
			require.Equal(t, told.Notes, after.Notes[:len(told.Notes)])
			require.Contains(t, after.String(), fmt.Sprintf(", %d faults of the compiler", told.Faults))
		}
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

// TestDiaries: notes and faults of two diaries in one, which stays short.
func TestDiaries(t *testing.T) {
	a, b := &diary{shield: true}, &diary{shield: true}
	for i := range 100 {
		a.note("a%d", i)
	}
	b.note("b")
	for _, d := range []*diary{a, b} {
		d.guard(func() { panic("planted") }, func() {})
	}
	b.follow(a)
	b.note("last")
	all := b.All()
	require.Len(t, all, notes.First+1+notes.Last)
	require.Equal(t, []string{"a9", "(64 more)", "a74"}, all[notes.First-1:notes.First+2])
	require.Equal(t, "last", all[len(all)-1])
	require.Equal(t, 2, b.faults)
}
