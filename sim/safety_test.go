package sim_test

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/testbench/randcircuit"
)

// executable returns how much memory of this process is executable, and how much
// of that can be written too; ok is false where the system does not tell.
func executable(t *testing.T) (size, writable int, ok bool) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return 0, 0, false
	}
	for line := range strings.Lines(string(maps)) {
		f := strings.Fields(line)
		lo, hi, _ := strings.Cut(f[0], "-")
		if len(f[1]) < 3 || f[1][2] != 'x' {
			continue
		}
		a, err := strconv.ParseUint(lo, 16, 64)
		require.NoError(t, err)
		b, err := strconv.ParseUint(hi, 16, 64)
		require.NoError(t, err)
		n := int(b - a)
		size += n
		if f[1][1] == 'w' {
			writable += n
		}
	}
	return size, writable, true
}

func newNative(t *testing.T, seed uint64, opts ...sim.Option) *sim.Sim {
	s, err := sim.New(randcircuit.Control(seed), append(opts, sim.WithEngine(sim.Native))...)
	if err != nil {
		t.Skipf("no native engine here: %v", err)
	}
	return s
}

// TestNoLeak makes and closes, or forgets, many simulators.
func TestNoLeak(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 simulators take seconds")
	}
	design := ram(64, 4)
	before, _, ok := executable(t)
	if !ok {
		t.Skip("no /proc/self/maps")
	}
	for i := range 10_000 {
		s, err := sim.New(design, sim.WithEngine(sim.Native))
		if err != nil {
			t.Skipf("no native engine here: %v", err)
		}
		s.Step(1)
		if i%4 > 0 {
			require.NoError(t, s.Close())
			require.NoError(t, s.Close()) // twice does no harm
		}
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		runtime.GC() // what was forgotten goes with the garbage
		time.Sleep(10 * time.Millisecond)
		after, writable, _ := executable(t)
		require.Zero(t, writable, "memory that is writable and executable")
		if after-before < 1<<20 {
			return
		}
		require.True(t, time.Now().Before(deadline), "%d bytes of code are left of 10,000 simulators", after-before)
	}
}

// TestClosed uses a simulator that is closed: the interpreter goes on.
func TestClosed(t *testing.T) {
	s, other := newNative(t, 5), newNative(t, 5)
	for _, x := range []*sim.Sim{s, other} {
		x.Reset()
		x.Step(3000)
	}
	require.Equal(t, sim.Native, s.Engine())
	require.Positive(t, s.CodeBytes())
	require.NoError(t, s.Close())
	require.Equal(t, sim.Interpreter, s.Engine())
	require.Zero(t, s.CodeBytes())
	s.Step(500)
	other.Step(500)
	require.Equal(t, other.Get(other.Top()[2]), s.Get(s.Top()[2]))
	require.NoError(t, other.Close())
}

// TestParallelNative runs simulators of one design in several goroutines, with the
// collector busy.
func TestParallelNative(t *testing.T) {
	design := randcircuit.Control(8)
	stop := make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	defer close(stop)
	sums := make([]uint64, 8)
	var wg sync.WaitGroup
	for i := range sums {
		wg.Go(func() {
			s, err := sim.New(design, sim.WithEngine([]sim.Engine{sim.Auto, sim.Interpreter}[i%2]))
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			s.Reset()
			for range 20 {
				s.Step(500)
			}
			sums[i] = s.Get(s.Top()[2])
		})
	}
	wg.Wait()
	for _, sum := range sums {
		require.Equal(t, sums[0], sum)
	}
}

// TestSpeaking compares failures, prints and coverage of both engines: native
// code leaves for the cycles in which statements speak, and comes back.
func TestSpeaking(t *testing.T) {
	for seed := range uint64(12) {
		var text [2]bytes.Buffer
		var got [2]*sim.Sim
		for i, e := range []sim.Engine{sim.Interpreter, sim.Auto} {
			s, err := sim.New(randcircuit.Control(seed), sim.WithEngine(e), sim.WithOutput(&text[i]))
			require.NoError(t, err)
			s.Reset()
			s.Step(8000)
			got[i] = s
		}
		require.Equal(t, got[0].FailureCount(), got[1].FailureCount())
		for i, f := range got[0].Failures() {
			require.Equal(t, f.Error(), got[1].Failures()[i].Error())
			require.Equal(t, f.Time, got[1].Failures()[i].Time)
		}
		require.Equal(t, got[0].Coverage(), got[1].Coverage())
		require.Equal(t, got[0].Time(), got[1].Time())
		require.NoError(t, got[1].Close())
	}
}

// TestLooking reads every signal again and again while bodies come and go: the
// code that computes what is looked at must leave the engine's own words simtest.Alone.
func TestLooking(t *testing.T) {
	for seed := range uint64(10) {
		var got [2]*sim.Sim
		for i, e := range []sim.Engine{sim.Interpreter, sim.Native} {
			s, err := sim.New(randcircuit.Control(seed), sim.WithEngine(e))
			if err != nil {
				t.Skipf("no native engine here: %v", err)
			}
			s.Reset()
			got[i] = s
		}
		nodes := got[0].Design().Top.Len()
		for range 200 {
			got[0].Step(41)
			got[1].Step(41)
			for id := 1; id < nodes; id += 7 {
				a, b := got[0].Node(ir.ID(id)), got[1].Node(ir.ID(id))
				require.Equal(t, got[0].Get(a), got[1].Get(b), "seed %d, %s in cycle %d", seed, a.Name(), got[0].Cycles())
			}
		}
		require.NoError(t, got[1].Close())
	}
}
