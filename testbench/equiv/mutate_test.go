package equiv_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/designs/examples/arbiter"
	"etch/designs/examples/counter"
	"etch/designs/examples/crossing"
	"etch/designs/examples/fifo"
	"etch/designs/examples/fixedmac"
	"etch/designs/examples/pixel"
	"etch/designs/examples/regfile"
	"etch/designs/examples/systolic"
	"etch/designs/examples/uart"
	"etch/hw"
	"etch/ir"
	"etch/ir/bits"
	"etch/passes"
	"etch/sim"
	"etch/testbench/equiv"
	"etch/testbench/tools"
)

// examples are the designs of designs/examples in sizes that a proof likes.
func examples(t testing.TB) map[string]*ir.Design {
	return map[string]*ir.Design{
		"counter":  made(t, counter.Counter{Width: 6}),
		"clock":    made(t, counter.Clock{}),
		"pixel":    made(t, pixel.Stage{}),
		"regfile":  made(t, regfile.RegFile{Regs: 8, Width: 4, Bypass: true}),
		"arbiter":  made(t, arbiter.RoundRobin{N: 4}),
		"fifo":     made(t, fifo.FIFO[hw.UInt]{Elem: hw.Unsigned(3), Depth: 4}),
		"crossing": made(t, crossing.Bridge{Width: 3, Depth: 4}),
		"uart":     made(t, uart.Tx{ClocksPerBit: 4}),
		"fixedmac": made(t, fixedmac.MulAdd{Integer: 2, Fraction: 2}),
		"systolic": made(t, systolic.Array{N: 2, PE: systolic.PE{Data: 3, Sum: 8}}),
	}
}

func made[P any](t testing.TB, c hw.Component[P]) *ir.Design {
	d, _, err := hw.Build(c)
	require.NoError(t, err)
	return d
}

// TestExamplesOptimised: what the passes make of the examples is equal to them.
func TestExamplesOptimised(t *testing.T) {
	for name, d := range examples(t) {
		for _, flat := range []bool{false, true} {
			start := time.Now()
			r := equiv.CheckDesigns(t, d, passes.Optimize(d, passes.Options{Flatten: flat}), equiv.FromPowerUp(), equiv.Statements(), equiv.WithoutABC())
			t.Log(name, flat, time.Since(start).Round(time.Millisecond), r)
		}
	}
}

// mutations are the single changes that are planted in a module, each given a
// place; nil where it does not apply.
func mutations(m *ir.Module, rng *rand.Rand) []func() string {
	var list []func() string
	add := func(f func() string) { list = append(list, f) }
	swap := map[ir.Op]ir.Op{
		ir.And: ir.Or, ir.Or: ir.And, ir.Xor: ir.And, ir.Add: ir.Sub, ir.Sub: ir.Add, ir.Lt: ir.LtS, ir.LtS: ir.Lt,
		ir.Mul: ir.MulS, ir.MulS: ir.Mul, ir.Div: ir.DivS, ir.Rem: ir.RemS, ir.Shl: ir.Shr, ir.Shr: ir.ShrS, ir.ShrS: ir.Shl,
		ir.ZExt: ir.SExt, ir.SExt: ir.ZExt, ir.RedAnd: ir.RedOr, ir.RedOr: ir.RedXor,
	}
	for id := ir.ID(1); int(id) < m.Len(); id++ {
		n := m.Node(id)
		switch {
		case n.Op == ir.Const:
			add(func() string {
				v := m.ConstOf(id)
				bit := rng.IntN(v.Width())
				v = v.SetBit(bit, 1-v.Bit(bit))
				c := m.Const(v, 0)
				m.Node(id).Aux = m.Node(c).Aux
				return fmt.Sprintf("constant %%%d is %v", id, v)
			})
		case n.Op == ir.Mux:
			add(func() string {
				a := m.Args(id)
				a[1], a[2] = a[2], a[1]
				return fmt.Sprintf("mux %%%d the other way round", id)
			})
		case swap[n.Op] != 0:
			add(func() string {
				m.Node(id).Op = swap[n.Op]
				return fmt.Sprintf("%%%d is %v", id, swap[n.Op])
			})
		case n.Op == ir.Slice && n.Aux > 0:
			add(func() string {
				m.Node(id).Aux--
				return fmt.Sprintf("slice %%%d one lower", id)
			})
		}
	}
	for i := range m.Regs {
		if r := &m.Regs[i]; r.Reset != ir.None {
			add(func() string {
				v := m.ConstOf(r.Reset)
				r.Reset = m.Const(v.SetBit(0, 1-v.Bit(0)), 0)
				return fmt.Sprintf("reset value of register %d", i)
			})
			add(func() string {
				r.Rst, r.Reset, r.Async = ir.None, ir.None, false
				return fmt.Sprintf("no reset of register %d", i)
			})
		}
	}
	for i := range m.Mems {
		for k := range m.Mems[i].Writes {
			if w := &m.Mems[i].Writes[k]; w.En != ir.None {
				add(func() string { w.En = ir.None; return fmt.Sprintf("memory %d is written always", i) })
			}
		}
	}
	return list
}

// mutant is a copy of a design with one mistake planted.
func mutant(t testing.TB, d *ir.Design, seed uint64) (*ir.Design, string) {
	rng := rand.New(rand.NewPCG(seed, 5))
	c := d.Clone()
	m := c.Modules[rng.IntN(len(c.Modules))]
	all := mutations(m, rng)
	if len(all) == 0 {
		return nil, ""
	}
	what := all[rng.IntN(len(all))]()
	require.NoError(t, ir.Verify(c), what)
	return c, m.Name + ": " + what
}

// withoutStatements is a copy of a design in which nothing is there for statements
// only: where outputs are compared, a mistake planted in such logic changes nothing.
func withoutStatements(d *ir.Design) *ir.Design {
	c := d.Clone()
	for _, m := range c.Modules {
		m.Stmts = nil
		passes.DCE(m, false)
	}
	return c
}

// TestMutations: a checker that cannot fail is a defect. Of mistakes planted in the
// examples each is found, confirmed by the simulator, or it makes no difference
// that long random runs of the simulator could see either.
func TestMutations(t *testing.T) {
	n := uint64(30)
	if testing.Short() {
		n = 6
	}
	total, found, open := 0, 0, 0
	for name, d := range examples(t) {
		t.Run(name, func(t *testing.T) {
			for seed := range n {
				bad, what := mutant(t, withoutStatements(d), seed)
				if bad == nil {
					continue
				}
				total++
				r, err := equiv.Compare(d, bad, equiv.Limit(10*time.Second), equiv.Conflicts(5000))
				require.NoError(t, err, what)
				if r.Outcome == equiv.Different {
					found++
					continue
				}
				if r.Outcome == equiv.Unknown {
					open++
				}
				require.Equal(t, -1, firstDifference(t, d, bad, 3000, sim.WithSeed(1)), "%s is not found: %v", what, r)
			}
		})
	}
	t.Logf("%d of %d planted mistakes make a difference, and are found; of %d it is not known", found, total, open)
	require.LessOrEqual(t, open, total/50)
	require.Greater(t, found, total*8/10)
}

// firstDifference runs two designs with random inputs after a reset, and returns
// the first cycle in which an output differs, -1 if there is none.
func firstDifference(t testing.TB, a, b *ir.Design, cycles int, start ...sim.Option) int {
	t.Helper()
	var sims [2]*sim.Sim
	for i, d := range []*ir.Design{a, b} {
		s, err := sim.New(d, start...)
		require.NoError(t, err)
		s.Reset()
		sims[i] = s
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for cycle := range cycles {
		var clocks [2][]sim.Signal
		for i, p := range a.Top.Ports {
			if p.Dir == ir.Out {
				continue
			}
			kind := a.Top.TypeOf(p.Type).Kind
			v := bits.FromWords(p.Width, []uint64{rng.Uint64(), rng.Uint64()}[:bits.WordCount(p.Width)])
			if (kind == ir.Reset || kind == ir.AsyncReset) && rng.IntN(50) > 0 {
				v = bits.Zero(p.Width)
			}
			rises := rng.IntN(3) > 0
			for k, s := range sims {
				switch sig := s.Top()[i]; {
				case kind != ir.Clock:
					require.NoError(t, s.SetBits(sig, v))
				case rises:
					clocks[k] = append(clocks[k], sig)
				}
			}
		}
		for i, p := range a.Top.Ports {
			if p.Dir == ir.Out && !sims[0].GetBits(sims[0].Top()[i]).Equal(sims[1].GetBits(sims[1].Top()[i])) {
				return cycle
			}
		}
		sims[0].TickAll(clocks[0]...)
		sims[1].TickAll(clocks[1]...)
	}
	return -1
}

// TestAgainstABC: mutants of the examples have the answer that ABC alone gives.
func TestAgainstABC(t *testing.T) {
	tools.Need(t, "berkeley-abc")
	n := uint64(4)
	if testing.Short() {
		n = 2
	}
	answers := map[equiv.Outcome]int{}
	for name, d := range examples(t) {
		t.Run(name, func(t *testing.T) {
			for seed := range n {
				bad, what := mutant(t, d, 1000+seed)
				if seed == 0 || bad == nil {
					bad, what = passes.Optimize(d, passes.Options{}), "optimised"
				}
				ours, err := equiv.Compare(d, bad, equiv.WithoutABC())
				require.NoError(t, err)
				theirs, err := equiv.Compare(d, bad, equiv.OnlyABC(), equiv.Limit(20*time.Second))
				require.NoError(t, err)
				answers[theirs.Outcome]++
				if theirs.Outcome != equiv.Unknown {
					require.Equal(t, theirs.Outcome, ours.Outcome, "%s: %v, ABC: %v", what, ours, theirs)
				}
			}
		})
	}
	t.Log(answers)
	require.NotZero(t, answers[equiv.Equal])
	require.NotZero(t, answers[equiv.Different])
}

// TestABCAlone: what ABC says of designs without state, and of the first cycles.
func TestABCAlone(t *testing.T) {
	tools.Need(t, "berkeley-abc")
	equiv.Check(t, ripple(6, -1), plus(6), equiv.OnlyABC())
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, ripple(6, 3), plus(6), equiv.OnlyABC()) }), "sum differs in cycle 0")
	equiv.Prove(t, limited(9, 9, true), "", equiv.OnlyABC())
	equiv.Bounded(t, limited(9, 8, true), 9, equiv.OnlyABC())
	require.Contains(t, says(func(t testing.TB) { equiv.Bounded(t, limited(9, 8, true), 10, equiv.OnlyABC()) }), "fails in cycle 9")
	require.Contains(t, says(func(t testing.TB) { equiv.Check(t, start("r"), start("r"), equiv.Unpaired(), equiv.OnlyABC()) }), "y differs in cycle 0")
	require.Contains(t, says(func(t testing.TB) { equiv.Prove(t, limited(9, 9, false), "", equiv.OnlyABC()) }), "x is 0")
}
