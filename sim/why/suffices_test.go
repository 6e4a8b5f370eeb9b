package why

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/bits"
	"etch/sim"
	"etch/sim/replay"
	"etch/testbench/randcircuit"
)

// TestSliceSuffices: any other value of a node outside of the slice, at the asked cycle, leaves the
// asked value as it is. The test evaluates the design itself.
func TestSliceSuffices(t *testing.T) {
	want := 10000
	if testing.Short() {
		want = 1500
	}
	checks, outside := 0, 0
	for seed := uint64(0); checks < want; seed++ {
		run := randomRun(t, seed)
		if run == nil {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 5))
		e := New(run)
		first, last := run.Cycles()
		for range 6 {
			nodes := allNodes(e)
			asked := nodes[r.IntN(len(nodes))]
			cycle := first + r.Uint64N(last-first+1)
			_, err := e.Explain(e.signal(asked), cycle, 0)
			require.NoError(t, err)

			require.NoError(t, e.move(cycle))
			was := forced(e, asked, ref{}, bits.Value{})
			require.True(t, was.Equal(e.value(asked)), "the two evaluations differ")
			cone := coneOf(e, asked)
			for k := range 12 {
				x := nodes[r.IntN(len(nodes))]
				if k%4 > 0 {
					x = cone[r.IntN(len(cone))]
				}
				if e.slice[key{at: e.driver(x), cycle: cycle}] || e.driver(x) == e.driver(asked) {
					continue
				}
				other := bits.New(x.inst.mod.Width(x.id), r.Uint64())
				now := forced(e, asked, e.driver(x), other)
				require.True(t, now.Equal(was), "seed %d, cycle %d: %s is %v, but %v if %s is %v, which is not in the slice",
					seed, cycle, asked.label(), was, now, x.label(), other)
				checks++
				if k%4 > 0 {
					outside++
				}
			}
		}
	}
	require.Greater(t, outside, checks/5, "few of the nodes could have mattered at all")
	t.Logf("%d checks, %d of nodes in the cone of the asked one", checks, outside)
}

// randomRun records random inputs of a random circuit.
func randomRun(t *testing.T, seed uint64) *replay.Run {
	d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, Modules: int(seed % 4), State: true, Control: seed%2 == 1, Calm: true})
	s, err := sim.New(d, sim.WithSeed(seed), sim.WithOutput(nil))
	require.NoError(t, err)
	s.Record(1 << 20)
	r := rand.New(rand.NewPCG(seed, 3))
	for range 24 {
		for _, p := range s.Top() {
			if p.IsInput() && !p.IsClock() && r.IntN(3) == 0 {
				require.NoError(t, s.SetBits(p, bits.FromWords(p.Width(), words(r, p.Width()))))
			}
		}
		s.Step(1)
	}
	run, err := replay.Of(s.Recorded())
	require.NoError(t, err)
	return run
}

func words(r *rand.Rand, width int) []uint64 {
	w := make([]uint64, bits.WordCount(width))
	for i := range w {
		w[i] = r.Uint64() & r.Uint64()
	}
	bits.MaskWords(w, width)
	return w
}

// allNodes lists the nodes of all instances.
func allNodes(e *Explainer) (all []ref) {
	for _, in := range e.roots {
		if in.boxed {
			continue
		}
		for id := ir.ID(1); int(id) < in.mod.Len(); id++ {
			all = append(all, ref{in, id})
		}
	}
	// The order of a map is no order.
	root := e.roots[""]
	var sorted []ref
	var visit func(in *instance)
	visit = func(in *instance) {
		for _, x := range all {
			if x.inst == in {
				sorted = append(sorted, x)
			}
		}
		for _, k := range in.kids {
			visit(k)
		}
	}
	visit(root)
	return sorted
}

// forced is the value of a node at the present cycle if another one had the value v.
func forced(e *Explainer, r, other ref, v bits.Value) bits.Value {
	memo := map[ref]bits.Value{}
	var eval func(r ref) bits.Value
	eval = func(r ref) bits.Value {
		r = e.driver(r)
		if r == other {
			return v
		}
		if x, ok := memo[r]; ok {
			return x
		}
		m := r.inst.mod
		var x bits.Value
		switch op := m.Op(r.id); {
		case r.isLeaf():
			x = e.sim.GetBits(e.signal(r))
		case op == ir.Const:
			x = m.ConstOf(r.id)
		case op == ir.MemRead:
			x = e.word(r.inst, int(m.Node(r.id).Aux), eval(ref{r.inst, m.Args(r.id)[0]}))
		default:
			var args []bits.Value
			for _, a := range m.Args(r.id) {
				args = append(args, eval(ref{r.inst, a}))
			}
			x = ir.Eval(m, r.id, args)
		}
		memo[r] = x
		return x
	}
	return eval(r)
}

// coneOf lists the nodes that a node is computed from, itself first.
func coneOf(e *Explainer, r ref) (all []ref) {
	seen := map[ref]bool{}
	var visit func(r ref)
	visit = func(r ref) {
		r = e.driver(r)
		if seen[r] {
			return
		}
		seen[r] = true
		all = append(all, r)
		if !r.isLeaf() {
			for _, a := range r.inst.mod.Args(r.id) {
				visit(ref{r.inst, a})
			}
		}
	}
	visit(r)
	return all
}
