package native

import (
	"testing"
	"unsafe"

	"etch/sim/choose"
	"etch/sim/native/internal/emit"
	"etch/sim/net"

	"github.com/stretchr/testify/require"
)

func TestRests(t *testing.T) {
	g := &gates{expected: 30, busy: 10}
	require.False(t, g.rests(0, 0.2), "nothing is known yet")
	require.False(t, g.rests(1, 0.2))
	require.False(t, g.rests(15./30, 0.2), "a quarter of the flags")
	require.True(t, g.rests(13./30, 0.2), "three flags of twenty")
	g.busy = 0
	require.False(t, g.rests(3./30, 0.2), "all parts can rest")
}

// A design that comes to rest gets new parts, none of which runs in every cycle; when it goes on, it
// gets parts that do.
func TestPartsOfDesignAtRest(t *testing.T) {
	host := hostOfParts(t)

	// A counter that the host stops, its upper bits in a register, and registers that follow either.
	n := net.New()
	const run, count, upper, followers = 0, 1, 2, 40
	n.Regs = append(n.Regs, net.Reg{Slot: run, W: 1, Q: net.None, Next: net.None, Host: true})
	for i := range 2 + followers {
		n.Regs = append(n.Regs, net.Reg{Slot: int32(count + i), W: 16, Q: net.None, Next: net.None})
	}
	n.Regs[count].Next = n.Add(n.Leaf(count), n.Leaf(run), 16)
	n.Regs[upper].Next = n.Slice(n.Leaf(count), 1, 15)
	for i := range followers {
		n.Regs[upper+1+i].Next = n.Xor(n.Add(n.Leaf(count+i%2), n.Const(uint64(i)), 16), n.Const(uint64(3*i+1)))
	}

	plain, err := Compile(n, host)
	require.NoError(t, err)
	pol := choose.EagerParts()
	pol.Parts.Node, pol.Parts.Largest, pol.Gates.Again = 10, 20, 1e9 // one trial
	g := newGated(n, Options{Features: host, Policy: pol, First: emit.FirstScratch}, plain, plain.Scratch()+gateScratch)
	defer g.Close()
	want, block := make([]uint64, len(n.Regs)), make([]uint64, g.Scratch()+len(n.Regs))
	got := block[g.Scratch():]

	// Long enough calls count as observations of the flags.
	calls := func(runs uint64) {
		want[run], got[run] = runs, runs
		for range 400 {
			require.Zero(t, g.RunOn(unsafe.Pointer(&got[0]), uint64(pol.Parts.Window), true))
			for range pol.Parts.Window {
				step(n, want)
			}
			require.Equal(t, want, got)
		}
	}

	calls(1)
	require.NotNil(t, g.gates)
	require.Positive(t, g.gates.busy)
	calls(0)
	require.Zero(t, g.gates.busy)
	calls(1)
	require.Positive(t, g.gates.busy)
}
