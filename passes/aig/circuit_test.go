package aig_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/text"
	"etch/passes/aig"
	"etch/sim"
	"etch/testbench/randcircuit"
)

// TestAgainstSimulator: random designs with state, several clocks, memories and
// hierarchy do in gates what they do in the simulator, statements included.
func TestAgainstSimulator(t *testing.T) {
	n := uint64(150)
	if testing.Short() {
		n = 30
	}
	tried := 0
	for seed := range n {
		c := randcircuit.Config{Nodes: 25, Modules: int(seed % 3), State: true, Stmts: true, Widths: []int{1, 2, 7, 8, 33, 65}}
		if seed%2 == 0 {
			c.Widths = randcircuit.Narrow
		}
		d := randcircuit.Design(seed, c)
		gates, err := aig.Blast(d, aig.Options{})
		if err != nil {
			require.Contains(t, err.Error(), "by way of an asynchronous reset", "seed %d", seed)
			continue
		}
		tried++
		alongside(t, d, gates, seed)
	}
	t.Log(tried, "designs")
	require.Greater(t, tried, int(n)*8/10)
}

// alongside runs a circuit and a simulator side by side from zeroed state.
func alongside(t *testing.T, d *ir.Design, c *aig.Circuit, seed uint64) {
	t.Helper()
	s, err := sim.New(d, sim.WithEngine(sim.Interpreter), sim.WithOutput(&strings.Builder{}))
	require.NoError(t, err)
	var failed []string
	s.OnFailure(func(f sim.Failure) { failed = append(failed, join(f.Instance, f.Name)) })
	rng := rand.New(rand.NewPCG(seed, 3))
	v, next := make([]uint64, c.Graph.Len()), make([]uint64, c.Graph.Len())
	c.Graph.Simulate(v)
	for i := range c.States {
		put(v, c.States[i].Q, 0, get(v, c.States[i].Init, 0))
	}
	for cycle := range 40 {
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
		var rising []sim.Signal
		for _, k := range c.Clocks {
			sig, err := s.Signal(k.Name)
			require.NoError(t, err)
			up := uint64(rng.IntN(2))
			if k.Tick == aig.True {
				up = 1
			} else {
				v[k.Tick.Node()] = up
			}
			if up == 1 {
				rising = append(rising, sig)
			}
		}
		c.Graph.Simulate(v)
		for _, out := range c.Outputs {
			sig, err := s.Signal(out.Name)
			require.NoError(t, err)
			if want, got := s.GetBits(sig), get(v, out.Bits, 0); !want.Equal(got) {
				t.Fatalf("seed %d, cycle %d: %s is %v in gates, %v in the simulator\n%s", seed, cycle, out.Name, got, want, text.String(d))
			}
		}
		failed = failed[:0]
		s.TickAll(rising...)
		var hit []string
		for _, st := range c.Stmts {
			if (st.Fails() || st.Kind == ir.Assume) && aig.Value(v, st.Hit)&1 == 1 {
				hit = append(hit, st.Name)
			}
		}
		require.ElementsMatch(t, failed, hit, "seed %d, cycle %d", seed, cycle)
		copy(next, v)
		for i := range c.States {
			put(next, c.States[i].Q, 0, get(v, c.States[i].Next, 0))
		}
		v, next = next, v
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func TestErrors(t *testing.T) {
	d := randcircuit.Design(3, randcircuit.Config{Nodes: 30, State: true})
	_, err := aig.Blast(d, aig.Options{MaxNodes: 500})
	require.ErrorContains(t, err, "500")
	d = &ir.Design{Src: ir.NewSources()}
	m := ir.NewModule("top", d.Src)
	clk := m.AddInput("clk", 1, ir.TypeID(ir.Clock), 0)
	addr := m.AddInput("addr", 20, ir.TypeID(ir.UInt), 0)
	m.Mems = append(m.Mems, ir.Memory{Name: "ram", Depth: 1 << 20, Width: 8, Writes: []ir.WritePort{{Name: "w", Clk: clk, Addr: addr, Data: m.AddInput("data", 8, ir.TypeID(ir.UInt), 0)}}})
	m.AddOutput("y", 8, ir.TypeID(ir.UInt), m.Add(ir.Node{Op: ir.MemRead, Width: 8}, addr), 0)
	d.Top, d.Modules = m, []*ir.Module{m}
	require.NoError(t, ir.Verify(d))
	_, err = aig.Blast(d, aig.Options{})
	require.EqualError(t, err, "aig: memory ram has 1048576 words of 8 bits; at most 16384 bits are expanded to registers")
}

// Equal designs give equal graphs, and blasting leaves its design alone.
func TestDeterministic(t *testing.T) {
	for seed := range uint64(10) {
		d := randcircuit.Design(seed, randcircuit.Config{State: true, Modules: 2, Widths: randcircuit.Narrow})
		before := text.String(d)
		a, err := aig.Blast(d, aig.Options{})
		require.NoError(t, err)
		b, err := aig.Blast(d, aig.Options{})
		require.NoError(t, err)
		require.Equal(t, a, b)
		require.Equal(t, before, text.String(d))
	}
}
