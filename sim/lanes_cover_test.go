package sim_test

import (
	"testing"

	"etch/ir"
	"etch/sim"

	"github.com/stretchr/testify/require"
)

// covering is a counter with two cover statements, of values, and a print at one
// of them that leaves the vector code.
func covering() *ir.Design {
	m := counter(8, false)
	b := &build{Module: m, clk: m.Ports[0].Node}
	var count ir.ID
	for i := range m.Ports {
		if m.Ports[i].Name == "count" {
			count = m.Ports[i].Node
		}
	}
	at := func(v uint64) ir.ID { return b.node(ir.Eq, 1, count, b.konst(8, v)) }
	m.Stmts = []ir.Stmt{
		{Kind: ir.Cover, Name: "ten", Clk: b.clk, En: ir.None, Cond: at(10)},
		{Kind: ir.Print, Name: "say", Clk: b.clk, En: at(12), Cond: ir.None, Format: "twelve\n"},
		{Kind: ir.Cover, Name: "twelve", Clk: b.clk, En: at(12), Cond: b.konst(1, 1)},
		{Kind: ir.Cover, Name: "low", Clk: b.clk, En: ir.None, Cond: b.node(ir.Lt, 1, count, b.konst(8, 100))},
	}
	return alone(m)
}

// Cover statements count in every lane what they count in a Sim with its inputs.
func TestLanesCover(t *testing.T) {
	d := covering()
	require.NoError(t, ir.Verify(d))
	for _, e := range []sim.Engine{sim.Auto, sim.Interpreter} {
		const n = 300
		l, err := sim.NewLanes(d, n, sim.WithEngine(e), sim.WithOutput(nil))
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
				require.NoError(t, s.Set(sig(t, s, "en"), on))
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
