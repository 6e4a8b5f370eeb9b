package arith_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/hw"
	"etch/hw/arith"
	"etch/testbench"
)

// All pairs of small widths and corners of large ones, with pauses on both sides.
func TestMultiplier(t *testing.T) {
	for _, x := range []arith.Multiplier{{A: 1, B: 1}, {A: 4, B: 3}, {A: 1, B: 5}, {A: 5, B: 1}, {A: 96, B: 64}} {
		s, p := testbench.New(t, x, testbench.CoSim())
		in := testbench.NewSource(s, p.In, testbench.Pauses(0.3, 1))
		out := testbench.NewSink(s, p.Out, testbench.Pauses(0.3, 2))
		var want []hw.UInt
		r := rand.New(rand.NewPCG(1, 1))
		draw := func(width, i int) *big.Int {
			if width < 8 {
				return big.NewInt(int64(i & (1<<width - 1)))
			}
			v := new(big.Int)
			for range 4 {
				v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(r.Uint64()))
			}
			return v.Rsh(v, uint(256-width+r.IntN(width)))
		}
		n := 40
		if x.A+x.B < 12 {
			n = 1 << (x.A + x.B)
		}
		for i := range n {
			a, b := draw(x.A, i), draw(x.B, i>>x.A)
			in.Send(arith.Factors{A: hw.UBig(a), B: hw.UBig(b)})
			want = append(want, hw.UBig(new(big.Int).Mul(a, b)))
		}
		s.StepUntil(func() bool { return len(out.Got()) == n }, n*(x.Latency()+20))
		out.Expect(want...)
	}
}

// The latency is what Latency says, and is the interval too.
func TestMultiplierTiming(t *testing.T) {
	x := arith.Multiplier{A: 7, B: 9}
	s, p := testbench.New(t, x)
	s.Set(p.In.Valid, 1)
	s.Set(p.Out.Ready, 1)
	s.Step(1)
	for range 3 {
		require.Equal(t, x.Latency()-1, s.StepUntil(func() bool { return s.High(p.Out.Valid) }, 100))
		s.Expect(p.In.Ready, 1)
		s.Step(1)
	}
	require.ErrorContains(t, arith.Multiplier{A: 3}.Validate(), "B = 0")
}
