package native

import (
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"etch/sim/choose"
	"etch/sim/native/internal/emit"
	"etch/sim/net"
)

// TestScoutChance: while parts and bodies take turns, and when one of them is given up, the state is what
// the semantics say, even if others write to it between calls.
func TestScoutChance(t *testing.T) {
	host := hostOfParts(t)
	seeds := uint64(20)
	if testing.Short() {
		seeds = 5
	}
	var turns, wonByParts, wonByBodies, hopeless int
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 29))
		n := restingNet(r)
		n.Stop = net.None
		for i := range n.Mems { // behind one more register
			n.Mems[i].At++
		}
		n = stateMachine(r, n)

		pol := choose.EagerParts()
		pol.Parts.ScoutAgain, pol.Parts.ScoutLearn, pol.Parts.ScoutBlocks, pol.Gates.Block = 1e-3, 1e-2, 3, 2
		if seed%5 == 4 { // bodies have no time for a plan
			pol.StartNode = 1
		}
		var s *Scout
		at := time.Duration(0)
		pol.Clock = func() time.Duration { // by seed, one kind takes longer
			if at++; s != nil && (s.now == Keeper(s.parts)) == (seed%2 == 0) {
				at += 100
			}
			return at
		}
		o := Options{Features: host, Policy: pol, First: emit.FirstScratch + 1<<12}
		e := newEngine(n, o)
		if e == nil {
			continue
		}
		require.NoError(t, e.start())
		run, err := newScout(n, e, o)
		require.NoError(t, err)
		s, _ = run.(*Scout)
		if s == nil {
			run.Close()
			continue
		}

		size := len(n.Regs) + 20
		want, block := make([]uint64, size), make([]uint64, s.Scratch()+size)
		got := block[s.Scratch():]
		before := s.now
		for call := range 150 {
			if call%9 == 0 {
				for _, q := range n.Regs[1:] {
					want[q.Slot] = r.Uint64() & net.Mask(q.W)
				}
				copy(got, want)
			}
			cycles := 1 + r.IntN(60)
			require.Zero(t, s.RunOn(unsafe.Pointer(&got[0]), uint64(cycles), call%9 != 0))
			for range cycles {
				step(n, want)
			}
			require.Equal(t, want, got, "seed %d, call %d", seed, call)
			if s.now != before {
				before = s.now
				turns++
			}
		}
		switch {
		case s.bodies == nil && s.chance.step == 0:
			hopeless++
		case s.bodies == nil:
			wonByParts++
		case s.parts == nil:
			wonByBodies++
		}
		require.NoError(t, s.Close())
	}
	t.Logf("%d turns; parts won %d times and %d without a race, bodies %d times", turns, wonByParts, hopeless, wonByBodies)
	require.Positive(t, wonByParts)
	require.Positive(t, wonByBodies)
	require.Positive(t, hopeless)
	require.Greater(t, turns, 3*(wonByParts+wonByBodies))
}
