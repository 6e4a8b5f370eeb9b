package arith_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw/arith"
	"etch/ir/bits"
	"etch/testbench"
)

// Products of all shapes of tiles are exact, a pair every cycle.
func TestProduct(t *testing.T) {
	for _, x := range []arith.Product{
		{A: 1, B: 1, Tile: 17}, {A: 17, B: 17, Tile: 17}, {A: 18, B: 17, Tile: 17}, {A: 28, B: 47, Tile: 17},
		{A: 55, B: 36, Tile: 17}, {A: 9, B: 70, Tile: 8}, {A: 64, B: 64, Tile: 16}, {A: 3, B: 40, Tile: 5},
	} {
		var opts []testbench.Option
		if x.A == 28 {
			opts = append(opts, testbench.CoSim())
		}
		s, p := testbench.New(t, x, opts...)
		r := rand.New(rand.NewPCG(uint64(x.A), uint64(x.B)))
		draw := func(width int) bits.Value {
			if r.IntN(4) == 0 { // carries go all the way
				return bits.New(width, 0).Not()
			}
			return bits.FromWords(width, []uint64{r.Uint64(), r.Uint64()}[:bits.WordCount(width)])
		}
		number := func(v bits.Value) *big.Int { return v.Big() }
		var want []*big.Int
		for n := range 300 {
			a, b := draw(x.A), draw(x.B)
			s.SetBits(p.A, a)
			s.SetBits(p.B, b)
			want = append(want, new(big.Int).Mul(number(a), number(b)))
			s.Step(1)
			if at := n + 1 - x.Latency(); at >= 0 {
				require.Zero(t, want[at].Cmp(number(s.GetBits(p.Out))), "%+v: product %d", x, at)
			}
		}
	}
}
