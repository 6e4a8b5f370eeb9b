package replay_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/replay"
)

// TestBack goes back in a long run by single cycles, in steps that grow, and far, and forwards again:
// a counter has the value of every cycle, wherever the run came from.
func TestBack(t *testing.T) {
	m := ir.NewModule("counter", ir.NewSources())
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	count := m.AddReg("count", 32, 0, clk, 0)
	m.Regs[0].Next = m.Add(ir.Node{Op: ir.Add, Width: 32}, count, m.Const(bits.New(32, 1), 0))
	m.AddOutput("out", 32, 0, count, 0)
	s, err := sim.New(&ir.Design{Top: m, Modules: []*ir.Module{m}}, sim.WithOutput(nil))
	require.NoError(t, err)
	s.Record(1 << 20)
	const cycles = 50_000
	s.Step(cycles)

	r, err := replay.Of(s.Recorded())
	require.NoError(t, err)
	out, err := r.Sim().Signal("out")
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 9))
	at := uint64(cycles)
	for range 3000 {
		require.NoError(t, r.Go(at))
		require.Equal(t, at, r.Cycle())
		require.Equal(t, at, r.Sim().Get(out))

		switch step := 1 + rng.Uint64N(1<<rng.IntN(12)); {
		case rng.IntN(20) == 0:
			at = rng.Uint64N(cycles + 1)
		case rng.IntN(3) == 0:
			at = min(at+step, cycles)
		default:
			at -= min(at, step)
		}
	}
}
