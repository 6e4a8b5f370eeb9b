package passes_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/text"
	"etch/passes"
	"etch/testbench/randcircuit"
)

// modulePasses are the passes of the table under both settings of KeepNames, and
// Flatten.
func modulePasses() map[string]func(d *ir.Design) passes.Count {
	all := map[string]func(d *ir.Design) passes.Count{}
	for _, p := range passes.Table {
		for _, keep := range []bool{false, true} {
			o := &passes.Options{KeepNames: keep, Flatten: true}
			name := p.Name
			if keep {
				name += "+names"
			}
			all[name] = func(d *ir.Design) passes.Count {
				if p.Design != nil {
					return p.Design(d, o)
				}
				var c passes.Count
				for _, m := range d.Modules {
					c.Add(p.Module(m, o))
				}
				return c
			}
		}
	}
	return all
}

// tables counts the look-up tables of a design.
func tables(d *ir.Design) int {
	n := 0
	for _, m := range d.Modules {
		for id := ir.ID(1); int(id) < m.Len(); id++ {
			if m.Op(id) == ir.Lut {
				n++
			}
		}
	}
	return n
}

var more = flag.Uint64("more", 1, "how many times more random designs to try")

func seeds(t *testing.T, n uint64) uint64 {
	if testing.Short() {
		return n / 10
	}
	return n * *more
}

// TestEachPass: on random designs every pass alone keeps the behaviour, leaves a
// valid design, fires, and finds nothing the second time.
func TestEachPass(t *testing.T) {
	for name, pass := range modulePasses() {
		t.Run(name, func(t *testing.T) {
			var total passes.Count
			for seed := range seeds(t, 50) {
				d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, Modules: int(seed % 3), State: seed%4 != 0, Stmts: true, Extern: true})
				after := d.Clone()
				c := pass(after)
				total.Add(c)
				require.NoError(t, ir.Verify(after), "seed %d", seed)
				sameBehaviour(t, d, after, seed, 12)
				if c[passes.Flattened] == 0 {
					gone := c[passes.LutsRemoved] + c[passes.LutsMerged] + c[passes.SharedLuts] + c[passes.DeadLuts]
					require.Equal(t, tables(d)-tables(after), gone, "seed %d: %s", seed, c)
				}
				once := text.String(after)
				if c.Total() == 0 {
					require.Equal(t, text.String(d), once, "seed %d: changed, but counted nothing", seed)
				}
				again := pass(after)
				require.Zero(t, again.Total(), "seed %d: a second run found %s\n%s", seed, again, once)
				require.Equal(t, once, text.String(after), "seed %d", seed)
			}
			require.NotZero(t, total.Total())
			t.Log(total)
		})
	}
}

// options are all combinations of what a user may ask for.
func options() []passes.Options {
	var all []passes.Options
	for i := range 4 {
		all = append(all, passes.Options{KeepNames: i&1 != 0, Flatten: i&2 != 0})
	}
	return all
}

// TestOptimize: the whole table keeps the behaviour and its input, is stable, and
// gives equal bytes for equal input.
func TestOptimize(t *testing.T) {
	for seed := range seeds(t, 50) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 50, Modules: int(seed % 4), State: seed%4 != 0, Stmts: seed%2 == 0, Extern: seed%3 == 0})
		before := text.String(d)
		for _, o := range options() {
			var c passes.Count
			o.Count = &c
			out := passes.Optimize(d, o)
			require.NoError(t, ir.Verify(out), "seed %d", seed)
			require.Equal(t, before, text.String(d), "seed %d: the input was changed", seed)
			sameBehaviour(t, d, out, seed, 12)
			if !o.KeepNames && !o.Flatten {
				require.LessOrEqual(t, size(out), size(d), "seed %d: larger than before", seed)
				gone := c[passes.LutsRemoved] + c[passes.LutsMerged] + c[passes.SharedLuts] + c[passes.DeadLuts]
				require.LessOrEqual(t, gone, tables(d)-tables(out), "seed %d: %s", seed, c) // modules may go whole
			}
			again := passes.Options{KeepNames: o.KeepNames, Flatten: o.Flatten, Count: new(passes.Count)}
			require.Equal(t, text.String(out), text.String(passes.Optimize(out, again)), "seed %d", seed)
			require.Zero(t, again.Count.Total(), "seed %d", seed)
			same := randcircuit.Design(seed, randcircuit.Config{Nodes: 50, Modules: int(seed % 4), State: seed%4 != 0, Stmts: seed%2 == 0, Extern: seed%3 == 0})
			require.Equal(t, text.String(out), text.String(passes.Optimize(same, again)), "seed %d", seed)
		}
	}
}

func size(d *ir.Design) int {
	n := 0
	for _, m := range d.Modules {
		n += m.Len()
	}
	return n
}

// TestAnyOrder: passes are right in any order, not only in that of the table.
func TestAnyOrder(t *testing.T) {
	var list []func(d *ir.Design) passes.Count
	all := modulePasses()
	for _, p := range passes.Table {
		list = append(list, all[p.Name], all[p.Name+"+names"])
	}
	for seed := range seeds(t, 100) {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 40, Modules: int(seed % 3), State: seed%4 != 0, Stmts: seed%2 == 0})
		after := d.Clone()
		rng := rand.New(rand.NewPCG(seed, 7))
		for range 6 {
			list[rng.IntN(len(list))](after)
			require.NoError(t, ir.Verify(after), "seed %d", seed)
		}
		sameBehaviour(t, d, after, seed, 10)
	}
}

// TestEveryInput: for small cones every combination of inputs gives what it gave.
func TestEveryInput(t *testing.T) {
	proved := 0
	for seed := range seeds(t, 250) {
		d := randcircuit.Design(seed, randcircuit.Config{Widths: randcircuit.Narrow, Nodes: 10, Modules: int(seed % 2)})
		in := 0
		for _, p := range d.Top.Ports {
			if p.Dir == ir.In {
				in += p.Width
			}
		}
		if in > 12 {
			continue
		}
		sameForAllInputs(t, d, passes.Optimize(d, passes.Options{Flatten: true}), seed)
		sameForAllInputs(t, d, passes.Optimize(d, passes.Options{KeepNames: true}), seed)
		proved++
	}
	require.NotZero(t, proved)
	t.Log(proved, "designs proved")
}
