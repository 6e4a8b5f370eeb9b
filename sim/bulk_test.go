package sim_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/bench"
	"etch/ir"
	"etch/sim"
	"etch/sim/fst"
	"etch/sim/internal/simtest"
	"etch/sim/native/cpu"
	"etch/sim/vcd"
	"etch/testbench/randcircuit"
	"etch/testbench/tools"
)

// closer is a wave writer.
type closer interface {
	sim.Tracer
	Close() error
}

// tracedRun is the waves of a run in which inputs change now and then, and what
// its statements said.
func tracedRun(t *testing.T, d *ir.Design, e sim.Engine, seed uint64, make func(w io.Writer) closer) (waves []byte, said string, bulk int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	var out, text bytes.Buffer
	s, err := sim.New(d, sim.WithEngine(e), sim.WithOutput(&text))
	require.NoError(t, err)
	defer s.Close()
	w := make(&out)
	require.NoError(t, s.Trace(w))
	s.Reset()
	snap, err := s.Snapshot()
	require.NoError(t, err)
	for range tracedCalls() {
		for _, p := range s.Top() {
			if p.IsInput() && !p.IsClock() && r.IntN(3) == 0 {
				s.Set(p, r.Uint64()>>(64-min(64, p.Width())))
			}
		}
		switch r.IntN(6) {
		case 0:
			s.Step(1)
		case 1:
			require.NoError(t, s.Restore(snap))
		case 2:
			s.Tick(clockOf(s), 1+r.IntN(40))
		}
		s.Step(1 + r.IntN(60))
		fmt.Fprintln(&text, s.Time(), s.Cycles(), s.Failures())
	}
	require.NoError(t, s.Err())
	require.NoError(t, w.Close())
	return out.Bytes(), text.String(), sim.BulkEvents(s)
}

// tracedCalls is the number of calls of a tracedRun.
func tracedCalls() int { return tools.Trials(60, 15) }

func clockOf(s *sim.Sim) sim.Signal {
	for _, p := range s.Top() {
		if p.IsClock() {
			return p
		}
	}
	panic("no clock")
}

// Waves told in bulk are, byte for byte, those of the interpreter, which tells
// them one by one.
func TestBulkWavesAreEqual(t *testing.T) { bulkWavesAreEqual(t, 24) }

// And on a processor without vectors.
func TestBulkWithoutVectors(t *testing.T) {
	defer sim.Mask(func(f *cpu.Features) { f.AVX2, f.AVX512, f.BMI = false, false, false })()
	bulkWavesAreEqual(t, 4)
}

func bulkWavesAreEqual(t *testing.T, n int) {
	var all []*ir.Design
	for _, d := range bench.Small() {
		if d.Name == "rv32i" || d.Name == "protocol" {
			m, err := d.Make()
			require.NoError(t, err)
			all = append(all, m)
		}
	}
	if testing.Short() {
		all, n = all[:1], n/3
	}
	for seed := range uint64(n) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 60, Modules: int(seed % 3), State: true, Stmts: seed%2 == 0, Falls: seed%8 == 7})
		if seed%2 == 1 {
			plantPrints(d, rand.New(rand.NewPCG(seed, 6)), 4, seed%4 == 1)
			require.NoError(t, ir.Verify(d))
		}
		if simtest.HasClock(d) {
			all = append(all, d)
		}
	}
	bulk := 0
	for i, d := range all {
		for _, make := range []func(io.Writer) closer{
			func(w io.Writer) closer { return vcd.New(w) }, func(w io.Writer) closer { return fst.New(w) },
		} {
			want, said, none := tracedRun(t, d, sim.Interpreter, uint64(i), make)
			require.Zero(t, none)
			got, says, k := tracedRun(t, d, sim.Native, uint64(i), make)
			require.Equal(t, said, says, d.Top.Name)
			require.True(t, bytes.Equal(want, got), "design %d, %s: %d bytes of waves, want %d", i, d.Top.Name, len(got), len(want))
			bulk += k
		}
	}
	require.Greater(t, bulk, 3*tracedCalls()*len(all))
}

// A tracer that fails in bulk is told no more; the simulator goes on.
func TestBulkFails(t *testing.T) {
	d, err := bench.Designs()[7].Make()
	require.NoError(t, err)
	plain, err := sim.New(d)
	require.NoError(t, err)
	plain.Reset()
	plain.Step(60_000)
	for _, make := range []func(io.Writer) closer{
		func(w io.Writer) closer { return vcd.New(w) }, func(w io.Writer) closer { return fst.New(w) },
	} {
		s, err := sim.New(d, sim.WithEngine(sim.Native))
		require.NoError(t, err)
		defer s.Close()
		w := make(&simtest.Full{Left: 100_000})
		require.NoError(t, s.Trace(w))
		s.Reset()
		s.Step(60_000)
		require.ErrorIs(t, s.Err(), simtest.ErrFull)
		require.Equal(t, uint64(60_001), s.Cycles())
		require.ErrorIs(t, w.Close(), simtest.ErrFull)
		last := len(s.Top()) - 1
		require.Equal(t, plain.Get(plain.Top()[last]), s.Get(s.Top()[last]))
	}
}

// ender is a tracer that closes the simulator when it is told in bulk.
type ender struct {
	sim.Bulk
	s *sim.Sim
}

func (c *ender) SampleChanges(changes *sim.Changes) error {
	if err := c.Bulk.SampleChanges(changes); err != nil {
		return err
	}
	return c.s.Close()
}

// A tracer may close the simulator, which then goes on in the interpreter.
func TestBulkCloses(t *testing.T) {
	s, err := sim.New(simtest.Alone(simtest.Counter(32, false)), sim.WithEngine(sim.Native))
	require.NoError(t, err)
	set(t, s, "en", 1)
	w := vcd.New(io.Discard)
	require.NoError(t, s.Trace(&ender{w, s}))
	for range 30 {
		s.Step(1000)
	}
	require.NoError(t, s.Err())
	require.NotZero(t, sim.BulkEvents(s), "nothing was told in bulk")
	require.Equal(t, sim.Interpreter, s.Engine())
	require.Equal(t, uint64(30_000), get(t, s, "count"))
}
