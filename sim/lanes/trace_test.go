package lanes_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/sim"
	"etch/sim/fst"
	"etch/sim/internal/simtest"
	"etch/sim/lanes"
	"etch/sim/vcd"
	"etch/testbench/randcircuit"
)

// The waves of a lane are those of a Sim with its seed and inputs, whatever engine
// runs the lanes.
func TestLaneWaves(t *testing.T) {
	seeds := 12
	if testing.Short() {
		seeds = 4
	}
	covered := 0
	for seed := range uint64(seeds) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, Modules: int(seed % 3), State: true, Stmts: seed%3 == 0, Falls: seed%4 == 3})
		engine := []sim.Engine{sim.Auto, sim.Auto, sim.Native, sim.Interpreter}[seed%4]
		const n, lane = 70, 66
		l, err := lanes.New(d, n, sim.WithSeed(seed), sim.WithEngine(engine), sim.WithOutput(io.Discard))
		require.NoError(t, err)
		s, err := sim.New(d, sim.WithSeed(seed+lane), sim.WithOutput(io.Discard))
		require.NoError(t, err)
		var got, want, packed, wanted bytes.Buffer
		a, b := vcd.New(&got), vcd.New(&want)
		p, q := fst.New(&packed), fst.New(&wanted)
		for _, w := range []sim.Tracer{a, p} {
			require.NoError(t, l.Trace(lane, w))
		}
		for _, w := range []sim.Tracer{b, q} {
			require.NoError(t, s.Trace(w))
		}
		r := rand.New(rand.NewPCG(seed, 9))
		for range 25 {
			for i, port := range s.Top() {
				if port.IsInput() && r.IntN(3) == 0 {
					v := r.Uint64() >> (64 - min(64, port.Width()))
					require.NoError(t, s.Set(port, v))
					require.NoError(t, l.SetAll(l.Top()[i], v^v>>1&1)) // another one elsewhere
					require.NoError(t, l.Set(l.Top()[i], lane, v))
				}
			}
			k := 1 + r.IntN(30)
			if r.IntN(5) == 0 && simtest.HasClock(d) {
				clk := r.IntN(len(s.Top()))
				for !s.Top()[clk].IsClock() {
					clk = (clk + 1) % len(s.Top())
				}
				s.Tick(s.Top()[clk], k)
				l.Tick(l.Top()[clk], k)
			} else {
				s.Step(k)
				l.Step(k)
			}
			for i, port := range s.Top() {
				require.Equal(t, s.GetBits(port), l.GetBits(l.Top()[i], lane))
			}
		}
		require.Equal(t, s.Coverage(), l.Coverage(lane), "seed %d", seed)
		covered += len(s.Coverage())
		require.NoError(t, l.Err())
		for _, w := range []interface {
			sim.Tracer
			Close() error
		}{a, b, p, q} {
			require.NoError(t, w.Close())
		}
		require.Equal(t, want.String(), got.String(), "seed %d", seed)
		require.True(t, bytes.Equal(wanted.Bytes(), packed.Bytes()), "seed %d", seed)
		require.NoError(t, l.Close())
	}
	require.NotZero(t, covered, "no design had cover statements")
}

// A tracer that fails is reported; nil is none.
func TestLaneTraceFails(t *testing.T) {
	l, err := lanes.New(simtest.Alone(simtest.Counter(8, false)), 4)
	require.NoError(t, err)
	defer l.Close()
	require.ErrorContains(t, l.Trace(1, nil), "no Tracer")
	require.NoError(t, l.Trace(1, vcd.New(&simtest.Full{Left: 100_000})))
	l.Step(1)
	require.NoError(t, l.Err())
	l.Step(20_000)
	require.ErrorIs(t, l.Err(), simtest.ErrFull)
}

// A tracer's error is that of the Lanes, also where the tracer reads the lane's own simulator.
func TestLaneTraceFailsAlone(t *testing.T) {
	l, err := lanes.New(simtest.Alone(simtest.Counter(8, false)), 4, sim.WithEngine(sim.Interpreter))
	require.NoError(t, err)
	defer l.Close()
	require.NoError(t, l.Trace(1, vcd.New(&simtest.Full{Left: 100_000})))
	l.Step(1)
	require.NoError(t, l.Err())
	l.Step(20_000)
	require.ErrorIs(t, l.Err(), simtest.ErrFull)
}

// recorded is a tracer that records the simulator it is given.
type recorded struct{ *sim.Recording }

func (r *recorded) Start(s *sim.Sim) error { r.Recording = s.Record(1 << 20); return nil }
func (*recorded) Sample(sim.Moment) error  { return nil }

// A lane's own simulator can be recorded.
func TestLaneRecorded(t *testing.T) {
	l, err := lanes.New(simtest.Alone(simtest.Counter(8, false)), 4, sim.WithEngine(sim.Interpreter))
	require.NoError(t, err)
	defer l.Close()
	var r recorded
	require.NoError(t, l.Trace(1, &r))
	require.NoError(t, l.SetAll(l.Top()[2], 1))
	l.Step(7)
	p, err := r.Player()
	require.NoError(t, err)
	require.NoError(t, p.Forward(7))
	require.Equal(t, uint64(7), p.Sim().Get(simtest.Sig(t, p.Sim(), "count")))
}
