package lanes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/sim"
	"etch/sim/internal/simtest"
	"etch/sim/lanes"
)

// covering is a counter with two cover statements, of values, and a print at one
// of them that leaves the vector code.
func covering() *ir.Design {
	m := simtest.Counter(8, false)
	b := &simtest.Build{Module: m, Clk: m.Ports[0].Node}
	var count ir.ID
	for i := range m.Ports {
		if m.Ports[i].Name == "count" {
			count = m.Ports[i].Node
		}
	}
	at := func(v uint64) ir.ID { return b.Put(ir.Eq, 1, count, b.Number(8, v)) }
	m.Stmts = []ir.Stmt{
		{Kind: ir.Cover, Name: "ten", Clk: b.Clk, En: ir.None, Cond: at(10)},
		{Kind: ir.Print, Name: "say", Clk: b.Clk, En: at(12), Cond: ir.None, Format: "twelve\n"},
		{Kind: ir.Cover, Name: "twelve", Clk: b.Clk, En: at(12), Cond: b.Number(1, 1)},
		{Kind: ir.Cover, Name: "low", Clk: b.Clk, En: ir.None, Cond: b.Put(ir.Lt, 1, count, b.Number(8, 100))},
	}
	return simtest.Alone(m)
}

// Cover statements count in every lane what they count in a Sim with its inputs.
func TestLanesCover(t *testing.T) {
	d := covering()
	require.NoError(t, ir.Verify(d))
	for _, e := range []sim.Engine{sim.Auto, sim.Interpreter} {
		const n = 300
		l, err := lanes.New(d, n, sim.WithEngine(e), sim.WithOutput(nil))
		require.NoError(t, err)
		var sims []*sim.Sim
		for range n {
			s, err := sim.New(d, sim.WithEngine(sim.Interpreter), sim.WithOutput(nil))
			require.NoError(t, err)
			sims = append(sims, s)
		}
		check := func() {
			for lane, s := range sims {
				require.Equal(t, s.Coverage(), l.Coverage(lane), "%v, lane %d", e, lane)
			}
		}
		en, err := l.Signal("en")
		require.NoError(t, err)
		run := func(k int) {
			for lane, s := range sims {
				on := uint64(lane*k>>2) & 1
				require.NoError(t, l.Set(en, lane, on))
				require.NoError(t, s.Set(simtest.Sig(t, s, "en"), on))
				s.Step(k)
			}
			l.Step(k)
			check()
		}
		for k := 3; k < 40; k += 5 {
			run(k)
		}
		require.NotZero(t, l.Coverage(2)[0].Count)
		require.NotEqual(t, l.Coverage(2), l.Coverage(0))
		l.ResetLane(7)
		sims[7].Reset()
		l.RestartLane(8)
		sims[8].Restart()
		check()
		run(9)
		l.Restart()
		require.Zero(t, l.Coverage(2)[2].Count)
		require.NoError(t, l.Close())
	}
}
