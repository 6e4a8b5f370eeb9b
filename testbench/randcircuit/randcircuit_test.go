package randcircuit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"etch/ir"
)

// TestValidAndTotal: every design verifies, and together they have every op at
// every width that the op can have.
func TestValidAndTotal(t *testing.T) {
	seen := map[ir.Op]map[int]bool{}
	for seed := range uint64(400) {
		d := Design(seed, Config{Modules: int(seed % 4), State: seed%2 == 0, Stmts: seed%3 == 0, Extern: true, Control: seed%5 == 0, Split: seed%2 == 0, Clocks: int(seed % 4)})
		require.NoError(t, ir.Verify(d), "seed %d", seed)
		for _, m := range d.Modules {
			for id := ir.ID(1); int(id) < m.Len(); id++ {
				o := m.Op(id)
				if seen[o] == nil {
					seen[o] = map[int]bool{}
				}
				seen[o][m.Width(id)] = true
				for _, a := range m.Args(id) {
					seen[o][m.Width(a)] = true
				}
			}
		}
	}
	for o := ir.Invalid + 1; o < ir.NumOps; o++ {
		want := Widths
		switch o {
		case ir.Lut:
			want = []int{1}
		case ir.NetOut:
			want = nil // the generator makes no pads; ir/pads has random nets of its own
		}
		for _, w := range want {
			require.True(t, seen[o][w], "no %s of %d bits", o, w)
		}
	}
}

// TestNarrow: the small configuration for exhaustive checks verifies too.
func TestNarrow(t *testing.T) {
	for seed := range uint64(100) {
		require.NoError(t, ir.Verify(Design(seed, Config{Widths: Narrow, Nodes: 12})), "seed %d", seed)
	}
}
