package sim_test

import (
	"flag"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/internal/simtest"
	"etch/testbench/randcircuit"
)

var (
	firstSeed = flag.Uint64("first", 1, "first seed of the random netlists")
	manySeeds = flag.Int("seeds", 0, "number of random netlists; 0: as many as suit")
)

// TestRandomNetlists compares every node, register and memory word of random
// designs with the naive simulator, cycle by cycle.
func TestRandomNetlists(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 60
	}
	if *manySeeds > 0 {
		n = *manySeeds
	}
	for i := range n {
		seed := *firstSeed + uint64(i)
		d := simtest.RandomDesign(seed)
		require.NoError(t, ir.Verify(d), "seed %d", seed)
		require.NoError(t, lockStep(d, seed, 12), "seed %d", seed)
	}
}

// TestSharedGenerator does the same with the generator that the other judges use.
func TestSharedGenerator(t *testing.T) {
	n := 120
	if testing.Short() {
		n = 20
	}
	for seed := range uint64(n) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 50, Modules: int(seed % 4), State: true, Stmts: true, Extern: true})
		require.NoError(t, lockStep(d, seed, 10), "seed %d", seed)
	}
}

// TestFallingEdges does so with state that moves when clocks fall.
func TestFallingEdges(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 30
	}
	for seed := range uint64(n) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, Modules: int(seed % 4), State: true, Stmts: true, Extern: seed%2 == 0, Falls: true})
		require.NoError(t, lockStep(d, seed, 10), "seed %d", seed)
	}
}

// lockStep runs d in both simulators with the same stimulus.
func lockStep(d *ir.Design, seed uint64, cycles int, opts ...sim.Option) error {
	opts = append(opts, sim.WithOutput(io.Discard))
	if seed%2 == 1 {
		opts = append(opts, sim.WithSeed(seed))
	}
	s, err := sim.New(d, opts...)
	if err != nil {
		return err
	}
	n := newNaive(d)
	if seed%2 == 1 {
		adoptState(s, n)
	}
	g := &simtest.Gen{Rand: simtest.NewRand(seed ^ 0xfeed)}
	for cycle := range cycles {
		for i, p := range d.Top.Ports {
			if p.Dir == ir.In && p.Type != ir.TypeID(ir.Clock) && g.IntN(3) > 0 {
				n.inputs[i] = g.Value(p.Width)
				if err := s.SetBits(s.Top()[i], n.inputs[i]); err != nil {
					return err
				}
			}
		}
		if cycle%3 == 0 { // without a look between, the edge itself must settle
			n.settle()
			if err := compare(s, n); err != nil {
				return fmt.Errorf("cycle %d, settled: %w", cycle, err)
			}
		}
		clocks := randomEdge(g, s, n)
		n.settle()
		if g.IntN(3) == 0 { // a look must not matter
			continue
		}
		if err := compare(s, n); err != nil {
			return fmt.Errorf("cycle %d, after %s: %w", cycle, clocks, err)
		}
	}
	if err := compare(s, n); err != nil {
		return fmt.Errorf("at the end: %w (%v)", err, s.Err())
	}
	if err := s.Err(); err != nil {
		return err
	}
	return compareStmts(s, n)
}

// randomEdge has the same clocks rise in both.
func randomEdge(g *simtest.Gen, s *sim.Sim, n *naive) string {
	var clks []sim.Signal
	on := map[int]bool{}
	for i, sig := range s.Top() {
		if sig.IsClock() && g.IntN(3) > 0 {
			clks = append(clks, sig)
			on[i] = true
		}
	}
	n.edge(func(port int) bool { return on[port] })
	n.edge(func(port int) bool { return on[^port] })
	s.TickAll(clks...)
	return fmt.Sprint(len(clks), " clocks")
}

// adoptState copies the random power-up state of s.
func adoptState(s *sim.Sim, n *naive) {
	for _, c := range n.all {
		at := func(id ir.ID) bits.Value {
			sig, err := s.NodeOf(c.path, id)
			if err != nil {
				panic(err)
			}
			return s.GetBits(sig)
		}
		for i, r := range c.m.Regs {
			c.regs[i] = at(r.Node)
		}
		for i, mem := range c.m.Mems {
			for k, r := range mem.Reads {
				c.reads[i][k] = at(r.Node)
			}
			if mem.Init == nil {
				for k := range c.mems[i] {
					c.mems[i][k] = memOf(s, c, mem.Name).Read(k)
				}
			}
		}
	}
}

func memOf(s *sim.Sim, c *naiveInst, name string) sim.Mem {
	path := name
	if c.path != "" {
		path = c.path + "." + name
	}
	m, err := s.Mem(path)
	if err != nil {
		panic(err)
	}
	return m
}

// compare looks at everything.
func compare(s *sim.Sim, n *naive) error {
	for _, c := range n.all {
		for id := ir.ID(1); int(id) < c.m.Len(); id++ {
			sig, err := s.NodeOf(c.path, id)
			if err != nil {
				return err
			}
			if got, want := s.GetBits(sig), c.eval(id); !got.Equal(want) {
				return fmt.Errorf("%s, op %s: %v, want %v", sig.Name(), c.m.Op(id), got, want)
			}
		}
		for i, mem := range c.m.Mems {
			m := memOf(s, c, mem.Name)
			for k, want := range c.mems[i] {
				if got := m.Read(k); !got.Equal(want) {
					return fmt.Errorf("%s[%d]: %v, want %v", m.Name(), k, got, want)
				}
			}
		}
	}
	return nil
}

func compareStmts(s *sim.Sim, n *naive) error {
	failures := map[string]uint64{}
	for _, f := range s.Failures() {
		failures[f.Instance+"/"+f.Name]++
	}
	covers := map[string]uint64{}
	for _, p := range s.Coverage() {
		covers[p.Instance+"/"+p.Name] = p.Count
	}
	stopped := false
	for _, c := range n.all {
		for i, st := range c.m.Stmts {
			key := c.path + "/" + st.Name
			got, want := covers[key], c.covers[i]
			switch st.Kind {
			case ir.Assert, ir.Assume:
				got, want = failures[key], c.fails[i]
			case ir.Print:
				continue
			case ir.Stop:
				stopped = stopped || c.covers[i] > 0
				if got, want = failures[key], c.covers[i]; st.Code == 0 {
					want = 0
				}
			}
			if got != want {
				return fmt.Errorf("%s %s: %d times, want %d", st.Kind, key, got, want)
			}
		}
	}
	if _, got := s.Stopped(); got != stopped {
		return fmt.Errorf("stopped is %v, want %v", got, stopped)
	}
	return nil
}
