package aig_test

import (
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/passes/aig"
	"etch/sim"
	"etch/testbench/randcircuit"
)

// TestFallingEdges: a cycle of the simulator, in which some clocks rise and fall, is
// two steps of a circuit whose state moves with falling edges too.
func TestFallingEdges(t *testing.T) {
	n, tried := uint64(60), 0
	if testing.Short() {
		n = 15
	}
	for seed := range n {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 25, Modules: int(seed % 3), State: true, Falls: true, Stmts: true, Clocks: 1 + int(seed%3), Widths: []int{1, 3, 8, 33}})
		c, err := aig.Blast(d, aig.Options{Together: seed%4 == 0})
		if err != nil {
			require.Contains(t, err.Error(), "by way of an asynchronous reset", "seed %d", seed)
			continue
		}
		if c.Falls() {
			tried++
			halfCycles(t, d, c, seed)
		}
	}
	t.Log(tried, "designs")
	require.Greater(t, tried, int(n)/2)
}

func halfCycles(t *testing.T, d *ir.Design, c *aig.Circuit, seed uint64) {
	t.Helper()
	s, err := sim.New(d, sim.WithEngine(sim.Interpreter), sim.WithOutput(io.Discard))
	require.NoError(t, err)
	var failed, hit []string
	s.OnFailure(func(f sim.Failure) { failed = append(failed, join(f.Instance, f.Name)) })
	rng := rand.New(rand.NewPCG(seed, 9))
	v := make([]uint64, c.Graph.Len())
	c.Graph.Simulate(v)
	for i := range c.States {
		put(v, c.States[i].Q, 0, get(v, c.States[i].Init, 0))
	}
	edge := func(falling bool, rising []bool) {
		for i, e := range c.Events {
			up := falling // the first event is the direction
			if i > 0 {
				up = rising[i-1]
			}
			x := bits.Zero(1)
			if up {
				x = bits.Ones(1)
			}
			put(v, e.Bits, 0, x)
		}
		c.Graph.Simulate(v)
		for _, st := range c.Stmts {
			if (st.Fails() || st.Kind == ir.Assume) && aig.Value(v, st.Hit)&1 == 1 {
				hit = append(hit, st.Name)
			}
		}
		next := append([]uint64(nil), v...)
		for i := range c.States {
			put(next, c.States[i].Q, 0, get(v, c.States[i].Next, 0))
		}
		for _, l := range c.Levels {
			put(next, aig.Word{l.Q}, 0, get(v, aig.Word{l.Next}, 0))
		}
		v = next
	}
	for cycle := range 30 {
		for _, in := range c.Inputs {
			x := edgy(rng, len(in.Bits))
			if in.Reset && rng.IntN(6) > 0 {
				x = x.Xor(x)
			}
			sig, err := s.Signal(in.Name)
			require.NoError(t, err)
			require.NoError(t, s.SetBits(sig, x))
			put(v, in.Bits, 0, x)
		}
		rising := make([]bool, len(c.Clocks))
		var list []sim.Signal
		for i, k := range c.Clocks {
			sig, err := s.Signal(k.Name)
			require.NoError(t, err)
			if rising[i] = len(c.Events) == 0 || rng.IntN(2) == 0; rising[i] {
				list = append(list, sig)
			}
		}
		failed, hit = failed[:0], hit[:0]
		s.TickAll(list...)
		edge(false, rising)
		edge(true, rising)
		require.ElementsMatch(t, failed, hit, "seed %d, cycle %d", seed, cycle)
		c.Graph.Simulate(v)
		for _, out := range c.Outputs {
			sig, err := s.Signal(out.Name)
			require.NoError(t, err)
			require.True(t, s.GetBits(sig).Equal(get(v, out.Bits, 0)), "seed %d, cycle %d: %s", seed, cycle, out.Name)
		}
	}
}
