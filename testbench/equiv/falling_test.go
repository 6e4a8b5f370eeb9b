package equiv_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/ir"
	"etch/ir/text"
	"etch/passes"
	"etch/testbench/equiv"
	"etch/testbench/randcircuit"
)

// netlist reads netlist text.
func netlist(t testing.TB, s string) *ir.Design {
	d, err := text.Parse(strings.NewReader(s), "test.etch")
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	return d
}

// halves takes x with one edge of a clock and hands it on with another: which of
// c, d, not c and not d they are.
func halves(t testing.TB, first, second string) *ir.Design {
	return netlist(t, fmt.Sprintf(`etch 1
top halves

module halves {
  input c: 1 clock = %%1
  input d: 1 clock = %%2
  input x: 4 = %%3
  output y: 4 = %%7
  %%1 c: 1 clock = input c
  %%2 d: 1 clock = input d
  %%3 x: 4 = input x
  %%4: 4 = const 4'h0
  %%5: 1 clock = not %%1
  %%6: 1 clock = not %%2
  %%7 q: 4 = reg
  %%8 p: 4 = reg
  reg %%7 next %%8 clk %s init %%4
  reg %%8 next %%3 clk %s init %%4
}
`, second, first))
}

// TestFallingEdges: every order of edges counts, and nothing else does.
func TestFallingEdges(t *testing.T) {
	const c, d, notC, notD = "%1", "%2", "%5", "%6"
	edges := []string{c, d, notC, notD}
	for _, first := range edges {
		for _, second := range edges {
			a := halves(t, first, second)
			r := equiv.CheckDesigns(t, a, halves(t, first, second), equiv.WithoutABC())
			require.Equal(t, equiv.Equal, r.Outcome)
			for _, other := range edges {
				for _, b := range []*ir.Design{halves(t, other, second), halves(t, first, other)} {
					r, err := equiv.Compare(a, b, equiv.WithoutABC())
					require.NoError(t, err, "%s %s, %s", first, second, other)
					same := text.String(a) == text.String(b)
					require.Equal(t, same, r.Outcome == equiv.Equal, "%s %s, %s: %v", first, second, other, r)
				}
			}
		}
	}
	r, err := equiv.Compare(halves(t, c, notC), halves(t, c, c), equiv.Together())
	require.NoError(t, err)
	require.Equal(t, equiv.Different, r.Outcome)
	require.Equal(t, 2, r.Counterexample.Cycle, "taken with edge 0, seen after edge 1")
	require.Contains(t, r.String(), "y differs before edge 2, rising and falling ones counted from 0: a has 4'h")
	equiv.CheckDesigns(t, halves(t, notC, c), halves(t, notD, d), equiv.Together())
}

// TestFallingRandom: random designs with falling edges are equal to what the passes
// make of them, and mutants that are not are confirmed by the simulator.
func TestFallingRandom(t *testing.T) {
	n, found := uint64(20), 0
	if testing.Short() {
		n = 6
	}
	for seed := range n {
		d := randcircuit.Design(seed, randcircuit.Config{Nodes: 15, Modules: int(seed % 3), State: true, Falls: true, Stmts: true, Widths: randcircuit.Narrow})
		opts := []equiv.Option{equiv.FromPowerUp(), equiv.Statements(), equiv.WithoutABC(), equiv.Limit(20 * time.Second)}
		if seed%2 == 1 {
			opts = append(opts, equiv.Together())
		}
		equiv.CheckDesigns(t, d, passes.Optimize(d, passes.Options{Flatten: true}), opts...)
		bad, what := mutant(t, d, seed)
		if bad == nil {
			continue
		}
		r, err := equiv.Compare(d, bad, opts...)
		require.NoError(t, err, what)
		if r.Outcome == equiv.Different {
			found++
		}
	}
	require.NotZero(t, found)
}
