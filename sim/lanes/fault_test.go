package lanes_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim"
	"etch/sim/choose"
	"etch/sim/internal/drive"
	"etch/sim/internal/simtest"
	"etch/sim/lanes"
	"etch/sim/lanes/internal/code"
	"etch/testbench/randcircuit"
)

// TestLaneCompilerPanics: lanes go on too, with the code that there is, else one after the other.
func TestLaneCompilerPanics(t *testing.T) {
	if !code.Best(drive.Features).Native {
		t.Skip("no machine code for lanes")
	}
	t.Setenv("ETCH_STRICT", "")
	t.Setenv("ETCH_ENGINE", "")
	d := randcircuit.Control(3)
	const n, calls, cycles = 20, 100, 200

	// run makes lanes whose compiler panics from its call number from on, and returns what they
	// computed.
	run := func(from int) (sums []uint64, r lanes.Report) {
		compiled := 0
		defer simtest.BeforeCompile(func() {
			if compiled++; compiled > from {
				panic("planted")
			}
		})()
		l, err := lanes.New(d, n, sim.WithSeed(1), sim.WithPolicy(choose.EagerLanes()), sim.WithOutput(io.Discard))
		require.NoError(t, err)
		defer func() { require.NoError(t, l.Close()) }()
		l.Reset()
		for range calls {
			l.Step(cycles)
		}
		for _, p := range l.Top() {
			for lane := range n {
				sums = append(sums, l.Get(p, lane))
			}
		}
		return sums, l.Report()
	}

	want, fine := run(1 << 30)
	require.Zero(t, fine.Faults)
	require.NotZero(t, fine.Groups)
	require.Contains(t, fine.String(), "is the cheapest")
	inGroups, alone := 0, 0
	for from := range 12 {
		got, r := run(from)
		require.Equal(t, want, got, "from %d", from)
		if r.Faults == 0 {
			continue // it compiles less often
		}
		require.Contains(t, r.String(), "planted", "from %d", from)
		if r.Groups > 0 {
			inGroups++
		} else {
			alone++
		}
	}
	require.NotZero(t, alone)
	require.NotZero(t, inGroups)

	// Strict runs see the panic.
	t.Setenv("ETCH_STRICT", "1")
	require.PanicsWithValue(t, "planted", func() { run(0) })
}

// TestLaneClocksPanic: a set of clocks without a program is interpreted.
func TestLaneClocksPanic(t *testing.T) {
	t.Setenv("ETCH_STRICT", "")
	b := simtest.TwoClocks()
	l, err := lanes.New(simtest.Design(b), 3)
	require.NoError(t, err)
	slow, err := l.Signal("slow")
	require.NoError(t, err)
	seen, err := l.Signal("seen")
	require.NoError(t, err)
	l.Step(3)
	defer simtest.BeforeCompile(func() { panic("planted") })()
	l.Tick(slow, 2)
	l.Tick(slow, 2)
	for lane := range 3 {
		require.EqualValues(t, 3, l.Get(seen, lane))
	}
	r := l.Report()
	require.Equal(t, 1, r.Faults, "a set is tried once")
	require.Equal(t, 1, r.Groups)
	require.Contains(t, r.String(), "a set of clocks has no program: sim: compiling ended with a panic, which is a fault of etch: planted")
	require.NoError(t, l.Close())
}

// TestLanesApartPanic: lanes that run one after the other by the choice of their groups go on too.
func TestLanesApartPanic(t *testing.T) {
	if !code.Best(drive.Features).Native {
		t.Skip("no machine code for lanes")
	}
	t.Setenv("ETCH_STRICT", "")
	l, err := lanes.New(simtest.Alone(simtest.Counter(32, false)), 4)
	require.NoError(t, err)
	en, err := l.Signal("en")
	require.NoError(t, err)
	count, err := l.Signal("count")
	require.NoError(t, err)
	require.NoError(t, l.SetSlice(en, []uint64{1, 0, 1, 0}))
	l.Step(100)
	defer simtest.BeforeCompile(func() { panic("planted") })()
	require.True(t, l.Apart(true))
	l.Step(5000)
	require.EqualValues(t, 5100, l.Get(count, 2))
	require.Zero(t, l.Get(count, 1))
	r := l.Report()
	require.NotZero(t, r.Faults)
	require.Contains(t, r.String(), "one after the other")
	require.Contains(t, r.String(), "planted")
	require.NoError(t, l.Close())
}
