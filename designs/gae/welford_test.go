package gae_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"etch/designs/gae"
	"etch/designs/gae/model"
	"etch/hw"
	"etch/ir/bits"
	"etch/testbench"
)

// Number after number, mean and sum are the model's, and the interval is what
// Interval says.
func TestWelford(t *testing.T) {
	for _, frac := range []int{16, 32, 40} {
		w := gae.Welford{Frac: frac}
		s, p := testbench.New(t, w, testbench.CoSim())
		want := model.Welford{Frac: frac}
		r := rand.New(rand.NewPCG(uint64(frac), 1))
		for i := range 40 {
			x := r.Int64() >> (32 + r.IntN(24))
			if i < 4 {
				x = []int64{1<<31 - 1, -1 << 31, -1 << 31, 1<<31 - 1}[i]
			}
			testbench.Send(s, p.In, hw.S(x))
			require.Equal(t, w.Interval()-1, s.StepUntil(func() bool { return s.High(p.In.Ready) }, 1000))
			want.Add(x)
			s.Expect(p.Count, int(want.N))
			s.Expect(p.Mean, int(want.Mean))
			s.ExpectBits(p.Sum, bits.FromBig(p.Sum.Width(), &want.Sum))
		}
	}
}
