package equiv_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/testbench/equiv"
)

// pipeline is x·y + 3, three cycles late, with registers where cuts says; wrong has
// it add something else for one pair of factors.
func pipeline(w int, cuts string, wrong bool) hw.Component[sumPorts] {
	return sum(w, func(m *hw.Module, p sumPorts) {
		n := 0
		late := func(at byte, x hw.UInt) hw.UInt {
			for range strings.Count(cuts, string(at)) {
				n++
				r := hw.Reg(m, "r_"+cuts+string(rune('a'+n)), hw.Unsigned(w))
				r.Set(x)
				x = r
			}
			return x
		}
		a, b := late('i', p.A), late('i', p.B)
		product := late('m', a.Mul(b).Trunc(w))
		three := product.Lit(3)
		if wrong {
			three = hw.Mux(product.Is(1<<w-2), product.Lit(2), three)
		}
		p.Sum.Set(late('o', product.Add(three)))
	})
}

// TestPipelines: registers in other places are no matter when what they hold at
// power-up has run out.
func TestPipelines(t *testing.T) {
	d := made(t, pipeline(6, "imo", false))
	for _, cuts := range []string{"iii", "mmm", "ooo", "iio", "mmo"} {
		other := made(t, pipeline(6, cuts, false))
		r := equiv.CheckDesigns(t, d, other, equiv.Reset(3), equiv.WithoutABC())
		require.Contains(t, r.By, "unrolling to the depth of 3", "%s: %v", cuts, r)
		r = equiv.CheckDesigns(t, d, other, equiv.Reset(7), equiv.WithoutABC())
		require.Contains(t, r.By, "unrolling to the depth of 3", "%s: %v", cuts, r)

		// One cycle less and the old state is seen.
		r, err := equiv.Compare(d, other, equiv.Reset(2), equiv.Unpaired(), equiv.WithoutABC())
		require.NoError(t, err)
		require.Equal(t, equiv.Different, r.Outcome, cuts)
		require.Zero(t, r.Counterexample.Cycle)

		r, err = equiv.Compare(d, made(t, pipeline(6, cuts, true)), equiv.Reset(3), equiv.WithoutABC())
		require.NoError(t, err)
		require.Equal(t, equiv.Different, r.Outcome, "%s: %v", cuts, r)
	}
	for _, cuts := range []string{"im", "immo"} { // another latency
		r, err := equiv.Compare(d, made(t, pipeline(6, cuts, false)), equiv.Reset(4), equiv.WithoutABC())
		require.NoError(t, err)
		require.Equal(t, equiv.Different, r.Outcome, cuts)
	}
}
